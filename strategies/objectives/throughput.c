/* throughput.c - the most samples per second. */
#include "lib/base/array.h"
#include "strategies/objectives/objective.h"

static double throughput_worth(const struct candidate *candidate,
    const struct scales *scales, double throughput)
{
	UNUSED(candidate);
	UNUSED(scales);
	return throughput;
}

const struct objective_ops objective_throughput = {
	.name = "throughput",
	.summary = "the most samples per second",
	.worth = throughput_worth,
};
