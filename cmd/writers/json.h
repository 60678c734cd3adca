/*
 * json.h - tables as JSON, and reports read from it (lib/syntax/json.h has the
 * documents).
 */
#ifndef CMD_WRITERS_JSON_H
#define CMD_WRITERS_JSON_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/syntax/json.h"

struct error;
struct grid;

/* Row `row` as an object: its columns from `first` on. */
void json_add_row(struct json_doc *doc, struct json_t *object,
    const struct grid *grid, size_t row, size_t first);

/* A row of a grid as an array of objects. */
int json_write_grid(const struct grid *grid, FILE *out, struct error *err);

/* A report that was read; each is empty before. */
struct json_report {
	struct grid *trials; /* a row an object of "trials" */
	/* One: what is plain, and what is in "session" and "machine". */
	struct grid *session;
	struct grid *warnings; /* "text": those of "warnings", if there */
	int64_t wanted;        /* the session; 0: the newest */
};

/* Of a report about several sessions without the one wanted, the newest. */
int json_read_report(const struct json_report *report, const char *path,
    const char *text, struct error *err);

#endif
