/*
 * printable.h - text that others wrote, made harmless for people who read it.
 *
 * Names and messages come from databases, files, options and the environment.
 * On a terminal a character of theirs could move the cursor, change colours,
 * reorder or hide text, or begin a line that looks like presto's own.  Such
 * characters are shown as visible escapes:
 *
 *   control characters (C0, DEL)     \n \r \t, others \x1b
 *   bytes that are not UTF-8         \x9b
 *   C1 controls                      \u009b
 *   directions and invisible marks   \u202e, \u200b
 *   line and paragraph separators    \u2028
 *   tags, noncharacters              \U000e0041
 *
 * Everything else, of any script, stays as it is.  A backslash is not doubled:
 * text that was made harmless once stays the same when it passes again.
 *
 * Texts for people pass here when they are written: through cmd/writers and
 * cmd/program/terminal for all output, through lib/base/error for errors.
 */
#ifndef LIB_BASE_PRINTABLE_H
#define LIB_BASE_PRINTABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/base/bytes.h"

struct error;

enum { PRINTABLE_ESCAPE = 12 }; /* "\U000e0041" with its NUL */

/* What stands for one character of a text. */
struct printable {
	const char *text; /* in the text itself, or `escape` */
	size_t len;       /* of `text` */
	size_t columns;
	int code;    /* of the character, UTF8_BAD for a wrong byte */
	size_t took; /* bytes of the character */
	char escape[PRINTABLE_ESCAPE];
};

/* The character at `at`; false at the end. */
bool printable_next(const char *at, const char *end, struct printable *is);

/* Columns that the first `len` bytes take when they are written. */
size_t printable_width(const char *text, size_t len);
/* Bytes of the text whose characters fit into so many columns. */
size_t printable_fits(const char *text, size_t columns);
void printable_write(const char *text, size_t len, FILE *out);
int printable_append(struct buf *out, struct span text, struct error *err);
/*
 * A terminated copy of `size` bytes (not 0) at most: what is too long is cut
 * between characters.  Returns `to`, which must not be part of `text`.
 */
char *printable_copy(char *to, size_t size, struct span text);

#endif
