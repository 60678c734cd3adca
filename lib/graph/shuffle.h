/*
 * shuffle.h - the numbers 0 .. count-1 in an order that a seed decides: any
 * place of it at once, with no table, so that several workers may each take a
 * part.
 *
 * A Feistel network over rows and columns of numbers, with hardly more places
 * than there are numbers; what comes out too large goes through once more
 * (Black and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002).
 * It is too regular where there are few numbers: those are shuffled by Fisher
 * and Yates, into the struct.
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
	uint8_t few[SHUFFLE_FEW]; /* the order, where count is at most that */
};

/* count is below 2^62. */
struct shuffle shuffle_make(uint64_t count, uint64_t seed);
/* What is at this place, which is below count. */
uint64_t shuffle_at(const struct shuffle *shuffle, uint64_t place);
/* What is at `n` places from this one on; the last is below count. */
void shuffle_range(
    const struct shuffle *shuffle, uint64_t place, size_t n, uint64_t *out);

#endif
