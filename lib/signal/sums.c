/* sums.c - see sums.h. */
#include "lib/signal/sums.h"
#include "lib/signal/sums_kernels.h"

bool sums_know(enum dtype dtype)
{
	return dtype != DTYPE_F16;
}

static const struct sums_kernels *best_kernels(void)
{
	const struct sums_kernels *kernels = sums_kernels_avx2();

	return kernels ? kernels : &sums_kernels_plain;
}

void sums_rms(enum dtype dtype, const void *data, size_t period, size_t count,
    double *out)
{
	best_kernels()->rms(dtype, data, period, count, out);
}

void sums_power(enum dtype dtype, const void *v, const void *i, size_t period,
    size_t count, struct power_sums *out)
{
	best_kernels()->power(dtype, v, i, period, count, out);
}
