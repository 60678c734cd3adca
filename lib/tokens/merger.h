/*
 * merger.h - the bytes of one piece of text joined to tokens, as a vocabulary
 * has it: of all pairs of neighbours that it can join, those of the lowest
 * rank are joined, from left to right, until there is none.
 *
 * Short pieces are looked through again for each merge, longer ones have a
 * queue of their pairs: a piece of n bytes takes n log n, whatever is in it.
 */
#ifndef LIB_TOKENS_MERGER_H
#define LIB_TOKENS_MERGER_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct vocabulary;

/* Memory that is kept from piece to piece. */
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
 * The tokens of a piece, into `ids`, which has room for one a byte; returns
 * their number, or 0 with err set.  The piece is not empty.
 */
size_t merger_run(struct merger *merger, const struct vocabulary *vocabulary,
    struct span piece, int32_t *ids, struct error *err);
void merger_release(struct merger *merger); /* empty and usable again */

#endif
