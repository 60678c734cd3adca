/*
 * html_table.h - the tables of table.h in an HTML page.
 */
#ifndef CMD_WRITERS_HTML_TABLE_H
#define CMD_WRITERS_HTML_TABLE_H

#include <stdbool.h>
#include <stdio.h>

struct grid;

/* Columns that are empty in every row are left out. */
void html_table_write(const struct grid *grid, FILE *out);

/* Its head alone; with `sorts`, the script of the page sorts by its columns. */
void html_table_head(const struct grid *grid, bool sorts, FILE *out);

#endif
