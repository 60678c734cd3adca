/*
 * loading.h - how the data of a strategy is loaded: what its loaders are asked
 * for, both in a trial and in the forecast of its memory.
 *
 * With the application cache there are two loaders.  One reads the data and
 * fills the cache with the representation after the last step in front of the
 * first random one; the other one delivers from the cache.
 */
#ifndef STRATEGIES_PLAN_LOADING_H
#define STRATEGIES_PLAN_LOADING_H

#include "strategies/plan/plan.h"

struct loader_plan;
struct pipeline;

struct loading { /* all borrowed */
	const struct plan *plan;
	const struct pipeline *pipeline; /* bound */
	unsigned from;                   /* the representation that is read */
	struct trial_mode mode; /* without a batch: as the plan has it */
};

/* The representation that timed epochs begin with: what the cache holds. */
unsigned loading_from(const struct loading *loading);

/*
 * Plans both loaders; the filler has no threads where there is no application
 * cache.  The caller adds the reader, its medium, and how to stop.
 */
void loading_plan(const struct loading *loading, struct loader_plan *filler,
    struct loader_plan *loader);

#endif
