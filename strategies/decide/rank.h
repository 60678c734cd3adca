/*
 * rank.h - which strategy is best: the trials of a report, as candidates, in
 * the order of an objective and under constraints.
 *
 * Rivals are what the reader who was asked for takes (eligible.h), in the cache
 * mode that the full dataset is assumed to have.  One that is clearly beaten by
 * another is not tied, however wide the interval of the best is (order.h).
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
	struct weights weights;      /* for objective balanced */
	double epochs;               /* NAN: not asked */
	double full_samples;         /* of the source; NAN: as recorded */
	double memory_bytes;         /* that a cache may take; NAN: not known */
	const struct prices *prices; /* borrowed; NULL: none */
	double demand; /* samples/s that accelerators take; NAN: not known */
	/* Of them, what the host takes that takes most: that is enough. */
	double demand_of_host;
	const struct accelerators *accelerators; /* borrowed; NULL: none */
	int64_t session; /* 0: the newest of the report */
	/* Who must read what is stored; NULL: at least one stock reader. */
	const struct stock_reader *reader;
	/* Whether it does, by the session's rows; borrowed.  NULL: not known.
	 */
	const bool *is_readable;
	bool lossy;      /* take lossy ones as well */
	bool order_only; /* no Pareto front, no break-even: quick */
	/* Constraints on the full dataset; NAN: none. */
	double min_throughput, max_storage_bytes, max_prep_s;
};

/* By the default objective, under no constraint. */
struct request request_default(void);

struct ranking {
	struct candidate *list; /* owned; the best first, unranked ones last */
	size_t count;
	size_t ranked;   /* so many have a rank */
	size_t tied;     /* of them with the first; 0: it is alone */
	size_t unbeaten; /* so many may be the best for all that is known */
	enum cache_mode cache; /* that the full dataset is assumed to have */
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
void ranking_release(struct ranking *ranking);

/* What prices are to be paid for. */
struct workload ranking_workload(
    const struct ranking *ranking, const struct request *request);

/* Bytes of the full dataset as it is; NAN: not known. */
double ranking_source_bytes(const struct ranking *ranking);

/* `unprocessed`, loaded as `like` was; NULL when it has no throughput. */
const struct candidate *ranking_unprocessed(
    const struct ranking *ranking, const struct candidate *like);

#endif
