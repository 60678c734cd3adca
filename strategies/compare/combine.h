/*
 * combine.h - takes several sessions of the same program for one.
 *
 * The speed of a machine drifts: if nothing changed between two sessions, all
 * runs of the later one may still be some percent slower.  If two programs are
 * measured by turns, in a few short sessions each, the drift is the same for
 * both, and the difference is that of the programs.
 */
#ifndef STRATEGIES_COMPARE_COMBINE_H
#define STRATEGIES_COMPARE_COMBINE_H

#include <stddef.h>

struct error;
struct figures_list;
struct timed_runs;

/* One session; borrowed. */
struct combine_part {
	const struct figures_list *trials;
	const struct timed_runs *runs;
};

/*
 * Fills both, which are empty.  A trial has the runs of all parts, in their
 * order, and its other figures from the last part, or from one where it did
 * worse: a trial that failed in one of them has failed.  Throughput is the
 * median of all runs with its interval; the times of preparation and of the CPU
 * are medians over the parts.  ERROR_USAGE names a trial that is not in all of
 * the parts.
 */
int combine_sessions(const struct combine_part *parts, size_t count,
    struct figures_list *trials, struct timed_runs *runs, struct error *err);

#endif
