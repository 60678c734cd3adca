/* table.c - see table.h. */
#include "cmd/writers/table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/wrap.h"
#include "lib/base/printable.h"
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

		if (*text && !strchr("=+-.0123456789", *text))
			return false;
	}
	return true;
}

static size_t column_width(const struct grid *grid, size_t column)
{
	size_t widest = wrap_width(grid->columns[column]);
	char buffer[VALUE_TEXT_SIZE];

	for (size_t row = 0; row < grid->row_count; row++) {
		const size_t width = wrap_width(
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

/* ---- layout ---- */

enum { GAP = 2, LEAST_IMPORTANT = 9 };

/* Width of each column; 0: the column is left out. */
struct layout {
	const struct grid *grid;
	const struct table_page *page;
	size_t room; /* width of the page without the indent */
	size_t widths[TABLE_COLUMNS];
	bool right[TABLE_COLUMNS]; /* numbers, aligned to the right */
	size_t used;               /* width of all columns and gaps */
};

static size_t at_least(const struct layout *layout, size_t column)
{
	const struct grid *grid = layout->grid;
	const size_t width = column_width(grid, column);
	const size_t least = layout->page->columns[column].least;
	const size_t title = wrap_width(grid->columns[column]);

	if (!least || least >= width)
		return width;
	return least > title ? least : title;
}

/* Adds columns of this importance while they fit. */
static void add_columns(struct layout *layout, unsigned importance)
{
	for (size_t i = 0; i < layout->grid->column_count; i++) {
		const size_t gap = layout->used ? GAP : 0;
		size_t width;

		if (layout->page->columns[i].importance != importance ||
		    table_is_empty(layout->grid, i))
			continue;
		width = at_least(layout, i);
		if (importance && layout->used + gap + width > layout->room)
			continue;
		layout->widths[i] = width;
		layout->used += gap + width;
	}
}

/* Gives the remaining room to texts that are cut. */
static void widen_columns(struct layout *layout, unsigned importance)
{
	for (size_t i = 0; i < layout->grid->column_count; i++) {
		const size_t left = layout->used < layout->room
		                        ? layout->room - layout->used
		                        : 0;
		size_t more;

		if (layout->page->columns[i].importance != importance ||
		    !layout->widths[i])
			continue;
		more = column_width(layout->grid, i) - layout->widths[i];
		more = more < left ? more : left;
		layout->widths[i] += more;
		layout->used += more;
	}
}

static void keep_columns(struct layout *layout)
{
	for (size_t i = 0; i < layout->grid->column_count; i++)
		if (!table_is_empty(layout->grid, i))
			layout->widths[i] = column_width(layout->grid, i);
}

static void fit_columns(struct layout *layout)
{
	add_columns(layout, 0);
	widen_columns(layout, 0);
	for (unsigned i = 1; i <= LEAST_IMPORTANT; i++)
		add_columns(layout, i);
	for (unsigned i = 1; i <= LEAST_IMPORTANT; i++)
		widen_columns(layout, i);
}

/* ---- lines ---- */

/* Writes a text, cut to "a long..." if needed; returns its columns. */
static size_t write_cut(const char *text, size_t width, FILE *out)
{
	static const char dots[] = "...";
	const size_t kept = width > strlen(dots) ? width - strlen(dots) : 0;
	size_t len = printable_fits(text, kept), space;

	if (wrap_width(text) <= width) {
		printable_write(text, strlen(text), out);
		return wrap_width(text);
	}
	for (space = len; space > len / 2 && text[space] != ' ';)
		space--;
	if (text[space] == ' ')
		len = space;
	while (len > 1 && strchr(" ,", text[len - 1]))
		len--;
	printable_write(text, len, out);
	fputs(dots, out);
	return printable_width(text, len) + strlen(dots);
}

/* Padding is written before the next cell only, so no line ends with spaces. */
static size_t write_cell(const struct layout *layout, size_t column,
    const char *text, size_t owed, FILE *out)
{
	const size_t width = layout->widths[column];
	size_t takes = wrap_width(text);
	const size_t rest = takes < width ? width - takes : 0;
	const bool right = layout->right[column];

	if (right)
		owed += rest;
	if (!*text)
		return owed + (right ? 0 : rest);
	fprintf(out, "%*s", (int)owed, "");
	takes = write_cut(text, width, out);
	return right ? 0 : width - takes;
}

/* `row` is grid->row_count for the header. */
static void write_row(const struct layout *layout, size_t row, FILE *out)
{
	const struct grid *grid = layout->grid;
	char buffer[VALUE_TEXT_SIZE];
	size_t owed = layout->page->indent;

	for (size_t i = 0; i < grid->column_count; i++) {
		if (!layout->widths[i])
			continue;
		owed = write_cell(layout, i,
		    row == grid->row_count
		        ? grid->columns[i]
		        : value_print(grid_value(grid, row, i), buffer),
		    owed, out);
		owed += GAP;
	}
	fputc('\n', out);
}

static bool is_left_out(const struct layout *layout, size_t column)
{
	return !layout->widths[column] && !table_is_empty(layout->grid, column);
}

static bool is_cut(const struct layout *layout, size_t column)
{
	return layout->widths[column] &&
	       layout->widths[column] < column_width(layout->grid, column);
}

/* Writes "not shown: prep, first epoch", or nothing if all are shown. */
static bool list_columns(const struct layout *layout,
    bool (*is)(const struct layout *, size_t), const char *head, FILE *text)
{
	bool any = false;

	for (size_t i = 0; i < layout->grid->column_count; i++) {
		if (!is(layout, i))
			continue;
		fprintf(
		    text, "%s%s", any ? ", " : head, layout->grid->columns[i]);
		any = true;
	}
	return any;
}

/* Says which columns were left out or cut, and how to see them. */
static void write_rest(const struct layout *layout, FILE *out)
{
	const char *all = layout->page->all;
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len);
	bool left, cut;

	if (!memory)
		return;
	left = list_columns(layout, is_left_out, "not shown: ", memory);
	cut = list_columns(layout, is_cut, left ? "; cut: " : "cut: ", memory);
	fprintf(memory, "; widen the terminal%s%s", all ? ", or see " : "",
	    all ? all : "");
	if (fclose(memory) == 0 && (left || cut))
		wrap_line("", text, layout->page->width, out);
	free(text);
}

void table_write_page(
    const struct grid *grid, const struct table_page *page, FILE *out)
{
	struct layout layout = { .grid = grid,
		.page = page,
		.room = page->width > page->indent ? page->width - page->indent
		                                   : 0 };

	assert(grid->column_count <= TABLE_COLUMNS);
	for (size_t i = 0; i < grid->column_count; i++)
		layout.right[i] = table_is_numeric(grid, i);
	if (page->width && table_width(grid) > layout.room)
		fit_columns(&layout);
	else
		keep_columns(&layout);
	write_row(&layout, grid->row_count, out);
	for (size_t row = 0; row < grid->row_count; row++)
		write_row(&layout, row, out);
	if (page->width)
		write_rest(&layout, out);
}

void table_write(const struct grid *grid, FILE *out)
{
	table_write_page(grid, &(struct table_page){ .width = 0 }, out);
}
