/*
 * sums.h - sums of squares and products over stretches of signals.
 *
 * Sums are of doubles, in eight lanes that are added in a fixed order at the
 * end: every processor gives the same bits.  Sums of bytes are exact.
 */
#ifndef LIB_SIGNAL_SUMS_H
#define LIB_SIGNAL_SUMS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/sample/dtype.h"

/* Of voltage v and current i. */
struct power_sums {
	double vi, ii, vv;
};

/* Is there a sum for elements of this type?  Of all but float16. */
bool sums_know(enum dtype dtype);
/*
 * out[k] is the root of the mean of the squares of elements k * period to
 * (k + 1) * period - 1.  Any alignment.
 */
void sums_rms(enum dtype dtype, const void *data, size_t period, size_t count,
    double *out);
/* The same of both signals together, float32 or float64. */
void sums_power(enum dtype dtype, const void *v, const void *i, size_t period,
    size_t count, struct power_sums *out);

#endif
