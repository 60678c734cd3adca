/*
 * merger.h - merges the bytes of one piece of text to tokens by a vocabulary.
 * Among all adjacent pairs that can be merged, those of the lowest rank are
 * merged, from left to right, until there is none.
 *
 * Short pieces are searched again for each merge; longer ones have a queue of
 * pairs.  So a piece of n bytes takes O(n log n) time in any case.
 */
#ifndef LIB_TOKENS_MERGER_H
#define LIB_TOKENS_MERGER_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct vocabulary;

/* Memory reused between pieces. */
struct merger {
	struct merger_node *nodes;
	uint64_t *queue;
	size_t node_capacity, queue_capacity;
};

#define MERGER_INIT           \
	{                     \
		.nodes = NULL \
	}

/*
 * Writes the tokens of a nonempty piece to `ids`, which has room for one per
 * byte.  Returns their number, or 0 with err set.
 */
size_t merger_run(struct merger *merger, const struct vocabulary *vocabulary,
    struct span piece, int32_t *ids, struct error *err);
void merger_release(struct merger *merger); /* empty and usable again */

#endif
