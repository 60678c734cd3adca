/*
 * mel_tables.h - what mel.c prepares for its kernel.
 *
 * The edges of the bands cut the bins into `bands` + 1 runs.  In run r, the
 * band r - 1 falls and the band r rises; the first has nothing that falls, the
 * last nothing that rises.
 */
#ifndef LIB_AUDIO_MEL_TABLES_H
#define LIB_AUDIO_MEL_TABLES_H

#include <stdint.h>

#include "lib/audio/mel.h"

struct mel_tables {
	struct mel_plan plan;
	size_t first;   /* bin of the first run */
	size_t count;   /* bins of all runs */
	uint32_t *runs; /* bins of each */
	float *weights; /* of each bin of a run: as it falls, as it rises */
};

struct mel_group {
	const void *in; /* rows of bins; may be unaligned */
	size_t count;   /* frames: 1 to the kernel's lanes */
	float *out;     /* rows of bands */
};

/* Floats of work that the kernel wants. */
size_t mel_tables_work(const struct mel_tables *tables);

#endif
