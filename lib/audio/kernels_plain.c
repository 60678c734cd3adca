/* kernels_plain.c - four lanes, for every processor. */
#define LANES 4
#define TARGET
#include "lib/audio/fft_lanes.h"
#include "lib/audio/kernels.h"
#include "lib/audio/ln_lanes.h"
#include "lib/audio/mel_lanes.h"

#include "lib/audio/bands_lanes.h"

const struct audio_kernels audio_kernels_plain = {
	.lanes = LANES,
	.fft = fft_lanes,
	.mel = mel_lanes,
	.bands = bands_lanes,
	.ln = ln_lanes,
};
