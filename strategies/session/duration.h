/*
 * duration.h - how many seconds a session and its parts will take, as
 * predicted from the model of its plan.
 */
#ifndef STRATEGIES_SESSION_DURATION_H
#define STRATEGIES_SESSION_DURATION_H

#include <stdint.h>

#include "strategies/forecast/predict.h"

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
/* Preparation, with what earlier strategies of the plan have stored. */
double duration_of_preparation(
    const struct session_plan *plan, const struct strategy *strategy);
/* Preparation, and all trials, each checked and run `runs` times. */
double duration_of_strategy(const struct session_plan *plan,
    const struct strategy *strategy, uint64_t runs);
/* The whole session. */
double duration_of_session(const struct session_plan *plan);

#endif
