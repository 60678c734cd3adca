/* markdown.h - tables, texts and lists in Markdown. */
#ifndef CMD_WRITERS_MARKDOWN_H
#define CMD_WRITERS_MARKDOWN_H

#include <stdio.h>

struct grid;

/* Writes a table without the columns that are empty in every row. */
void markdown_write(const struct grid *grid, FILE *out);

/* Writes a text so that Markdown shows it literally. */
void markdown_write_text(const char *text, FILE *out);
/* Writes a text as code, to be copied. */
void markdown_write_code(const char *text, FILE *out);
/* Writes "- NAME: TEXT\n". */
void markdown_write_item(const char *name, const char *text, FILE *out);

#endif
