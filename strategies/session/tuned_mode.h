/*
 * tuned_mode.h - tries loads of a strategy for the numbers that the plan leaves
 * to `auto` (tuning.h).
 *
 * A load is short: a part of the samples where an epoch is long, read as the
 * trial will read them, cold or warm.  The fastest of a few counts.  With the
 * application cache it is a run of the trial, since the cache is filled first.
 */
#ifndef STRATEGIES_SESSION_TUNED_MODE_H
#define STRATEGIES_SESSION_TUNED_MODE_H

struct error;
struct measured_strategy;
struct trial_mode;
struct trial_plan;

/* Finds the mode for a trial that is planned so, in about a second. */
int tuned_mode_find(struct measured_strategy *measured,
    const struct trial_plan *trial, struct trial_mode *mode, struct error *err);

#endif
