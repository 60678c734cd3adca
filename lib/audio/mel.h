/*
 * mel.h - a bank of mel filters: sums the bins of a spectrum in triangles that
 * overlap by half.
 *
 * A bin is in at most two bands; only these weights are stored.
 */
#ifndef LIB_AUDIO_MEL_H
#define LIB_AUDIO_MEL_H

#include <stddef.h>

struct audio_kernels;
struct error;
struct mel;
struct mel_tables;

enum mel_scale {
	MEL_HTK,    /* 1127 ln(1 + f / 700); triangles on this scale */
	MEL_SLANEY, /* linear to 1000 Hz, then logarithmic; triangles in Hz */
};

enum mel_norm {
	MEL_NONE, /* triangles have height 1 */
	MEL_AREA, /* triangles have area 1 (in Hz) */
};

struct mel_plan {
	size_t bins;  /* bins of the spectrum, from 0 to rate / 2; at least 2 */
	size_t bands; /* at least 1 */
	double rate, low, high; /* Hz; 0 <= low < high <= rate / 2 */
	enum mel_scale scale;
	enum mel_norm norm;
};

struct mel *mel_new(const struct mel_plan *plan, struct error *err);
void mel_free(struct mel *mel); /* NULL is fine */
const struct mel_plan *mel_plan(const struct mel *mel);
const struct mel_tables *mel_tables(const struct mel *mel);

/* Turns `count` rows of bins, which may be unaligned, into rows of bands. */
void mel_run(struct mel *mel, const void *in, size_t count, float *out);

/* For tests: uses these kernels instead of the best. */
void mel_use(struct mel *mel, const struct audio_kernels *kernels);

/* Returns the weight of `bin` in `band` by the definition. */
double mel_weight(const struct mel_plan *plan, size_t bin, size_t band);

#endif
