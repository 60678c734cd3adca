/* tar_set.h - the archives of the source `tar`, and their runs of samples. */
#ifndef DATASETS_ARCHIVES_TAR_SET_H
#define DATASETS_ARCHIVES_TAR_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "datasets/archives/archive.h"
#include "datasets/files/fields.h"
#include "datasets/files/passed_by.h"

struct tar_archive {
	char *path; /* owned */
	uint64_t bytes;
	uint64_t samples;
	uint64_t selected; /* samples that are read */
};

/* Neighbouring samples that are read together. */
struct tar_run {
	size_t archive;
	/* bytes of an uncompressed tar; end 0: the whole archive */
	uint64_t start, end;
	uint64_t held;    /* samples between start and end */
	uint64_t samples; /* samples that are read, from the start */
	uint64_t first;   /* number of its first sample in `starts` */
	uint64_t before;  /* samples of all earlier runs that are read */
};

struct tar_set {
	struct tar_archive *archives;
	size_t count, capacity;
	struct passed_by passed;
	struct tar_run *runs;
	size_t run_count, run_capacity;
	struct field_rules rules;
	/*
	 * Offset of each sample in its archive, if all archives are
	 * uncompressed; others can only be read from front to back.
	 */
	bool is_plain;
	uint64_t *starts;
	size_t start_count, start_capacity;
	bool wants_cls; /* the member .cls is the label */
	uint64_t samples;
};

/* Keeps evenly spaced runs for `limit` samples, the last one shortened. */
void tar_select(struct tar_set *set, uint64_t limit); /* 0: all */
/* Returns the bytes of selected sample `number` in the archive of *run. */
struct archive_range tar_find_sample(
    const struct tar_set *set, uint64_t number, const struct tar_run **run);
void tar_set_release(struct tar_set *set); /* zeroed is empty */

#endif
