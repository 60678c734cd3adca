/*
 * random.h - a counter-based generator: the n-th draw of a stream is a pure
 * function of (seed, epoch, sample, step, n).  So a random step gives the same
 * output for every split, order of arrival and number of threads, and needs
 * no state between samples (doc/design.md 5.3).
 *
 * Philox 4x32-10: Salmon et al., "Parallel Random Numbers: As Easy as 1, 2,
 * 3", SC 2011, section 3.3; known answers are in the test.
 */
#ifndef LIB_BASE_RANDOM_H
#define LIB_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

struct random {
	uint32_t key[2];     /* derived from seed and step */
	uint32_t counter[4]; /* draw number, epoch, sample (two words) */
	uint32_t out[4];
	unsigned left; /* unused words of `out` */
};

/* Begins the stream of a sample at a step.  `sample` is the hash of its key. */
struct random random_stream(
    uint64_t seed, uint32_t epoch, uint64_t sample, uint32_t step);

uint32_t random_u32(struct random *random);
uint64_t random_u64(struct random *random);
/* Uniform in 0 .. bound-1 without bias (Lemire 2019); bound > 0. */
uint32_t random_below(struct random *random, uint32_t bound);
double random_unit(struct random *random);   /* uniform in [0, 1) */
double random_normal(struct random *random); /* mean 0, deviation 1 */
void random_fill(struct random *random, void *data, size_t len);

/* The block function alone, for tests against known answers. */
void random_philox(
    const uint32_t key[2], const uint32_t counter[4], uint32_t out[4]);

#endif
