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

#endif
