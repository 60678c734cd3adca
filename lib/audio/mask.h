/*
 * mask.h - the masks of SpecAugment (Park et al., Interspeech 2019): they
 * overwrite a random number of rows or columns at a random place.
 */
#ifndef LIB_AUDIO_MASK_H
#define LIB_AUDIO_MASK_H

#include <stdint.h>

#include "lib/sample/tensor.h"
#include "lib/syntax/option.h"

struct error;
struct random;

struct mask_options {
	uint64_t count; /* number of masks */
	uint64_t max;   /* largest number of rows or columns of a mask */
	double value;   /* value to write */
};

extern const struct option mask_options[];
extern const struct mask_options mask_defaults;

int mask_check(const void *given, struct error *err);
int mask_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err);

/* The options in the form that mask_run needs. */
struct mask {
	struct mask_options wish;
};

/*
 * Copies a tensor of two dimensions and writes masks along dimension `axis`.
 * Each mask takes two draws: its width is uniform in 0 .. max, its place
 * uniform where it fits.
 */
int mask_run(const struct mask *mask, unsigned axis, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err);

#endif
