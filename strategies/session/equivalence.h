/*
 * equivalence.h - does a strategy deliver the same samples as unprocessed?
 *
 * Its output is hashed and compared (outputs.h).  Where hashing its stored
 * samples takes less than running the steps, these hashes are compared with
 * those of a verified strategy instead (stored_hashes.h), and only a part of
 * the output is hashed.
 */
#ifndef STRATEGIES_SESSION_EQUIVALENCE_H
#define STRATEGIES_SESSION_EQUIVALENCE_H

#include <stddef.h>

#include "strategies/plan/plan.h"

struct error;
struct measured_strategy;
struct trial;

/* Sets `proven` if a verified one of `others` has the same online input. */
int equivalence_prove(struct measured_strategy *measured,
    struct measured_strategy *others, size_t count, struct error *err);
/*
 * Finds the trial, of the strategy whose frames this one has, that loads in the
 * same way.  NULL when there is none, and where an epoch, of `epoch_s` seconds,
 * is short: buffers grow during the check, which would count in its first run.
 */
const struct trial *equivalence_find_like(
    const struct measured_strategy *measured, struct trial_mode mode,
    double epoch_s);
/*
 * Compares the output of a checked trial with that of unprocessed, if it was
 * hashed, and stores the result.
 */
int equivalence_note(
    struct measured_strategy *measured, struct trial *trial, struct error *err);

#endif
