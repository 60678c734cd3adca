/* table.h - aligned tables for people, in lines that fit a terminal. */
#ifndef CMD_WRITERS_TABLE_H
#define CMD_WRITERS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct grid;

enum { TABLE_COLUMNS = 64 }; /* most columns of a table */

/* A column may be cut or left out if lines are too long. */
struct table_column {
	unsigned importance; /* 0: always shown; 1 is left out last, 9 first */
	size_t
	    least; /* least width to which its texts may be cut; 0: never cut */
};

/* The page that a table is printed on. */
struct table_page {
	size_t width; /* columns of the terminal; 0: unlimited */
	const struct table_column
	    *columns;  /* one for each column of the grid */
	size_t indent; /* of all lines */
	const char *
	    all; /* the command or option that prints all columns; NULL: none */
};

/*
 * Writes a table without columns that are empty in every row.  If lines are too
 * long for the page, the least important columns are left out and texts are
 * cut.  A last line says so.
 */
void table_write_page(
    const struct grid *grid, const struct table_page *page, FILE *out);
/* Writes all columns at their full width. */
void table_write(const struct grid *grid, FILE *out);

/* Width of the longest line. */
size_t table_width(const struct grid *grid);

/* Is the column empty in every row? */
bool table_is_empty(const struct grid *grid, size_t column);
/* Does every value of the column begin like a number or a shared rank? */
bool table_is_numeric(const struct grid *grid, size_t column);

#endif
