/* throughput.c - the most samples per second. */
#include <stdio.h>

#include "lib/base/array.h"
#include "strategies/decide/objectives/objective.h"

static double throughput_worth(const struct candidate *candidate,
    const struct scales *scales, double throughput)
{
	UNUSED(candidate);
	UNUSED(scales);
	return throughput;
}

static void say_nothing(const struct scales *scales, char text[OBJECTIVE_TEXT])
{
	UNUSED(scales);
	snprintf(text, OBJECTIVE_TEXT,
	    "no stored form that was measured is faster than the dataset as "
	    "it is");
}

const struct objective_ops objective_throughput = {
	.name = "throughput",
	.summary = "the most samples per second",
	.is_default = true,
	.is_rate = true,
	.gain = "fast",
	.worth = throughput_worth,
	.say_nothing = say_nothing,
};
