/*
 * array_set.h - samples in .npy and .npz files of others: what the sources npy
 * and npz have in common.
 *
 * A file is a sample, or each row of its arrays is one; then all files have
 * arrays of one type.  The fields of a .npz file are its arrays, read whole; of
 * a .npy file only the rows that are wanted are read.
 *
 * A stream is some runs, and one chunk.  Of each run the chunk has a part for
 * the samples that are left of it (len) and the number of the next (item), one
 * for each field, and one for the label; those begin with the sample that is
 * next.  The part of the run has its number as file.
 */
#ifndef DATASETS_ARRAYS_ARRAY_SET_H
#define DATASETS_ARRAYS_ARRAY_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "datasets/files/cuts.h"
#include "datasets/files/listing.h"
#include "lib/sample/reader.h"

struct error;
struct medium;

enum array_sample { ARRAY_AUTO, ARRAY_FILE, ARRAY_ROW };

#define ARRAY_SAMPLE_WORDS "auto|file|row"

struct array_options {
	const char *fields; /* "data:x,mask:y"; NULL: all; of .npz */
	const char *label;  /* the array of labels; NULL: none; of .npz */
	const char *match;
	unsigned sample; /* enum array_sample */
};

enum { ARRAY_NAME = 64 };

struct array_column { /* an array of each file */
	char name[ARRAY_NAME];
	struct type type; /* of a sample */
	size_t bytes;     /* of a row */
};

struct array_run {
	size_t file;
	uint64_t first, samples; /* rows; or 0 and 1 */
	uint64_t before;         /* samples of all runs in front of it */
	uint64_t data;           /* where the rows of a .npy file begin */
	uint64_t bytes;          /* of it, about */
};

struct array_set {
	struct medium *medium;
	char *root;
	struct listing listing;
	bool is_npz, by_row;
	unsigned count; /* fields, and behind them the label if has_label */
	bool has_label;
	struct array_column columns[FIELDS_MAX + 1];
	struct array_run *runs;
	size_t run_count, run_capacity;
	struct cuts cuts; /* of the runs into streams */
	size_t stem_max;
};

static inline unsigned array_columns(const struct array_set *set)
{
	return set->count + (set->has_label ? 1 : 0);
}

/* The parts of a run in a chunk. */
static inline unsigned array_parts(const struct array_set *set)
{
	return 1 + array_columns(set);
}

char *array_path(const struct array_set *set, size_t file, struct error *err);
/* "dir/part-1.npy" is "dir/part-1". */
struct span array_stem(const struct array_set *set, size_t file);
/* The column that a member of a .npz file is; -1: none. */
int array_column_of(const struct array_set *set, const char *member);
/* Is the row of an array with this header of the column's type? */
int array_check_rows(const struct array_column *column, enum dtype dtype,
    const struct shape *shape, struct error *err);

/*
 * Reads the samples of a run into the parts of its columns; of a .npz file all
 * of it.
 */
int array_fetch(const struct array_set *set, const struct array_run *run,
    struct chunk *chunk, struct chunk_part *parts, struct error *err);
/* Room for the keys of chunk->samples, so that they never move. */
int array_reserve_keys(
    const struct array_set *set, struct chunk *chunk, struct error *err);

/* Samples by number, as in reader_ops: array_pick.c. */
void *array_picker_open(const struct reader *reader, struct error *err);
int array_picker_fetch(void *picker, const struct pick *picks, size_t count,
    struct chunk *chunk, struct error *err);
void array_picker_close(void *picker);

/* Finds files, columns, types and runs: fills the reader in. */
int array_scan(struct reader *reader, const char *path,
    const struct array_options *options, uint64_t limit, struct error *err);

struct reader *array_set_open(const char *path,
    const struct array_options *options, bool is_npz, uint64_t limit,
    struct medium *medium, struct error *err);

#endif
