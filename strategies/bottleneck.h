/*
 * bottleneck.h - one word for what holds a trial back (DESIGN 6.5), and its
 * evidence:
 *	cpu:STEP      71 %              the cores are busy, most of all with it
 *	codec:NAME    64 %              ... with decompression
 *	memory        58 %              ... with moving bytes
 *	storage       0.93 of 910 MB/s  the bytes do not come faster
 *	latency       0.9 of 9853 IOPS  the storage answers too late
 *	harness       47 %              none of it: the loader itself
 * A percentage is of the CPU time.
 *
 * The timed runs tell whether the cores were busy, the traced pass what with,
 * and the differential check (levels.h) whether it mattered.
 */
#ifndef STRATEGIES_BOTTLENECK_H
#define STRATEGIES_BOTTLENECK_H

#include "strategies/trial.h"

struct ceilings;

struct bottleneck {
	char word[RESULTS_WORD];
	char evidence[RESULTS_WORD];
};

/*
 * `cores`: that this process may use; `ceilings` of the storage, NULL or empty
 * when not known.  Of the levels that are known, LEVEL_ALL too is of use.
 */
void bottleneck_find(const struct trial_plan *plan,
    const struct trial_result *result, unsigned cores,
    const struct ceilings *ceilings, struct bottleneck *found);

#endif
