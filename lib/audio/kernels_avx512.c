/* kernels_avx512.c - sixteen lanes, for processors with AVX-512. */
#include "lib/audio/kernels.h"
#include "lib/base/cpu.h"

#if defined(__x86_64__)
#define LANES  16
#define TARGET CPU_AVX512
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

const struct audio_kernels *audio_kernels_avx512(void)
{
	return cpu_has_avx512() ? &kernels : NULL;
}

#else

const struct audio_kernels *audio_kernels_avx512(void)
{
	return NULL;
}

#endif
