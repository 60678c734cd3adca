/* shell.c - see shell.h. */
#include "lib/base/shell.h"

#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"

int shell_word(struct buf *out, const char *word, struct error *err)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
	                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "0123456789_./:+-,=@%";

	if (*word && !word[strspn(word, plain)])
		return buf_printf(out, err, "%s", word);
	if (buf_printf(out, err, "'"))
		return -1;
	for (; *word; word++)
		if (buf_printf(out, err, *word == '\'' ? "'\\''" : "%c", *word))
			return -1;
	return buf_printf(out, err, "'");
}
