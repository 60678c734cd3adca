/* race.c - see race.h. */
#include "strategies/session/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "strategies/session/duration.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/race_state.h"
#include "strategies/session/rounds.h"
#include "strategies/session/session_state.h"
#include "strategies/trial/trial.h"

/* While a decision is open, a trial has up to so many times its runs. */
enum { MORE_RUNS = 2 };

/*
 * A number of runs that was given is exact, as without a search.  With a budget
 * time decides.
 */
static unsigned most_runs(const struct plan_measure *measure)
{
	const bool exact = measure->most_runs == measure->runs;
	const bool limited =
	    measure->budget_s > 0 || measure->trial_budget_s > 0;

	return (unsigned)(exact || limited ? measure->most_runs
	                                   : MORE_RUNS * measure->runs);
}

static int race_init(
    struct race *race, const struct request *request, struct error *err)
{
	const struct session_plan *plan = race->session->plan;
	const struct plan_measure *measure = &plan->plan->measure;
	const struct search_plan how = {
		.ops = plan->search,
		.request = request,
		.least = (unsigned)measure->runs,
		.most = most_runs(measure),
		.seed = measure->seed,
	};
	size_t count;

	search_init(&race->search, &how);
	if (race_add_prospects(race, request->memory_bytes, err))
		return -1;
	count = race->search.count + 1;
	race->seconds =
	    calloc(plan->strategies->count + 1, sizeof(*race->seconds));
	race->measured = calloc(count, sizeof(*race->measured));
	race->racers = calloc(count, sizeof(*race->racers));
	race->scheduled = calloc(count, sizeof(*race->scheduled));
	if (!race->seconds || !race->measured || !race->racers ||
	    !race->scheduled)
		return error_memory(err, count * sizeof(*race->scheduled));
	race->session->search = &race->search;
	return duration_of_each(plan, 1, race->seconds, err);
}

static void race_release(struct race *race)
{
	race->session->search = NULL;
	search_release(&race->search);
	free(race->by_label);
	free(race->seconds);
	free(race->measured);
	free(race->racers);
	free(race->scheduled);
}

/* ---- runs ---- */

static int run(
    void *arg, struct scheduled_trial *trial, double *rate, struct error *err)
{
	const struct race *race = arg;
	const struct racer *racer = &race->racers[trial - race->scheduled];
	struct measured_strategy *owner = racer->owner;

	trial_set_round(racer->trial, race->round);
	if (!owner->over && measured_strategy_run(owner, racer->trial, err))
		return error_prefix(err, "%s", owner->strategy->label);
	if (owner->over) {
		trial->ended = rounds_enough;
		return 1;
	}
	*rate = trial_last_rate(racer->trial);
	return 0;
}

static int run_round(struct race *race, struct error *err)
{
	const struct plan_measure *measure =
	    &race->session->plan->plan->measure;
	const struct rounds_plan rounds = {
		.most = PLAN_RUNS,
		.seed = measure->seed,
		.clock = &clock_monotonic,
		.deadline_ns = race->deadline_ns,
		.trial_ns = (uint64_t)(measure->trial_budget_s * 1e9),
		.run = run,
		.arg = race,
	};

	race->round++;
	return rounds_once(
	    &rounds, race->scheduled, race->racer_count, race->round, err);
}

/* Ends the trials that the search needs no more runs of, or goes on with. */
static void heed(struct race *race)
{
	for (size_t i = 0; i < race->racer_count; i++) {
		struct scheduled_trial *trial = &race->scheduled[i];
		const struct racer *racer = &race->racers[i];
		const char *ended = NULL;

		racer->prospect->over =
		    !racer->trial ||
		    (trial->ended && strcmp(trial->ended, "budget") == 0);
		if (!racer->trial || racer->owner->over ||
		    racer->prospect->over)
			continue;
		if (racer->prospect->state == PROSPECT_BEATEN)
			ended = "beaten";
		else if (racer->prospect->state != PROSPECT_RACING)
			ended = rounds_enough;
		if (ended && !trial->ended)
			trial_rest(racer->trial);
		trial->ended = ended;
	}
}

/* A new trial has its first run beside the fastest one that has too few. */
static void choose_first_run(struct race *race)
{
	const size_t last = race->racer_count - 1;
	size_t best = last;

	for (size_t i = 0; i < last; i++)
		if (!race->scheduled[i].ended &&
		    race->scheduled[i].runs < race->search.plan.least &&
		    (best == last || race->scheduled[i].rates[0] >
		                         race->scheduled[best].rates[0]))
			best = i;
	for (size_t i = 0; i < race->racer_count; i++)
		race->scheduled[i].rests = i != last && i != best;
}

static bool is_going(const struct race *race)
{
	for (size_t i = 0; i < race->racer_count; i++)
		if (!race->scheduled[i].ended)
			return true;
	return false;
}

/* ---- time ---- */

static struct load load_of(const struct race *race, const struct prospect *p)
{
	const struct reader *source = race->session->plan->source;

	return load_of_mode(
	    strategy_samples(p->strategy, source->samples), &p->mode);
}

/* Predicts the seconds of one run of each trial that still has runs. */
static double one_round(const struct race *race)
{
	double seconds = 0;

	for (size_t i = 0; i < race->racer_count; i++) {
		const struct prospect *p = race->racers[i].prospect;
		const struct load load = load_of(race, p);

		if (!race->scheduled[i].ended)
			seconds += duration_of_run(
			    race->session->plan, p->strategy, &load);
	}
	return seconds;
}

/* Is there time to measure it?  Trials that are always measured are. */
static bool is_late(const struct race *race, const struct prospect *p)
{
	const struct session_plan *plan = race->session->plan;
	const struct load load = load_of(race, p);
	double need = one_round(race);

	if (!race->deadline_ns || p->always)
		return false;
	if (!race_find_open(race, p->strategy))
		need += duration_of_preparation(
		    plan, p->strategy, race->measured, race->count);
	need += duration_of_check(plan, p->strategy, &load) +
	        duration_of_run(plan, p->strategy, &load);
	return (double)clock_now(&clock_monotonic) + need * 1e9 >
	       (double)race->deadline_ns;
}

/* Predicts the session anew: what is measured, and what may still be. */
static void predict_end(struct race *race)
{
	const struct strategy *first = race->session->plan->strategies->list;
	struct progress *progress = &race->session->messages.progress;
	const struct strategy *last = NULL;
	double seconds = one_round(race) * race->search.plan.least / 2;

	for (size_t i = 0; i < race->search.count; i++) {
		const struct prospect *p = &race->search.list[i];

		if (p->state != PROSPECT_OPEN || p->strategy == last)
			continue;
		last = p->strategy;
		seconds += race->seconds[last - first];
	}
	progress->all_s = progress->done_s + seconds;
}

/* ---- the race ---- */

/*
 * Is it to be measured now?  Not if time is up, and not while trials race whose
 * data leaves no room for its own.  Without room in the end it is skipped.
 */
static int may_enter(
    struct race *race, const struct prospect *picked, struct error *err)
{
	const int full = race_make_room(race, picked->strategy, err);

	if (full < 0)
		return -1;
	race->late = is_late(race, picked);
	return !race->late && !(full && is_going(race));
}

/* 1: a trial was measured for the first time; 0: none is to be; -1. */
static int measure_next(struct race *race, struct error *err)
{
	struct prospect *picked = NULL;
	int may;

	if (!race->late && search_pick(&race->search, &picked, err))
		return -1;
	if (!picked)
		return 0;
	may = may_enter(race, picked, err);
	if (may <= 0) {
		picked->state = PROSPECT_OPEN;
		return may;
	}
	if (race_enter(race, picked, err))
		return -1;
	if (picked->state == PROSPECT_FAILED)
		return 1;
	choose_first_run(race);
	if (run_round(race, err))
		return -1;
	for (size_t i = 0; i < race->racer_count; i++)
		race->scheduled[i].rests = false;
	return 1;
}

static int run_race(struct race *race, struct error *err)
{
	race->session->times.rounds_ns = clock_unix_ns();
	for (;;) {
		int rc;

		if (race_look(race, err))
			return -1;
		heed(race);
		predict_end(race);
		rc = measure_next(race, err);
		if (rc < 0)
			return -1;
		if (rc == 0 && !is_going(race))
			break;
		if (rc == 0 && run_round(race, err))
			return -1;
	}
	return 0;
}

static void tell_late(struct race *race)
{
	unsigned open = 0;
	char text[160];

	for (size_t i = 0; i < race->search.count; i++)
		open += race->search.list[i].state == PROSPECT_OPEN;
	if (!race->late || !open)
		return;
	snprintf(text, sizeof(text),
	    "the budget ended before %u trial%s measured that may still win: "
	    "raise --budget",
	    open, open == 1 ? " was" : "s were");
	messages_warn(&race->session->messages, text);
}

int race_run(struct session *session, struct error *err)
{
	const struct request request = race_request(session);
	struct race race = { .session = session,
		.deadline_ns = session->times.deadline_ns };
	int rc = race_init(&race, &request, err);

	if (rc == 0)
		rc = run_race(&race, err);
	for (size_t i = 0; i < race.count; i++)
		rc = race_close(&race, &race.measured[i], rc, err);
	if (rc == 0)
		rc = session_host_relearn_ceilings(session, err);
	if (rc == 0)
		rc = race_store_left_out(&race, err);
	if (rc == 0)
		tell_late(&race);
	race_release(&race);
	return rc;
}
