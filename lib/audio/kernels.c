/* kernels.c - see kernels.h. */
#include "lib/audio/kernels.h"

const struct audio_kernels *audio_kernels(void)
{
	const struct audio_kernels *kernels = audio_kernels_avx512();

	if (!kernels)
		kernels = audio_kernels_avx2();
	return kernels ? kernels : audio_kernels_plain();
}
