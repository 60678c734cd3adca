/*
 * noise.h - texture of clouds and foliage: sums of smoothed random grids.
 * Natural images have about equal power in each octave of detail, and so has a
 * sum of grids whose cells halve in size. It uses integers only, so it is the
 * same everywhere.
 */
#ifndef DATASETS_GENERATORS_NOISE_H
#define DATASETS_GENERATORS_NOISE_H

#include <stdint.h>

#include "lib/base/bytes.h"

struct error;
struct random;

enum {
	NOISE_OCTAVE = 2048, /* largest change by an octave */
	NOISE_CELL_LOG_MAX = 11,
};

/* width * height values; each octave adds up to +-NOISE_OCTAVE. */
struct noise {
	unsigned width, height;
	int16_t *values;      /* point into `memory` */
	struct buf memory;    /* reused */
	struct buf grid, row; /* scratch */
};

#define NOISE_INIT         \
	{                  \
		.width = 0 \
	}

/* Fills the field with octaves of cells from 2^coarsest to 2^finest points. */
int noise_fill(struct noise *noise, unsigned width, unsigned height,
    unsigned coarsest, unsigned finest, struct random *random,
    struct error *err);
void noise_release(struct noise *noise);

#endif
