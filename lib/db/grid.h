/*
 * grid.h - a table in memory: named columns, rows of values.  Views of the
 * database and report files are read into grids, and writers print them.
 *
 * Columns are added first, then rows.  Values are set in the last row, which
 * starts empty.
 */
#ifndef LIB_DB_GRID_H
#define LIB_DB_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;

enum value_kind {
	VALUE_NONE,
	VALUE_FLAG, /* in `integer` */
	VALUE_INTEGER,
	VALUE_REAL,
	VALUE_TEXT
};

struct value {
	enum value_kind kind;
	int64_t integer;
	double real;
	char *text; /* owned by the grid; "" unless a text */
};

struct grid {
	char **columns; /* names */
	size_t column_count, column_capacity;
	struct value *values; /* row by row */
	size_t value_count, value_capacity;
	size_t row_count;
};

#define GRID_INIT               \
	{                       \
		.columns = NULL \
	}

int grid_add_column(struct grid *grid, const char *name, struct error *err);
int grid_add_row(struct grid *grid, struct error *err);
void grid_set_flag(struct grid *grid, size_t column, bool flag);
void grid_set_integer(struct grid *grid, size_t column, int64_t integer);
/* NAN and infinities leave the value empty. */
void grid_set_real(struct grid *grid, size_t column, double real);
int grid_set_text(
    struct grid *grid, size_t column, const char *text, struct error *err);
void grid_release(struct grid *grid); /* empty and usable again */

/* The number of a column; -1 when none has this name. */
int grid_column(const struct grid *grid, const char *name);
const struct value *grid_value(
    const struct grid *grid, size_t row, size_t column);
/* By name.  Texts that are numbers count as such; NAN: nothing there. */
double grid_number(const struct grid *grid, size_t row, const char *column);
/* A whole number by its column; 0: empty, or no whole number. */
int64_t grid_integer(const struct grid *grid, size_t row, const char *column);
/* A text by its column; "" when it is empty, or no text. */
const char *grid_text(const struct grid *grid, size_t row, const char *column);

enum { VALUE_TEXT_SIZE = 32 };

/*
 * Returns the value as data files have it: whole integers, reals with 6 digits
 * and a ".", "yes" and "no" for flags, "" for an empty value.  Numbers are
 * written to `buffer`.  The text is valid as long as buffer and value are.
 */
const char *value_print(
    const struct value *value, char buffer[VALUE_TEXT_SIZE]);

#endif
