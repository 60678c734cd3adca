/* sums_plain.c - two doubles at a time, for every processor. */
#define WIDTH 2
#define TARGET
#include "lib/signal/sums_lanes.h"

const struct sums_kernels sums_kernels_plain = {
	.rms = rms_lanes,
	.power = power_lanes,
};
