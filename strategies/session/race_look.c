/* race_look.c - see race_state.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/db/derived.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"
#include "lib/db/results_write.h"
#include "strategies/forecast/cache_place.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/missing_trials.h"
#include "strategies/session/race_state.h"
#include "strategies/session/session_state.h"
#include "strategies/session/trial_record.h"

/* ---- prospects ---- */

struct request race_request(const struct session *session)
{
	const struct session_plan *plan = session->plan;
	struct request request =
	    plan->request ? *plan->request : request_default();

	if (!request.reader)
		request.reader = plan->plan->reader;
	request.memory_bytes =
	    number_or((double)machine_memory(&session->host.machine), 0);
	if (!(request.memory_bytes > 0))
		request.memory_bytes = NAN;
	return request;
}

/* Prospects of a label stay in the order of the list. */
static int compare_labels(const void *a, const void *b)
{
	const struct prospect *const *one = a, *const *two = b;
	const int order =
	    strcmp((*one)->strategy->label, (*two)->strategy->label);

	return order ? order : (*one > *two) - (*one < *two);
}

/* There may be thousands, and each row of a report is one of them. */
static int sort_by_label(struct race *race, struct error *err)
{
	const size_t count = race->search.count;

	race->by_label = calloc(count + 1, sizeof(*race->by_label));
	if (!race->by_label)
		return error_memory(err, (count + 1) * sizeof(*race->by_label));
	for (size_t i = 0; i < count; i++)
		race->by_label[i] = &race->search.list[i];
	qsort(race->by_label, count, sizeof(*race->by_label), compare_labels);
	return 0;
}

int race_add_prospects(
    struct race *race, double memory_bytes, struct error *err)
{
	const struct session_plan *plan = race->session->plan;
	const struct prospect_scene scene = {
		.model = plan->model,
		.samples = plan->source->samples,
		.full_samples = (double)plan->full_samples,
		.memory_bytes = memory_bytes,
	};

	for (size_t i = 0; i < plan->strategies->count; i++)
		for (unsigned m = 0; m < plan_mode_count(plan->plan); m++) {
			const struct prospect prospect =
			    prospect_make(&scene, &plan->strategies->list[i],
			        plan_mode(plan->plan, m));

			if (search_add(&race->search, &prospect, err))
				return -1;
		}
	return sort_by_label(race, err);
}

/* ---- measured trials ---- */

static bool is_number(
    const struct grid *rows, size_t row, const char *column, uint64_t number)
{
	const double found = number_or(grid_number(rows, row, column), 0);

	return found >= (double)number && found <= (double)number;
}

/* Numbers that `auto` finds may be any. */
static bool is_load(const struct grid *rows, size_t row, const char *column,
    unsigned number, bool chosen)
{
	return chosen || is_number(rows, row, column, number);
}

/*
 * A strategy may keep another representation than the one that was named, as
 * the row says.  Fewer threads, which `auto` finds, may change it again.
 */
static bool is_place(const struct race *race, const struct prospect *p,
    const struct grid *rows, size_t row)
{
	const struct session_plan *plan = race->session->plan;
	const struct load load = load_of_mode(
	    strategy_samples(p->strategy, plan->source->samples), &p->mode);
	const struct pipeline *pipeline =
	    strategy_pipeline(p->strategy, plan->pipeline);
	unsigned at;

	if (p->mode.cache != CACHE_APPLICATION ||
	    (!p->mode.place && (p->mode.chosen & LOAD_THREADS)))
		return true;
	at = cache_place_of(plan->model, p->strategy, &load).at;
	return strcmp(grid_text(rows, row, "cache_place"),
	           pipeline_name(pipeline, at)) == 0;
}

/* Does the row of v_trial, of its strategy, describe this prospect? */
static bool is_of(const struct race *race, const struct prospect *p,
    const struct grid *rows, size_t row)
{
	const struct trial_mode mode =
	    plan_complete_mode(race->session->plan->plan, p->mode);
	const unsigned chosen = mode.chosen;

	return strcmp(grid_text(rows, row, "cache"), cache_name(mode.cache)) ==
	           0 &&
	       is_load(
	           rows, row, "threads", mode.threads, chosen & LOAD_THREADS) &&
	       is_load(rows, row, "fetchers", mode.fetchers,
	           chosen & LOAD_FETCHERS) &&
	       is_load(rows, row, "read_ahead", mode.read_ahead,
	           chosen & LOAD_READ_AHEAD) &&
	       is_load(rows, row, "batch", mode.batch, chosen & LOAD_BATCH) &&
	       is_number(rows, row, "shuffle", mode.shuffle) &&
	       is_number(rows, row, "shards_asked", p->strategy->shards) &&
	       is_number(rows, row, "samples_asked", p->strategy->samples) &&
	       is_place(race, p, rows, row);
}

/* The place of the first prospect of a label, or of a label behind it. */
static size_t find_label(const struct race *race, const char *label)
{
	size_t low = 0, high = race->search.count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (strcmp(race->by_label[middle]->strategy->label, label) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The number of the prospect that the row describes, from 1; 0: none. */
static size_t find_prospect(
    const struct race *race, const struct grid *rows, size_t row)
{
	const char *label = grid_text(rows, row, "strategy");

	for (size_t i = find_label(race, label); i < race->search.count; i++) {
		const struct prospect *p = race->by_label[i];

		if (strcmp(p->strategy->label, label) != 0)
			break;
		if (is_of(race, p, rows, row))
			return (size_t)(p - race->search.list) + 1;
	}
	return 0;
}

static bool is_racing(const struct race *race, const struct prospect *prospect)
{
	for (size_t i = 0; i < race->racer_count; i++)
		if (race->racers[i].prospect == prospect)
			return true;
	return false;
}

/*
 * A session that is resumed has rows of the earlier one.  What was interrupted
 * there, failed or was left out is to be tried again.
 */
static bool counts(const struct race *race, const struct prospect *prospect,
    const struct figures *figures, const char *ended)
{
	if (figures->search.predicted)
		return false;
	if (figures->state != TRIAL_DONE)
		return race_was_begun(race, prospect->strategy);
	return strcmp(ended, TRIAL_INTERRUPTED) != 0 ||
	       is_racing(race, prospect);
}

/* Numbers the figures by their prospects. */
static void find_prospects(
    struct race *race, struct figures_list *figures, const struct grid *rows)
{
	size_t kept = 0;

	for (size_t i = 0; i < figures->count; i++) {
		const size_t number = find_prospect(race, rows, i);

		if (!number ||
		    !counts(race, &race->search.list[number - 1],
		        &figures->list[i], grid_text(rows, i, "ended")))
			continue;
		/* A trial of an earlier session has no more runs. */
		if (!is_racing(race, &race->search.list[number - 1]))
			race->search.list[number - 1].over = true;
		figures->list[kept] = figures->list[i];
		figures->list[kept++].trial = (int64_t)number;
	}
	figures->count = kept;
}

int race_look(struct race *race, struct error *err)
{
	struct session *session = race->session;
	struct figures_list figures = { .list = NULL };
	struct grid rows = GRID_INIT;
	int rc = -1;

	if (results_derive(session->results, session->id, err) ||
	    results_read(
	        session->results, RESULTS_TRIALS, session->id, &rows, err) ||
	    figures_read(&figures, &rows, err))
		goto done;
	find_prospects(race, &figures, &rows);
	rc = search_look(&race->search, &figures, err);
done:
	figures_release(&figures);
	grid_release(&rows);
	return rc;
}

/* ---- trials that were left out ---- */

/* The row of the strategy that was begun last; it is stored if none was. */
static int name_strategy(const struct race *race,
    const struct strategy *strategy, struct measured_strategy *named,
    struct error *err)
{
	if (named->strategy == strategy)
		return 0;
	return measured_strategy_name(named, race->session, strategy, err);
}

/* A trial is not left out if one that keeps the same has been measured. */
static int store_left_out(struct measured_strategy *named,
    const struct prospect *prospect, struct error *err)
{
	const int is_left = missing_trial_is_left(named, prospect->mode, err);

	return is_left > 0 ? trial_record_store_left_out(named, prospect, err)
	                   : is_left;
}

int race_store_left_out(struct race *race, struct error *err)
{
	struct measured_strategy named = { .strategy = NULL };
	int rc = 0;

	search_finish(&race->search, race->late);
	/* There may be thousands; the end of the session waits for the disk. */
	results_hurry(race->session->results, true);
	for (size_t i = 0; rc == 0 && i < race->search.count; i++) {
		const struct prospect *p = &race->search.list[i];

		if (p->state != PROSPECT_OPEN && p->state != PROSPECT_RULED_OUT)
			continue;
		rc = name_strategy(race, p->strategy, &named, err);
		if (rc == 0)
			rc = store_left_out(&named, p, err);
	}
	results_hurry(race->session->results, false);
	return rc;
}
