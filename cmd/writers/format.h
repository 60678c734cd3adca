/*
 * format.h - the formats that commands print in: their words on the command
 * line, and what writes a table in each.
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

/* The words of --format, in the order of the enum; and those without HTML. */
#define FORMAT_WORDS       "text|json|csv|markdown|html"
#define FORMAT_WORDS_PLAIN "text|json|csv|markdown"

/* What --format and its short forms were; `word` is FORMAT_NOT_GIVEN first. */
struct format_args {
	unsigned word;
	bool csv, json, markdown;
};

/* How many of these options were given: more than one is a mistake. */
int format_count(const struct format_args *args);
/* FORMAT_TEXT when none was. */
enum format format_of(const struct format_args *args);

/*
 * A table: rows for people as text and Markdown and in HTML, where columns that
 * are empty in every row are left out; all of it for programs.
 */
int format_write(
    enum format format, const struct grid *grid, FILE *out, struct error *err);

#endif
