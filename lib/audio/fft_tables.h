/*
 * fft_tables.h - what fft.c prepares for its kernel: the tables of a size,
 * and the frames of a group.
 *
 * A frame of 2n samples is n complex numbers, the even samples and the odd.
 * Their transform is by decimation in frequency, in place: a fold to halves if
 * n is no power of four, and passes over blocks of m numbers by fours, m = n or
 * n/2, and a quarter of it, and so on.  Frequency k ends at place[k].  Then the
 * even and the odd are told apart.
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
	float *window; /* weights of a frame, times half the scale */
	float *turns; /* the fold's: w; of each pass: w, w^2, w^3; for each k */
	float *untwist;  /* exp(-i pi k / n), k = 0 .. n */
	uint32_t *place; /* of frequency k; that of n is 0's */
};

struct fft_group {
	const void *samples; /* from the first frame on; may be unaligned */
	size_t samples_left; /* what is wanted behind them is 0 */
	size_t count;        /* frames: 1 to the kernel's lanes */
	float *out;          /* fft_bins floats a frame */
};

/* Floats of work that the kernel wants. */
size_t fft_tables_work(const struct fft_tables *tables);

#endif
