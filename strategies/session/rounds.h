/*
 * rounds.h - in which order the runs of many trials are made, and how many of
 * each (doc/design.md 6.4).
 *
 * In each round every trial has one run, in an order drawn anew: what changes
 * slowly (temperature, a neighbour, a host) hits all of them, and not those
 * that came last.  A trial ends when it has had its least number of runs and
 * the 95 % interval of its median is narrow enough, or when it has had the
 * most, or when the time is up; the others go on.  So its n-th run is of the
 * n-th round, and trials can be compared round by round.
 */
#ifndef STRATEGIES_SESSION_ROUNDS_H
#define STRATEGIES_SESSION_ROUNDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/stats/statistics.h"
#include "strategies/plan/plan.h"

struct clock;
struct error;

struct scheduled_trial { /* one trial */
	void *trial;
	double rates[PLAN_RUNS]; /* of its runs, as they came */
	unsigned runs;
	uint64_t run_ns;       /* of its last run, all in all */
	uint64_t total_run_ns; /* of all of them */
	const char *ended;     /* why there are no more; NULL: it goes on */
};

struct rounds_plan {
	unsigned least, most; /* runs; at most PLAN_RUNS */
	double precision;     /* half the interval over the median; 0: any */
	uint64_t seed;
	const struct clock *clock;
	uint64_t deadline_ns; /* no run begins that would end later; 0: none */
	uint64_t trial_ns;    /* that the runs of one may take; 0: any */
	/*
	 * Without both: after the least runs, as much time again as these
	 * took.
	 */
	bool twice;
	/*
	 * Makes a run of the trial: its rate.  1: the trial, and maybe
	 * others, have no more runs, and it has set `ended`; -1: stop all.
	 */
	int (*run)(void *arg, struct scheduled_trial *trial, double *rate,
	    struct error *err);
	void *arg;
};

/* `ended` of those that ended by themselves: */
extern const char rounds_precise[]; /* "precise" */
extern const char rounds_budget[];  /* "budget" */
extern const char rounds_enough[];  /* "runs" */

int rounds_run(const struct rounds_plan *plan, struct scheduled_trial *trials,
    size_t count, struct error *err);

#endif
