/*
 * csv_rows.h - tables as RFC 4180 has them, row by row: fields may be in
 * quotes, and then hold the delimiter, line ends and doubled quotes; lines end
 * with LF or CRLF; a byte order mark and empty lines are left out.
 */
#ifndef LIB_SYNTAX_CSV_ROWS_H
#define LIB_SYNTAX_CSV_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/bytes.h"

struct error;

struct csv_field {
	size_t at, len; /* in the row's texts */
};

struct csv_rows {
	const char *path; /* for messages; borrowed */
	struct span rest; /* of the text; borrowed */
	char delimiter;
	char
	    comment; /* lines that begin so are left out; 0 after begin: none */
	size_t next_line; /* where `rest` begins, from 1 */
	/* The last row. */
	size_t line; /* where it begins */
	size_t count;
	/* Use csv_rows_field. */
	struct buf texts;
	struct csv_field *fields;
	size_t capacity;
};

#define CSV_ROWS_INIT         \
	{                     \
		.path = NULL, \
	}

/*
 * Begins with a text, keeping the memory of the one before; `delimiter` 0:
 * comma, semicolon or tab, by the header.
 */
void csv_rows_begin(
    struct csv_rows *rows, const char *path, struct span text, char delimiter);
/* The next row: 1, 0 at the end, -1.  Errors are "PATH:LINE: ...". */
int csv_rows_next(struct csv_rows *rows, struct error *err);
/* A field of the last row, terminated, until the next is asked for. */
struct span csv_rows_field(const struct csv_rows *rows, size_t i);
/* Leaves out the fields of the last row that are empty. */
void csv_rows_drop_empty(struct csv_rows *rows);
/* "PATH:LINE: 3 fields where the header has 2"; 0 when it has so many. */
int csv_rows_expect(
    const struct csv_rows *rows, size_t count, struct error *err);
void csv_rows_release(struct csv_rows *rows);

#endif
