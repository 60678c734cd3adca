/*
 * array_set.h - the dataset of the sources npy and npz: arrays of NumPy that
 * other programs wrote.
 *
 * A file is a sample, or each row of its arrays is one; then the arrays of all
 * files have the same types. The fields of a .npz file are its arrays, read
 * whole. A .npy file has one array, of which only the wanted rows are read.
 *
 * A stream is some runs, and one chunk. For each run the chunk has these parts:
 * one with the samples left (len), the number of the next (item) and the number
 * of the run (file); one for each field; and one for the label. The latter
 * begin with the next sample.
 */
#ifndef DATASETS_ARRAYS_ARRAY_SET_H
#define DATASETS_ARRAYS_ARRAY_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "datasets/files/runs.h"
#include "lib/sample/reader.h"

struct error;
struct medium;

enum array_sample { ARRAY_AUTO, ARRAY_FILE, ARRAY_ROW };

struct array_options {
	const char *fields; /* "data:x,mask:y"; NULL: all; .npz only */
	const char *label;  /* the array of labels; NULL: none; .npz only */
	const char *match;
	unsigned sample; /* enum array_sample */
};

/* Options of both sources. */
#define ARRAY_OPTIONS                                                         \
	OPTION(TEXT, "match", 0, struct array_options, match, "GLOB",         \
	    "pattern of the files to take from a folder"),                    \
	    OPTION_WORDS("sample", struct array_options, sample,              \
	        "auto|file|row",                                              \
	        "unit that makes a sample; auto: row for one file, file for " \
	        "several")

enum { ARRAY_NAME = 64 };

struct array_column { /* an array of each file */
	char name[ARRAY_NAME];
	struct type type; /* type of a sample */
	size_t bytes;     /* bytes of a row */
};

struct array_set {
	struct medium *medium;
	struct listing listing;
	bool is_npz, by_row;
	unsigned count; /* fields; the label follows them if has_label */
	bool has_label;
	struct array_column columns[FIELDS_MAX + 1];
	struct runs runs;
	size_t stem_max;
};

static inline unsigned array_columns(const struct array_set *set)
{
	return set->count + (set->has_label ? 1 : 0);
}

/* Returns the number of parts of a run in a chunk. */
static inline unsigned array_parts(const struct array_set *set)
{
	return 1 + array_columns(set);
}

/* Returns "dir/part-1" for "dir/part-1.npy". */
struct span array_stem(const struct array_set *set, size_t file);
/* Returns the column of a member of a .npz file; -1: none. */
int array_column_of(const struct array_set *set, const char *member);
/* Checks that rows of an array with this header are of the column's type. */
int array_check_rows(const struct array_column *column, enum dtype dtype,
    const struct shape *shape, struct error *err);
/* Makes room for the keys of chunk->samples, so that they never move. */
int array_reserve_keys(
    const struct array_set *set, struct chunk *chunk, struct error *err);

#endif
