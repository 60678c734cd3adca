/* grid.c - see grid.h. */
#include "lib/db/grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"

static char *copy_text(const char *text, struct error *err)
{
	char *copy = strdup(text);

	if (!copy)
		error_memory(err, strlen(text) + 1);
	return copy;
}

int grid_add_column(struct grid *grid, const char *name, struct error *err)
{
	char **grown = array_grow(grid->columns, &grid->column_capacity,
	    grid->column_count + 1, sizeof(*grown), err);

	if (!grown)
		return -1;
	grid->columns = grown;
	grown[grid->column_count] = copy_text(name, err);
	if (!grown[grid->column_count])
		return -1;
	grid->column_count++;
	return 0;
}

int grid_add_row(struct grid *grid, struct error *err)
{
	static char nothing[] = "";
	const size_t need = grid->value_count + grid->column_count;
	struct value *grown = array_grow(
	    grid->values, &grid->value_capacity, need, sizeof(*grown), err);

	if (!grown)
		return -1;
	grid->values = grown;
	for (size_t i = grid->value_count; i < need; i++)
		grown[i] = (struct value){ .text = nothing };
	grid->value_count = need;
	grid->row_count++;
	return 0;
}

static struct value *last_row(struct grid *grid, size_t column)
{
	return &grid->values[grid->value_count - grid->column_count + column];
}

void grid_set_flag(struct grid *grid, size_t column, bool flag)
{
	struct value *value = last_row(grid, column);

	value->kind = VALUE_FLAG;
	value->integer = flag;
}

void grid_set_integer(struct grid *grid, size_t column, int64_t integer)
{
	struct value *value = last_row(grid, column);

	value->kind = VALUE_INTEGER;
	value->integer = integer;
	value->real = (double)integer;
}

void grid_set_real(struct grid *grid, size_t column, double real)
{
	struct value *value = last_row(grid, column);

	if (!isfinite(real))
		return;
	value->kind = VALUE_REAL;
	value->real = real;
}

int grid_set_text(
    struct grid *grid, size_t column, const char *text, struct error *err)
{
	struct value *value = last_row(grid, column);
	char *copy = copy_text(text, err);

	if (!copy)
		return -1;
	if (value->kind == VALUE_TEXT)
		free(value->text);
	value->kind = VALUE_TEXT;
	value->text = copy;
	return 0;
}

void grid_release(struct grid *grid)
{
	for (size_t i = 0; i < grid->value_count; i++)
		if (grid->values[i].kind == VALUE_TEXT)
			free(grid->values[i].text);
	for (size_t i = 0; i < grid->column_count; i++)
		free(grid->columns[i]);
	free(grid->values);
	free(grid->columns);
	*grid = (struct grid)GRID_INIT;
}

int grid_column(const struct grid *grid, const char *name)
{
	for (size_t i = 0; i < grid->column_count; i++)
		if (strcmp(grid->columns[i], name) == 0)
			return (int)i;
	return -1;
}

const struct value *grid_value(
    const struct grid *grid, size_t row, size_t column)
{
	return &grid->values[row * grid->column_count + column];
}

double grid_number(const struct grid *grid, size_t row, const char *column)
{
	const int i = grid_column(grid, column);
	const struct value *value;
	double number = NAN;

	if (i < 0)
		return NAN;
	value = grid_value(grid, row, (size_t)i);
	if (value->kind == VALUE_INTEGER || value->kind == VALUE_REAL)
		return value->real;
	if (units_parse_real(value->text, &number))
		return NAN;
	return number;
}

int64_t grid_integer(const struct grid *grid, size_t row, const char *column)
{
	const int i = grid_column(grid, column);
	const struct value *value;
	uint64_t whole;
	double number;

	if (i < 0)
		return 0;
	value = grid_value(grid, row, (size_t)i);
	if (value->kind == VALUE_INTEGER)
		return value->integer;
	if (value->kind == VALUE_TEXT &&
	    units_parse_uint(value->text, &whole) == 0)
		return whole <= INT64_MAX ? (int64_t)whole : 0;
	number = grid_number(grid, row, column);
	return fabs(number) <= 0x1p53 ? (int64_t)number : 0;
}

const char *grid_text(const struct grid *grid, size_t row, const char *column)
{
	const int i = grid_column(grid, column);

	return i < 0 ? "" : grid_value(grid, row, (size_t)i)->text;
}

const char *value_print(const struct value *value, char buffer[VALUE_TEXT_SIZE])
{
	const double size = fabs(value->real);

	switch (value->kind) {
	case VALUE_INTEGER:
		snprintf(buffer, VALUE_TEXT_SIZE, "%" PRId64, value->integer);
		return buffer;
	case VALUE_REAL: /* 1234567 rather than 1.23457e+06 */
		snprintf(buffer, VALUE_TEXT_SIZE,
		    size >= 1e6 && size < 1e15 ? "%.0f" : "%.6g", value->real);
		return buffer;
	case VALUE_FLAG:
		return value->integer ? "yes" : "no";
	case VALUE_TEXT:
		return value->text;
	case VALUE_NONE:
		break;
	}
	return "";
}
