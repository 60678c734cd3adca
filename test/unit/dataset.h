/* dataset.h - opens and reads whole datasets, for tests of sources. */
#ifndef TEST_UNIT_DATASET_H
#define TEST_UNIT_DATASET_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/error.h"

struct reader;
struct medium;

/* A sample that was read: key with field contents as hashes. */
struct seen {
	char key[1024];
	int64_t label;
	uint64_t hash;   /* of fields and label */
	uint64_t fields; /* bytes of all */
	size_t stream;
	uint64_t number; /* in the order that it was read in */
};

/* A dataset opened by a [dataset] section. */
struct opened {
	struct medium *medium;
	struct reader *reader;
	struct seen *seen; /* sorted by key */
	size_t count;
	size_t nulls; /* fields without a value, of all samples */
	struct error err;
};

/*
 * Opens the dataset that `section` describes, the lines below [dataset] of a
 * file that stands in `dir`; 0, or -1 with opened->err.
 */
int opened_open(struct opened *opened, const char *dir, const char *section,
    uint64_t limit);
/*
 * Reads all streams, the last one first if `backwards`: 0, or -1 with
 * opened->err.  Fails the test when the reader breaks its contract: another
 * number of samples than it said, a field that is not of its type, a label
 * below -1, equal keys.
 */
int opened_read(struct opened *opened, int backwards);
void opened_close(struct opened *opened);

/*
 * Opens and reads, and has a loader read the same samples, and reads them by
 * number where the reader offers that; fails the test when that fails.
 */
void opened_all(struct opened *opened, const char *dir, const char *section,
    uint64_t limit);
/* Opens and reads; fails the test unless that fails with these words. */
void opened_fails(const char *dir, const char *section, const char *words);
/* Opens and reads a damaged dataset: samples of any kind, or an error. */
void opened_skim(const char *dir, const char *section);

#endif
