/* html_table.h - tables in an HTML page. */
#ifndef CMD_WRITERS_HTML_TABLE_H
#define CMD_WRITERS_HTML_TABLE_H

#include <stdbool.h>
#include <stdio.h>

struct grid;

/* Writes a table without the columns that are empty in every row. */
void html_table_write(const struct grid *grid, FILE *out);

/* Writes only the head; with `sorts`, a click on a column sorts the rows. */
void html_table_head(const struct grid *grid, bool sorts, FILE *out);

#endif
