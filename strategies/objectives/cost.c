/* cost.c - the least money for a month of E epochs of the full dataset. */
#include "strategies/objectives/objective.h"

static double cost_worth(const struct candidate *candidate,
    const struct scales *scales, double throughput)
{
	const struct bill bill = prices_bill(
	    scales->prices, candidate, &scales->workload, throughput);

	return -bill_total(&bill);
}

const struct objective_ops objective_cost = {
	.name = "cost",
	.summary = "the least money for a month of epochs",
	.needs_epochs = true,
	.needs_prices = true,
	.worth = cost_worth,
};
