/*
 * loading.h - how the data of a strategy is loaded: what its loaders are asked
 * for, both in a trial and in the forecast of its memory.
 *
 * With the application cache there are two loaders.  One reads the data and
 * fills the cache with a representation in front of the first random step
 * (strategies/forecast/cache_place.h); the other one delivers from the cache.
 * Where only a part of the samples fits, a third one delivers the others from
 * the data.
 */
#ifndef STRATEGIES_PLAN_LOADING_H
#define STRATEGIES_PLAN_LOADING_H

#include <stdbool.h>

#include "strategies/plan/plan.h"

struct loader_plan;
struct pipeline;

struct loading { /* all borrowed */
	const struct plan *plan;
	const struct pipeline *pipeline; /* bound */
	unsigned from;                   /* the representation that is read */
	struct trial_mode mode; /* without a batch: as the plan has it */
	/* With CACHE_APPLICATION: what is cached, and of which fraction. */
	unsigned cached;
	double share;
};

/* The representation that timed epochs begin with. */
unsigned loading_from(const struct loading *loading);
/* Are only some of the samples in the application cache? */
bool loading_is_partial(const struct loading *loading);

/*
 * Plans both loaders; the filler has no threads where there is no application
 * cache.  The caller adds the reader, its medium, and how to stop.
 */
void loading_plan(const struct loading *loading, struct loader_plan *filler,
    struct loader_plan *loader);
/* Plans the loader of the samples that a partial cache lacks. */
void loading_plan_rest(const struct loading *loading, struct loader_plan *rest);

#endif
