/*
 * fft_tables.h - the tables of a transform size, and groups of frames.
 *
 * A frame of 2n samples is treated as n complex numbers: even samples are real
 * parts, odd ones imaginary.  They are transformed in place by decimation in
 * frequency.  If n is not a power of four, it is first folded in two halves.
 * Then radix-4 passes run over blocks of m numbers: m = n or n/2, then a
 * quarter of it, and so on.  Frequency k ends at place[k].  At last the
 * frequencies of even and odd samples are separated.
 */
#ifndef LIB_AUDIO_FFT_TABLES_H
#define LIB_AUDIO_FFT_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/audio/fft.h"

struct fft_tables {
	struct fft_plan plan;
	size_t half;   /* n */
	bool folds;    /* n is 2 x 4^i */
	float *window; /* weights of a frame, times half of the scale */
	float *turns;  /* for each k: w of the fold; w, w^2, w^3 of each pass */
	float *untwist;  /* exp(-i pi k / n), k = 0 .. n */
	uint32_t *place; /* place of frequency k; n has the place of 0 */
};

struct fft_group {
	const void *samples; /* from the first frame on; may be unaligned */
	size_t samples_left; /* after them, samples are 0 */
	size_t count;        /* number of frames: 1 to the kernel's lanes */
	float *out;          /* fft_bins floats per frame */
};

/* Returns the number of floats of work memory for the kernel. */
size_t fft_tables_work(const struct fft_tables *tables);

#endif
