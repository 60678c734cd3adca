/* duration.c - see duration.h. */
#include "strategies/session/duration.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "strategies/forecast/reuse.h"
#include "strategies/session/measured_strategy.h"
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

/* ---- preparations ---- */

/* The work that a strategy takes over from earlier ones of the plan. */
struct taken {
	double saved_s;
	bool frames;
};

static void take(const struct session_plan *plan, const struct strategy *of,
    const struct prediction *forecast, const struct strategy *to,
    struct taken *taken)
{
	const struct load load = duration_preparation_load(plan, to);

	if (reuse_gives_samples(plan->pipeline, of, to))
		taken->saved_s = fmax(taken->saved_s,
		    reuse_saves_of_s(plan->model, of, forecast, to, &load));
	taken->frames =
	    taken->frames || reuse_gives_frames(plan->pipeline, of, to);
}

static double preparation_s(
    const struct prediction *own, const struct taken *taken)
{
	return fmax(own->prep_s - taken->saved_s -
	                (taken->frames ? own->prep_encode_s : 0),
	    0);
}

static struct prediction predict_preparation(
    const struct session_plan *plan, const struct strategy *strategy)
{
	const struct load load = duration_preparation_load(plan, strategy);

	return model_predict(plan->model, strategy, &load);
}

/* Adds what `to` takes over from `of`, which is forecast only if it does. */
static void take_from(const struct session_plan *plan,
    const struct strategy *of, const struct strategy *to, struct taken *taken)
{
	struct prediction forecast;

	if (!plan_reuses(plan->plan) ||
	    (!reuse_gives_samples(plan->pipeline, of, to) &&
	        !reuse_gives_frames(plan->pipeline, of, to)))
		return;
	forecast = predict_preparation(plan, of);
	take(plan, of, &forecast, to, taken);
}

double duration_of_preparation(const struct session_plan *plan,
    const struct strategy *strategy, const struct measured_strategy *others,
    size_t count)
{
	const struct prediction own = predict_preparation(plan, strategy);
	struct taken taken = { .saved_s = 0 };

	for (size_t i = 0; i < count; i++)
		if (others[i].data.reader)
			take_from(plan, others[i].strategy, strategy, &taken);
	return preparation_s(&own, &taken);
}

/* ---- strategies ---- */

/* All trials, each checked and run `runs` times. */
static double duration_of_trials(const struct session_plan *plan,
    const struct strategy *strategy, uint64_t runs)
{
	const uint64_t samples =
	    strategy_samples(strategy, plan->source->samples);
	double seconds = 0;

	for (unsigned i = 0; i < plan_mode_count(plan->plan); i++) {
		const struct trial_mode mode = plan_mode(plan->plan, i);
		const struct load load = load_of_mode(samples, &mode);

		seconds +=
		    duration_of_check(plan, strategy, &load) +
		    (double)runs * duration_of_run(plan, strategy, &load);
	}
	return seconds;
}

double duration_of_strategy(const struct session_plan *plan,
    const struct strategy *strategy, uint64_t runs)
{
	const struct prediction own = predict_preparation(plan, strategy);
	const struct strategies *all = plan->strategies;
	struct taken taken = { .saved_s = 0 };

	for (size_t i = 0; i < all->count && &all->list[i] != strategy; i++)
		take_from(plan, &all->list[i], strategy, &taken);
	return preparation_s(&own, &taken) +
	       duration_of_trials(plan, strategy, runs);
}

int duration_of_each(const struct session_plan *plan, uint64_t runs,
    double *seconds, struct error *err)
{
	const struct strategy *list = plan->strategies->list;
	const size_t count = plan->strategies->count;
	struct prediction *forecasts = calloc(count + 1, sizeof(*forecasts));

	if (!forecasts)
		return error_memory(err, (count + 1) * sizeof(*forecasts));
	for (size_t i = 0; i < count; i++) {
		struct taken taken = { .saved_s = 0 };

		forecasts[i] = predict_preparation(plan, &list[i]);
		for (size_t k = 0; k < i && plan_reuses(plan->plan); k++)
			take(plan, &list[k], &forecasts[k], &list[i], &taken);
		seconds[i] = preparation_s(&forecasts[i], &taken) +
		             duration_of_trials(plan, &list[i], runs);
	}
	free(forecasts);
	return 0;
}

int duration_of_session(
    const struct session_plan *plan, double *seconds, struct error *err)
{
	const size_t count = plan->strategies->count;
	double *each = calloc(count + 1, sizeof(*each));
	int rc;

	if (!each)
		return error_memory(err, (count + 1) * sizeof(*each));
	rc = duration_of_each(plan, plan->plan->measure.runs, each, err);
	*seconds = 0;
	for (size_t i = 0; rc == 0 && i < count; i++)
		*seconds += each[i];
	free(each);
	return rc;
}
