/* sums_avx2.c - four doubles at a time, for processors with AVX2. */
#include "lib/base/cpu.h"
#include "lib/signal/sums_kernels.h"

#if defined(__x86_64__)
#define WIDTH  4
#define TARGET CPU_AVX2
#include "lib/signal/sums_lanes.h"

static const struct sums_kernels kernels = {
	.rms = rms_lanes,
	.power = power_lanes,
};

const struct sums_kernels *sums_kernels_avx2(void)
{
	return cpu_has_avx2() ? &kernels : NULL;
}

#else

const struct sums_kernels *sums_kernels_avx2(void)
{
	return NULL;
}

#endif
