/*
 * lines_scan.h - finds runs of lines in text files, and counts their lines.
 * Runs are short, so that finding a line by its number reads little in vain.
 *
 * Each file is read once, to count. A line ends with '\n' or with the file; a
 * '\r' before that belongs to the end.
 */
#ifndef DATASETS_RECORDS_LINES_SCAN_H
#define DATASETS_RECORDS_LINES_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/files/runs.h"
#include "lib/base/bytes.h"

struct error;
struct medium;

enum {
	LINES_READ = 128 << 10, /* bytes read at once, or one longer line */
	LINES_RUN = 8 << 10,    /* bytes of a run, or one longer line */
	LINE_MOST = 64 << 20,   /* bytes of a line */
};

struct lines_set {
	struct listing listing;
	struct runs runs; /* hold whole lines; lines count from 1 */
	bool skip_empty;  /* empty lines are no samples */
	bool same_ending; /* all names have the same, so keys leave it out */
};

/* Takes the next line from `rest`; false at the end. */
bool lines_next(struct span *rest, struct span *line);

/* Finds the runs of the files that `path` means (listing_find). */
int lines_scan(struct lines_set *set, const char *path, const char *match,
    struct medium *medium, struct error *err);
/* Keeps `limit` evenly spaced lines, each a run; 0 or more than all: all. */
int lines_select(struct lines_set *set, uint64_t limit, struct medium *medium,
    struct error *err);

#endif
