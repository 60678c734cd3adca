/* kernels_plain.c - four lanes, for every processor. */
#define LANES 4
#define TARGET
#include "lib/audio/kernels_lanes.h"

const struct audio_kernels *audio_kernels_plain(void)
{
	return &kernels;
}
