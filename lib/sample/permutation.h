/*
 * permutation.h - a random order of numbers.  One seed gives the same order on
 * every machine.
 *
 * Up to PERMUTATION_HELD numbers it is held in memory, 4 bytes a number, and
 * all orders are equally likely (Fisher-Yates).  More numbers are computed when
 * they are asked for (random_order.h), so a billion of them need no memory.
 */
#ifndef LIB_SAMPLE_PERMUTATION_H
#define LIB_SAMPLE_PERMUTATION_H

#include <stdint.h>

#include "lib/sample/random_order.h"

struct error;

enum { PERMUTATION_HELD = 1 << 27 };

struct permutation {
	uint32_t *at; /* [count]: owned; NULL: it is computed */
	uint64_t count;
	struct random_order computed;
};

#define PERMUTATION_INIT   \
	{                  \
		.at = NULL \
	}

/*
 * Permutes 0 to count - 1.  `use` makes orders of one seed differ where they
 * serve different purposes.
 */
int permutation_init(struct permutation *permutation, uint64_t count,
    uint64_t seed, uint64_t use, struct error *err);
void permutation_release(struct permutation *permutation);

/* Returns the number at a place. */
static inline uint64_t permutation_at(
    const struct permutation *permutation, uint64_t place)
{
	return permutation->at ? permutation->at[place]
	                       : random_order_at(&permutation->computed, place);
}

#endif
