/*
 * rounds.h - schedules the runs of many trials: in which order, and how many of
 * each (doc/design.md 6.4).
 *
 * In each round every trial has one run, in an order drawn anew. So slow
 * changes (temperature, another program, the host) hit all trials alike. Its
 * n-th run belongs to the n-th round, so trials can be compared by round.
 *
 * A trial ends when its interval is narrow enough and it does not drift
 * (lib/stats/dependence.h).  This is asked after ROUNDS_FIRST_LOOK rounds, and
 * when these have doubled, not after each run: whoever asks often enough
 * catches a moment in which runs agree by chance, or a calm phase of the
 * machine.  A trial also ends after the most runs, or when time is up; other
 * trials go on.
 */
#ifndef STRATEGIES_SESSION_ROUNDS_H
#define STRATEGIES_SESSION_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/stats/dependence.h"
#include "strategies/plan/plan.h"

struct clock;
struct error;

/* Fewer do not show a slow change of the machine. */
enum { ROUNDS_FIRST_LOOK = DEPENDENCE_ENOUGH };

struct scheduled_trial { /* one trial */
	void *trial;
	double rates[PLAN_RUNS]; /* one a run, in order */
	unsigned runs;
	uint64_t run_ns;       /* the last run, with everything around it */
	uint64_t total_run_ns; /* all runs */
	const char *ended; /* why there are no more runs; NULL: it goes on */
	bool rests;        /* no run in this round of rounds_once */
};

struct rounds_plan {
	unsigned least, most; /* number of runs, at most PLAN_RUNS */
	double precision;     /* half the interval over the median; 0: any */
	uint64_t seed;
	const struct clock *clock;
	uint64_t deadline_ns; /* no run begins that would end later; 0: none */
	uint64_t trial_ns;    /* limit of all runs of a trial; 0: none */
	/* Without either limit: after the least runs, as long again. */
	bool twice;
	/*
	 * Runs the trial once and sets its rate. 1: this trial, and perhaps
	 * others, has no more runs, and `ended` is set; -1: stop all.
	 */
	int (*run)(void *arg, struct scheduled_trial *trial, double *rate,
	    struct error *err);
	void *arg;
};

/* The `ended` of a trial that has made all its runs: "runs". */
extern const char rounds_enough[];

int rounds_run(const struct rounds_plan *plan, struct scheduled_trial *trials,
    size_t count, struct error *err);

/*
 * Runs each trial that neither rests nor has ended once, in the order of that
 * round.  The caller decides what follows: of the plan, `least`, `precision`
 * and `twice` do not count.
 */
int rounds_once(const struct rounds_plan *plan, struct scheduled_trial *trials,
    size_t count, unsigned round, struct error *err);

#endif
