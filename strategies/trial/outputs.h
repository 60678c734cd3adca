/*
 * outputs.h - hashes of the samples that a strategy delivers, to compare them
 * with those of `unprocessed` (doc/design.md 6.2). For a lossy strategy all but
 * the bytes must be equal.
 */
#ifndef STRATEGIES_TRIAL_OUTPUTS_H
#define STRATEGIES_TRIAL_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/sample/batch.h"

struct error;

struct output {      /* one sample */
	uint64_t id; /* hash of its key */
	uint64_t hash;
	uint64_t form; /* hash of label, dtypes and shapes */
};

struct outputs {
	struct output *list; /* owned */
	size_t count, capacity;
};

#define OUTPUTS_INIT         \
	{                    \
		.list = NULL \
	}

int outputs_add(struct outputs *outputs, const struct batch *batch,
    const struct schema *schema, struct error *err);
/* To be called once, after the last outputs_add. */
void outputs_sort(struct outputs *outputs);
/* Are these the same samples? Both are sorted. */
bool outputs_equal(const struct outputs *a, const struct outputs *b);
/* Are these the same samples, except for their bytes? Both are sorted. */
bool outputs_alike(const struct outputs *a, const struct outputs *b);
/* The same for a part: is each of its samples in `all`? */
bool outputs_within(const struct outputs *part, const struct outputs *all);
bool outputs_alike_within(
    const struct outputs *part, const struct outputs *all);
void outputs_release(struct outputs *outputs);

#endif
