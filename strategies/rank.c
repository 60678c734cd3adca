/* rank.c - see rank.h. */
#include "strategies/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "strategies/accelerators.h"
#include "strategies/constraints.h"
#include "strategies/outgrow.h"
#include "strategies/prices.h"

/* Of the speed of the fastest: one who is that much slower is as good. */
static const double as_good = 0.02;
/*
 * Whose interval has its middle below that is probably slower by a tenth: noise
 * that does not rule out the opposite makes it no tie.
 */
static const double probably_slower = 0.9;

struct request request_default(void)
{
	return (struct request){
		.objective = &objective_throughput,
		.weights = { .prep = 1, .storage = 1, .throughput = 1 },
		.epochs = NAN,
		.full_samples = NAN,
		.memory_bytes = NAN,
		.demand = NAN,
		.demand_of_host = NAN,
		.min_throughput = NAN,
		.max_storage_bytes = NAN,
		.max_prep_s = NAN,
	};
}

static double either(double number, double instead)
{
	return isnan(number) ? instead : number;
}

/* ---- candidates ---- */

static double newest_session(const struct grid *report)
{
	double newest = NAN;

	for (size_t i = 0; i < report->row_count; i++)
		newest = fmax(newest, grid_number(report, i, "session"));
	return newest;
}

static int read_candidates(struct ranking *ranking, const struct grid *report,
    const struct request *request, struct error *err)
{
	const double session = request->session ? (double)request->session
	                                        : newest_session(report);

	/* One more, so that none is not an error. */
	ranking->list = calloc(report->row_count + 1, sizeof(*ranking->list));
	if (!ranking->list)
		return error_memory(
		    err, (report->row_count + 1) * sizeof(*ranking->list));
	for (size_t i = 0; i < report->row_count; i++) {
		const double of = grid_number(report, i, "session");
		struct candidate candidate;

		/* Not different, so that a report without sessions is one. */
		if (of < session || of > session)
			continue;
		candidate = candidate_read(report, i, request->full_samples);
		if (candidate.lossy && !request->lossy)
			candidate.able = false;
		ranking->list[ranking->count++] = candidate;
	}
	return 0;
}

double ranking_source_bytes(const struct ranking *ranking)
{
	for (size_t i = 0; i < ranking->count; i++)
		if (candidate_is_unprocessed(&ranking->list[i]))
			return ranking->list[i].full_storage_bytes;
	return NAN;
}

struct workload ranking_workload(
    const struct ranking *ranking, const struct request *request)
{
	const struct accelerators *accelerators = request->accelerators;

	return (struct workload){
		.epochs = request->epochs,
		.source_bytes = ranking_source_bytes(ranking),
		.demand = request->demand,
		.demand_of_host = request->demand_of_host,
		.hosts = accelerators ? accelerators->host_count : 1,
		.devices =
		    accelerators ? accelerators_devices(accelerators) : 0,
	};
}

const struct candidate *ranking_unprocessed(
    const struct ranking *ranking, const struct candidate *like)
{
	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (candidate_is_unprocessed(c) && c->throughput > 0 &&
		    c->threads >= like->threads &&
		    c->threads <= like->threads &&
		    strcmp(c->cache, like->cache) == 0)
			return c;
	}
	return NULL;
}

static double break_even(
    const struct ranking *ranking, const struct candidate *c)
{
	const struct candidate *base = ranking_unprocessed(ranking, c);

	if (candidate_is_unprocessed(c))
		return 0;
	return base ? candidate_break_even(c, base) : NAN;
}

/* ---- what each is worth ---- */

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

		if (!c->able)
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
	return either(objective->worth(c, scales, throughput), -INFINITY);
}

/* Others are relative to it. */
static bool is_reference(const struct candidate *c)
{
	return c->able && !c->outgrows_memory && c->relative_low >= 1 &&
	       c->relative_high <= 1;
}

static bool is_paired(const struct candidate *c)
{
	return !isnan(c->paired_low) && !isnan(c->paired_high);
}

/* The most that is taken for as good as it was, relative to the fastest. */
static double relative_most(const struct candidate *c)
{
	const double middle = sqrt(c->relative_low * c->relative_high);

	return (middle < probably_slower ? middle : c->relative_high) + as_good;
}

/*
 * What they would be worth if they were to the fastest, at its speed, as they
 * were to it in the rounds that both had.
 */
static void value_pairs(struct ranking *ranking,
    const struct objective_ops *objective, const struct scales *scales)
{
	double fastest = NAN;

	for (size_t i = 0; i < ranking->count; i++)
		if (is_reference(&ranking->list[i]))
			fastest = fmax(fastest, ranking->list[i].throughput);
	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];
		const double low = fastest * c->relative_low;
		const double high = fastest * relative_most(c);

		/* What was paired is what was measured, not what is left. */
		if (isnan(low) || isnan(high) || c->outgrows_memory)
			continue;
		c->paired_low = worth(objective, c, scales, low);
		c->paired_high = worth(objective, c, scales, high);
	}
}

static void value_candidates(
    struct ranking *ranking, const struct request *request)
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
		    worth(objective, c, &scales, c->tie_high * in_full);
		if (request->prices && !isnan(request->epochs))
			c->cost = -objective_cost.worth(
			    c, &scales, c->full_throughput);
		c->meets = constraints_met(c, request);
		candidate_set_demand(c, request->demand_of_host);
		if (c->able && isfinite(c->worth))
			widen(&worths, c->worth);
	}
	value_pairs(ranking, objective, &scales);
	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];

		if (c->able && isfinite(c->worth))
			c->score = objective->scored
			               ? c->worth
			               : range_place(&worths, c->worth);
	}
}

/* ---- the Pareto front of throughput, storage and preparation ---- */

static bool dominates(const struct candidate *a, const struct candidate *b)
{
	const double a_storage = either(a->full_storage_bytes, INFINITY);
	const double b_storage = either(b->full_storage_bytes, INFINITY);
	const double a_prep = either(a->full_prep_s, INFINITY);
	const double b_prep = either(b->full_prep_s, INFINITY);

	if (a->full_throughput < b->full_throughput || a_storage > b_storage ||
	    a_prep > b_prep)
		return false;
	return a->full_throughput > b->full_throughput ||
	       a_storage < b_storage || a_prep < b_prep;
}

static void mark_pareto(struct ranking *ranking)
{
	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];

		c->pareto = c->able;
		for (size_t k = 0; c->pareto && k < ranking->count; k++)
			c->pareto = !ranking->list[k].able ||
			            !dominates(&ranking->list[k], c);
	}
}

/* ---- the order ---- */

static bool is_ranked(const struct candidate *c)
{
	return c->able && c->meets;
}

/* Does it matter to the objective how fast data is delivered? */
static bool counts_throughput(const struct request *request)
{
	return request->objective == &objective_throughput ||
	       (request->objective == &objective_balanced &&
	           request->weights.throughput > 0);
}

/*
 * What is slower than doing nothing is not to be prepared, however cheap it is
 * to keep: unless doing nothing is not allowed.
 */
static void mark_slower(struct ranking *ranking, const struct request *request)
{
	double base = 0;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (is_ranked(c) && candidate_is_unprocessed(c))
			base = fmax(base, c->full_throughput);
	}
	for (size_t i = 0; i < ranking->count; i++)
		ranking->list[i].slower =
		    counts_throughput(request) &&
		    ranking->list[i].full_throughput < base;
}

static int compare(double a, double b)
{
	return (a > b) - (a < b);
}

/* Of two with the same worth the one that is less sure, as in v_rank. */
static bool is_better(const struct candidate *a, const struct candidate *b)
{
	int order = b->sufficient - a->sufficient;

	if (!order)
		order = a->slower - b->slower;
	if (!order)
		order = compare(b->worth, a->worth);
	if (!order)
		order = compare(a->worth_low, b->worth_low);
	if (!order)
		order = compare(b->worth_high, a->worth_high);
	if (!order)
		order = is_reference(b) - is_reference(a);
	return order < 0;
}

static const struct candidate *find_best(const struct ranking *ranking)
{
	const struct candidate *best = NULL;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (is_ranked(c) && (!best || is_better(c, best)))
			best = c;
	}
	return best;
}

/*
 * Round by round where both were compared so with the fastest; else by their
 * intervals.
 */
static bool may_be_as_good(
    const struct candidate *c, const struct candidate *best)
{
	if (is_paired(c) && is_paired(best))
		return c->paired_high >= best->paired_low &&
		       (c->worth <= best->worth ||
		           c->paired_low <= best->paired_high);
	return c->worth_high >= best->worth_low &&
	       c->worth_low <= best->worth_high;
}

/* Of what is enough, by throughput alone, none is better. */
static bool is_tied(const struct candidate *c, const struct candidate *best,
    const struct request *request)
{
	if (c->sufficient != best->sufficient)
		return false;
	if (c->sufficient && request->objective == &objective_throughput)
		return true;
	return may_be_as_good(c, best);
}

static void mark_tied(struct ranking *ranking, const struct request *request)
{
	const struct candidate *best = find_best(ranking);

	for (size_t i = 0; best && i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];

		c->tied = is_ranked(c) && is_tied(c, best, request);
	}
}

/* The dataset is there anyway: to keep it as it is costs nothing more. */
static double extra_bytes(const struct candidate *c)
{
	return candidate_is_unprocessed(c) ? 0
	                                   : either(c->storage_bytes, INFINITY);
}

static int compare_cost(const struct candidate *a, const struct candidate *b)
{
	const int order = compare(extra_bytes(a), extra_bytes(b));

	return order ? order
	             : compare(either(a->prep_s, INFINITY),
	                   either(b->prep_s, INFINITY));
}

static int compare_candidates(const void *pa, const void *pb)
{
	const struct candidate *a = pa, *b = pb;
	int order = is_ranked(b) - is_ranked(a);

	if (!order)
		order = b->able - a->able;
	if (!order)
		order = b->sufficient - a->sufficient;
	if (!order)
		order = b->tied - a->tied;
	if (!order)
		order = a->slower - b->slower;
	if (!order && a->tied)
		order = compare_cost(a, b);
	if (!order)
		order = compare(b->worth, a->worth);
	if (!order) /* as fast as not cached: then rather that */
		order = a->outgrows_memory - b->outgrows_memory;
	if (!order)
		order = strcmp(a->strategy, b->strategy);
	if (!order)
		order = compare(a->threads, b->threads);
	return order ? order : strcmp(a->cache, b->cache);
}

static void order_candidates(
    struct ranking *ranking, const struct request *request)
{
	mark_slower(ranking, request);
	mark_tied(ranking, request);
	qsort(ranking->list, ranking->count, sizeof(*ranking->list),
	    compare_candidates);
	for (size_t i = 0; i < ranking->count; i++)
		if (is_ranked(&ranking->list[i]))
			ranking->list[i].rank = (unsigned)++ranking->ranked;
	if (ranking->count < 2 || !ranking->list[1].tied)
		ranking->list[0].tied = false; /* with nobody */
}

static bool has_able(const struct ranking *ranking)
{
	for (size_t i = 0; i < ranking->count; i++)
		if (ranking->list[i].able)
			return true;
	return false;
}

int ranking_make(struct ranking *ranking, const struct grid *report,
    const struct request *request, struct error *err)
{
	if (read_candidates(ranking, report, request, err))
		return -1;
	if (request->session && !ranking->count)
		return error_set(err, ERROR_USAGE,
		    "no session %lld in the report; leave --session out for "
		    "its newest",
		    (long long)request->session);
	if (!has_able(ranking))
		return error_set(err, ERROR_GATE,
		    "no trial ended with data that can be recommended; "
		    "see 'presto report'");
	ranking_look_at_memory(ranking, request);
	value_candidates(ranking, request);
	if (!request->order_only)
		mark_pareto(ranking);
	order_candidates(ranking, request);
	if (!ranking->ranked)
		return constraints_error(ranking, request, err);
	return 0;
}

void ranking_release(struct ranking *ranking)
{
	free(ranking->list);
	*ranking = (struct ranking)RANKING_INIT;
}
