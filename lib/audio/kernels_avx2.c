/* kernels_avx2.c - eight lanes, for processors with AVX2. */
#if defined(__x86_64__)
#define LANES  8
#define TARGET CPU_AVX2
#include "lib/audio/kernels_lanes.h"
#else
#include "lib/audio/kernels.h"
#endif

const struct audio_kernels *audio_kernels_avx2(void)
{
#if defined(__x86_64__)
	return cpu_has_avx2() ? &kernels : NULL;
#else
	return NULL;
#endif
}
