/* csv.c - see csv.h. */
#include "cmd/writers/csv.h"

#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/csv_rows.h"
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

static int add_header(
    const struct csv_rows *rows, struct grid *grid, struct error *err)
{
	for (size_t i = 0; i < rows->count; i++)
		if (grid_add_column(
		        grid, (const char *)csv_rows_field(rows, i).data, err))
			return -1;
	return 0;
}

static int add_row(
    const struct csv_rows *rows, struct grid *grid, struct error *err)
{
	if (csv_rows_expect(rows, grid->column_count, err) ||
	    grid_add_row(grid, err))
		return -1;
	for (size_t i = 0; i < rows->count; i++) {
		const struct span field = csv_rows_field(rows, i);

		if (field.len &&
		    grid_set_text(grid, i, (const char *)field.data, err))
			return -1;
	}
	return 0;
}

int csv_read(
    struct grid *grid, const char *path, const char *text, struct error *err)
{
	struct csv_rows rows = CSV_ROWS_INIT;
	int got;

	csv_rows_begin(&rows, path, span_text(text), ',');
	got = csv_rows_next(&rows, err);
	if (got > 0 && add_header(&rows, grid, err))
		got = -1;
	while (got > 0) {
		got = csv_rows_next(&rows, err);
		if (got > 0 && add_row(&rows, grid, err))
			got = -1;
	}
	csv_rows_release(&rows);
	return got;
}
