/* word_list.c - see word_list.h. */
#include "lib/syntax/word_list.h"

#include <string.h>

#include "lib/base/error.h"

int word_list_next(
    const char **list, char word[WORD_LIST_WORD], struct error *err)
{
	static const char between[] = " \t\n,";
	const char *at = *list + strspn(*list, between);
	const size_t len = strcspn(at, between);

	if (len >= WORD_LIST_WORD)
		return error_set(err, ERROR_USAGE,
		    "'%.*s' is longer than %d bytes", (int)len, at,
		    WORD_LIST_WORD - 1);
	memcpy(word, at, len);
	word[len] = '\0';
	*list = at + len;
	return len > 0;
}
