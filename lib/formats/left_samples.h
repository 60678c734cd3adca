/*
 * left_samples.h - the samples that a version of a dataset leaves out although
 * its shards still hold them: they were removed, or stored anew in a later
 * shard.
 *
 * A sample is named by its shard and by its place among all samples of that
 * shard, from 0 on.  Places are kept as runs, so a removed folder of files that
 * lie side by side takes one run.
 */
#ifndef LIB_FORMATS_LEFT_SAMPLES_H
#define LIB_FORMATS_LEFT_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/bytes.h"

struct error;

struct left_run {
	uint64_t first, last; /* places */
};

struct left_shard {
	uint64_t shard;
	size_t first_run, runs;
	uint64_t samples;
};

struct left_samples {
	struct left_shard *shards; /* owned; sorted by shard */
	size_t count, capacity;
	struct left_run *runs; /* owned; sorted within a shard */
	size_t run_count, run_capacity;
	uint64_t samples; /* in all shards */
};

#define LEFT_SAMPLES_INIT      \
	{                      \
		.shards = NULL \
	}

void left_samples_release(struct left_samples *left);
/*
 * Adds a run of places; shards and places ascend from call to call.  ERROR_DATA
 * if they do not.
 */
int left_samples_add(struct left_samples *left, uint64_t shard,
    const struct left_run *run, struct error *err);
int left_samples_copy(struct left_samples *to, const struct left_samples *from,
    struct error *err);
/* Finds the entry of a shard; NULL: none of its samples is left out. */
const struct left_shard *left_samples_find(
    const struct left_samples *left, uint64_t shard);
/* Is the sample at this place left out?  `of` may be NULL: no. */
bool left_samples_has(const struct left_samples *left,
    const struct left_shard *of, uint64_t place);
/* Counts the samples that are left out of `count` places from `first` on. */
uint64_t left_samples_between(const struct left_samples *left,
    const struct left_shard *of, uint64_t first, uint64_t count);

/* Appends "9-11 17" for a shard. */
int left_samples_print(const struct left_samples *left,
    const struct left_shard *of, struct buf *text, struct error *err);
/* Parses these words for a shard of so many samples: ERROR_DATA. */
int left_samples_parse(struct left_samples *left, uint64_t shard,
    uint64_t samples, struct span words, struct error *err);

#endif
