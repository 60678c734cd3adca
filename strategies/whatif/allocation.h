/*
 * allocation.h - the highest throughput that a pipeline can reach on a number
 * of cores, how much of them each activity takes, and the gain from one more
 * core or a faster storage.  It is the operational analysis and max-min program
 * of Plumber (Kuchnik et al. 2022).
 *
 * Each activity (work.h) is a node: node i delivers R_i = 1 / cpu_s_i samples
 * per second and core.  Node i gets theta_i of the C cores:
 * 	maximise  X = min_i R_i theta_i,  sum theta_i <= C,
 * 	          least_i <= theta_i <= most_i,  X <= storage
 * Without a least this is min(min_i most_i R_i, C / sum 1/R_i, storage), else
 * the root of sum max(least_i, X / R_i) = C, which bisection finds.
 *
 * Limit: the result is an upper bound.  The CPU time of a sample is assumed to
 * be the same on any number of cores, though cores share caches and memory, and
 * two of them may be threads of one core.  Times are per delivered sample.
 */
#ifndef STRATEGIES_WHATIF_ALLOCATION_H
#define STRATEGIES_WHATIF_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>

#include "strategies/figures/work.h"

struct allocation_node {
	double cpu_s;
	double least, most; /* cores; most INFINITY: any number */
};

/* Samples per second; 0 when the sum of `least` exceeds the cores. */
double allocation_most(const struct allocation_node *nodes, size_t count,
    double cores, double storage_samples_per_s);

struct allocation {
	double cores;
	double cpu_samples_per_s;     /* at most, by the CPU */
	double storage_samples_per_s; /* INFINITY: no limit, or not known */
	double samples_per_s;         /* at most: the smaller of both */
	bool is_storage;              /* the storage is the limit */
	double measured;
	double reached; /* fraction of samples_per_s; NAN: on other cores */
	double others_cores; /* taken by other programs; NAN: not known */
	double activity_cores[ACTIVITIES]; /* at samples_per_s */
	unsigned workers, fetchers;        /* threads for that */
	double read_ahead_samples;         /* being fetched at that rate */
	double core_gain;    /* from one more core: 0.5 is 50 % more */
	double storage_gain; /* from twice the bandwidth and requests */
};

/* `cores` NAN or 0: as measured.  False when the CPU time is not known. */
bool allocation_make(
    struct allocation *allocation, const struct trial_work *work, double cores);

#endif
