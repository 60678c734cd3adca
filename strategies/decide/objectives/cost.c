/* cost.c - the least money for a month of E epochs of the full dataset. */
#include <stdio.h>

#include "strategies/decide/objectives/objective.h"
#include "strategies/figures/candidate.h"

static double cost_worth(const struct candidate *candidate,
    const struct scales *scales, double throughput)
{
	const struct bill bill = prices_bill(
	    scales->prices, candidate, &scales->workload, throughput);

	return -bill_total(&bill);
}

static void say_best(const struct candidate *best, const struct scales *scales,
    char text[OBJECTIVE_TEXT])
{
	const char *currency = scales->prices->currency;

	snprintf(text, OBJECTIVE_TEXT, "a month of %.6g epochs costs %.4g%s%s",
	    scales->epochs, best->cost, *currency ? " " : "", currency);
}

const struct objective_ops objective_cost = {
	.name = "cost",
	.summary = "the least money for a month of epochs",
	.needs_epochs = true,
	.needs_prices = true,
	.least = "least cost",
	.gain = "cheap",
	.worth = cost_worth,
	.say_best = say_best,
	.say_nothing = objective_say_not_in_epochs,
};
