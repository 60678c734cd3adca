/*
 * table.h - tables for people: columns aligned, numbers to the right, and
 * lines that a terminal need not wrap.
 */
#ifndef CMD_WRITERS_TABLE_H
#define CMD_WRITERS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct grid;

enum { TABLE_COLUMNS = 64 }; /* a table has at most so many */

/* What becomes of a column where the lines are too long. */
struct table_column {
	unsigned importance; /* 0: always there; 1 is left out last, 9 first */
	size_t least; /* its texts may be cut to so many columns; 0: never */
};

/* Where a table goes. */
struct table_page {
	size_t width; /* of the terminal, in columns; 0: as it is needed */
	const struct table_column *columns; /* as many as the grid has */
	size_t indent;                      /* of the rows */
	const char *all; /* that which has all columns; NULL: nothing */
};

/*
 * Columns that are empty in every row are left out.  Where the lines would be
 * longer than the page is wide, the least important columns are left out and
 * texts are cut, and a last line says which.
 */
void table_write_page(
    const struct grid *grid, const struct table_page *page, FILE *out);
/* All columns, as wide as they are. */
void table_write(const struct grid *grid, FILE *out);

/* Columns of the longest line. */
size_t table_width(const struct grid *grid);

/* What the writers for people have in common. */
bool table_is_empty(const struct grid *grid, size_t column);
/* Does every value that is there begin as a number, or a shared rank, does? */
bool table_is_numeric(const struct grid *grid, size_t column);

#endif
