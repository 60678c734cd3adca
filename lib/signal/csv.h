/*
 * csv.h - parses columns of numbers in text, one row per line.
 *
 * Fields are separated by a delimiter, or by blanks.  Empty lines and lines
 * that begin with '#' are skipped.  Numbers may be in double quotes; lines end
 * with LF or CRLF.  See decimal.h for the numbers.
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

/* How to read a text. */
struct csv_format {
	char delimiter;         /* 0: by the first line; ' ': any blanks */
	enum csv_header header; /* auto: if its first field is not a number */
	const char *columns;    /* "time,2": names or numbers from 1; or NULL */
};

/* The content of a text. */
struct csv {
	struct span rows;  /* text after the header */
	size_t first_line; /* number of their first line, from 1 */
	char delimiter;
	size_t fields; /* number of fields per line */
	size_t count; /* number of wanted columns; `wanted` are their indexes */
	size_t wanted[CSV_COLUMNS_MAX];
	bool all;     /* all columns in their order */
	size_t lines; /* upper bound of the number of rows */
};

/* ERROR_DATA if a column does not exist, or the text is empty. */
int csv_text_open(struct csv *csv, const struct csv_format *format,
    struct span text, struct error *err);
/*
 * Parses the rows: column k begins at out + k * csv->lines elements, float32 or
 * float64.  *rows is their number.  ERROR_DATA names the line.
 */
int csv_text_read(const struct csv *csv, enum dtype dtype, void *out,
    size_t *rows, struct error *err);

#endif
