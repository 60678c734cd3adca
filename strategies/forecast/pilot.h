/*
 * pilot.h - the pilot: up to 96 samples, chosen over the whole source
 * (choice.h), go through every step, store and codec of a plan. Their times and
 * sizes, and the loader's rate over them (rehearsal.h), make the model for
 * forecasts (predict.h).
 *
 * It takes a second or two for the steps, and rehearse_s for the loader.
 */
#ifndef STRATEGIES_FORECAST_PILOT_H
#define STRATEGIES_FORECAST_PILOT_H

#include <stdatomic.h>
#include <stdbool.h>

struct error;
struct medium;
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
	bool reordered;    /* `pipeline` is not the order given */
	bool timed;        /* false: only sizes are filled in */
	double rehearse_s; /* the most for rehearsals; 0: none */
	/* Folder whose page cache may hold stored samples; NULL: none. */
	const char *work_dir;
	struct medium *medium;   /* the source's; NULL: not slowed down */
	bool skip_errors;        /* leave out samples that a step refuses */
	const atomic_bool *stop; /* set: ERROR_INTERRUPTED; may be NULL */
};

/* Seconds that rehearsals of a session may take. */
static const double pilot_rehearse_s = 2.5;

/* Does the plan's list have a strategy with these data?  No list: yes. */
struct rehearsed;
bool pilot_wants(const struct pilot_plan *how, const struct model *model,
    const struct rehearsed *what);

/* Fills in the model, which is large: keep it on the heap. */
int pilot_run(
    struct model *model, const struct pilot_plan *how, struct error *err);

#endif
