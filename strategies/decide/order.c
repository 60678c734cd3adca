/* order.c - see order.h. */
#include "strategies/decide/order.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "strategies/decide/eligible.h"
#include "strategies/decide/rank.h"

/* A tied candidate has at least this fraction of the best throughput. */
static const double near_fraction = 0.9;

static int compare(double a, double b)
{
	return (a > b) - (a < b);
}

/* By name. */
static int compare_caches(const struct candidate *a, const struct candidate *b)
{
	return strcmp(cache_word(a->trial.cache), cache_word(b->trial.cache));
}

/* ---- beaten candidates ---- */

static bool is_paired(const struct candidate *c)
{
	return !isnan(c->worth.paired_low) && !isnan(c->worth.paired_high);
}

bool candidate_beats(const struct candidate *a, const struct candidate *b,
    const struct request *request)
{
	if (a->sufficient != b->sufficient)
		return a->sufficient;
	/* A higher rate than accelerators need is no advantage. */
	if (a->sufficient && request->objective->is_rate)
		return false;
	if (a->worth.value <= b->worth.value)
		return false;
	if (is_paired(a) && is_paired(b))
		return a->worth.paired_low > b->worth.paired_high;
	return a->worth.low > b->worth.high;
}

static void mark_beaten(struct ranking *ranking, const struct request *request)
{
	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];

		if (!candidate_is_ranked(c))
			continue;
		for (size_t k = 0; k < ranking->count && !c->beaten; k++)
			c->beaten =
			    candidate_is_ranked(&ranking->list[k]) &&
			    candidate_beats(&ranking->list[k], c, request);
		ranking->unbeaten += !c->beaten;
	}
}

/* ---- tied candidates ---- */

/* The least throughput of a tied candidate; 0: any. */
static double least_throughput(
    const struct ranking *ranking, const struct request *request)
{
	double least = 0;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];
		const double fraction =
		    candidate_is_unprocessed(c) ? 1 : near_fraction;

		if (!candidate_is_ranked(c))
			continue;
		if (c->sufficient || !request->objective->is_rate)
			return 0;
		least = fmax(least, fraction * c->full.throughput);
	}
	return least;
}

static void mark_tied(struct ranking *ranking, const struct request *request)
{
	const double least = least_throughput(ranking, request);

	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];

		c->tied = candidate_is_ranked(c) && !c->beaten &&
		          c->full.throughput >= least;
		ranking->tied += c->tied;
	}
}

/* ---- the order ---- */

/* Keeping the dataset as it is takes no more storage. */
static double extra_bytes(const struct candidate *c)
{
	return candidate_is_unprocessed(c)
	           ? 0
	           : number_or(c->trial.profiled.storage_bytes, INFINITY);
}

static int compare_cost(const struct candidate *a, const struct candidate *b)
{
	const int order = compare(extra_bytes(a), extra_bytes(b));

	return order ? order
	             : compare(number_or(a->trial.profiled.prep_s, INFINITY),
	                   number_or(b->trial.profiled.prep_s, INFINITY));
}

/* Tied ones by cost if the objective is a rate; all others by their worth. */
static int compare_ranked(
    const struct candidate *a, const struct candidate *b, bool by_cost)
{
	int order = b->sufficient - a->sufficient;

	if (!order)
		order = b->tied - a->tied;
	if (!order && a->tied && by_cost)
		order = compare_cost(a, b);
	if (!order)
		order = compare(b->worth.value, a->worth.value);
	return order ? order : compare_cost(a, b);
}

/* Candidates that are able come first, then those of the assumed mode. */
static int compare_unranked(
    const struct candidate *a, const struct candidate *b)
{
	int order = b->able - a->able;

	if (!order)
		order = b->assumed - a->assumed;
	if (!order && !a->assumed)
		order = compare_caches(a, b);
	return order ? order : compare(b->worth.value, a->worth.value);
}

static int compare_candidates(
    const struct candidate *a, const struct candidate *b, bool by_cost)
{
	int order = candidate_is_ranked(b) - candidate_is_ranked(a);

	if (!order && candidate_is_ranked(a))
		order = compare_ranked(a, b, by_cost);
	else if (!order)
		order = compare_unranked(a, b);
	if (!order)
		order = strcmp(a->trial.strategy, b->trial.strategy);
	if (!order)
		order = compare(a->trial.threads, b->trial.threads);
	return order ? order : compare_caches(a, b);
}

static int compare_by_cost(const void *a, const void *b)
{
	return compare_candidates(a, b, true);
}

static int compare_by_worth(const void *a, const void *b)
{
	return compare_candidates(a, b, false);
}

void ranking_order(struct ranking *ranking, const struct request *request)
{
	mark_beaten(ranking, request);
	mark_tied(ranking, request);
	qsort(ranking->list, ranking->count, sizeof(*ranking->list),
	    request->objective->is_rate ? compare_by_cost : compare_by_worth);
	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];

		if (!candidate_is_ranked(c))
			continue;
		ranking->ranked++;
		c->rank = c->tied ? 1 : (unsigned)ranking->ranked;
	}
	if (ranking->tied == 1) { /* a tie needs two */
		ranking->list[0].tied = false;
		ranking->tied = 0;
	}
	ranking_say_unranked(ranking, request);
}
