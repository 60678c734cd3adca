/*
 * trial_record.h - what the traced pass found, as rows for the database.
 */
#ifndef STRATEGIES_SESSION_TRIAL_RECORD_H
#define STRATEGIES_SESSION_TRIAL_RECORD_H

#include "strategies/session/trial.h"

enum { TRIAL_STEP_ROWS = PIPELINE_STEPS + 3 };

/*
 * Unpacking, parsing, the steps that run online, and copying; how many rows.
 * Texts are borrowed from the plan.
 */
size_t trial_step_rows(const struct trial_plan *trial,
    const struct trial_result *result, struct step_row rows[TRIAL_STEP_ROWS]);

#endif
