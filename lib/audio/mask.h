/*
 * mask.h - the masks of SpecAugment (Park et al., Interspeech 2019): runs of
 * rows or columns that are overwritten, of random width at a random place.
 */
#ifndef LIB_AUDIO_MASK_H
#define LIB_AUDIO_MASK_H

#include <stdint.h>

#include "lib/sample/tensor.h"
#include "lib/syntax/option.h"

struct error;
struct random;

struct mask_options {
	uint64_t count; /* masks */
	uint64_t max;   /* rows or columns of each, at most */
	double value;   /* what is written */
};

extern const struct option mask_options[];
extern const struct mask_options mask_defaults;

int mask_check(const void *given, struct error *err);
int mask_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err);

/* What mask_bind makes: the options. */
struct mask {
	struct mask_options wish;
};

/*
 * Copies the tensor of two dimensions, and writes `value` over runs along
 * dimension `axis`.  The width of a run is uniform in 0 .. max, its place is
 * uniform where it fits; two draws a mask.
 */
int mask_run(const struct mask *mask, unsigned axis, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err);

#endif
