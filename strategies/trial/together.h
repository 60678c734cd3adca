/*
 * together.h - runs that several processes make at the same moment, mostly on
 * several hosts (presto profile --together).
 *
 * Each process has a trial of its own, with the same plan.  Each epoch begins
 * when all are ready for it, and its figures are exchanged behind it.  So all
 * decide alike how many epochs a run has: by the time of the slowest.
 */
#ifndef STRATEGIES_TRIAL_TOGETHER_H
#define STRATEGIES_TRIAL_TOGETHER_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/db/results.h"

struct error;
struct meeting;

struct together {
	struct meeting *meeting; /* borrowed */
	/* Ranks below this load in the next run; this rank is among them. */
	unsigned hosts;
};

/* The figures of each host in each counted epoch. */
struct together_log {
	struct host_row *rows; /* owned */
	size_t count, capacity;
};

/* The hosts of the newest run in the log; 1: it was made alone. */
unsigned together_hosts(const struct together_log *log);
/* Returns when all are ready. */
int together_begin(const struct together *together, struct error *err);
/*
 * Exchanges the figures of an epoch.  The row then has the time of the slowest
 * host and the most bytes read from storage; the CPU time of the others does
 * not count as that of other programs, if they run on this machine.  Adds rows
 * to the log if `counts`.
 */
int together_end(const struct together *together, struct run_row *row,
    bool counts, struct together_log *log, struct error *err);
/* Removes the rows of the last epoch again; together NULL: there are none. */
void together_forget_epoch(
    const struct together *together, struct together_log *log);

#endif
