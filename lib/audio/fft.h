/*
 * fft.h - spectra of the frames of a recording: each frame is multiplied by a
 * window and transformed; the result is its magnitudes or their squares.
 *
 * Sizes that are powers of two use code of this project, several frames at once
 * (fft_lanes.h).  Others use kissfft (fft_any.c), if available at build time.
 * Results are equal on all processors.
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
	FFT_HANN, /* periodic, as for a frame that repeats */
	FFT_HAMMING,
	FFT_RECTANGULAR,
};

struct fft_plan {
	size_t frame; /* samples, 1 to size */
	size_t size;  /* FFT_MIN to FFT_MAX; the frame is padded with zeros */
	size_t hop;   /* samples between the starts of two frames */
	enum fft_window window;
	enum dtype dtype; /* int16, divided by 32768; or float32 */
	unsigned power;   /* 1: magnitudes, 2: their squares */
};

/* NULL: out of memory, or an error of fft_check_size. */
struct fft *fft_new(const struct fft_plan *plan, struct error *err);
void fft_free(struct fft *fft); /* NULL is fine */

const struct fft_plan *fft_plan(const struct fft *fft);

size_t fft_bins(const struct fft_plan *plan); /* size / 2 + 1 */
/* ERROR_USAGE for a size that needs a library missing in this build. */
int fft_check_size(size_t size, struct error *err);

/*
 * Writes `count` rows of fft_bins floats.  Frame i begins at sample i * hop,
 * and is padded with zeros after the last sample.  The samples may be
 * unaligned.
 */
void fft_run(struct fft *fft, const void *samples, size_t samples_count,
    size_t count, float *out);

/*
 * Like fft_run followed by mel_run: writes `count` rows of bands.  Only the
 * bins that a band needs are computed, and none is stored.  Call
 * fft_reserve_bands once for each `mel` before.
 */
int fft_reserve_bands(
    struct fft *fft, const struct mel *mel, struct error *err);
void fft_run_bands(struct fft *fft, struct mel *mel, const void *samples,
    size_t samples_count, size_t count, float *out);

/* For tests: uses these kernels instead of the best. */
void fft_use(struct fft *fft, const struct audio_kernels *kernels);

/* Returns weight `i` of a window of `count` weights, 0 to 1. */
double fft_window_weight(enum fft_window window, size_t i, size_t count);

#endif
