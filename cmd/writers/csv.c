/* csv.c - see csv.h. */
#include "cmd/writers/csv.h"

#include <stdbool.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"

/* ---- writing ---- */

static void write_field(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

void csv_write(const struct grid *grid, FILE *out)
{
	char buffer[VALUE_TEXT_SIZE];

	for (size_t i = 0; i < grid->column_count; i++) {
		if (i)
			fputc(',', out);
		write_field(grid->columns[i], out);
	}
	fputc('\n', out);
	for (size_t row = 0; row < grid->row_count; row++) {
		for (size_t i = 0; i < grid->column_count; i++) {
			if (i)
				fputc(',', out);
			write_field(
			    value_print(grid_value(grid, row, i), buffer), out);
		}
		fputc('\n', out);
	}
}

/* ---- reading ---- */

struct reader {
	const char *path;
	const char *at;   /* what is not read yet */
	unsigned line;    /* of `at` */
	struct buf field; /* the last one read, terminated */
	bool ends_row;
};

/* Up to the quote that closes; two quotes are one. */
static int read_quoted(struct reader *r, struct error *err)
{
	const unsigned begun = r->line;

	for (r->at++; *r->at; r->at++) {
		if (*r->at == '"' && *++r->at != '"')
			return 0;
		if (*r->at == '\n')
			r->line++;
		if (buf_append(&r->field, r->at, 1, err))
			return -1;
	}
	return error_set(err, ERROR_DATA,
	    "%s:%u: the quotation mark is never closed", r->path, begun);
}

static int read_field(struct reader *r, struct error *err)
{
	r->field.len = 0;
	if (*r->at == '"') {
		if (read_quoted(r, err))
			return -1;
	} else {
		const size_t len = strcspn(r->at, ",\r\n");

		if (buf_append(&r->field, r->at, len, err))
			return -1;
		r->at += len;
	}
	if (buf_append(&r->field, "", 1, err))
		return -1;
	r->ends_row = *r->at != ',';
	if (*r->at == ',')
		r->at++;
	else if (*r->at && !strchr("\r\n", *r->at))
		return error_set(err, ERROR_DATA,
		    "%s:%u: text behind a closing quotation mark", r->path,
		    r->line);
	return 0;
}

static void skip_line_end(struct reader *r)
{
	if (*r->at == '\r')
		r->at++;
	if (*r->at == '\n') {
		r->at++;
		r->line++;
	}
}

static int read_header(struct reader *r, struct grid *grid, struct error *err)
{
	do {
		if (read_field(r, err) ||
		    grid_add_column(grid, (const char *)r->field.data, err))
			return -1;
	} while (!r->ends_row);
	skip_line_end(r);
	return 0;
}

static int read_row(struct reader *r, struct grid *grid, struct error *err)
{
	const unsigned line = r->line;
	size_t i = 0;

	if (grid_add_row(grid, err))
		return -1;
	do {
		const char *text;

		if (read_field(r, err))
			return -1;
		text = (const char *)r->field.data;
		if (i < grid->column_count && *text &&
		    grid_set_text(grid, i, text, err))
			return -1;
		i++;
	} while (!r->ends_row);
	skip_line_end(r);
	if (i != grid->column_count)
		return error_set(err, ERROR_DATA,
		    "%s:%u: %zu fields where the header has %zu", r->path, line,
		    i, grid->column_count);
	return 0;
}

int csv_read(
    struct grid *grid, const char *path, const char *text, struct error *err)
{
	struct reader r = { .path = path, .at = text, .line = 1 };
	int rc;

	if (strncmp(r.at, "\xef\xbb\xbf", 3) == 0) /* as spreadsheets begin */
		r.at += 3;
	rc = read_header(&r, grid, err);
	while (rc == 0 && *r.at) {
		if (strchr("\r\n", *r.at))
			skip_line_end(&r); /* an empty line */
		else
			rc = read_row(&r, grid, err);
	}
	buf_release(&r.field);
	return rc;
}
