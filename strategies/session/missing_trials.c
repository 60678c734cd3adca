/*
 * missing_trials.c - see measured_strategy.h: which trials of a strategy are
 * missing in the database, and those that are not made, with the reason.
 */
#include <stdio.h>

#include "lib/base/error.h"
#include "strategies/session/measured_strategy.h"

/* Of a trial of the plan. */
static bool *no_room(struct subject *c, unsigned threads, enum cache_mode cache)
{
	const struct plan *plan = c->session->plan->plan;
	unsigned t = 0;

	while (
	    t + 1 < plan->load.thread_count && plan->load.threads[t] != threads)
		t++;
	return &c->no_room[t][cache];
}

/* 1: not in the database yet, and to be measured; 0, or -1. */
int subject_misses(struct subject *c, unsigned threads, enum cache_mode cache,
    struct error *err)
{
	int has;

	if ((c->too_large && cache == CACHE_APPLICATION) ||
	    *no_room(c, threads, cache))
		return 0;
	has = results_has_trial(c->session->results, c->session->id,
	    c->strategy->label, threads, cache, err);
	return has < 0 ? -1 : !has;
}

int subject_note_trial(struct subject *c, unsigned threads,
    enum cache_mode cache, enum trial_state state, const char *why,
    struct error *err)
{
	const struct trial_row row = {
		.threads = threads,
		.cache = cache,
		.state = state,
		.message = why,
		.bottleneck = "",
	};
	const int missing = subject_misses(c, threads, cache, err);

	if (missing <= 0)
		return missing;
	return session_add_trial(c->session, c->id, &row, err);
}

/* Trials with the application cache are skipped, whatever the threads. */
int subject_skip_application(struct subject *c, struct error *err)
{
	const struct plan *plan = c->session->plan->plan;
	const struct error why = *err;

	session_pass_over(c->session, "skipped cache application of",
	    c->strategy->label, &why);
	for (unsigned t = 0; t < plan->load.thread_count; t++)
		if (subject_note_trial(c, plan->load.threads[t],
		        CACHE_APPLICATION, TRIAL_SKIPPED, why.text, err))
			return -1;
	c->too_large = true;
	return 0;
}

/* One trial is skipped, since it needs more memory than there is. */
static int skip_load(struct subject *c, unsigned threads, enum cache_mode cache,
    struct error *err)
{
	const struct error why = *err;
	char label[RESULTS_LABEL + 64];

	snprintf(label, sizeof(label), "%s, %u thread%s, cache %s",
	    c->strategy->label, threads, threads == 1 ? "" : "s",
	    cache_name(cache));
	session_pass_over(c->session, "skipped", label, &why);
	if (subject_note_trial(c, threads, cache, TRIAL_SKIPPED, why.text, err))
		return -1;
	*no_room(c, threads, cache) = true;
	return 0;
}

/* Those that memory is too small for. */
static int check_loads(struct subject *c, struct error *err)
{
	const struct plan *plan = c->session->plan->plan;

	for (unsigned t = 0; t < plan->load.thread_count; t++)
		for (unsigned k = 0; k < plan->load.cache_count; k++) {
			const unsigned threads = plan->load.threads[t];
			const enum cache_mode cache = plan->load.caches[k];
			const int missing =
			    subject_misses(c, threads, cache, err);

			if (missing < 0 ||
			    (missing &&
			        subject_check_load(c, threads, cache, err) &&
			        skip_load(c, threads, cache, err)))
				return -1;
		}
	return 0;
}

/* Those that are sure not to fit are skipped before anything is done. */
static int check_cache(struct subject *c, struct error *err)
{
	const struct session_plan *plan = c->session->plan;
	int missing = 0;

	for (unsigned t = 0; missing == 0 && t < plan->plan->load.thread_count;
	     t++)
		for (unsigned k = 0; k < plan->plan->load.cache_count; k++)
			if (plan->plan->load.caches[k] == CACHE_APPLICATION)
				missing = subject_misses(c,
				    plan->plan->load.threads[t],
				    CACHE_APPLICATION, err);
	if (missing <= 0)
		return missing;
	if (model_check_cache(plan->model, plan->source->samples, err) == 0)
		return 0;
	return subject_skip_application(c, err);
}

/* Trials of the strategy that are not in the database; -1 on error. */
int subject_count_missing(struct subject *c, struct error *err)
{
	const struct plan *plan = c->session->plan->plan;
	int count = 0;

	for (unsigned t = 0; t < plan->load.thread_count; t++)
		for (unsigned k = 0; k < plan->load.cache_count; k++) {
			const int missing = subject_misses(c,
			    plan->load.threads[t], plan->load.caches[k], err);

			if (missing < 0)
				return -1;
			count += missing;
		}
	return count;
}

/* The trials that are missing are noted as skipped, or failed, and why. */
int subject_note_trials(
    struct subject *c, enum trial_state state, struct error *err)
{
	const struct plan *plan = c->session->plan->plan;
	const struct error why = *err;

	session_pass_over(c->session,
	    state == TRIAL_SKIPPED ? "skipped" : "failed", c->strategy->label,
	    &why);
	for (unsigned t = 0; t < plan->load.thread_count; t++)
		for (unsigned k = 0; k < plan->load.cache_count; k++)
			if (subject_note_trial(c, plan->load.threads[t],
			        plan->load.caches[k], state, why.text, err))
				return -1;
	return 0;
}

int subject_check_memory(struct subject *c, struct error *err)
{
	return check_cache(c, err) || check_loads(c, err) ? -1 : 0;
}
