/* scale.c - see scale.h. */
#include "strategies/whatif/scale.h"

#include <math.h>

#include "lib/sample/permutation.h"
#include "strategies/plan/shard_count.h"
#include "strategies/whatif/prices.h"

static const double hour_s = 3600, gb = 1e9;

enum {
	NUMBER = 4,     /* bytes of a number of the permutation */
	OF_SHARD = 256, /* bytes that a part keeps of each shard of all parts */
	BESIDE = 2,     /* requests of a shard besides its bytes: its indexes */
};

const char *scale_limit_word(enum scale_limit limit)
{
	static const char *const words[SCALE_LIMITS] = { "cpu", "network",
		"storage", "requests" };

	return words[limit];
}

static struct amount times(struct amount amount, double factor)
{
	return (struct amount){ amount.value * factor, amount.low * factor,
		amount.high * factor };
}

static double at_least(double number, double least)
{
	return number > least ? number : least;
}

/* Every machine has at least one, and there are names for SHARDS_MOST. */
static void count_shards(
    struct scale_plan *plan, const struct scale_wanted *wanted)
{
	double shards = wanted->shards;

	if (!(shards > 0))
		shards = ceil(plan->stored_bytes.value / SCALE_SHARD);
	shards = at_least(shards, wanted->machines);
	if (shards > SHARDS_MOST)
		shards = SHARDS_MOST;
	if (shards > wanted->samples)
		shards = at_least(floor(wanted->samples), 1);
	plan->shards = shards;
	plan->shard_bytes = plan->stored_bytes.value / shards;
	plan->shards_each = ceil(shards / wanted->machines);
}

static void count_requests(struct scale_plan *plan,
    const struct scale_rates *rates, const struct scale_wanted *wanted)
{
	const double files = wanted->samples * rates->source_files;
	const double parts = ceil(plan->read_bytes / SCALE_PART);

	plan->gets = at_least(files, parts);
	plan->puts =
	    plan->shards * (ceil(plan->shard_bytes / SCALE_PART) + BESIDE);
	plan->lists =
	    ceil(at_least(files, plan->shards * (1 + BESIDE)) / SCALE_PAGE);
}

/* The order of all samples, and what is kept of each shard. */
static double memory_of(const struct scale_plan *plan,
    const struct scale_rates *rates, const struct scale_wanted *wanted)
{
	const bool held =
	    rates->shuffled && wanted->samples <= PERMUTATION_HELD;

	return rates->memory_bytes + plan->shards * OF_SHARD +
	       (held ? wanted->samples * NUMBER : 0);
}

/* Hours of work that a rate does, by the machine that has the most of it. */
static struct amount hours_of(double work, struct amount rate, double uneven)
{
	if (!(rate.value > 0))
		return (struct amount){ 0, 0, 0 };
	return (struct amount){ work / rate.value / hour_s * uneven,
		work / rate.high / hour_s * uneven,
		work / rate.low / hour_s * uneven };
}

static struct amount exact(double rate)
{
	return (struct amount){ rate, rate, rate };
}

static void find_hours(struct scale_plan *plan, const struct scale_rates *rates,
    const struct scale_wanted *wanted)
{
	const double machines = wanted->machines;
	const double bytes = plan->read_bytes + plan->stored_bytes.value;
	/* 1 where shards can be divided evenly */
	const double uneven = plan->shards > machines
	                          ? plan->shards_each * machines / plan->shards
	                          : 1;
	const double working =
	    plan->shards < machines ? plan->shards : machines;

	plan->hours_by[SCALE_CPU] =
	    hours_of(wanted->samples / working, rates->prep_per_s, uneven);
	plan->hours_by[SCALE_NETWORK] =
	    hours_of(bytes / working, exact(wanted->network), uneven);
	plan->hours_by[SCALE_STORAGE] =
	    hours_of(bytes, exact(wanted->storage), 1);
	plan->hours_by[SCALE_REQUESTS] = hours_of(
	    plan->gets + plan->puts + plan->lists, exact(wanted->requests), 1);
	for (unsigned i = 1; i < SCALE_LIMITS; i++)
		if (plan->hours_by[i].value > plan->hours_by[plan->limit].value)
			plan->limit = (enum scale_limit)i;
	plan->hours = plan->hours_by[plan->limit];
	plan->core_hours = plan->hours.value * working * rates->cores;
}

static double priced(double price, double amount)
{
	return price > 0 ? price * amount : NAN;
}

struct scale_plan scale_plan_make(
    const struct scale_rates *rates, const struct scale_wanted *wanted)
{
	const struct prices *prices = wanted->prices;
	struct scale_plan plan = {
		.read_bytes = wanted->samples * rates->source_bytes,
		.stored_bytes = times(rates->stored_bytes, wanted->samples),
		.compute_cost = NAN,
		.month_cost = NAN,
		.egress_cost = NAN,
	};

	count_shards(&plan, wanted);
	count_requests(&plan, rates, wanted);
	plan.memory_bytes = memory_of(&plan, rates, wanted);
	find_hours(&plan, rates, wanted);
	if (!prices)
		return plan;
	plan.compute_cost = priced(prices->vcpu_hour, plan.core_hours);
	plan.month_cost =
	    priced(prices->gb_month, plan.stored_bytes.value / gb);
	plan.egress_cost = priced(prices->gb_egress, plan.read_bytes / gb);
	return plan;
}
