/* duration.c - see duration.h. */
#include "strategies/session/duration.h"

#include <math.h>

#include "lib/base/error.h"
#include "strategies/forecast/reuse.h"
#include "strategies/session/session.h"
#include "strategies/trial/trial.h"

struct load duration_preparation_load(
    const struct session_plan *plan, const struct strategy *strategy)
{
	return (struct load){ .samples = strategy_samples(
		                  strategy, plan->source->samples),
		.threads = plan_most_threads(plan->plan),
		.others = plan->model->machine.others };
}

struct load duration_trial_load(const struct trial_plan *trial)
{
	return load_of_mode(trial->reader->samples, &trial->loading.mode);
}

double duration_of_check(const struct session_plan *plan,
    const struct strategy *strategy, const struct load *load)
{
	return model_predict(plan->model, strategy, load).untimed_s;
}

double duration_of_run(const struct session_plan *plan,
    const struct strategy *strategy, const struct load *load)
{
	const struct prediction p = model_predict(plan->model, strategy, load);
	const unsigned epochs = trial_epochs(plan->plan, load->cache);

	if (load->cache == CACHE_NONE)
		return fmax(p.first_epoch_s, plan->plan->measure.min_run_s);
	return fmax(p.first_epoch_s + fmax((epochs - 1) * p.epoch_s,
	                                  plan->plan->measure.min_run_s),
	    TRIAL_WHOLE_RUN * plan->plan->measure.min_run_s);
}

double duration_of_preparation(
    const struct session_plan *plan, const struct strategy *strategy)
{
	const struct strategy *list = plan->strategies->list;
	const struct load load = duration_preparation_load(plan, strategy);
	const struct prediction p = model_predict(plan->model, strategy, &load);
	double saved_s = 0;
	bool has_frames = false;

	for (size_t i = 0; i < plan->strategies->count; i++) {
		if (&list[i] == strategy || !plan_reuses(plan->plan))
			break;
		if (reuse_gives_samples(plan->pipeline, &list[i], strategy))
			saved_s = fmax(saved_s, reuse_saves_s(plan->model,
			                            &list[i], strategy, &load));
		has_frames |=
		    reuse_gives_frames(plan->pipeline, &list[i], strategy);
	}
	return fmax(p.prep_s - saved_s - (has_frames ? p.prep_encode_s : 0), 0);
}

double duration_of_strategy(const struct session_plan *plan,
    const struct strategy *strategy, uint64_t runs)
{
	const uint64_t samples =
	    strategy_samples(strategy, plan->source->samples);
	double seconds = duration_of_preparation(plan, strategy);

	for (unsigned i = 0; i < plan_mode_count(plan->plan); i++) {
		const struct trial_mode mode = plan_mode(plan->plan, i);
		const struct load load = load_of_mode(samples, &mode);

		seconds +=
		    duration_of_check(plan, strategy, &load) +
		    (double)runs * duration_of_run(plan, strategy, &load);
	}
	return seconds;
}

double duration_of_session(const struct session_plan *plan)
{
	double seconds = 0;

	for (size_t i = 0; i < plan->strategies->count; i++)
		seconds += duration_of_strategy(
		    plan, &plan->strategies->list[i], plan->plan->measure.runs);
	return seconds;
}
