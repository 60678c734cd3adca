/*
 * bottleneck.h - names the bottleneck of a trial in one word, with its evidence
 * (doc/design.md 6.5):
 *	cpu:STEP      71 %              the cores are busy, mostly with STEP
 *	codec:NAME    64 %              they are busy with decompression
 *	memory        58 %              they are busy moving bytes
 *	storage       93 % of 910 MB/s  bytes do not arrive faster
 *	latency       90 % of 9853 IOPS requests are answered too slowly
 *	harness       47 %              none of these: the loader itself
 * A percentage alone is a fraction of the CPU time.  The others are fractions
 * of the most that was seen of the storage (ceilings.h), this trial included:
 * none is above 100 %.  The view v_evidence holds the fractions of all trials
 * of a session against the fastest of them.
 *
 * Timed runs tell whether the cores were busy; the traced epoch tells with
 * what; partial epochs (partial_epochs.h) tell whether it mattered.
 */
#ifndef STRATEGIES_TRIAL_BOTTLENECK_H
#define STRATEGIES_TRIAL_BOTTLENECK_H

#include "strategies/forecast/models/ceilings.h"
#include "strategies/trial/trial.h"

/* Writes "storage, 93 % of 910 MB/s" from word and evidence (may be ""). */
enum { BOTTLENECK_TEXT = 2 * RESULTS_WORD + 2 };
const char *bottleneck_text(
    const char *word, const char *evidence, char text[BOTTLENECK_TEXT]);

/* Is the evidence a fraction of what the storage can give? */
bool bottleneck_is_fraction(const char *evidence);

struct bottleneck {
	char word[RESULTS_WORD];
	char evidence[RESULTS_WORD];
};

/*
 * Finds the bottleneck; "" for the user's own loader, which nobody traces.
 * `cores`: usable by this process; `ceilings`: NULL or empty if not known.
 */
void bottleneck_find(const struct trial_plan *plan,
    const struct trial_result *result, unsigned cores,
    const struct ceilings *ceilings, struct bottleneck *found);
/*
 * Returns what a cold trial read in its fastest run, if its data was certainly
 * not in memory; else rates of 0.
 */
struct ceilings_reading bottleneck_reading(
    const struct trial_plan *plan, const struct trial_result *result);

#endif
