/*
 * noise.h - the stuff of clouds and foliage: sums of smoothed random grids.
 * Natural images have about equal power in each octave of detail; so has a sum
 * of such grids whose cells halve.  Whole numbers only: the same everywhere.
 */
#ifndef DATASETS_GENERATORS_NOISE_H
#define DATASETS_GENERATORS_NOISE_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct random;

enum {
	NOISE_OCTAVE = 2048, /* the most that an octave adds, up or down */
	NOISE_CELL_LOG_MAX = 11,
};

/* Values of width times height points, between +-NOISE_OCTAVE an octave. */
struct noise {
	unsigned width, height;
	int16_t *values;      /* in `memory` */
	struct buf memory;    /* reused */
	struct buf grid, row; /* scratch */
};

#define NOISE_INIT         \
	{                  \
		.width = 0 \
	}

/*
 * Fills the field with octaves of cells from 2^coarsest down to 2^finest
 * points (at most 8 octaves).
 */
int noise_fill(struct noise *noise, unsigned width, unsigned height,
    unsigned coarsest, unsigned finest, struct random *random,
    struct error *err);
void noise_release(struct noise *noise);

#endif
