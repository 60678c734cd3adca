/*
 * bottleneck.h - one word for what holds a trial back, and its evidence
 * (doc/design.md 6.5):
 *	cpu:STEP      71 %              the cores are busy, most of all with it
 *	codec:NAME    64 %              ... with decompression
 *	memory        58 %              ... with moving bytes
 *	storage       93 % of 910 MB/s  the bytes do not come faster
 *	latency       90 % of 9853 IOPS the storage answers too late
 *	harness       47 %              none of it: the loader itself
 * A percentage alone is of the CPU time.  A trial that reads clearly faster
 * than the ceiling that was measured shows that this was too low; its evidence
 * is then its own rate: "40.3 MB/s, ceiling too low".
 *
 * The timed runs tell whether the cores were busy, the traced pass what with,
 * and the differential check (partial_epochs.h) whether it mattered.
 */
#ifndef STRATEGIES_SESSION_BOTTLENECK_H
#define STRATEGIES_SESSION_BOTTLENECK_H

#include "strategies/session/trial.h"

struct ceilings;

/* "storage, 93 % of 910 MB/s": word and evidence, which may be "". */
enum { BOTTLENECK_TEXT = 2 * RESULTS_WORD + 2 };
const char *bottleneck_text(
    const char *word, const char *evidence, char text[BOTTLENECK_TEXT]);

/* Does the evidence say that the trial passed its ceiling? */
bool bottleneck_is_too_low(const char *evidence);
/* Is it a share of what the storage can give? */
bool bottleneck_is_share(const char *evidence);

struct bottleneck {
	char word[RESULTS_WORD];
	char evidence[RESULTS_WORD];
};

/*
 * `cores`: that this process may use; `ceilings` of the storage, NULL or empty
 * when not known.  Of the levels that are known, EXTENT_ALL too is of use.
 */
void bottleneck_find(const struct trial_plan *plan,
    const struct trial_result *result, unsigned cores,
    const struct ceilings *ceilings, struct bottleneck *found);
/* How many times a cold trial is faster than its ceiling; 0: it is not. */
double bottleneck_passes(const struct trial_plan *plan,
    const struct trial_result *result, unsigned cores,
    const struct ceilings *ceilings);

#endif
