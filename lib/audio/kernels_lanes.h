/*
 * kernels_lanes.h - the kernels for one width of vectors.
 *
 * A template, see lanes.h; defines `kernels`.
 */
#include "lib/audio/fft_lanes.h"
#include "lib/audio/kernels.h"
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
