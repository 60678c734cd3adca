/*
 * draw.h - draws k of n numbers without replacement, all sets of k equally
 * likely: for sixteen different n at once, or for one.
 *
 * The algorithm is Robert Floyd's (Bentley and Floyd, "A sample of brilliance",
 * CACM 1987).  For j from n - k to n - 1 it draws a number t of 0 .. j, and
 * takes t, or j if t is already taken.
 *
 * The generator is xoshiro128++ (Blackman and Vigna, ACM TOMS 2021), one per
 * lane.  The same seed gives the same numbers on all processors.
 */
#ifndef LIB_GRAPH_DRAW_H
#define LIB_GRAPH_DRAW_H

#include <stdint.h>

enum {
	DRAW_LANES = 16,
	DRAW_MOST = 32, /* most k for sixteen at once: all pairs are compared */
};

struct draw {
	uint32_t state[4][DRAW_LANES];
	uint64_t single; /* state for single draws: SplitMix64 */
};

/* One number per lane. */
typedef uint32_t draw_row[DRAW_LANES];

struct draw draw_make(uint64_t seed);
/* Uniform in 0 .. bound-1, without bias (Lemire 2019); bound > 0. */
uint32_t draw_below(struct draw *draw, uint32_t bound);

/*
 * An earlier draw for sixteen others: positions relative to an address, k for
 * each lane.  They are prefetched during the next draw, which needs no memory;
 * all at once they would wait for each other.
 */
struct draw_ahead {
	const int32_t *from[DRAW_LANES];
	draw_row *places;
};

/*
 * Draws k numbers below n[lane] for each lane into `rows`; k < n and k <=
 * DRAW_MOST.  `ahead` (may be NULL) has k rows, too.
 */
void draw_lanes(struct draw *draw, const draw_row n, uint32_t k, draw_row *rows,
    const struct draw_ahead *ahead);
void draw_fetch(const struct draw_ahead *ahead, uint32_t k);

#endif
