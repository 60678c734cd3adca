/*
 * change.h - how much a trial, or the mean of all, changed from BASE to NEW,
 * and how sure that is.
 *
 * By turns, the unit is a turn: a session of each side, neighbours in time.  A
 * trial's rate in a session is the Hodges-Lehmann location of its runs, the
 * median of the means of all pairs of them.  The difference of the two sessions
 * has what drifts in neither, and what a layout of the code draws anew in both.
 * The change is the mean over turns; Student's t of its scatter is the doubt.
 * A bootstrap of five turns would be too narrow, since it cannot draw beyond
 * what it saw.
 *
 * Otherwise the unit is a run: the change is the Hodges-Lehmann shift between
 * all runs, with its interval (lib/stats/ranksum.h).  That interval lacks what
 * differs between sessions.
 */
#ifndef STRATEGIES_COMPARE_CHANGE_H
#define STRATEGIES_COMPARE_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

struct error;
struct rates;

/* Logarithms; NAN: not known. */
struct change {
	double mean;
	double low, high; /* COMPARE_CONFIDENCE */
	/*
	 * How far the true change may be above the mean, when one of several
	 * trials is called slower: with 97.5 %, and with 99.75 %.
	 */
	double reach, far_reach;
	/* How much farther a change has to be, to be found 9 times of 10. */
	double margin;
	double p; /* of no change, in either direction */
};

/*
 * Computes the change of trial `trial`, or of the mean of all trials if it is
 * ALL_TRIALS.  `sides` are BASE and NEW, with the same trials.  `tests` are the
 * comparisons that share the error of calling one slower.  By turns, both sides
 * have as many sessions.
 */
enum { ALL_TRIALS = -1 };

int change_by_turns(struct change *change, const struct rates *sides, int trial,
    size_t tests, struct error *err);
int change_of_runs(struct change *change, const struct rates *sides, int trial,
    struct error *err);

#endif
