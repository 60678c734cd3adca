/* worth.c - see worth.h. */
#include "strategies/decide/worth.h"

#include <math.h>
#include <string.h>

#include "strategies/decide/constraints.h"
#include "strategies/decide/rank.h"
#include "strategies/whatif/prices.h"

/* What is slower by less is as good, for any reason to prefer it. */
static const double grace = 1.02;

static double break_even(
    const struct ranking *ranking, const struct candidate *c)
{
	const struct candidate *base = ranking_unprocessed(ranking, c);

	if (candidate_is_unprocessed(c))
		return 0;
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
		widen(&scales.throughput, c->full_throughput);
		widen(&scales.full_prep_s, c->full_prep_s);
		widen(&scales.full_storage_bytes, c->full_storage_bytes);
	}
	return scales;
}

/* What cannot be told is worth least. */
static double worth(const struct objective_ops *objective,
    const struct candidate *c, const struct scales *scales, double throughput)
{
	return number_or(objective->worth(c, scales, throughput), -INFINITY);
}

/* The throughput that the others of this cache mode are relative to; NAN. */
static double reference_of(const struct ranking *ranking, const char *cache)
{
	double fastest = NAN;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (c->able && !c->outgrows_memory && c->relative_low >= 1 &&
		    c->relative_high <= 1 && strcmp(c->cache, cache) == 0)
			fastest = fmax(fastest, c->throughput);
	}
	return fastest;
}

/*
 * What they would be worth if they were to the fastest, at its speed, as they
 * were to it in the rounds that both had.
 */
static void value_pairs(struct ranking *ranking,
    const struct objective_ops *objective, const struct scales *scales)
{
	const double fastest = reference_of(ranking, ranking->cache);

	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];
		const double low = fastest * c->relative_low;
		const double high = fastest * c->relative_high * grace;

		/* What was paired is what was measured, not what is left. */
		if (isnan(low) || isnan(high) || c->outgrows_memory ||
		    !c->assumed)
			continue;
		c->paired_low = worth(objective, c, scales, low);
		c->paired_high = worth(objective, c, scales, high);
	}
}

static double monthly_cost(
    const struct candidate *c, const struct scales *scales)
{
	struct bill bill;

	if (!scales->prices || isnan(scales->epochs))
		return NAN;
	bill = prices_bill(
	    scales->prices, c, &scales->workload, c->full_throughput);
	return bill_total(&bill);
}

void ranking_value(struct ranking *ranking, const struct request *request)
{
	const struct objective_ops *objective = request->objective;
	const struct scales scales = find_scales(ranking, request);
	struct range worths = { NAN, NAN };

	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];
		const double in_full = c->full_throughput / c->throughput;

		if (!request->order_only)
			c->break_even_epochs = break_even(ranking, c);
		c->total_s =
		    candidate_total_s(c, request->epochs, c->full_throughput);
		c->worth = worth(objective, c, &scales, c->full_throughput);
		c->worth_low =
		    worth(objective, c, &scales, c->tie_low * in_full);
		c->worth_high =
		    worth(objective, c, &scales, c->tie_high * in_full * grace);
		c->cost = monthly_cost(c, &scales);
		c->meets = constraints_met(c, request);
		candidate_set_demand(c, request->demand_of_host);
		if (candidate_is_rival(c) && isfinite(c->worth))
			widen(&worths, c->worth);
	}
	value_pairs(ranking, objective, &scales);
	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];

		if (candidate_is_rival(c) && isfinite(c->worth))
			c->score = objective->scored
			               ? c->worth
			               : range_place(&worths, c->worth);
	}
}
