/*
 * csv_rows.h - reads CSV tables (RFC 4180) row by row.
 *
 * Fields may be quoted, and then contain delimiters, line ends and doubled
 * quotes.  Lines end with LF or CRLF.  Byte order mark and empty lines are
 * skipped.
 */
#ifndef LIB_SYNTAX_CSV_ROWS_H
#define LIB_SYNTAX_CSV_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/bytes.h"

struct error;

struct csv_field {
	size_t at, len; /* offset and length in the texts of the row */
};

struct csv_rows {
	const char *path; /* for messages; borrowed */
	struct span rest; /* unread part of the text; borrowed */
	char delimiter;
	char comment;     /* begins a line to skip; 0: none */
	size_t next_line; /* line number at the start of `rest`, from 1 */
	/* The row that was read last. */
	size_t line; /* line number of its start */
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
 * Begins to read `text`; memory of an earlier text is reused.  `delimiter` 0:
 * comma, semicolon or tab, whichever the header has.
 */
void csv_rows_begin(
    struct csv_rows *rows, const char *path, struct span text, char delimiter);
/* Reads the next row: 1, 0 at the end, -1 on an error ("PATH:LINE: ..."). */
int csv_rows_next(struct csv_rows *rows, struct error *err);
/* Returns a field of the current row, terminated; valid until the next row. */
struct span csv_rows_field(const struct csv_rows *rows, size_t i);
/* Removes the empty fields from the current row. */
void csv_rows_drop_empty(struct csv_rows *rows);
/* Checks the number of fields: "PATH:LINE: 3 fields where the header has 2". */
int csv_rows_expect(
    const struct csv_rows *rows, size_t count, struct error *err);
void csv_rows_release(struct csv_rows *rows);

#endif
