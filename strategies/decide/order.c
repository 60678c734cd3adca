/* order.c - see order.h. */
#include "strategies/decide/order.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "strategies/decide/eligible.h"
#include "strategies/decide/rank.h"

const double gain_allowed = 1 / 0.95;
const double gain_decisive = 2;

static int compare(double a, double b)
{
	return (a > b) - (a < b);
}

/* By name. */
static int compare_caches(const struct candidate *a, const struct candidate *b)
{
	return strcmp(cache_word(a->trial.cache), cache_word(b->trial.cache));
}

/* ---- two candidates ---- */

static bool is_paired(const struct candidate *c)
{
	return !isnan(c->worth.paired.low) && !isnan(c->worth.paired.high);
}

/* Finds the intervals to compare. */
static void find_ranges(const struct candidate *a, const struct candidate *b,
    struct worth_range *of_a, struct worth_range *of_b)
{
	const bool paired = is_paired(a) && is_paired(b);

	*of_a = paired ? a->worth.paired : a->worth.own;
	*of_b = paired ? b->worth.paired : b->worth.own;
}

/* A higher rate than accelerators need is no advantage. */
static bool is_enough(
    const struct candidate *candidate, const struct request *request)
{
	return candidate->sufficient && request->objective->is_rate;
}

bool candidate_beats(const struct candidate *a, const struct candidate *b,
    const struct request *request)
{
	struct worth_range of_a, of_b;

	if (a->sufficient != b->sufficient)
		return a->sufficient;
	if (is_enough(a, request) || a->worth.value <= b->worth.value)
		return false;
	find_ranges(a, b, &of_a, &of_b);
	return of_a.low > of_b.grace;
}

/* How far the noise of two throughputs may carry them apart. */
static double noise_of(const struct candidate *a, const struct candidate *b)
{
	return a->full.high / a->full.throughput * b->full.throughput /
	       b->full.low;
}

double candidate_gain(const struct candidate *a, const struct candidate *b,
    const struct request *request)
{
	const struct weights *weights = &request->weights;
	struct worth_range of_a, of_b;

	if (is_enough(b, request))
		return 1;
	find_ranges(a, b, &of_a, &of_b);
	if (request->objective->is_rate)
		return of_a.high / of_b.low;
	if (request->objective->least) /* negated amounts */
		return of_b.low / of_a.high;
	return fmin(noise_of(a, b),
	    1 + (of_a.high - of_b.low) /
	            (weights->prep + weights->storage + weights->throughput));
}

/* ---- beaten candidates ---- */

/*
 * The one with the highest low end, which beats most of those that are beaten
 * at all; NULL: none has a rank.
 */
static const struct candidate *find_leader(const struct ranking *ranking)
{
	const struct candidate *leader = NULL;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (candidate_is_ranked(c) &&
		    (!leader || c->sufficient > leader->sufficient ||
		        (c->sufficient == leader->sufficient &&
		            c->worth.own.low > leader->worth.own.low)))
			leader = c;
	}
	return leader;
}

static void mark_beaten(struct ranking *ranking, const struct request *request)
{
	const struct candidate *leader = find_leader(ranking);

	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];

		if (!candidate_is_ranked(c))
			continue;
		/* The others are asked only about the few that are left. */
		c->beaten = candidate_beats(leader, c, request);
		for (size_t k = 0; k < ranking->count && !c->beaten; k++)
			c->beaten =
			    candidate_is_ranked(&ranking->list[k]) &&
			    candidate_beats(&ranking->list[k], c, request);
	}
}

/* ---- tied candidates ---- */

/*
 * Sets the most that a tied candidate may lose by winning.  Beaten rivals need
 * not be looked at: what beat them may be better still.
 */
static void set_loss(const struct ranking *ranking, struct candidate *c,
    const struct request *request)
{
	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *other = &ranking->list[i];

		if (other->tied && other != c)
			c->loss =
			    fmax(c->loss, candidate_gain(other, c, request));
	}
}

static void mark_tied(struct ranking *ranking, const struct request *request)
{
	double least = INFINITY, limit;

	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];

		c->tied = candidate_is_ranked(c) && !c->beaten;
		ranking->tied += c->tied;
	}
	for (size_t i = 0; i < ranking->count; i++)
		if (ranking->list[i].tied) {
			set_loss(ranking, &ranking->list[i], request);
			least = fmin(least, ranking->list[i].loss);
		}
	limit = least > gain_allowed ? least * gain_allowed : gain_allowed;
	for (size_t i = 0; i < ranking->count; i++)
		ranking->list[i].as_good =
		    ranking->list[i].tied && !(ranking->list[i].loss > limit);
}

/* ---- the order ---- */

/* Keeping the dataset as it is takes no more storage. */
static double extra_bytes(const struct candidate *c)
{
	return candidate_is_unprocessed(c)
	           ? 0
	           : number_or(c->trial.profiled.storage_bytes, INFINITY);
}

/* "o3:resized/tar/none" runs the steps in another order than the file. */
static bool is_reordered(const struct candidate *c)
{
	return c->trial.strategy[strcspn(c->trial.strategy, ":/")] == ':';
}

static double prep_of(const struct candidate *c)
{
	return number_or(c->trial.profiled.prep_s, INFINITY);
}

/*
 * Preparation is measured once, so a tenth of it is no difference.  Times are
 * put into classes, each a tenth longer, since an order of candidates needs
 * equal ones and not near ones.
 */
static double prep_class(const struct candidate *c)
{
	const double prep_s = prep_of(c);

	return prep_s > 0 && isfinite(prep_s) ? round(log(prep_s) / log(1.1))
	                                      : prep_s;
}

/* The order of the file is preferred to another one that is no better. */
static int compare_cost(const struct candidate *a, const struct candidate *b)
{
	int order = compare(extra_bytes(a), extra_bytes(b));

	if (!order && is_reordered(a) != is_reordered(b)) {
		order = compare(prep_class(a), prep_class(b));
		if (!order)
			order = is_reordered(a) - is_reordered(b);
	}
	return order ? order : compare(prep_of(a), prep_of(b));
}

/*
 * If the objective is a rate, candidates that are as good are ordered by cost,
 * and the others by their worth.
 */
static int compare_ranked(
    const struct candidate *a, const struct candidate *b, bool by_cost)
{
	int order = b->sufficient - a->sufficient;

	if (!order)
		order = b->tied - a->tied;
	if (!order && by_cost)
		order = b->as_good - a->as_good;
	if (!order && a->as_good && by_cost)
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
