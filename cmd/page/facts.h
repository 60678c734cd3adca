/*
 * facts.h - all that a page shows of a session: what was measured, from the
 * views of the database, and what follows from it, from the ranking and its
 * advice.  Nothing is worked out here but who belongs to whom.
 */
#ifndef CMD_PAGE_FACTS_H
#define CMD_PAGE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/report/evidence.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "strategies/decide/advice.h"

enum { FACTS_TEXT = 256 };

/* A trial; texts are the grid's. */
struct fact {
	const struct candidate *candidate; /* of the ranking */
	size_t row;                        /* of the report */
	size_t strategy;                   /* of facts.strategies */
	enum cache_mode cache;
	const char *status;
	double predicted; /* samples/s; NAN: was not */
	bool is_measured; /* has a throughput */
	bool is_winner;   /* what is recommended */
};

/* A strategy and its trials, by cache mode and threads. */
struct fact_group {
	const char *name;
	size_t first, count; /* in facts.by_strategy */
	size_t split;        /* of facts.splits */
};

struct facts {
	struct session_record session;
	struct evidence evidence; /* its trials are the report */
	struct grid runs, steps, phases;
	struct ranking ranking;
	struct advice advice;
	struct error nothing; /* why nothing is recommended; or ERROR_NONE */

	struct fact *trials; /* in the order of trial_order */
	size_t *by_strategy; /* numbers of trials */
	size_t trial_count;
	struct fact_group *strategies; /* by the best rank of their trials */
	size_t strategy_count;
	const char **splits; /* in the order of the pipeline */
	size_t split_count;
	bool one_cache, one_threads; /* the same in all trials */
};

#define FACTS_INIT                        \
	{                                 \
		.evidence = EVIDENCE_INIT \
	}

int facts_read(struct facts *facts, struct results *results, int64_t session,
    struct error *err);
void facts_release(struct facts *facts);

/*
 * The trial of a strategy that is kept least of and has the fewest threads:
 * what its steps cost; one that was measured if there is such.
 */
const struct fact *facts_first(const struct facts *facts, size_t strategy);

/* How this trial was loaded, as far as others were not: "2 threads, system". */
const char *facts_load(
    const struct facts *facts, const struct fact *trial, char text[FACTS_TEXT]);
/* "1. resized/tar/none, system: 7 004 samples/s, 109 MB": for a tooltip. */
const char *facts_tooltip(const struct facts *facts, const struct fact *trial,
    char text[2 * FACTS_TEXT]);

#endif
