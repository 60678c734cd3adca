/* order.c - see order.h. */
#include "strategies/decide/order.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "strategies/decide/eligible.h"
#include "strategies/decide/rank.h"

/* Of the throughput of the best: who is slower is no equal of it. */
static const double near_share = 0.9;

static int compare(double a, double b)
{
	return (a > b) - (a < b);
}

/* By name. */
static int compare_caches(const struct candidate *a, const struct candidate *b)
{
	return strcmp(cache_word(a->trial.cache), cache_word(b->trial.cache));
}

/* ---- who is beaten ---- */

static bool is_paired(const struct candidate *c)
{
	return !isnan(c->worth.paired_low) && !isnan(c->worth.paired_high);
}

bool candidate_beats(const struct candidate *a, const struct candidate *b,
    const struct request *request)
{
	if (a->sufficient != b->sufficient)
		return a->sufficient;
	/* More than is enough is of no use. */
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

/* ---- who is tied ---- */

/* The throughput below which a tie is no excuse; 0: any is good enough. */
static double least_throughput(
    const struct ranking *ranking, const struct request *request)
{
	double least = 0;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];
		const double share =
		    candidate_is_unprocessed(c) ? 1 : near_share;

		if (!candidate_is_ranked(c))
			continue;
		if (c->sufficient || !request->objective->is_rate)
			return 0;
		least = fmax(least, share * c->full.throughput);
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

/* The dataset is there anyway: to keep it as it is costs nothing more. */
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

/* By throughput the tied by what they cost, all else by its worth. */
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

/* Those without a rank: what could have one first, then mode by mode. */
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
	if (ranking->tied == 1) { /* with nobody */
		ranking->list[0].tied = false;
		ranking->tied = 0;
	}
	ranking_say_unranked(ranking, request);
}
