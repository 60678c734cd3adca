/*
 * trial_figures.h - computes the figures of one trial from its epochs.
 *
 * Warm-ups do not count, and neither do epochs that took no time.  Steady
 * epochs give the throughput: all of them where nothing is cached, else those
 * behind the first of each run.  A run is one value, of all its epochs.
 */
#ifndef STRATEGIES_DECIDE_TRIAL_FIGURES_H
#define STRATEGIES_DECIDE_TRIAL_FIGURES_H

#include <stddef.h>

#include "lib/db/derived.h"

struct measured_session;
struct measured_trial;

struct run_list {
	struct run_figures *runs; /* owned; those with steady epochs */
	size_t count, capacity;
};

#define RUN_LIST_INIT         \
	{                     \
		.runs = NULL, \
	}

void run_list_release(struct run_list *list);

/*
 * Computes the figures of a trial and of its runs.  Only what the other trials
 * decide stays unknown: low, high, first_low, first_high, drift,
 * full_samples_per_s and relative_*.
 */
int trial_figures_compute(const struct measured_session *session,
    const struct measured_trial *trial, struct trial_figures *figures,
    struct run_list *runs, struct error *err);

/* Lists the first epochs, one of each run: what a job sees when it starts. */
int trial_first_epochs(const struct measured_trial *trial,
    struct run_list *firsts, struct error *err);

#endif
