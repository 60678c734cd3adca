/* shell.c - see shell.h. */
#include "lib/syntax/shell.h"

#include <stdbool.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"

static bool is_seen(const char *word)
{
	const char *end = word + strlen(word);
	struct printable is;

	for (; printable_next(word, end, &is); word += is.took)
		if (is.text != word)
			return false;
	return true;
}

/* Writes each invisible byte in octal, which all these shells understand. */
static int ansi_quoted(struct buf *out, const char *word, struct error *err)
{
	const char *end = word + strlen(word);
	struct printable is;

	if (buf_printf(out, err, "$'"))
		return -1;
	for (; printable_next(word, end, &is); word += is.took) {
		if (is.text == word) {
			if ((strchr("\\'", *word) &&
			        buf_printf(out, err, "\\")) ||
			    buf_append(out, word, is.took, err))
				return -1;
			continue;
		}
		for (size_t i = 0; i < is.took; i++)
			if (buf_printf(
			        out, err, "\\%03o", (unsigned char)word[i]))
				return -1;
	}
	return buf_printf(out, err, "'");
}

int shell_word(struct buf *out, const char *word, struct error *err)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
	                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "0123456789_./:+-,=@%";

	/* zsh expands "=name" to a path. */
	if (*word && *word != '=' && !word[strspn(word, plain)])
		return buf_printf(out, err, "%s", word);
	if (!is_seen(word))
		return ansi_quoted(out, word, err);
	if (buf_printf(out, err, "'"))
		return -1;
	for (; *word; word++)
		if (buf_printf(out, err, *word == '\'' ? "'\\''" : "%c", *word))
			return -1;
	return buf_printf(out, err, "'");
}

int shell_operand(struct buf *out, const char *path, struct error *err)
{
	struct buf safe = BUF_INIT;
	int rc = 0;

	if (*path != '-')
		return shell_word(out, path, err);
	rc = buf_printf(&safe, err, "./%s", path);
	if (rc == 0)
		rc = shell_word(out, (const char *)safe.data, err);
	buf_release(&safe);
	return rc;
}

static const char blanks[] = " \t\n";

/* May a backslash stand before the letter?  `quote`: the open one, or 0. */
static bool is_escapable(char letter, char quote)
{
	if (!letter)
		return false;
	if (quote)
		return letter == quote || letter == '\\';
	return strchr(blanks, letter) || strchr("'\"\\", letter);
}

int shell_take(char **rest, char **word, struct error *err)
{
	char *at = *rest + strspn(*rest, blanks), *to = at, quote = 0;

	*word = to;
	if (!*at)
		return 0;
	for (; *at && (quote || !strchr(blanks, *at)); at++) {
		if (quote && *at == quote)
			quote = 0;
		else if (!quote && strchr("'\"", *at))
			quote = *at;
		else if (*at == '\\' && quote != '\'' &&
		         is_escapable(at[1], quote))
			*to++ = *++at;
		else
			*to++ = *at;
	}
	*rest = *at ? at + 1 : at;
	*to = '\0';
	if (!quote)
		return 1;
	return error_set(err, ERROR_USAGE,
	    "a quote (%c) is not closed; a comment begins at a blank and # or "
	    ";, even in quotes",
	    quote);
}
