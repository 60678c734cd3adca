/*
 * csv_labels.h - labels in a table, a row for each sample: a CSV file with a
 * header, one column with keys and one with labels.
 */
#ifndef DATASETS_FILES_CSV_LABELS_H
#define DATASETS_FILES_CSV_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct classes;
struct error;

struct csv_label {
	struct span key, word;
	size_t line; /* in the file */
	int64_t label;
	bool used;
};

struct csv_labels {
	struct csv_label *rows; /* sorted by key */
	size_t count;
	struct buf texts; /* of keys and words */
};

#define CSV_LABELS_INIT       \
	{                     \
		.rows = NULL, \
	}

/* Which file, and its columns by their names in the header. */
struct csv_labels_options {
	const char *path, *key, *label;
};

/*
 * Reads the file.  Labels are numbers as they stand there when all are, else
 * classes by their sorted names, which go to `classes` (labels.h): those of
 * all rows, so that folders which share a file agree.  Rows with no label are
 * left out.  Errors name file and line.
 */
int csv_labels_read(struct csv_labels *labels,
    const struct csv_labels_options *options, struct classes *classes,
    struct error *err);
/* The row of a key, which is noted as used; NULL: there is none. */
const struct csv_label *csv_labels_find(
    struct csv_labels *labels, struct span key);
/* Rows that nobody asked for; *first is the one that comes first in the file.
 */
size_t csv_labels_unused(
    const struct csv_labels *labels, const struct csv_label **first);
void csv_labels_release(struct csv_labels *labels); /* empty again */

#endif
