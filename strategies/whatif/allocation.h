/*
 * allocation.h - the most that a pipeline can reach on so many cores, where
 * they would go, and what more of them, or a faster storage, would bring: the
 * operational analysis and max-min program of Plumber (Kuchnik et al. 2022).
 *
 * What a sample costs is CPU time by what is done with it: node i delivers
 * R_i = 1 / cpu_s_i samples per second and core.  Of C cores node i gets
 * theta_i:
 *	maximise  X = min_i R_i theta_i,  sum theta_i <= C,
 *	          least_i <= theta_i <= most_i,  X <= storage
 * Without a least this is min(min_i most_i R_i, C / sum 1/R_i, storage), else
 * the root of sum max(least_i, X / R_i) = C, which bisection finds.  The
 * storage is a bound of X like any other.
 *
 * Limits: CPU time of a sample is taken to be the same on any number of cores,
 * though they share caches and memory, and two of them may be one core's
 * threads.  So it is an upper bound.  Times in seconds, of a delivered sample.
 */
#ifndef STRATEGIES_WHATIF_ALLOCATION_H
#define STRATEGIES_WHATIF_ALLOCATION_H

#include <stdbool.h>
#include <stddef.h>

#include "strategies/figures/work.h"

struct allocation_node {
	double cpu_s;
	double least, most; /* cores; most INFINITY: any */
};

/* Samples per second; 0 when the leasts are more than the cores. */
double allocation_most(const struct allocation_node *nodes, size_t count,
    double cores, double storage_samples_per_s);

struct allocation {
	double cores;
	double cpu_samples_per_s;     /* at most, by the CPU */
	double storage_samples_per_s; /* INFINITY: it is no limit, or unknown */
	double samples_per_s;         /* at most: the lesser */
	bool is_storage;              /* that is the storage's */
	double measured;
	double reached; /* share of it; NAN: of other cores than measured */
	double others_cores; /* that other programs took; NAN: not known */
	double activity_cores[ACTIVITIES]; /* at samples_per_s */
	unsigned workers, fetchers;        /* threads for that */
	double read_ahead_samples;         /* on their way, by then */
	double core_gain;    /* of one more core: 0.5 is half as much again */
	double storage_gain; /* of twice the bandwidth and requests */
};

/*
 * `cores` NAN or 0: those that it was measured on.  False when the CPU time is
 * not known.
 */
bool allocation_make(
    struct allocation *allocation, const struct trial_work *work, double cores);

#endif
