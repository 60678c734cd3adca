/*
 * mel_tables.h - the tables of a filter bank for its kernel.
 *
 * The edges of the bands cut the bins into `bands` + 1 runs.  In run r, band r
 * - 1 falls and band r rises; nothing falls in the first run, and nothing rises
 * in the last.
 */
#ifndef LIB_AUDIO_MEL_TABLES_H
#define LIB_AUDIO_MEL_TABLES_H

#include <stdint.h>

#include "lib/audio/mel.h"

struct mel_tables {
	struct mel_plan plan;
	size_t first;   /* bin of the first run */
	size_t count;   /* number of bins of all runs */
	uint32_t *runs; /* number of bins of each run */
	float *weights; /* for each bin: falling weight, rising weight */
};

struct mel_group {
	const void *in; /* rows of bins, may be unaligned */
	size_t count;   /* number of frames: 1 to the kernel's lanes */
	float *out;     /* rows of bands */
};

/* Returns the number of floats of work memory for the kernel. */
size_t mel_tables_work(const struct mel_tables *tables);

#endif
