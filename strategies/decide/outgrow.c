/* outgrow.c - see outgrow.h. */
#include "strategies/decide/outgrow.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
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

/*
 * The cold trials of a ranking, by strategy: there may be thousands of trials,
 * each with a cold one to be found.
 */
struct cold_trials {
	const struct candidate **list; /* owned */
	size_t count;
};

static int compare_names(const struct candidate *a, const struct candidate *b)
{
	return strcmp(a->trial.strategy, b->trial.strategy);
}

/* Trials of a strategy stay in the order of the ranking. */
static int compare_trials(const void *a, const void *b)
{
	const struct candidate *const *one = a, *const *two = b;
	const int order = compare_names(*one, *two);

	return order ? order : (*one > *two) - (*one < *two);
}

static int list_cold(
    const struct ranking *ranking, struct cold_trials *cold, struct error *err)
{
	*cold = (struct cold_trials){
		.list = calloc(ranking->count + 1, sizeof(*cold->list)),
	};
	if (!cold->list)
		return error_memory(
		    err, (ranking->count + 1) * sizeof(*cold->list));
	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (!candidate_is_cached(c) && c->trial.throughput.median > 0)
			cold->list[cold->count++] = c;
	}
	qsort(cold->list, cold->count, sizeof(*cold->list), compare_trials);
	return 0;
}

/* The first trial of the strategy of `c`, or of one behind it. */
static size_t find_first(
    const struct cold_trials *cold, const struct candidate *c)
{
	size_t low = 0, high = cold->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (compare_names(cold->list[middle], c) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct candidate *find_cold(
    const struct cold_trials *cold, const struct candidate *c)
{
	for (size_t i = find_first(cold, c);
	     i < cold->count && compare_names(cold->list[i], c) == 0; i++)
		if (is_same_but_cache(&cold->list[i]->trial, &c->trial))
			return cold->list[i];
	return NULL;
}

static void judge(const struct cold_trials *trials, struct candidate *c)
{
	const struct candidate *cold = find_cold(trials, c);
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

int ranking_look_at_memory(
    struct ranking *ranking, const struct request *request, struct error *err)
{
	struct cold_trials cold = { .list = NULL };

	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];

		/* Without a size of the memory the report decides. */
		if (!isnan(request->memory_bytes))
			c->full.outgrows_memory = candidate_full_kept_bytes(c) >
			                          request->memory_bytes;
		if (!c->full.outgrows_memory)
			continue;
		if (!cold.list && list_cold(ranking, &cold, err))
			return -1;
		judge(&cold, c);
	}
	free(cold.list);
	return 0;
}
