/* table.c - see table.h. */
#include "cmd/writers/table.h"

#include <string.h>

#include "lib/db/grid.h"

bool table_is_empty(const struct grid *grid, size_t column)
{
	char buffer[VALUE_TEXT_SIZE];

	for (size_t row = 0; row < grid->row_count; row++)
		if (*value_print(grid_value(grid, row, column), buffer))
			return false;
	return true;
}

bool table_is_numeric(const struct grid *grid, size_t column)
{
	char buffer[VALUE_TEXT_SIZE];

	for (size_t row = 0; row < grid->row_count; row++) {
		const char *text =
		    value_print(grid_value(grid, row, column), buffer);

		if (*text && !strchr("+-.0123456789", *text))
			return false;
	}
	return true;
}

/* Columns on a terminal: bytes that go on with a UTF-8 character have none. */
static size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static size_t column_width(const struct grid *grid, size_t column)
{
	size_t widest = text_width(grid->columns[column]);
	char buffer[VALUE_TEXT_SIZE];

	for (size_t row = 0; row < grid->row_count; row++) {
		const size_t width = text_width(
		    value_print(grid_value(grid, row, column), buffer));

		widest = width > widest ? width : widest;
	}
	return widest;
}

size_t table_width(const struct grid *grid)
{
	size_t width = 0;

	for (size_t i = 0; i < grid->column_count; i++)
		if (!table_is_empty(grid, i))
			width += column_width(grid, i) + (width ? 2 : 0);
	return width;
}

static void write_spaces(size_t count, FILE *out)
{
	while (count--)
		fputc(' ', out);
}

/* Spaces are owed until something follows, so that none ends a line. */
static size_t write_cell(const struct grid *grid, size_t column,
    const char *text, size_t owed, FILE *out)
{
	const size_t rest = column_width(grid, column) - text_width(text);
	const bool right = table_is_numeric(grid, column);

	if (right)
		owed += rest;
	if (!*text)
		return owed + (right ? 0 : rest);
	write_spaces(owed, out);
	fputs(text, out);
	return right ? 0 : rest;
}

/* `row` is grid->row_count for the header. */
static void write_row(const struct grid *grid, size_t row, FILE *out)
{
	char buffer[VALUE_TEXT_SIZE];
	size_t owed = 0;

	for (size_t i = 0; i < grid->column_count; i++) {
		if (table_is_empty(grid, i))
			continue;
		owed = write_cell(grid, i,
		    row == grid->row_count
		        ? grid->columns[i]
		        : value_print(grid_value(grid, row, i), buffer),
		    owed, out);
		owed += 2;
	}
	fputc('\n', out);
}

void table_write(const struct grid *grid, FILE *out)
{
	write_row(grid, grid->row_count, out);
	for (size_t row = 0; row < grid->row_count; row++)
		write_row(grid, row, out);
}
