/*
 * difference.h - how much the elements of tensors differ from those of others,
 * for data that is equal up to rounding or compression.
 */
#ifndef LIB_SAMPLE_DIFFERENCE_H
#define LIB_SAMPLE_DIFFERENCE_H

#include <stdint.h>

#include "lib/sample/tensor.h"

struct difference { /* all 0: nothing was compared */
	uint64_t count;
	double largest, sum, squares; /* of absolute differences */
	double low, high;             /* of the elements to compare with */
	enum dtype dtype;
};

/*
 * Compares the elements of `is` with those of `wanted`.  Returns -1 if dtypes,
 * shapes or bytes of files make that impossible.  Two NaN are equal; a NaN and
 * a number differ without limit.
 */
int difference_add(struct difference *difference, const struct tensor *wanted,
    const struct tensor *is);

double difference_mean(const struct difference *difference);
/*
 * 20 log10 of the range over the root of the mean square; INFINITY: all are
 * equal.  The range of uint8 is 255, that of uint16 65535; of other numbers it
 * is what was found in `wanted`.
 */
double difference_psnr_db(const struct difference *difference);

#endif
