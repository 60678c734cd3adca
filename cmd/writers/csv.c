/* csv.c - see csv.h. */
#include "cmd/writers/csv.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/decimal.h"
#include "lib/base/printable.h"
#include "lib/db/grid.h"
#include "lib/syntax/csv_rows.h"

/* ---- writing ---- */

/*
 * May a spreadsheet take the text for a formula?  Apostrophes in front do not
 * count.  Formulas may also begin with a full-width sign, or with white space
 * that the spreadsheet drops.
 */
static bool begins_formula(const char *text)
{
	static const char *const wide[] = { "\xef\xbc\x9d", "\xef\xbc\x8b",
		"\xef\xbc\x8d", "\xef\xbc\xa0" }; /* = + - @ */

	text += strspn(text, "'");
	if (*text && strchr("=+-@\t\n", *text))
		return true;
	for (size_t i = 0; i < ARRAY_LEN(wide); i++)
		if (strncmp(text, wide[i], strlen(wide[i])) == 0)
			return true;
	return false;
}

static bool is_number(const char *text)
{
	const size_t len = strlen(text);
	double number;

	text += *text == '+';
	return isdigit((unsigned char)text[strspn(text, "-.")]) &&
	       decimal_parse(text, len, &number) == strlen(text);
}

static void write_field(const char *text, FILE *out)
{
	const char *end = text + strlen(text);
	const bool quoted = strpbrk(text, ",\"\n");
	struct printable is;

	if (quoted)
		fputc('"', out);
	if (begins_formula(text) && !is_number(text))
		fputc('\'', out);
	for (; printable_next(text, end, &is); text += is.took) {
		if (is.code == '"')
			fputc('"', out);
		if (is.code == '\n' || is.code == '\t')
			fputc(is.code, out);
		else
			fwrite(is.text, 1, is.len, out);
	}
	if (quoted)
		fputc('"', out);
}

/* Skips the apostrophe that write_field added. */
static const char *read_field(const char *text)
{
	return *text == '\'' && begins_formula(text) ? text + 1 : text;
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

static const char *text_of(const struct csv_rows *rows, size_t i)
{
	return read_field((const char *)csv_rows_field(rows, i).data);
}

static int add_header(
    const struct csv_rows *rows, struct grid *grid, struct error *err)
{
	for (size_t i = 0; i < rows->count; i++)
		if (grid_add_column(grid, text_of(rows, i), err))
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
		const char *text = text_of(rows, i);

		if (*text && grid_set_text(grid, i, text, err))
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
