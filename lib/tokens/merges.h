/*
 * merges.h - a hash table of the merges of a vocabulary: two tokens, the token
 * that they become, and the rank of the merge.
 *
 * An entry is a word of 64 bits: left token, right token, rank.
 */
#ifndef LIB_TOKENS_MERGES_H
#define LIB_TOKENS_MERGES_H

#include <stddef.h>
#include <stdint.h>

struct error;

enum {
	MERGES_BITS = 21, /* bits of a token and of a rank */
	MERGES_MAX = (1 << MERGES_BITS) - 1,
	MERGES_NONE = 0x7fffffff, /* not a rank: there is no such merge */
};

struct merges {
	uint64_t *slots; /* by hash; free: all bits set */
	unsigned shift;  /* shift from a hash to a slot */
	size_t mask;
	uint32_t *joined; /* by rank: the merged token */
	uint32_t count;
};

#define MERGES_INIT           \
	{                     \
		.slots = NULL \
	}

/* Makes room for `count` merges, at most MERGES_MAX. */
int merges_init(struct merges *merges, uint32_t count, struct error *err);
/* Adds a merge with the next rank; -1: the pair exists.  There must be room. */
int merges_add(
    struct merges *merges, uint32_t left, uint32_t right, uint32_t joined);
void merges_release(struct merges *merges); /* empty and usable again */

static inline uint64_t merges_key(uint32_t left, uint32_t right)
{
	return (uint64_t)left << MERGES_BITS | right;
}

static inline size_t merges_slot(const struct merges *merges, uint64_t key)
{
	return (size_t)(key * 0x9e3779b97f4a7c15 >> merges->shift);
}

/* Returns the rank of the pair, low ranks first, or MERGES_NONE. */
static inline uint32_t merges_rank(
    const struct merges *merges, uint32_t left, uint32_t right)
{
	const uint64_t key = merges_key(left, right);
	size_t slot = merges_slot(merges, key);

	for (;; slot = (slot + 1) & merges->mask) {
		const uint64_t entry = merges->slots[slot];

		if (entry >> MERGES_BITS == key)
			return (uint32_t)entry & MERGES_MAX;
		if (entry == UINT64_MAX)
			return MERGES_NONE;
	}
}

#endif
