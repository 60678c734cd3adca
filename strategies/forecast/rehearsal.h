/*
 * rehearsal.h - how fast the loader is, measured: pilot samples are stored in
 * memory (memory_store.h) as each strategy stores them, and the loader of a
 * trial runs over them, with each number of threads of the plan.  The dataset
 * itself is read from the page cache, and a far one from its server.
 *
 * The first epochs are not counted.  Further ones follow until they have taken
 * tens of milliseconds; their median counts.  An epoch has about as many
 * samples in a shard as the session's data, and no more samples than it has; so
 * what each epoch and each shard cost is part of the time.
 *
 * What the storage adds is known from its ceilings (ceilings.h), or from the
 * limits of an emulated one.
 */
#ifndef STRATEGIES_FORECAST_REHEARSAL_H
#define STRATEGIES_FORECAST_REHEARSAL_H

#include <stdbool.h>

#include "strategies/plan/plan.h"

struct error;
struct held;
struct model;
struct pilot_plan;

/* One way of loading: a kind of data, with so many threads. */
struct rehearsed {
	bool unprocessed, cached;   /* the dataset; the application cache */
	unsigned rep, store, codec; /* stored data, as in model.packing; or 0 */
	unsigned threads;
	double sample_s; /* wall time of a sample of the source, in memory */
	double cpu_s;    /* CPU time of all its threads */
	double error;    /* standard error of that, about, as a fraction */
};

/* Plain stored data that was not in memory, read by so many threads. */
struct rehearsed_cold {
	unsigned threads;
	double bytes, streams; /* read in the epoch */
	double epoch_s;        /* 0: other programs disturbed it */
	double cpu_byte_s; /* CPU time of a byte, beyond reading from memory */
};

/* By rehearsal_cold.h; one for each number of threads. */
struct rehearsed_colds {
	struct rehearsed_cold list[PLAN_LIST];
	unsigned count;
};

/*
 * Fills in the model's list, as far as there is time (pilot_plan.rehearse_s):
 * first data without a codec.  Storing is timed a little longer than loading
 * (packing.store_s).  What cannot be loaded is left out; the session
 * will say why, also where memory is too small.  -1: interrupted.
 */
int rehearsal_run(struct model *model, const struct pilot_plan *how,
    struct held *held, struct error *err);

#endif
