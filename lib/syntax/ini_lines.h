/*
 * ini_lines.h - reads a long text in the form of an INI file line by line,
 * where it is: a manifest of a million shards has millions of lines, and struct
 * ini keeps a copy of each.
 *
 * Lines are "[section]" or "KEY = VALUE", with one blank on each side of the
 * sign.  Empty lines, and those that begin with ';' or '#', are passed by.
 */
#ifndef LIB_SYNTAX_INI_LINES_H
#define LIB_SYNTAX_INI_LINES_H

#include "lib/base/bytes.h"

struct ini_lines {
	struct span rest;
	unsigned line; /* number of the line taken last */
};

/* Begins in the middle of a text; lines are counted from its beginning. */
struct ini_lines ini_lines_begin(struct span text, const unsigned char *at);
/* Takes the next line: 1, or 0 at the end. */
int ini_lines_next(struct ini_lines *lines, struct span *line);
/* Splits "KEY = VALUE"; -1: it is no such line. */
int ini_lines_split(struct span line, struct span *key, struct span *value);
/* Finds the line "[NAME]"; NULL: there is none. */
const unsigned char *ini_lines_find(struct span text, const char *section);

#endif
