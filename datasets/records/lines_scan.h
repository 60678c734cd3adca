/*
 * lines_scan.h - the lines of text files: where runs of them lie, and how many
 * there are in each.  Runs are short, so that a line can be found by its number
 * with little to read in vain, and neighbouring ones are read together.
 *
 * Files are read through once, to count.  A line ends with '\n' or with the
 * file; a '\r' in front of that belongs to the end.
 */
#ifndef DATASETS_RECORDS_LINES_SCAN_H
#define DATASETS_RECORDS_LINES_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/files/listing.h"
#include "lib/base/bytes.h"

struct error;
struct medium;

enum {
	LINES_READ = 128 << 10, /* bytes that are read at once, but for a
	                         * longer line */
	LINES_RUN = 8 << 10,    /* bytes of a run, likewise */
	LINE_MOST = 64 << 20,   /* bytes of a line */
};

struct lines_run {
	uint64_t offset, bytes; /* in its file; whole lines */
	uint64_t first;         /* number of its first line, from 1 */
	uint64_t samples;       /* lines that count */
	uint64_t before;        /* of all runs in front of it */
	size_t file;
};

struct lines_set {
	char *root; /* the folder of all files */
	struct listing listing;
	struct lines_run *runs;
	size_t count, capacity;
	uint64_t samples;
	bool same_ending; /* all names have it: keys are without */
};

#define LINES_SET_INIT       \
	{                    \
		.root = NULL \
	}

/* The next line: false at the end.  `rest` moves behind it. */
bool lines_next(struct span *rest, struct span *line);

/*
 * Finds the runs of the files that `path` means (listing_find); lines of no
 * bytes do not count with `skip_empty`.
 */
int lines_scan(struct lines_set *set, const char *path, const char *match,
    bool skip_empty, struct medium *medium, struct error *err);
/* Keeps `limit` lines, evenly spaced, each a run; 0, or more: all. */
int lines_select(struct lines_set *set, uint64_t limit, bool skip_empty,
    struct medium *medium, struct error *err);
/* The run that holds sample `number`. */
size_t lines_find(const struct lines_set *set, uint64_t number);
/* ROOT/NAME, owned by the caller. */
char *lines_path(const struct lines_set *set, size_t file, struct error *err);
void lines_set_release(struct lines_set *set);

#endif
