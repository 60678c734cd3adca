/* time.c - the least time for preparation and E epochs of the full dataset. */
#include "strategies/candidate.h"
#include "strategies/objectives/objective.h"

static double time_worth(const struct candidate *candidate,
    const struct scales *scales, double throughput)
{
	return -candidate_total_s(candidate, scales->epochs, throughput);
}

const struct objective_ops objective_time = {
	.name = "time",
	.summary = "the least time for preparation and all epochs",
	.needs_epochs = true,
	.worth = time_worth,
};
