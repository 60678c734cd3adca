/*
 * sums_kernels.h - the inner loops of sums.h, compiled for two vector widths
 * (sums_lanes.h).  Both give equal bits.
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
/* Returns NULL if the processor lacks AVX2. */
const struct sums_kernels *sums_kernels_avx2(void);

#endif
