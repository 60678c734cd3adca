/* rank.c - see rank.h. */
#include "strategies/decide/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/stores/readable.h"
#include "strategies/decide/constraints.h"
#include "strategies/decide/eligible.h"
#include "strategies/decide/order.h"
#include "strategies/decide/outgrow.h"
#include "strategies/decide/worth.h"
#include "strategies/whatif/accelerators.h"
#include "strategies/whatif/prices.h"

struct request request_default(void)
{
	return (struct request){
		.objective = objective_default(),
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

bool request_refuses_loss(
    const struct request *request, const struct candidate *candidate)
{
	const bool is_small = request->tolerance_db > 0 &&
	                      candidate->trial.psnr_db >= request->tolerance_db;

	return candidate->lossy && !request->lossy && !is_small;
}

/* ---- candidates ---- */

static int make_candidates(struct ranking *ranking,
    const struct figures_list *figures, const struct request *request,
    struct error *err)
{
	const int64_t session = request->session
	                            ? request->session
	                            : figures_newest_session(figures);

	/* One more, so that no trials are no error. */
	ranking->list = calloc(figures->count + 1, sizeof(*ranking->list));
	if (!ranking->list)
		return error_memory(
		    err, (figures->count + 1) * sizeof(*ranking->list));
	for (size_t i = 0; i < figures->count; i++) {
		const int64_t its = figures->list[i].session;
		struct candidate *c = &ranking->list[ranking->count];

		/*
		 * A report may have no numbers: its trials are of any session.
		 */
		if (its && session && its != session)
			continue;
		*c = candidate_make(figures, i, request->full_samples);
		if (request_refuses_loss(request, c))
			c->able = false;
		ranking->count++;
	}
	return 0;
}

/* Bytes of the full dataset, unprocessed; NAN: not known. */
static double source_bytes(const struct ranking *ranking)
{
	for (size_t i = 0; i < ranking->count; i++)
		if (candidate_is_unprocessed(&ranking->list[i]))
			return ranking->list[i].full.storage_bytes;
	return NAN;
}

struct workload ranking_workload(
    const struct ranking *ranking, const struct request *request)
{
	const struct accelerators *accelerators = request->accelerators;

	return (struct workload){
		.epochs = request->epochs,
		.source_bytes = source_bytes(ranking),
		.demand = request->demand,
		.demand_of_host = request->demand_of_host,
		.hosts = accelerators ? accelerators->host_count : 1,
		.devices =
		    accelerators ? accelerators_devices(accelerators) : 0,
	};
}

/* Or has `auto` found the best number for each? */
static bool has_same_threads(
    const struct candidate *a, const struct candidate *b)
{
	return a->trial.threads == b->trial.threads ||
	       (a->trial.load.chosen & b->trial.load.chosen & LOAD_THREADS);
}

const struct candidate *ranking_unprocessed(
    const struct ranking *ranking, const struct candidate *like)
{
	const struct candidate *found = NULL;

	for (size_t i = 0; i < ranking->count; i++) {
		const struct candidate *c = &ranking->list[i];

		if (!candidate_is_unprocessed(c) ||
		    !(c->trial.throughput.median > 0) ||
		    c->trial.cache != like->trial.cache ||
		    c->fewer != like->fewer || !has_same_threads(c, like))
			continue;
		if (load_figures_alike(&c->trial.load, &like->trial.load))
			return c;
		/* The fastest, of those with other numbers. */
		if (!found ||
		    c->trial.throughput.median > found->trial.throughput.median)
			found = c;
	}
	return found;
}

/* ---- the Pareto front of throughput, storage and preparation ---- */

static bool dominates(const struct candidate *a, const struct candidate *b)
{
	const double a_storage = number_or(a->full.storage_bytes, INFINITY);
	const double b_storage = number_or(b->full.storage_bytes, INFINITY);
	const double a_prep = number_or(a->full.prep_s, INFINITY);
	const double b_prep = number_or(b->full.prep_s, INFINITY);

	if (a->full.throughput < b->full.throughput || a_storage > b_storage ||
	    a_prep > b_prep)
		return false;
	return a->full.throughput > b->full.throughput ||
	       a_storage < b_storage || a_prep < b_prep;
}

static void mark_pareto(struct ranking *ranking)
{
	for (size_t i = 0; i < ranking->count; i++) {
		struct candidate *c = &ranking->list[i];

		c->pareto = candidate_is_rival(c);
		for (size_t k = 0; c->pareto && k < ranking->count; k++)
			c->pareto = !candidate_is_rival(&ranking->list[k]) ||
			            !dominates(&ranking->list[k], c);
	}
}

static bool has(const struct ranking *ranking,
    bool (*is)(const struct candidate *candidate))
{
	for (size_t i = 0; i < ranking->count; i++)
		if (is(&ranking->list[i]))
			return true;
	return false;
}

static bool is_able(const struct candidate *candidate)
{
	return candidate->able;
}

int ranking_weigh(struct ranking *ranking, const struct figures_list *figures,
    const struct request *request, struct error *err)
{
	if (make_candidates(ranking, figures, request, err) ||
	    ranking_look_at_memory(ranking, request, err))
		return -1;
	ranking_find_rivals(ranking, request);
	ranking_value(ranking, request);
	return 0;
}

int ranking_place(struct ranking *ranking, const struct figures_list *figures,
    const struct request *request, struct error *err)
{
	if (ranking_weigh(ranking, figures, request, err))
		return -1;
	if (!request->order_only)
		mark_pareto(ranking);
	ranking_order(ranking, request);
	return 0;
}

int ranking_make(struct ranking *ranking, const struct figures_list *figures,
    const struct request *request, struct error *err)
{
	if (ranking_place(ranking, figures, request, err))
		return -1;
	if (request->session && !ranking->count)
		return error_set(err, ERROR_USAGE,
		    "no session %lld in the report; leave --session out for "
		    "its newest",
		    (long long)request->session);
	if (!has(ranking, is_able))
		return error_set(err, ERROR_GATE,
		    "no trial ended with data that can be recommended; the "
		    "report of the session says why of each");
	if (!has(ranking, candidate_is_rival))
		return error_set(err, ERROR_GATE,
		    "%s can read no strategy that may be recommended; "
		    "--readable-by any takes all",
		    request->reader ? request->reader->name : "stock readers");
	if (!ranking->ranked)
		return constraints_error(ranking, request, err);
	return 0;
}

void ranking_release(struct ranking *ranking)
{
	free(ranking->list);
	*ranking = (struct ranking)RANKING_INIT;
}
