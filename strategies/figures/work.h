/*
 * work.h - the work of the loader's threads for a sample of a trial: CPU time
 * by activity and by step, and requests to the storage.
 */
#ifndef STRATEGIES_FIGURES_WORK_H
#define STRATEGIES_FIGURES_WORK_H

#include <stddef.h>

#include "lib/db/grid.h"
#include "strategies/figures/figures.h"

struct error;
struct results;

/* Fetchers do the first, workers the others. */
enum activity {
	ACTIVITY_FETCH,  /* open and read */
	ACTIVITY_DECODE, /* decompress and parse */
	ACTIVITY_STEPS,
	ACTIVITY_BATCH, /* copy, and hand over */
	ACTIVITIES
};

extern const char *const activity_names[ACTIVITIES];

/* Times in seconds, of a delivered sample; NAN: not known. */
struct trial_work {
	struct figures trial; /* strategy, threads and cache only */
	double cpu_s;         /* in the timed runs */
	/* The same, divided as the traced pass says; 0: it says nothing. */
	double activity_cpu_s[ACTIVITIES];
	double traced_cpu_s; /* in the traced pass */
	double traced_samples;
	double fetch_s;  /* from the request until the bytes are there */
	double bytes;    /* read from the storage; 0: they are in memory */
	double requests; /* to the storage */
	double bandwidth, requests_per_s; /* limits of the storage */
	double samples_per_s;
	double cores, others_cores; /* usable; taken by other programs */
};

/* A step of a trial, over the traced pass. */
struct step_work {
	struct figures trial; /* strategy, threads and cache only */
	const char *name;     /* representation; "unpack" and "parse", too */
	const char *step;     /* "" where none ran by itself */
	double cpu_s, bytes_out;
};

struct session_work {
	/* Rows of RESULTS_EFFORTS and RESULTS_STEPS, which texts belong to. */
	struct grid trial_rows, step_rows;
	struct trial_work *trials; /* owned */
	struct step_work *steps;   /* owned; in the order they run */
	size_t trial_count, step_count;
};

#define SESSION_WORK_INIT                                       \
	{                                                       \
		.trial_rows = GRID_INIT, .step_rows = GRID_INIT \
	}

/* Reads a session's work; `session_work_parse` reads what is in the rows. */
int session_work_read(struct session_work *work, struct results *results,
    int64_t session, struct error *err);
int session_work_parse(struct session_work *work, struct error *err);
void session_work_release(struct session_work *work);

/* The work of a trial; NULL: not known. */
const struct trial_work *session_work_of(
    const struct session_work *work, const struct figures *trial);

#endif
