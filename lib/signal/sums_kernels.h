/*
 * sums_kernels.h - the inner loops of sums.h, compiled for registers of two
 * widths (sums_lanes.h).  The same bits from each.
 */
#ifndef LIB_SIGNAL_SUMS_KERNELS_H
#define LIB_SIGNAL_SUMS_KERNELS_H

#include "lib/signal/sums.h"

struct sums_kernels {
	void (*rms)(enum dtype dtype, const void *data, size_t period,
	    size_t count, double *out);
	void (*power)(enum dtype dtype, const void *v, const void *i,
	    size_t period, size_t count, struct power_sums *out);
};

extern const struct sums_kernels sums_kernels_plain;
/* NULL where the processor has not got it. */
const struct sums_kernels *sums_kernels_avx2(void);

#endif
