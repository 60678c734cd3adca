/*
 * intervals.h - the intervals of the trials of a session: where the long-run
 * median of the throughput lies, as far as the runs tell.
 *
 * Trials of the same rounds saw the same machine.  They are asked together
 * whether the noise hangs together in time (lib/stats/dependence.h).  Their
 * intervals widen by what is found.  Where even the widest one, from the
 * slowest to the fastest run, promises too much, the trial drifts.
 */
#ifndef STRATEGIES_DECIDE_INTERVALS_H
#define STRATEGIES_DECIDE_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct run_list;
struct trial_figures;

struct interval_trial {
	struct trial_figures *figures;
	const struct run_list *runs; /* in the order of their rounds */
	uint64_t
	    rounds_ns; /* the same for trials of the same rounds; 0: none */
};

/*
 * Sets low, high and drift of all trials.  drift stays unknown where runs are
 * too few to tell (dependence_drift).
 */
int intervals_set(
    const struct interval_trial *trials, size_t count, struct error *err);

#endif
