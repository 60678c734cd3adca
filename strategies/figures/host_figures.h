/*
 * host_figures.h - how the throughput of a trial grows with the number of hosts
 * that load at the same moment.
 *
 * An epoch ends when its slowest host has ended, as a step of data-parallel
 * training does: so the total is what all have delivered by then.  The knee is
 * the smallest number of hosts whose total is at least HOST_FIGURES_KNEE of the
 * highest one: with more hosts, all but a tenth of the work is waiting.
 */
#ifndef STRATEGIES_FIGURES_HOST_FIGURES_H
#define STRATEGIES_FIGURES_HOST_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct grid;

#define HOST_FIGURES_KNEE 0.9

/*
 * Makes a row for each trial and number of hosts, from rows of RESULTS_HOSTS.
 * Its columns are those of presto report --what hosts.  `hide`: ranks stand for
 * the names of hosts.
 */
int host_figures_table(
    const struct grid *rows, bool hide, struct grid *table, struct error *err);

/* A trial with the most hosts that have run it. */
struct host_totals {
	int64_t trial;
	size_t hosts; /* 0: its rows are damaged */
	size_t knee;
	double samples_per_s, mb_per_s; /* of all hosts */
	double slowest_samples_per_s;
};

/*
 * Sums up the trial whose rows of RESULTS_HOSTS begin at *row, and moves *row
 * behind them.
 */
int host_figures_next(const struct grid *rows, size_t *row,
    struct host_totals *totals, struct error *err);

#endif
