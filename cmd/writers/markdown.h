/*
 * markdown.h - the tables of table.h for pull requests and READMEs.
 */
#ifndef CMD_WRITERS_MARKDOWN_H
#define CMD_WRITERS_MARKDOWN_H

#include <stdio.h>

struct grid;

/* Columns that are empty in every row are left out. */
void markdown_write(const struct grid *grid, FILE *out);

/* A text that markdown would take for something else, as it is. */
void markdown_write_text(const char *text, FILE *out);
/* A text to be copied. */
void markdown_write_code(const char *text, FILE *out);
/* "- NAME: TEXT\n" */
void markdown_write_item(const char *name, const char *text, FILE *out);

#endif
