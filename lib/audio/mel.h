/*
 * mel.h - a bank of mel filters: the bins of a spectrum, summed in triangles
 * that overlap by half.
 *
 * Each bin is in two bands at most; the rest of the matrix is not there.
 */
#ifndef LIB_AUDIO_MEL_H
#define LIB_AUDIO_MEL_H

#include <stddef.h>

struct audio_kernels;
struct error;
struct mel;
struct mel_tables;

enum mel_scale {
	MEL_HTK,    /* 1127 ln(1 + f / 700); triangles on that scale */
	MEL_SLANEY, /* straight up to 1000 Hz, then logarithmic; triangles in Hz
	             */
};

enum mel_norm {
	MEL_NONE, /* peaks of 1 */
	MEL_AREA, /* area of 1, in Hz */
};

struct mel_plan {
	size_t bins;  /* of the spectrum, from 0 to half the rate; 2 or more */
	size_t bands; /* 1 or more */
	double rate, low, high; /* Hz; 0 <= low < high <= rate / 2 */
	enum mel_scale scale;
	enum mel_norm norm;
};

struct mel *mel_new(const struct mel_plan *plan, struct error *err);
void mel_free(struct mel *mel); /* NULL is fine */
const struct mel_plan *mel_plan(const struct mel *mel);
const struct mel_tables *mel_tables(const struct mel *mel);

/*
 * `count` rows of bins at `in`, which may be unaligned, become rows of bands
 * at `out`.
 */
void mel_run(struct mel *mel, const void *in, size_t count, float *out);

/* For tests: not the best kernels, but these. */
void mel_use(struct mel *mel, const struct audio_kernels *kernels);

/* The weight of bin `bin` in band `band`, by the definition. */
double mel_weight(const struct mel_plan *plan, size_t bin, size_t band);

#endif
