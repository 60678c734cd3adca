/*
 * outputs.h - the same output (doc/design.md 6.2): hashes of what a strategy
 * delivers, sample by sample, compared with those of `unprocessed`.  Of lossy
 * strategies all but the bytes must be the same.
 */
#ifndef STRATEGIES_SESSION_OUTPUTS_H
#define STRATEGIES_SESSION_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/sample/batch.h"

struct error;

struct output {      /* of one sample */
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
/* Once, after the last add. */
void outputs_sort(struct outputs *outputs);
/* Both sorted: the same samples with the same output? */
bool outputs_equal(const struct outputs *a, const struct outputs *b);
/* Both sorted: the same samples, but for the bytes in them? */
bool outputs_alike(const struct outputs *a, const struct outputs *b);
/* Both sorted: is each of the samples of `part` in `all`, and the same? */
bool outputs_within(const struct outputs *part, const struct outputs *all);
void outputs_release(struct outputs *outputs);

#endif
