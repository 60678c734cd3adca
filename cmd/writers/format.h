/*
 * format.h - the output formats of commands: their names on the command line,
 * and a writer of tables for each.
 */
#ifndef CMD_WRITERS_FORMAT_H
#define CMD_WRITERS_FORMAT_H

#include <stdbool.h>
#include <stdio.h>

struct error;
struct grid;

enum format {
	FORMAT_TEXT,
	FORMAT_JSON,
	FORMAT_CSV,
	FORMAT_MARKDOWN,
	FORMAT_HTML,
	FORMAT_NOT_GIVEN
};

/* The values of --format, in the order of the enum, with and without HTML. */
#define FORMAT_WORDS       "text|json|csv|markdown|html"
#define FORMAT_WORDS_PLAIN "text|json|csv|markdown"

/* Values of --format and its short forms; `word` begins as FORMAT_NOT_GIVEN. */
struct format_args {
	unsigned word;
	bool csv, json, markdown;
};

/* Number of these options that were given; more than one is a mistake. */
int format_count(const struct format_args *args);
/* The chosen format; FORMAT_TEXT if none was given. */
enum format format_of(const struct format_args *args);

/*
 * Writes a table.  Text, Markdown and HTML get the rows for people, without
 * columns that are empty in every row.  CSV and JSON get all columns.
 */
int format_write(
    enum format format, const struct grid *grid, FILE *out, struct error *err);

#endif
