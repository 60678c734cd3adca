/*
 * bottleneck.h - one word for what holds a trial back (DESIGN 6.5):
 *	cpu:STEP      the cores are busy, most of all with this step
 *	codec:NAME    ... with decompression
 *	memory        ... with moving bytes
 *	storage       the bytes do not come faster
 *	latency       an emulated storage answers too late
 *	harness       none of it: the loader itself
 */
#ifndef STRATEGIES_BOTTLENECK_H
#define STRATEGIES_BOTTLENECK_H

#include "strategies/trial.h"

/* `cores`: that this process may use.  `word` gets it. */
void bottleneck_find(const struct trial_plan *plan,
    const struct trial_result *result, unsigned cores, char word[RESULTS_WORD]);

#endif
