/*
 * duration.h - how many seconds a session and its parts will take, as
 * predicted from the model of its plan.
 */
#ifndef STRATEGIES_SESSION_DURATION_H
#define STRATEGIES_SESSION_DURATION_H

#include <stddef.h>
#include <stdint.h>

#include "strategies/forecast/predict.h"

struct error;
struct measured_strategy;
struct session_plan;
struct strategy;
struct trial_plan;

/* How a preparation loads: its samples, with the most threads of the plan. */
struct load duration_preparation_load(
    const struct session_plan *plan, const struct strategy *strategy);
/* How a trial loads. */
struct load duration_trial_load(const struct trial_plan *trial);

/* The untimed epochs of a trial. */
double duration_of_check(const struct session_plan *plan,
    const struct strategy *strategy, const struct load *load);
/* One run of a trial. */
double duration_of_run(const struct session_plan *plan,
    const struct strategy *strategy, const struct load *load);
/* Preparation, with what those of the others have stored that are open. */
double duration_of_preparation(const struct session_plan *plan,
    const struct strategy *strategy, const struct measured_strategy *others,
    size_t count);
/*
 * Preparation, with what earlier strategies of the plan have stored, and all
 * trials, each checked and run `runs` times.  The strategy is one of the plan.
 */
double duration_of_strategy(const struct session_plan *plan,
    const struct strategy *strategy, uint64_t runs);
/*
 * The same for each strategy of the plan: seconds[strategies].  Each is
 * forecast once, however many others may take over its data.
 */
int duration_of_each(const struct session_plan *plan, uint64_t runs,
    double *seconds, struct error *err);
/* The whole session. */
int duration_of_session(
    const struct session_plan *plan, double *seconds, struct error *err);

#endif
