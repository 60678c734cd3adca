/*
 * facts.h - the data that a page shows about a session: measurements from the
 * views of the database, ranking and advice from strategies/decide.  Facts only
 * connects them; it computes nothing.
 */
#ifndef CMD_PAGE_FACTS_H
#define CMD_PAGE_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/report/session_data.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "strategies/decide/advice.h"

enum { FACTS_TEXT = 256 };

/* A trial; texts belong to the grid. */
struct fact {
	const struct candidate *candidate; /* its candidate in the ranking */
	size_t row;                        /* its row in the report */
	size_t strategy;                   /* index in facts.strategies */
	enum cache_mode cache;
	const char *status;
	double predicted; /* samples/s; NAN: not predicted */
	bool is_measured; /* has a throughput */
	bool is_winner;   /* the recommended trial */
};

/* A strategy with its trials, by cache mode and threads. */
struct fact_group {
	const char *name;
	size_t first, count; /* range in facts.by_strategy */
	size_t split;        /* index in facts.splits */
};

struct facts {
	struct session_record session;
	struct session_data data; /* with the report's trials */
	struct grid runs, steps, phases, hosts;
	struct ranking ranking;
	struct advice advice;
	struct error nothing; /* why nothing is recommended, or ERROR_NONE */

	struct fact *trials; /* in the order of trial_order */
	size_t *by_strategy; /* indexes of trials */
	size_t trial_count;
	struct fact_group *strategies; /* by the best rank of their trials */
	size_t strategy_count;
	const char **splits; /* in the order of the pipeline */
	size_t split_count;
	bool one_cache, one_threads; /* the same in all trials */
};

#define FACTS_INIT                        \
	{                                 \
		.data = SESSION_DATA_INIT \
	}

int facts_read(struct facts *facts, struct results *results, int64_t session,
    struct error *err);
void facts_release(struct facts *facts);

/* The measured trial that caches least and has the fewest threads. */
const struct fact *facts_first(const struct facts *facts, size_t strategy);

/* How a trial is loaded, as far as trials differ: "2 threads, system". */
const char *facts_load(
    const struct facts *facts, const struct fact *trial, char text[FACTS_TEXT]);
/* The tooltip of a trial: "1. resized/tar/none, system: 7 004 samples/s". */
const char *facts_tooltip(const struct facts *facts, const struct fact *trial,
    char text[2 * FACTS_TEXT]);

#endif
