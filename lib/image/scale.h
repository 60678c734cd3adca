/*
 * scale.h - whole numbers and floats to floats, each less an offset, times a
 * factor.
 * The hot loops of center, normalize and to_float.
 *
 * The same results on every processor: no operation is fused or reordered.
 * `in` and `out` do not overlap.
 */
#ifndef LIB_IMAGE_SCALE_H
#define LIB_IMAGE_SCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/sample/dtype.h"

/*
 * (x - minus) * (times + rest), where `rest` is what the float `times` lacks
 * of the factor that is meant.  With times of few digits the product with a
 * byte is exact, and the sum rounded correctly: what division would give, at
 * the cost of a multiplication.
 */
struct scale {
	float minus, times, rest;
	bool away; /* written past the caches, see copy.h */
};

/* Of uint8, uint16 or float32; the second form uses no vectors, for tests. */
void scale_run(struct scale scale, enum dtype dtype, const void *in, float *out,
    size_t count);
void scale_run_plain(struct scale scale, enum dtype dtype, const void *in,
    float *out, size_t count);

/*
 * (x - minus[i]) * times[i], where i runs through the table over and over:
 * its length is a multiple of SCALE_STEP and of the channels.
 */
enum { SCALE_STEP = 32 };

struct scale_table {
	size_t length;
	const float *minus, *times;
	bool away;
};

void scale_run_by_table(struct scale_table table, enum dtype dtype,
    const void *in, float *out, size_t count);
void scale_run_by_table_plain(struct scale_table table, enum dtype dtype,
    const void *in, float *out, size_t count);

#endif
