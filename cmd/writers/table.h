/*
 * table.h - tables for people: columns aligned, numbers to the right.
 */
#ifndef CMD_WRITERS_TABLE_H
#define CMD_WRITERS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct grid;

/* Columns that are empty in every row are left out. */
void table_write(const struct grid *grid, FILE *out);

/* Columns of the longest line. */
size_t table_width(const struct grid *grid);

/* What the writers for people have in common. */
bool table_is_empty(const struct grid *grid, size_t column);
/* Does every value that is there begin as a number does? */
bool table_is_numeric(const struct grid *grid, size_t column);

#endif
