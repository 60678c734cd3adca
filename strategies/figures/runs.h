/* runs.h - the timed runs of a session, a struct for each run of a trial. */
#ifndef STRATEGIES_FIGURES_RUNS_H
#define STRATEGIES_FIGURES_RUNS_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct grid;

/* Numbers are NAN when they are not known. */
struct timed_run {
	int64_t trial;
	double samples_per_s;
	double own_cores, others_cores; /* busy with it, and with the rest */
	double reference_ns;            /* reference workload, just before */
	double started_ns;              /* since the session began */
};

struct timed_runs {
	struct timed_run *list; /* owned; in the order of the trials */
	size_t count;
};

/* Reads rows of RESULTS_RATES. */
int timed_runs_read(
    struct timed_runs *runs, const struct grid *rows, struct error *err);
void timed_runs_release(struct timed_runs *runs);

#endif
