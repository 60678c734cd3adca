/*
 * missing_trials.h - the trials of a strategy that are not in the database yet,
 * and notes of those that are not made, with the reason.
 */
#ifndef STRATEGIES_SESSION_MISSING_TRIALS_H
#define STRATEGIES_SESSION_MISSING_TRIALS_H

#include "strategies/plan/plan.h"

struct error;
struct measured_strategy;

/*
 * 1: the trial is to be measured, and the search, if there is one, has picked
 * it; 0: it is not; or -1.
 */
int missing_trial(struct measured_strategy *measured, struct trial_mode mode,
    struct error *err);
/* 1: the trial is possible, and not in the database; 0: it is not; or -1. */
int missing_trial_is_left(struct measured_strategy *measured,
    struct trial_mode mode, struct error *err);
/* How many trials are missing; or -1. */
int missing_trials_count(struct measured_strategy *measured, struct error *err);

/* Notes a trial that is not made, if it is missing, picked or not, and why. */
int missing_trial_note(struct measured_strategy *measured,
    struct trial_mode mode, enum trial_state state, const char *why,
    struct error *err);
/* Notes all that are missing, and warns; `err` says why. */
int missing_trials_note(struct measured_strategy *measured,
    enum trial_state state, struct error *err);

/*
 * Skips trials with the application cache at the place of `mode`, whatever the
 * threads.
 */
int missing_trials_skip_application(struct measured_strategy *measured,
    struct trial_mode mode, struct error *err);
/* Skips trials that are sure not to fit into memory. */
int missing_trials_check_memory(
    struct measured_strategy *measured, struct error *err);

#endif
