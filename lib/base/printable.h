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

enum { PRINTABLE_ESCAPE = 12 }; /* size of "\U000e0041" with its NUL */

/* One character of a text, as it is to be printed. */
struct printable {
	const char *text; /* the character in the text, or `escape` */
	size_t len;       /* bytes of `text` to print */
	size_t columns;
	int code;    /* code point, UTF8_BAD for an invalid byte */
	size_t took; /* bytes of the character in the input */
	char escape[PRINTABLE_ESCAPE];
};

/* Reads the character at `at`; false at the end. */
bool printable_next(const char *at, const char *end, struct printable *is);

/* Returns the columns that the first `len` bytes take on a terminal. */
size_t printable_width(const char *text, size_t len);
/* Returns how many bytes of the text fit into so many columns. */
size_t printable_fits(const char *text, size_t columns);
void printable_write(const char *text, size_t len, FILE *out);
int printable_append(struct buf *out, struct span text, struct error *err);
/*
 * Writes a terminated copy of at most `size` bytes (not 0), cut between
 * characters if too long.  Returns `to`, which must not overlap `text`.
 */
char *printable_copy(char *to, size_t size, struct span text);

#endif
