/*
 * draw.h - k of n numbers by chance, without replacement, each set of k with
 * the same chance; for sixteen n at once, or one.
 *
 * Robert Floyd's algorithm (Bentley and Floyd, "A sample of brilliance", CACM
 * 1987): for j from n - k to n - 1, a number t of 0 .. j is drawn; it is
 * taken, or j if t was taken already.  Each number then has the chance k / n.
 *
 * Random words are those of sixteen xoshiro128++ (Blackman and Vigna, ACM TOMS
 * 2021), one a lane; the same seed gives the same numbers on all processors.
 */
#ifndef LIB_GRAPH_DRAW_H
#define LIB_GRAPH_DRAW_H

#include <stdint.h>

enum {
	DRAW_LANES = 16,
	DRAW_MOST = 32, /* k, of sixteen at once: all are compared with all */
};

struct draw {
	uint32_t state[4][DRAW_LANES];
	uint64_t single; /* state of draws one by one: SplitMix64 */
};

/* One number of each lane. */
typedef uint32_t draw_row[DRAW_LANES];

struct draw draw_make(uint64_t seed);
/* Uniform in 0 .. bound-1, without bias (Lemire 2019); bound > 0. */
uint32_t draw_below(struct draw *draw, uint32_t bound);

/*
 * What was drawn for sixteen others: places behind an address, k for each lane.
 * They are fetched into the caches while the next are drawn, which needs no
 * memory; all at once they would wait for each other.
 */
struct draw_ahead {
	const int32_t *from[DRAW_LANES];
	draw_row *places;
};

/*
 * k numbers below n[lane] for each lane, in `rows`; k < n, k <= DRAW_MOST.
 * `ahead`: also of k; NULL: nothing.
 */
void draw_lanes(struct draw *draw, const draw_row n, uint32_t k, draw_row *rows,
    const struct draw_ahead *ahead);
void draw_fetch(const struct draw_ahead *ahead, uint32_t k);

#endif
