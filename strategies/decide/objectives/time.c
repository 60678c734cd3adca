/* time.c - the least time for preparation and E epochs of the full dataset. */
#include <stdio.h>

#include "lib/base/units.h"
#include "strategies/decide/objectives/objective.h"
#include "strategies/figures/candidate.h"

static double time_worth(const struct candidate *candidate,
    const struct scales *scales, double throughput)
{
	return -candidate_total_s(candidate, scales->epochs, throughput);
}

static void say_best(const struct candidate *best, const struct scales *scales,
    char text[OBJECTIVE_TEXT])
{
	char time[UNITS_TEXT];

	snprintf(text, OBJECTIVE_TEXT,
	    "preparation and %.6g epoch%s of the full dataset take %s",
	    scales->epochs, scales->epochs > 1 ? "s" : "",
	    units_time(best->total_s, time));
}

const struct objective_ops objective_time = {
	.name = "time",
	.summary = "the least time for preparation and all epochs",
	.needs_epochs = true,
	.least = "least total time",
	.gain = "fast",
	.worth = time_worth,
	.say_best = say_best,
	.say_nothing = objective_say_not_in_epochs,
};
