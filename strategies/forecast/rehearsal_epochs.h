/*
 * rehearsal_epochs.h - times the loader of a trial over samples in memory; for
 * rehearsal.c only.
 */
#ifndef STRATEGIES_FORECAST_REHEARSAL_EPOCHS_H
#define STRATEGIES_FORECAST_REHEARSAL_EPOCHS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/sample/stream_list.h"
#include "strategies/forecast/rehearsal.h"
#include "strategies/plan/loading.h"

struct batch_freelist;
struct medium;

struct rehearsal {
	struct model *model;
	const struct pilot_plan *how;
	struct held *held;
	struct batch_freelist *freelist;
	uint64_t deadline_ns;
	uint64_t samples; /* in an epoch of the session */
	double room;      /* bytes that the samples of an epoch may take */
};

/* A stage: the streams that a loader runs over, and how. */
struct stage {
	struct stream_list list;
	struct medium *medium;
	struct rehearsed what; /* `threads` is set later */
	struct loading loading;
	double samples; /* of the source, in one turn of the list; 0: unknown */
};

/* Is there time for more? */
bool rehearsal_has_time(const struct rehearsal *rehearsal);
/*
 * An error of the data, or too little memory, is no error here: the session
 * will say it in words.  -1: interrupted.
 */
int rehearsal_forgive(struct error *err);
/* Times the stage with each number of threads of the plan. */
int rehearsal_time(
    struct rehearsal *rehearsal, struct stage *stage, struct error *err);

/* Seconds of an epoch, each the median of a few. */
struct rehearsal_dropped {
	double wall_s; /* data is not in memory; 0: it cannot be dropped */
	double cpu_s, warm_cpu_s; /* CPU time of it, and with it in memory */
};

/*
 * Times the stage with so many threads after its data was dropped from the page
 * cache.  The medium has its files in a folder (medium_new_memory).
 */
int rehearsal_time_dropped(struct rehearsal *rehearsal, struct stage *stage,
    unsigned threads, struct rehearsal_dropped *found, struct error *err);

#endif
