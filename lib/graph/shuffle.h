/*
 * shuffle.h - a random order of 0 .. count-1, determined by a seed.  Any place
 * can be computed at once without a table, so that several workers can each
 * take a part.
 *
 * It is a Feistel network over the columns and rows of a table of numbers,
 * hardly larger than count.  Results that are too large go through again (Black
 * and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002).  This is
 * too regular for few numbers; Fisher-Yates shuffles those.
 */
#ifndef LIB_GRAPH_SHUFFLE_H
#define LIB_GRAPH_SHUFFLE_H

#include <stddef.h>
#include <stdint.h>

enum { SHUFFLE_ROUNDS = 8, SHUFFLE_FEW = 256 };

struct shuffle {
	uint64_t count;
	uint64_t columns, rows; /* each below 2^31 + 2 */
	uint64_t keys[SHUFFLE_ROUNDS];
	uint8_t few[SHUFFLE_FEW]; /* the order, for few numbers */
};

/* count must be below 2^62. */
struct shuffle shuffle_make(uint64_t count, uint64_t seed);
/* Returns the number at this place, which is below count. */
uint64_t shuffle_at(const struct shuffle *shuffle, uint64_t place);
/* Writes the numbers at `n` places from `place` on; the last is below count. */
void shuffle_range(
    const struct shuffle *shuffle, uint64_t place, size_t n, uint64_t *out);

#endif
