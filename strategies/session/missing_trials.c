/* missing_trials.c - see missing_trials.h. */
#include "strategies/session/missing_trials.h"

#include <stdio.h>

#include "lib/base/error.h"
#include "strategies/session/measured_strategy.h"
#include "strategies/session/session_state.h"
#include "strategies/session/trial_record.h"

/* The mark of a trial of the plan. */
static bool *no_room(
    struct measured_strategy *measured, unsigned threads, enum cache_mode cache)
{
	const struct plan *plan = measured->session->plan->plan;
	unsigned t = 0;

	while (
	    t + 1 < plan->load.thread_count && plan->load.threads[t] != threads)
		t++;
	return &measured->no_room[t][cache];
}

int missing_trial(struct measured_strategy *measured, unsigned threads,
    enum cache_mode cache, struct error *err)
{
	int has;

	if ((measured->too_large && cache == CACHE_APPLICATION) ||
	    *no_room(measured, threads, cache))
		return 0;
	has =
	    results_has_trial(measured->session->results, measured->session->id,
	        measured->strategy->label, threads, cache, err);
	return has < 0 ? -1 : !has;
}

int missing_trial_note(struct measured_strategy *measured, unsigned threads,
    enum cache_mode cache, enum trial_state state, const char *why,
    struct error *err)
{
	const int missing = missing_trial(measured, threads, cache, err);

	if (missing <= 0)
		return missing;
	return trial_record_store_unmade(
	    measured, threads, cache, state, why, err);
}

int missing_trials_skip_application(
    struct measured_strategy *measured, struct error *err)
{
	const struct plan *plan = measured->session->plan->plan;
	const struct error why = *err;

	messages_pass_over(&measured->session->messages,
	    "skipped cache application of", measured->strategy->label, &why);
	for (unsigned t = 0; t < plan->load.thread_count; t++)
		if (missing_trial_note(measured, plan->load.threads[t],
		        CACHE_APPLICATION, TRIAL_SKIPPED, why.text, err))
			return -1;
	measured->too_large = true;
	return 0;
}

/* Skips a trial that needs more memory than there is. */
static int skip_load(struct measured_strategy *measured, unsigned threads,
    enum cache_mode cache, struct error *err)
{
	const struct error why = *err;
	char label[RESULTS_LABEL + 64];

	snprintf(label, sizeof(label), "%s, %u thread%s, cache %s",
	    measured->strategy->label, threads, threads == 1 ? "" : "s",
	    cache_name(cache));
	messages_pass_over(
	    &measured->session->messages, "skipped", label, &why);
	if (missing_trial_note(
	        measured, threads, cache, TRIAL_SKIPPED, why.text, err))
		return -1;
	*no_room(measured, threads, cache) = true;
	return 0;
}

/* Skips all trials that memory is too small for. */
static int check_loads(struct measured_strategy *measured, struct error *err)
{
	const struct plan *plan = measured->session->plan->plan;

	for (unsigned t = 0; t < plan->load.thread_count; t++)
		for (unsigned k = 0; k < plan->load.cache_count; k++) {
			const unsigned threads = plan->load.threads[t];
			const enum cache_mode cache = plan->load.caches[k];
			const int missing =
			    missing_trial(measured, threads, cache, err);

			if (missing < 0 ||
			    (missing &&
			        memory_room_check_load(
			            measured, threads, cache, err) &&
			        skip_load(measured, threads, cache, err)))
				return -1;
		}
	return 0;
}

/* Skips trials whose application cache is sure to be too small. */
static int check_cache(struct measured_strategy *measured, struct error *err)
{
	const struct session_plan *plan = measured->session->plan;
	int missing = 0;

	for (unsigned t = 0; missing == 0 && t < plan->plan->load.thread_count;
	     t++)
		for (unsigned k = 0; k < plan->plan->load.cache_count; k++)
			if (plan->plan->load.caches[k] == CACHE_APPLICATION)
				missing = missing_trial(measured,
				    plan->plan->load.threads[t],
				    CACHE_APPLICATION, err);
	if (missing <= 0)
		return missing;
	if (model_check_cache(plan->model, plan->source->samples, err) == 0)
		return 0;
	return missing_trials_skip_application(measured, err);
}

int missing_trials_count(struct measured_strategy *measured, struct error *err)
{
	const struct plan *plan = measured->session->plan->plan;
	int count = 0;

	for (unsigned t = 0; t < plan->load.thread_count; t++)
		for (unsigned k = 0; k < plan->load.cache_count; k++) {
			const int missing = missing_trial(measured,
			    plan->load.threads[t], plan->load.caches[k], err);

			if (missing < 0)
				return -1;
			count += missing;
		}
	return count;
}

int missing_trials_note(struct measured_strategy *measured,
    enum trial_state state, struct error *err)
{
	const struct plan *plan = measured->session->plan->plan;
	const struct error why = *err;

	messages_pass_over(&measured->session->messages,
	    state == TRIAL_SKIPPED ? "skipped" : "failed",
	    measured->strategy->label, &why);
	for (unsigned t = 0; t < plan->load.thread_count; t++)
		for (unsigned k = 0; k < plan->load.cache_count; k++)
			if (missing_trial_note(measured, plan->load.threads[t],
			        plan->load.caches[k], state, why.text, err))
				return -1;
	return 0;
}

int missing_trials_check_memory(
    struct measured_strategy *measured, struct error *err)
{
	return check_cache(measured, err) || check_loads(measured, err) ? -1
	                                                                : 0;
}
