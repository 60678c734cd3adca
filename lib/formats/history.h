/*
 * history.h - the versions of a materialised dataset, one row for each.
 *
 * Version 1 is the dataset as it was first made.  Each update makes the next
 * version: it writes new files and replaces the manifest, as its last step.
 * Files of earlier versions stay as they are.  So what a version has in a file
 * of its own is named by its number from version 2 on: dataset.json belongs to
 * version 1, dataset-2.json to version 2.
 */
#ifndef LIB_FORMATS_HISTORY_H
#define LIB_FORMATS_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

enum { HISTORY_NAME = 64, HISTORY_TIME = 32 };

struct history_row {
	char time[HISTORY_TIME]; /* "2026-11-21T04:06:00Z"; "-": unknown */
	uint64_t shards;         /* with those of earlier versions */
	uint64_t samples;        /* readers of this version get so many */
	uint64_t added, changed, removed; /* samples, since the one before */
};

struct history {
	struct history_row *rows; /* owned; row i is version i + 1 */
	size_t count, capacity;   /* count 0: never updated, version 1 */
};

#define HISTORY_INIT         \
	{                    \
		.rows = NULL \
	}

void history_release(struct history *history);
int history_add(
    struct history *history, const struct history_row *row, struct error *err);
int history_copy(
    struct history *to, const struct history *from, struct error *err);
/* Returns the number of the newest version. */
uint64_t history_version(const struct history *history);

/*
 * Writes the name that version N of a file has: "dataset.json",
 * "dataset-2.json"; `name` has a dot and is shorter than HISTORY_NAME - 24.
 */
const char *history_name(
    const char *name, uint64_t version, char text[HISTORY_NAME]);

/*
 * The same for what keeps its number from version 1 on: the manifest of a
 * version that is not the newest, "presto-1.manifest".
 */
const char *history_kept_name(
    const char *name, uint64_t version, char text[HISTORY_NAME]);

/*
 * Appends, and parses, the words "TIME shards 9 samples 121 added 1 changed 0
 * removed 0".
 */
int history_row_print(
    const struct history_row *row, struct buf *text, struct error *err);
int history_row_parse(
    struct history_row *row, struct span words, struct error *err);

#endif
