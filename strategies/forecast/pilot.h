/*
 * pilot.h - the pilot: about 16 samples, from all over the source, go through
 * every step, store and codec of a plan once. Their times and sizes make the
 * model for forecasts (predict.h).
 */
#ifndef STRATEGIES_FORECAST_PILOT_H
#define STRATEGIES_FORECAST_PILOT_H

#include <stdatomic.h>
#include <stdbool.h>

struct error;
struct model;
struct pipeline;
struct plan;
struct reader;
struct strategies;

struct pilot_plan {
	const struct reader *source;
	const struct pipeline *pipeline; /* bound */
	const struct plan *plan;
	/*
	 * The strategies to forecast, of all orders; borrowed.  NULL: only what
	 * the steps, stores and codecs of the plan take.
	 */
	const struct strategies *strategies;
	bool timed;              /* false: only sizes are filled in */
	bool skip_errors;        /* leave out samples that a step refuses */
	const atomic_bool *stop; /* set: ERROR_INTERRUPTED; may be NULL */
};

/* Fills in the model, which is large: keep it on the heap. */
int pilot_run(
    struct model *model, const struct pilot_plan *how, struct error *err);

#endif
