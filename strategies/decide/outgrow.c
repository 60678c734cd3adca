/* outgrow.c - see outgrow.h. */
#include "strategies/decide/outgrow.h"

#include <math.h>
#include <stdbool.h>

#include "strategies/decide/rank.h"
#include "strategies/figures/candidate.h"

/* Are both the same trial, but for the cache? */
static bool is_same_but_cache(
    const struct figures *cold, const struct figures *cached)
{
	struct figures alike = *cached;

	alike.cache = cold->cache;
	alike.cached.place = cold->cached.place;
	return figures_same_trial(cold, &alike);
}

static const struct candidate *find_cold(
    const struct ranking *ranking, const struct candidate *c)
{
	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *other = &ranking->list[i];

		if (!candidate_is_cached(other) &&
		    other->trial.throughput.median > 0 &&
		    is_same_but_cache(&other->trial, &c->trial))
			return other;
	}
	return NULL;
}

static void judge(const struct ranking *ranking, struct candidate *c)
{
	const struct candidate *cold = find_cold(ranking, c);
	const struct throughput *warm = &c->trial.throughput;
	const struct throughput first = { .median = warm->first_epoch,
		.low = warm->first_low,
		.high = warm->first_high,
		.counted = warm->runs };
	const struct throughput unknown = {
		.median = warm->median, .low = 0, .high = warm->high
	};

	if (cold)
		candidate_judge(
		    c, JUDGED_BY_COLD_TRIAL, &cold->trial.throughput);
	else if (first.median > 0)
		candidate_judge(c, JUDGED_BY_FIRST_EPOCHS, &first);
	else
		candidate_judge(c, JUDGED_BY_NOTHING, &unknown);
}

void ranking_look_at_memory(
    struct ranking *ranking, const struct request *request)
{
	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];

		/* Without a size of the memory the report decides. */
		if (!isnan(request->memory_bytes))
			c->full.outgrows_memory = candidate_full_kept_bytes(c) >
			                          request->memory_bytes;
		if (c->full.outgrows_memory)
			judge(ranking, c);
	}
}
