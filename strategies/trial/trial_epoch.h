/*
 * trial_epoch.h - one epoch of a trial: from its loaders, whichever of them
 * deliver.
 */
#ifndef STRATEGIES_TRIAL_TRIAL_EPOCH_H
#define STRATEGIES_TRIAL_TRIAL_EPOCH_H

#include <stdint.h>

struct error;
struct run_row;
struct trial_load;
struct trial_plan;
struct trial_result;

/*
 * Runs the untimed epoch, traced and hashed, into the result.  An application
 * cache is filled before.
 */
int trial_epoch_traced(const struct trial_plan *plan, struct trial_load *load,
    struct trial_result *result, struct error *err);
/*
 * Delivers epoch `number`; its time counts from `start`.  Epoch 1 of a run
 * fills the application cache first.
 */
int trial_epoch_deliver(const struct trial_plan *plan, struct trial_load *load,
    uint32_t number, uint64_t start, struct run_row *row, struct error *err);

/* Samples that the last epoch left out: that failed, and that filters dropped.
 */
uint64_t trial_epoch_skipped(const struct trial_load *load);
uint64_t trial_epoch_filtered(const struct trial_load *load);
/* ERROR_INTERRUPTED if the session is to end. */
int trial_epoch_stopped(const struct trial_plan *plan, struct error *err);

#endif
