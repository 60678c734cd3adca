/* facts.c - see facts.h. */
#include "cmd/page/facts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report/hosts.h"
#include "cmd/report/trial_order.h"
#include "lib/base/units.h"
#include "lib/db/results_read.h"

/* ---- candidates of trials ---- */

static const struct candidate *find_candidate(
    const struct facts *facts, size_t row)
{
	for (size_t i = 0; i < facts->ranking.count; i++)
		if (figures_are_of(&facts->ranking.list[i].trial,
		        &facts->data.trials, row))
			return &facts->ranking.list[i];
	return NULL; /* every row has a candidate */
}

static struct fact read_fact(const struct facts *facts, size_t row)
{
	const struct grid *report = &facts->data.trials;
	struct fact fact = {
		.candidate = find_candidate(facts, row),
		.row = row,
		.cache = CACHE_NONE,
		.status = grid_text(report, row, "status"),
		.predicted =
		    grid_number(report, row, "predicted_samples_per_s"),
	};

	if (!fact.candidate)
		return fact;
	if (fact.candidate->trial.cache != CACHE_UNKNOWN)
		fact.cache = fact.candidate->trial.cache;
	fact.is_measured =
	    fact.candidate->trial.throughput.median > 0 &&
	    strcmp(grid_text(report, row, "source"), "predicted") != 0;
	if (!(fact.predicted > 0) && !fact.is_measured)
		fact.predicted = fact.candidate->trial.throughput.median;
	fact.is_winner = facts->nothing.code == ERROR_NONE &&
	                 fact.candidate == facts->advice.winner;
	return fact;
}

static int read_trials(struct facts *facts, struct error *err)
{
	const struct grid *report = &facts->data.trials;
	size_t count;
	size_t *order = trial_order(report, 0, &count, err);

	if (!order)
		return -1;
	facts->trials = calloc(count + 1, sizeof(*facts->trials));
	for (size_t i = 0; facts->trials && i < count; i++) {
		const struct fact fact = read_fact(facts, order[i]);

		if (fact.candidate)
			facts->trials[facts->trial_count++] = fact;
	}
	free(order);
	return facts->trials ? 0
	                     : error_memory(err, count * sizeof(struct fact));
}

/* ---- splits, strategies ---- */

static size_t find_text(const char **list, size_t count, const char *text)
{
	size_t i = 0;

	while (i < count && strcmp(list[i], text) != 0)
		i++;
	return i;
}

/* Rows of the report are in the order of the pipeline. */
static void find_splits(struct facts *facts)
{
	const struct grid *report = &facts->data.trials;

	for (size_t row = 0; row < report->row_count; row++) {
		const char *split = grid_text(report, row, "split");
		const size_t at =
		    find_text(facts->splits, facts->split_count, split);

		if (at == facts->split_count)
			facts->splits[facts->split_count++] = split;
	}
}

static void find_strategies(struct facts *facts)
{
	for (size_t i = 0; i < facts->trial_count; i++) {
		struct fact *trial = &facts->trials[i];
		const struct candidate *c = trial->candidate;
		size_t at = 0;

		while (
		    at < facts->strategy_count &&
		    strcmp(facts->strategies[at].name, c->trial.strategy) != 0)
			at++;
		trial->strategy = at;
		if (at == facts->strategy_count)
			facts->strategies[facts->strategy_count++] =
			    (struct fact_group){ .name = c->trial.strategy,
				    .split = find_text(facts->splits,
				        facts->split_count, c->trial.split) };
		facts->strategies[at].count++;
	}
}

static bool is_before(const struct fact *a, const struct fact *b)
{
	if (a->cache != b->cache)
		return a->cache < b->cache;
	return a->candidate->trial.threads < b->candidate->trial.threads;
}

/* Sorts the trials by strategy, then by cache mode and threads. */
static void sort_by_strategy(struct facts *facts)
{
	size_t used = 0;

	for (size_t g = 0; g < facts->strategy_count; g++) {
		struct fact_group *group = &facts->strategies[g];
		size_t *list = &facts->by_strategy[used];
		size_t count = 0;

		group->first = used;
		for (size_t i = 0; i < facts->trial_count; i++) {
			size_t at = count;

			if (facts->trials[i].strategy != g)
				continue;
			for (; at > 0 && is_before(&facts->trials[i],
			                     &facts->trials[list[at - 1]]);
			     at--)
				list[at] = list[at - 1];
			list[at] = i;
			count++;
		}
		used += count;
	}
}

static void find_common(struct facts *facts)
{
	facts->one_cache = facts->one_threads = true;
	for (size_t i = 1; i < facts->trial_count; i++) {
		const struct fact *a = &facts->trials[0], *b = a + i;

		if (a->cache != b->cache)
			facts->one_cache = false;
		if (a->candidate->trial.threads != b->candidate->trial.threads)
			facts->one_threads = false;
	}
}

static int arrange(struct facts *facts, struct error *err)
{
	const size_t count = facts->data.trials.row_count + 1;

	if (read_trials(facts, err))
		return -1;
	facts->by_strategy = calloc(count, sizeof(*facts->by_strategy));
	facts->strategies = calloc(count, sizeof(*facts->strategies));
	facts->splits = calloc(count, sizeof(*facts->splits));
	if (!facts->by_strategy || !facts->strategies || !facts->splits)
		return error_memory(err, count * sizeof(*facts->strategies));
	find_splits(facts);
	find_strategies(facts);
	sort_by_strategy(facts);
	find_common(facts);
	return 0;
}

/* ---- all ---- */

/* A session without a recommendation is shown as well. */
static int rank(struct facts *facts, struct error *err)
{
	struct request request = request_default();

	session_data_complete(&facts->data, &request);
	if (ranking_make(&facts->ranking, &facts->data.figures, &request,
	        &facts->nothing) == 0) {
		advice_make(&facts->advice, &facts->ranking, &request,
		    &facts->data.surroundings);
		return 0;
	}
	if (facts->nothing.code == ERROR_GATE)
		return 0;
	*err = facts->nothing;
	return -1;
}

int facts_read(struct facts *facts, struct results *results, int64_t session,
    struct error *err)
{
	if (results_read_session(results, session, &facts->session, err) ||
	    session_data_from_results(&facts->data, results, session, err) ||
	    results_read(results, RESULTS_RUNS, session, &facts->runs, err) ||
	    results_read(results, RESULTS_STEPS, session, &facts->steps, err) ||
	    results_read(
	        results, RESULTS_PHASES, session, &facts->phases, err) ||
	    report_hosts_read(results, session, &facts->hosts, err) ||
	    rank(facts, err))
		return -1;
	return arrange(facts, err);
}

void facts_release(struct facts *facts)
{
	free(facts->trials);
	free(facts->by_strategy);
	free(facts->strategies);
	free(facts->splits);
	ranking_release(&facts->ranking);
	grid_release(&facts->runs);
	grid_release(&facts->steps);
	grid_release(&facts->phases);
	grid_release(&facts->hosts);
	session_data_release(&facts->data);
	session_record_release(&facts->session);
	*facts = (struct facts)FACTS_INIT;
}

const struct fact *facts_first(const struct facts *facts, size_t strategy)
{
	const struct fact_group *group = &facts->strategies[strategy];
	const size_t *list = &facts->by_strategy[group->first];

	for (size_t i = 0; i < group->count; i++)
		if (facts->trials[list[i]].is_measured)
			return &facts->trials[list[i]];
	return &facts->trials[list[0]];
}

/* ---- in words ---- */

const char *facts_load(
    const struct facts *facts, const struct fact *trial, char text[FACTS_TEXT])
{
	const unsigned threads = trial->candidate->trial.threads;
	const struct load_figures *swept = &trial->candidate->trial.load;
	char number[UNITS_TEXT] = "", load[LOAD_FIGURES_TEXT];

	load_figures_words(swept, load);
	if (!facts->one_threads)
		snprintf(number, sizeof(number), "%u thread%s", threads,
		    threads > 1 ? "s" : "");
	snprintf(text, FACTS_TEXT, "%s%s%s%s",
	    facts->one_cache ? "" : cache_name(trial->cache),
	    *number && !facts->one_cache ? ", " : "", number,
	    /* without the comma where nothing is in front of it */
	    facts->one_cache && !*number && *load ? load + 2 : load);
	return text;
}

const char *facts_tooltip(const struct facts *facts, const struct fact *trial,
    char text[2 * FACTS_TEXT])
{
	const struct candidate *c = trial->candidate;
	char load[FACTS_TEXT], rate[UNITS_TEXT], bytes[UNITS_TEXT];
	char rank[UNITS_TEXT] = "", low[UNITS_TEXT], high[UNITS_TEXT];
	char in_full[2 * UNITS_TEXT] = "";

	facts_load(facts, trial, load);
	if (c->rank)
		snprintf(rank, sizeof(rank), "%u. ", c->rank);
	if (c->full.outgrows_memory)
		snprintf(in_full, sizeof(in_full), ", in full %s, not cached",
		    units_number(c->full.throughput, low));
	if (!trial->is_measured)
		snprintf(text, 2 * FACTS_TEXT, "%s%s%s: %s", c->trial.strategy,
		    *load ? ", " : "", load, trial->status);
	else
		snprintf(text, 2 * FACTS_TEXT,
		    "%s%s%s%s\n%s samples/s (%s to %s)%s\n%s in full", rank,
		    c->trial.strategy, *load ? ", " : "", load,
		    units_number(c->trial.throughput.median, rate),
		    units_number(c->trial.throughput.low, low),
		    units_number(c->trial.throughput.high, high), in_full,
		    isnan(c->full.storage_bytes)
		        ? "storage not known"
		        : units_bytes(c->full.storage_bytes, bytes));
	return text;
}
