/* missing_trials.c - see missing_trials.h. */
#include "strategies/session/missing_trials.h"

#include <stdio.h>

#include "lib/base/error.h"
#include "lib/db/results_read.h"
#include "strategies/forecast/cache_place.h"
#include "strategies/search/search.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/session_state.h"
#include "strategies/session/trial_record.h"
#include "strategies/trial/user_loader.h"

static const struct plan *plan_of(const struct measured_strategy *measured)
{
	return measured->session->plan->plan;
}

/* The mark of a trial of the plan. */
static bool *no_room(struct measured_strategy *measured, struct trial_mode mode)
{
	return &measured->no_room[mode.number];
}

static unsigned cached_at(
    const struct measured_strategy *measured, const struct trial_mode *mode)
{
	const struct load load =
	    load_of_mode(measured->source->reader->samples, mode);

	return cache_place_of(
	    measured->session->plan->model, measured->strategy, &load)
	    .at;
}

/* Does an earlier mode of the plan keep the same in the application cache? */
static bool is_repeated(
    const struct measured_strategy *measured, struct trial_mode mode)
{
	const struct plan *plan = plan_of(measured);

	if (mode.cache != CACHE_APPLICATION)
		return false;
	for (unsigned i = mode.number; i-- > 0;) {
		struct trial_mode other = plan_mode(plan, i);

		if (other.cache != CACHE_APPLICATION ||
		    other.threads != mode.threads ||
		    other.fetchers != mode.fetchers ||
		    other.read_ahead != mode.read_ahead ||
		    other.shuffle != mode.shuffle || other.batch != mode.batch)
			continue;
		if (cached_at(measured, &other) == cached_at(measured, &mode))
			return true;
	}
	return false;
}

/*
 * The user's own loader has no cache of presto's.  Without a parameter for the
 * number of threads, it is the same with any.
 */
static bool is_possible(
    const struct measured_strategy *measured, struct trial_mode mode)
{
	const struct session *session = measured->session;

	if (is_repeated(measured, mode))
		return false;
	/* Data that a strategy has stored is on the local disk already. */
	if (mode.cache == CACHE_DISK &&
	    (!measured->strategy->unprocessed || measured->strategy->yours))
		return false;
	return !measured->strategy->yours ||
	       (mode.cache != CACHE_APPLICATION &&
	           (session->plan->user_loader->takes_threads ||
	               mode.threads == session->threads));
}

int missing_trial_is_left(struct measured_strategy *measured,
    struct trial_mode mode, struct error *err)
{
	struct trial_row load = { .state = TRIAL_DONE };
	int has;

	if (*no_room(measured, mode) || !is_possible(measured, mode))
		return 0;
	trial_record_set_load(measured, &mode, &load);
	has = results_has_trial(
	    measured->session->results, measured->id, &load, err);
	return has < 0 ? -1 : !has;
}

int missing_trial(struct measured_strategy *measured, struct trial_mode mode,
    struct error *err)
{
	const struct search *search = measured->session->search;

	if (search && !search_wants(search, measured->strategy, mode))
		return 0;
	return missing_trial_is_left(measured, mode, err);
}

int missing_trial_note(struct measured_strategy *measured,
    struct trial_mode mode, enum trial_state state, const char *why,
    struct error *err)
{
	const int missing = missing_trial_is_left(measured, mode, err);

	if (missing <= 0)
		return missing;
	return trial_record_store_unmade(measured, mode, state, why, err);
}

/* Notes that a trial is skipped for want of memory, and does not try again. */
static int skip(struct measured_strategy *measured, struct trial_mode mode,
    const char *why, struct error *err)
{
	if (missing_trial_note(measured, mode, TRIAL_SKIPPED, why, err))
		return -1;
	*no_room(measured, mode) = true;
	return 0;
}

int missing_trials_skip_application(struct measured_strategy *measured,
    struct trial_mode wanted, struct error *err)
{
	const struct plan *plan = plan_of(measured);
	const struct error why = *err;

	messages_pass_over(&measured->session->messages,
	    "skipped cache application of", measured->strategy->label, &why);
	for (unsigned i = 0; i < plan_mode_count(plan); i++) {
		const struct trial_mode mode = plan_mode(plan, i);

		if (mode.cache == CACHE_APPLICATION &&
		    mode.place == wanted.place &&
		    skip(measured, mode, why.text, err))
			return -1;
	}
	return 0;
}

/* Skips a trial that needs more memory than there is; `err` says so. */
static int skip_load(struct measured_strategy *measured, struct trial_mode mode,
    struct error *err)
{
	const struct error why = *err;
	char title[STRATEGY_TITLE], words[PLAN_MODE_WORDS];
	char label[STRATEGY_TITLE + PLAN_MODE_WORDS];

	snprintf(label, sizeof(label), "%s, %s",
	    strategy_title(measured->strategy, title),
	    plan_mode_words(plan_of(measured), mode, words));
	messages_pass_over(
	    &measured->session->messages, "skipped", label, &why);
	return skip(measured, mode, why.text, err);
}

/* Skips a missing trial, and trials with the same cache, for want of memory. */
static int check_mode(struct measured_strategy *measured,
    struct trial_mode mode, struct error *err)
{
	const int missing = missing_trial(measured, mode, err);

	if (missing <= 0)
		return missing;
	return memory_room_check_load(measured, mode, err)
	           ? skip_load(measured, mode, err)
	           : 0;
}

int missing_trials_check_memory(
    struct measured_strategy *measured, struct error *err)
{
	const struct plan *plan = plan_of(measured);

	for (unsigned i = 0; i < plan_mode_count(plan); i++)
		if (check_mode(measured, plan_mode(plan, i), err))
			return -1;
	return 0;
}

int missing_trials_count(struct measured_strategy *measured, struct error *err)
{
	const struct plan *plan = plan_of(measured);
	int count = 0;

	for (unsigned i = 0; i < plan_mode_count(plan); i++) {
		const int missing =
		    missing_trial(measured, plan_mode(plan, i), err);

		if (missing < 0)
			return -1;
		count += missing;
	}
	return count;
}

int missing_trials_note(struct measured_strategy *measured,
    enum trial_state state, struct error *err)
{
	const struct plan *plan = plan_of(measured);
	const struct error why = *err;

	messages_pass_over(&measured->session->messages,
	    state == TRIAL_SKIPPED ? "skipped" : "failed",
	    measured->strategy->label, &why);
	for (unsigned i = 0; i < plan_mode_count(plan); i++)
		if (missing_trial_note(
		        measured, plan_mode(plan, i), state, why.text, err))
			return -1;
	return 0;
}
