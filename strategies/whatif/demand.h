/*
 * demand.h - the samples per second that a training job would take if it never
 * waited for data.
 *
 * From its loaders (demand_report.h) it is known exactly.  The full batches of
 * a process are divided into parts of equally many batches, 5 to 32, of at
 * least 25 where there are so many.  The rate of a part is its samples over the
 * time that the job was busy with them.  The first part is left out, in which a
 * job warms up and compiles.  Of the others, the middle half by rate counts: so
 * a pause for a checkpoint changes nothing.  The demand is the samples of that
 * half over its time, which evens out steps that take turns to be long.  Time
 * between epochs does not count either.
 *
 * The demand of several processes, the ranks of a job, is their sum.  Of a
 * process with several datasets, the one with the most samples counts.
 *
 * From the outside, only bounds are known; see demand_of_processes.
 */
#ifndef STRATEGIES_WHATIF_DEMAND_H
#define STRATEGIES_WHATIF_DEMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct demand_stream;
struct error;
struct process_tree_figures;

enum { DEMAND_PARTS = 32 };

struct demand {
	double samples_per_s; /* if it never waited */
	double low, high;     /* the rates of the middle half of the parts */
	double taken_per_s;   /* in fact */
	double waited;        /* fraction of the time */
	unsigned processes;
	uint64_t batch;  /* samples of a batch, of all processes together */
	uint64_t epochs; /* begun, by the process with the most */
	uint64_t batches, samples; /* of all processes, with those left out */
	uint64_t left_out;         /* batches of the first part */
	double pause_s;  /* between epochs; the longest of a process */
	unsigned others; /* datasets of these processes that do not count */
};

/*
 * Sets the demand of a job from the reports of its loaders: 1; 0: no batch is
 * complete.
 */
int demand_of_loaders(struct demand *demand,
    const struct demand_stream *streams, size_t count, struct error *err);

/*
 * What is known of a job that took so many samples in so many seconds.  It
 * would take at least as many if it never waited: that is `low`.
 *
 * It cannot have waited while no process that reads was active.  So `high` is
 * all samples over the time in which none was; INFINITY: that is not known.
 * This holds for data that is read by read() from a local storage.
 */
struct demand_bounds {
	double low, high;
};

void demand_of_processes(struct demand_bounds *bounds,
    const struct process_tree_figures *figures, uint64_t samples,
    double seconds);

/*
 * Prints a file of accelerators (accelerators.h): one type, "process", that
 * needs `samples_per_s` with batches of `batch` samples, of all `processes`
 * together.
 */
void demand_print(
    double samples_per_s, uint64_t batch, unsigned processes, FILE *out);

#endif
