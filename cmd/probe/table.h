/* table.h - the table of a probe below its title, for people. */
#ifndef CMD_PROBE_TABLE_H
#define CMD_PROBE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct grid;
struct table_column;

/*
 * Prints the title, the table and an empty line. `columns` says which columns
 * are left out where the output is narrow; returns the width of the output.
 */
size_t probe_table(const char *title, const struct grid *grid,
    const struct table_column *columns, bool markdown, FILE *out);

#endif
