/* kernels_avx2.c - eight lanes, for processors with AVX2. */
#include "lib/audio/kernels.h"
#include "lib/base/cpu.h"

#if defined(__x86_64__)
#define LANES  8
#define TARGET CPU_AVX2
#include "lib/audio/fft_lanes.h"
#include "lib/audio/ln_lanes.h"
#include "lib/audio/mel_lanes.h"

#include "lib/audio/bands_lanes.h"

static const struct audio_kernels kernels = {
	.lanes = LANES,
	.fft = fft_lanes,
	.mel = mel_lanes,
	.bands = bands_lanes,
	.ln = ln_lanes,
};

const struct audio_kernels *audio_kernels_avx2(void)
{
	return cpu_has_avx2() ? &kernels : NULL;
}

#else

const struct audio_kernels *audio_kernels_avx2(void)
{
	return NULL;
}

#endif
