/*
 * fft_any.h - spectra of frames of any size by kissfft: for sizes that are not
 * powers of two, and for tests of the others.
 */
#ifndef LIB_AUDIO_FFT_ANY_H
#define LIB_AUDIO_FFT_ANY_H

#include "lib/audio/fft.h"

struct error;
struct fft_any;

struct fft_any *fft_any_new(const struct fft_plan *plan, struct error *err);
void fft_any_free(struct fft_any *any); /* NULL is fine */
void fft_any_run(struct fft_any *any, const void *samples, size_t samples_count,
    size_t count, float *out);

#endif
