/*
 * duration.c - see session_state.h: what a session will take, as predicted.
 */
#include "lib/base/error.h"
#include "strategies/forecast/reuse.h"
#include "strategies/session/session_state.h"
#include "strategies/session/trial.h"

double session_check_seconds(const struct session_plan *plan,
    const struct strategy *strategy, const struct load *load)
{
	return model_predict(plan->model, strategy, load).untimed_s;
}

static double larger(double a, double b)
{
	return a > b ? a : b;
}

double session_run_seconds(const struct session_plan *plan,
    const struct strategy *strategy, const struct load *load)
{
	const struct prediction p = model_predict(plan->model, strategy, load);
	const unsigned epochs = trial_epochs(plan->plan, load->cache);

	if (load->cache == CACHE_NONE)
		return larger(p.first_epoch_s, plan->plan->measure.min_run_s);
	return larger(p.first_epoch_s + larger((epochs - 1) * p.epoch_s,
	                                    plan->plan->measure.min_run_s),
	    TRIAL_WHOLE_RUN * plan->plan->measure.min_run_s);
}

double session_prepare_seconds(
    const struct session_plan *plan, const struct strategy *strategy)
{
	const struct strategy *list = plan->strategies->list;
	const struct load load = { .samples = plan->source->samples,
		.threads = plan_most_threads(plan->plan) };
	const struct prediction p = model_predict(plan->model, strategy, &load);
	double saved_s = 0;
	bool has_frames = false;

	for (size_t i = 0; i < plan->strategies->count; i++) {
		if (&list[i] == strategy || !plan_reuses(plan->plan))
			break;
		if (reuse_gives_samples(&list[i], strategy))
			saved_s =
			    larger(saved_s, reuse_saves_s(plan->model, &list[i],
			                        strategy, &load));
		has_frames |=
		    reuse_gives_frames(plan->pipeline, &list[i], strategy);
	}
	return larger(
	    p.prep_s - saved_s - (has_frames ? p.prep_encode_s : 0), 0);
}

double session_strategy_seconds(const struct session_plan *plan,
    const struct strategy *strategy, uint64_t runs)
{
	struct load load = { .samples = plan->source->samples,
		.threads = plan_most_threads(plan->plan) };
	struct error ignored = ERROR_INIT;
	double seconds = session_prepare_seconds(plan, strategy);

	for (unsigned t = 0; t < plan->plan->load.thread_count; t++)
		for (unsigned c = 0; c < plan->plan->load.cache_count; c++) {
			load.threads = plan->plan->load.threads[t];
			load.cache = plan->plan->load.caches[c];
			if (load.cache == CACHE_APPLICATION &&
			    model_check_cache(
			        plan->model, load.samples, &ignored))
				continue; /* it will be skipped */
			seconds +=
			    session_check_seconds(plan, strategy, &load) +
			    (double)runs *
			        session_run_seconds(plan, strategy, &load);
		}
	return seconds;
}

double session_seconds(const struct session_plan *plan)
{
	double seconds = 0;

	for (size_t i = 0; i < plan->strategies->count; i++)
		seconds += session_strategy_seconds(
		    plan, &plan->strategies->list[i], plan->plan->measure.runs);
	return seconds;
}
