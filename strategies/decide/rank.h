/*
 * rank.h - ranks the trials of a session by an objective and under constraints.
 *
 * Trials compete if the requested reader can read them and they were measured
 * in the assumed cache mode (eligible.h).  Order and ties follow order.h.
 *
 * The order by throughput without constraints is also stored in the database
 * (derive.h).
 */
#ifndef STRATEGIES_DECIDE_RANK_H
#define STRATEGIES_DECIDE_RANK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strategies/decide/objectives/objective.h"
#include "strategies/figures/candidate.h"

struct accelerators;
struct error;
struct prices;
struct stock_reader;

struct request {
	const struct objective_ops *objective;
	struct weights weights; /* for objective balanced */
	double epochs;          /* NAN: not asked */
	double full_samples;    /* samples of the source; NAN: as recorded */
	double memory_bytes;    /* usable by a cache; NAN: not known */
	const struct prices *prices; /* borrowed; NULL: none */
	double demand; /* samples/s of all accelerators; NAN: not known */
	double demand_of_host; /* the highest of a host: sufficient */
	const struct accelerators *accelerators; /* borrowed; NULL: none */
	int64_t session; /* 0: the newest of the report */
	/* The reader of what is stored; NULL: any stock reader. */
	const struct stock_reader *reader;
	bool lossy; /* take lossy ones as well */
	/* Take lossy ones with at least this PSNR; 0: none. */
	double tolerance_db;
	/* Options gave the objective or a constraint: [decision] does not. */
	bool is_decided;
	bool order_only; /* no Pareto front, no break-even: quick */
	/* Constraints on the full dataset; NAN: none. */
	double min_throughput, max_storage_bytes, max_prep_s;
};

/* Is the candidate left out because it is lossy? */
bool request_refuses_loss(
    const struct request *request, const struct candidate *candidate);
/* By the default objective, under no constraint. */
struct request request_default(void);

struct ranking {
	struct candidate *list; /* owned; the best first, unranked ones last */
	size_t count;
	size_t ranked;         /* number of candidates with a rank */
	size_t tied;           /* number at rank 1; 0: the first is alone */
	enum cache_mode cache; /* assumed for the full dataset */
};

#define RANKING_INIT          \
	{                     \
		.list = NULL, \
	}

/*
 * Orders the trials of the session.  The rows that the figures were read from
 * outlive the ranking.  No candidate with a rank is ERROR_GATE; when it is for
 * the constraints, the nearest is named.
 */
int ranking_make(struct ranking *ranking, const struct figures_list *figures,
    const struct request *request, struct error *err);
/* The same, but it is no error that no candidate has a rank. */
int ranking_place(struct ranking *ranking, const struct figures_list *figures,
    const struct request *request, struct error *err);
/*
 * Weighs the trials and leaves them in the order of the figures: none has a
 * rank, and none is beaten or tied.
 */
int ranking_weigh(struct ranking *ranking, const struct figures_list *figures,
    const struct request *request, struct error *err);
void ranking_release(struct ranking *ranking);

/* The work of a month that prices apply to. */
struct workload ranking_workload(
    const struct ranking *ranking, const struct request *request);

/* Unprocessed, loaded like `like`; NULL: it has no throughput. */
const struct candidate *ranking_unprocessed(
    const struct ranking *ranking, const struct candidate *like);

#endif
