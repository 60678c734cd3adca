/*
 * csv.h - columns of numbers in text, one row a line.
 *
 * Fields are set apart by one delimiter, or by blanks.  Lines that are empty
 * or begin with '#' are left out.  Numbers may be in double quotes; lines end
 * with LF or CRLF.  Numbers are read as decimal.h does it.
 */
#ifndef LIB_SIGNAL_CSV_H
#define LIB_SIGNAL_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/bytes.h"
#include "lib/sample/dtype.h"

struct error;

enum { CSV_COLUMNS_MAX = 256 };

enum csv_header { CSV_HEADER_NO, CSV_HEADER_YES, CSV_HEADER_AUTO };

/* What is wanted of a text. */
struct csv_format {
	char delimiter;         /* 0: the first line tells; ' ': any blanks */
	enum csv_header header; /* auto: when its first field is no number */
	const char *columns;    /* "time,2": names or numbers from 1; or NULL */
};

/* What a text has. */
struct csv {
	struct span rows;  /* behind the header */
	size_t first_line; /* of them, from 1 */
	char delimiter;
	size_t fields; /* of a line */
	size_t count; /* of columns wanted; `wanted` are their numbers from 0 */
	size_t wanted[CSV_COLUMNS_MAX];
	bool all;     /* they are all columns, in their order */
	size_t lines; /* rows at most */
};

/* ERROR_DATA when there is no such column, or nothing at all. */
int csv_text_open(struct csv *csv, const struct csv_format *format,
    struct span text, struct error *err);
/*
 * Reads the rows: column k goes to out + k * csv->lines elements on, float32
 * or float64.  *rows is their number.  ERROR_DATA with the line's number.
 */
int csv_text_read(const struct csv *csv, enum dtype dtype, void *out,
    size_t *rows, struct error *err);

#endif
