/*
 * sums.h - sums of squares and products over periods of signals.
 *
 * Doubles are summed in eight lanes, which are added in a fixed order at the
 * end: so all processors give equal bits.  Sums of bytes are exact.
 */
#ifndef LIB_SIGNAL_SUMS_H
#define LIB_SIGNAL_SUMS_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/sample/dtype.h"

/* Sums over voltage v and current i. */
struct power_sums {
	double vi, ii, vv;
};

/* Is the type supported?  All are but float16. */
bool sums_know(enum dtype dtype);
/* Sets out[k] to the RMS of period k of the elements.  Any alignment. */
void sums_rms(enum dtype dtype, const void *data, size_t period, size_t count,
    double *out);
/* Computes the sums of both signals together, float32 or float64. */
void sums_power(enum dtype dtype, const void *v, const void *i, size_t period,
    size_t count, struct power_sums *out);

#endif
