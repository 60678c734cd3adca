/*
 * equivalence.h - does a strategy deliver the same samples as unprocessed?
 *
 * Each trial is checked: the output of an untimed epoch is hashed and compared
 * (outputs.h).  One trial of a strategy delivers all of its samples there: the
 * first one with the most threads, or with the most that fit into memory.  In
 * the others, a part of a long epoch is enough.
 *
 * Where hashing the stored samples takes less than running the steps, these
 * hashes are compared with those of a verified strategy (stored_hashes.h).  A
 * strategy with the frames of a verified one is compared by frames (frames.h).
 * Then a part of the output is enough in each trial.  `measure.verify = all`
 * compares all of the output in all trials.
 *
 * The evidence is stored, in preparation.verified:
 *	all	the output of all samples was compared
 *	part	all stored samples, and the output of a part of them
 *	stored	the stored samples only: that part delivered none
 */
#ifndef STRATEGIES_SESSION_EQUIVALENCE_H
#define STRATEGIES_SESSION_EQUIVALENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "strategies/plan/plan.h"

struct error;
struct measured_strategy;
struct trial;

/* Sets `proven` if a verified one of `others` has the same online input. */
int equivalence_prove(struct measured_strategy *measured,
    struct measured_strategy *others, size_t count, struct error *err);
/* Is all of the output to be compared in a trial with so many threads? */
bool equivalence_wants_all(
    const struct measured_strategy *measured, unsigned threads);
/*
 * Finds the trial, of the strategy whose frames this one has, that loads in the
 * same way: its partial epochs are those of this trial, too.  NULL when there
 * is none, and where an epoch, of `epoch_s` seconds, is short.
 */
const struct trial *equivalence_find_like(
    const struct measured_strategy *measured, struct trial_mode mode,
    double epoch_s);
/*
 * Compares the output of a checked trial with that of unprocessed, and stores
 * the result.  The first trial of unprocessed gives the output to compare with.
 */
int equivalence_note(
    struct measured_strategy *measured, struct trial *trial, struct error *err);

#endif
