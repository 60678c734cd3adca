/*
 * generated_session.h - a session in memory, as lib/db reads it, whose runs
 * have generated rates.
 */
#ifndef TEST_SIMULATE_GENERATED_SESSION_H
#define TEST_SIMULATE_GENERATED_SESSION_H

#include <stddef.h>

#include "lib/db/measured.h"

struct noisy_machine;

/*
 * Draws the rates of the runs of a session: rates[trial * rounds + round], in
 * samples/s, and what the trials of a round have in common: common[round].
 * Every trial has `truth` samples/s without noise.
 */
void generated_rates(struct noisy_machine *machine, double truth, size_t trials,
    size_t rounds, double *rates, double *common);

/*
 * Makes a session of these runs.  Trials are numbered from 1; each is another
 * strategy, the first one unprocessed, with one thread and no cache, so every
 * run has one epoch.  What another section needs, it sets itself.  Release it
 * with measured_release.
 */
struct measured_session generated_session(
    const double *rates, size_t trials, size_t rounds);

#endif
