/*
 * permutation.h - a random order of numbers (Fisher-Yates).  One seed gives the
 * same order on every machine.  It takes 4 bytes a number.
 */
#ifndef LIB_SAMPLE_PERMUTATION_H
#define LIB_SAMPLE_PERMUTATION_H

#include <stdint.h>

struct error;

struct permutation {
	uint32_t *at; /* [count]: the number at each place; owned */
	uint32_t count;
};

#define PERMUTATION_INIT   \
	{                  \
		.at = NULL \
	}

/*
 * Permutes 0 to count - 1; all orders are equally likely.  `use` makes orders
 * of one seed differ where they serve different purposes.
 */
int permutation_init(struct permutation *permutation, uint32_t count,
    uint64_t seed, uint64_t use, struct error *err);
void permutation_release(struct permutation *permutation);

#endif
