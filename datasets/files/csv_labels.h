/* csv_labels.h - labels from a CSV file with a column of keys. */
#ifndef DATASETS_FILES_CSV_LABELS_H
#define DATASETS_FILES_CSV_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct classes;
struct error;
struct medium;

struct csv_label {
	struct span key, word;
	size_t line; /* line in the file */
	int64_t label;
	bool used;
};

struct csv_labels {
	struct csv_label *rows; /* sorted by key */
	size_t count;
	struct buf texts; /* keys and words */
};

#define CSV_LABELS_INIT       \
	{                     \
		.rows = NULL, \
	}

/* The file, and the names of its columns in the header. */
struct csv_labels_options {
	struct medium *medium;
	const char *path, *key, *label;
};

/*
 * Reads the file. If all labels are whole numbers, these are the labels.
 * Otherwise labels are classes, numbered by their sorted names, which go to
 * `classes` (labels.h). All rows count, so that folders which share a file
 * agree. Rows without a label are left out. Errors name file and line.
 */
int csv_labels_read(struct csv_labels *labels,
    const struct csv_labels_options *options, struct classes *classes,
    struct error *err);
/* Returns the row of a key and marks it as used; NULL: there is none. */
const struct csv_label *csv_labels_find(
    struct csv_labels *labels, struct span key);
/* Counts the rows that were not used; *first is the first in the file. */
size_t csv_labels_unused(
    const struct csv_labels *labels, const struct csv_label **first);
void csv_labels_release(struct csv_labels *labels); /* empty and usable again */

#endif
