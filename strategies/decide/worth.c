/* worth.c - see worth.h. */
#include "strategies/decide/worth.h"

#include <math.h>
#include <string.h>

#include "strategies/decide/constraints.h"
#include "strategies/decide/rank.h"
#include "strategies/whatif/prices.h"

/* A throughput that is lower by less than this factor is as good. */
static const double grace = 1.02;

static double break_even(
    const struct ranking *ranking, const struct candidate *c)
{
	const struct candidate *base = ranking_unprocessed(ranking, c);

	if (candidate_is_unprocessed(c))
		return 0;
	if (candidate_is_yours(c))
		return NAN;
	return base ? candidate_break_even(c, base) : NAN;
}

static void widen(struct range *range, double value)
{
	range->low = fmin(range->low, value);
	range->high = fmax(range->high, value);
}

static struct scales find_scales(
    const struct ranking *ranking, const struct request *request)
{
	const struct range none = { NAN, NAN }; /* fmin and fmax pass over */
	struct scales scales = {
		.weights = request->weights,
		.epochs = request->epochs,
		.prices = request->prices,
		.workload = ranking_workload(ranking, request),
		.throughput = none,
		.full_prep_s = none,
		.full_storage_bytes = none,
	};

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (!candidate_is_rival(c))
			continue;
		widen(&scales.throughput, c->full.throughput);
		widen(&scales.full_prep_s, c->full.prep_s);
		widen(&scales.full_storage_bytes, c->full.storage_bytes);
	}
	return scales;
}

/* -INFINITY if the objective cannot say. */
static double worth(const struct objective_ops *objective,
    const struct candidate *c, const struct scales *scales, double throughput)
{
	return number_or(objective->worth(c, scales, throughput), -INFINITY);
}

static struct worth_range worth_between(const struct objective_ops *objective,
    const struct candidate *c, const struct scales *scales,
    const struct range *rates)
{
	return (struct worth_range){
		.low = worth(objective, c, scales, rates->low),
		.high = worth(objective, c, scales, rates->high),
		.grace = worth(objective, c, scales, rates->high * grace),
	};
}

static bool is_reference(const struct candidate *c)
{
	return c->able && c->trial.throughput.relative_low >= 1 &&
	       c->trial.throughput.relative_high <= 1 &&
	       candidate_ratios_hold(c);
}

/* The throughput that ratios of this cache mode relate to; NAN: none. */
static double find_reference(
    const struct ranking *ranking, enum cache_mode cache)
{
	double rate = NAN;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (is_reference(c) && c->trial.cache == cache)
			rate = fmax(rate, c->full.throughput);
	}
	return rate;
}

/*
 * Sets the worth for the interval of the ratio to the reference: that ratio
 * times the median of the reference.
 */
static void value_pairs(struct ranking *ranking,
    const struct objective_ops *objective, const struct scales *scales)
{
	const double rate = find_reference(ranking, ranking->cache);

	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];
		const struct range rates = {
			rate * c->trial.throughput.relative_low,
			rate * c->trial.throughput.relative_high,
		};

		if (!isnan(rates.low) && !isnan(rates.high) && c->assumed &&
		    candidate_ratios_hold(c))
			c->worth.paired =
			    worth_between(objective, c, scales, &rates);
	}
}

static double monthly_cost(
    const struct candidate *c, const struct scales *scales)
{
	struct bill bill;

	if (!scales->prices || isnan(scales->epochs))
		return NAN;
	bill = prices_bill(
	    scales->prices, c, &scales->workload, c->full.throughput);
	return bill_total(&bill);
}

void ranking_value(struct ranking *ranking, const struct request *request)
{
	const struct objective_ops *objective = request->objective;
	const struct scales scales = find_scales(ranking, request);
	struct range worths = { NAN, NAN };

	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];
		const struct range rates = { c->full.low, c->full.high };

		if (!request->order_only)
			c->break_even_epochs = break_even(ranking, c);
		c->total_s =
		    candidate_total_s(c, request->epochs, c->full.throughput);
		c->worth.value =
		    worth(objective, c, &scales, c->full.throughput);
		c->worth.own = worth_between(objective, c, &scales, &rates);
		c->cost = monthly_cost(c, &scales);
		c->meets = constraints_met(c, request);
		candidate_set_demand(c, request->demand_of_host);
		if (candidate_is_rival(c) && isfinite(c->worth.value))
			widen(&worths, c->worth.value);
	}
	value_pairs(ranking, objective, &scales);
	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];

		if (candidate_is_rival(c) && isfinite(c->worth.value))
			c->worth.score =
			    objective->scored
			        ? c->worth.value
			        : range_place(&worths, c->worth.value);
	}
}
