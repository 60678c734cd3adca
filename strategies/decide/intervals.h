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

/* As figures are stored; NAN: not known. */
struct rate_interval {
	double low, high; /* samples/s; known if there is a run */
	double drift;     /* 0 or 1; known by dependence_drift */
};

struct interval_trial {
	const struct run_list *runs; /* in the order of their rounds */
	/* The same for trials of the same rounds; 0: none. */
	uint64_t rounds_ns;
};

/* Sets found[i] for each trial. */
int intervals_find(struct rate_interval *found,
    const struct interval_trial *trials, size_t count, struct error *err);

#endif
