/*
 * fft.h - spectra of the frames of a recording: each frame is weighed by a
 * window, transformed, and the magnitudes, or their squares, are taken.
 *
 * Sizes that are powers of two are transformed by own code, several frames at
 * once (fft_lanes.h); others by kissfft (fft_any.c), if it was there at build
 * time.  The same floats on every processor.
 */
#ifndef LIB_AUDIO_FFT_H
#define LIB_AUDIO_FFT_H

#include <stddef.h>

#include "lib/sample/dtype.h"

struct audio_kernels;
struct error;
struct fft;
struct mel;

enum { FFT_MIN = 16, FFT_MAX = 65536 };

enum fft_window {
	FFT_HANN, /* periodic: of a frame that goes on with itself */
	FFT_HAMMING,
	FFT_RECTANGULAR,
};

struct fft_plan {
	size_t frame; /* samples, 1 to size */
	size_t size;  /* FFT_MIN to FFT_MAX; the frame is followed by zeros */
	size_t hop;   /* samples from one frame to the next */
	enum fft_window window;
	enum dtype
	    dtype;      /* of the samples: int16, counted as / 32768; float32 */
	unsigned power; /* 1: magnitudes, 2: their squares */
};

/* NULL: out of memory, or as fft_check_size. */
struct fft *fft_new(const struct fft_plan *plan, struct error *err);
void fft_free(struct fft *fft); /* NULL is fine */

const struct fft_plan *fft_plan(const struct fft *fft);

size_t fft_bins(const struct fft_plan *plan); /* size / 2 + 1 */
/* ERROR_USAGE where a size needs the library that this build lacks. */
int fft_check_size(size_t size, struct error *err);

/*
 * `out` becomes `count` rows of fft_bins floats.  Frame i begins at sample
 * i * hop; what it lacks behind the last of the samples is 0.  They may be
 * unaligned.
 */
void fft_run(struct fft *fft, const void *samples, size_t samples_count,
    size_t count, float *out);

/*
 * As fft_run, and mel_run of its result: `out` becomes `count` rows of bands.
 * But only the bins that a band looks at are made, and none is stored.
 * fft_reserve_bands makes room for it, once for each `mel`.
 */
int fft_reserve_bands(
    struct fft *fft, const struct mel *mel, struct error *err);
void fft_run_bands(struct fft *fft, struct mel *mel, const void *samples,
    size_t samples_count, size_t count, float *out);

/* For tests: not the best kernels, but these. */
void fft_use(struct fft *fft, const struct audio_kernels *kernels);

/* Weight `i` of a window of `count`, 0 to 1. */
double fft_window_weight(enum fft_window window, size_t i, size_t count);

#endif
