/* json.h - writes tables as JSON, and reads reports in JSON. */
#ifndef CMD_WRITERS_JSON_H
#define CMD_WRITERS_JSON_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/syntax/json.h"

struct error;
struct grid;

/* Columns of a table: from `first` on, and before `end`. */
struct json_columns {
	size_t first, end;
};

/* Adds columns of row `row` to an object. */
void json_add_columns(struct json_doc *doc, struct json_t *object,
    const struct grid *grid, size_t row, struct json_columns columns);
/* Adds row `row` to an object, with the columns from `first` on. */
void json_add_row(struct json_doc *doc, struct json_t *object,
    const struct grid *grid, size_t row, size_t first);

/* Writes a grid as an array of objects, one for each row. */
int json_write_grid(const struct grid *grid, FILE *out, struct error *err);

/* A report that was read; the grids are empty before. */
struct json_report {
	struct grid *trials; /* a row for each object in "trials" */
	/* one row: the plain values of "session" and "machine" */
	struct grid *session;
	struct grid *warnings; /* the column "text": the array "warnings" */
	int64_t wanted;        /* number of the session; 0: the newest */
};

/* Reads a report: the session that is wanted, else the newest. */
int json_read_report(const struct json_report *report, const char *path,
    const char *text, struct error *err);

#endif
