/* trial_record.h - the rows of a trial in the result database. */
#ifndef STRATEGIES_SESSION_TRIAL_RECORD_H
#define STRATEGIES_SESSION_TRIAL_RECORD_H

#include "strategies/plan/plan.h"

struct error;
struct measured_strategy;
struct prospect;
struct trial;
struct trial_row;

/* Sets what tells trials of a strategy apart; texts belong to the pipeline. */
void trial_record_set_load(const struct measured_strategy *measured,
    const struct trial_mode *mode, struct trial_row *row);
/*
 * Stores the runs so far; `ended`: why there are no more, NULL if there may be.
 * Events of the traced epoch are stored when it has ended.
 */
int trial_record_store(const struct measured_strategy *measured,
    struct trial *trial, const char *ended, struct error *err);
/* Stores a trial that was not made: its state, and why. */
int trial_record_store_unmade(const struct measured_strategy *measured,
    struct trial_mode mode, enum trial_state state, const char *why,
    struct error *err);
/* Stores a trial that the search left out: its forecast, its bound, and why. */
int trial_record_store_left_out(const struct measured_strategy *measured,
    const struct prospect *prospect, struct error *err);

#endif
