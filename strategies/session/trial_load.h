/*
 * trial_load.h - what an epoch of a trial runs: a loader, and the application
 * cache with what fills it.
 */
#ifndef STRATEGIES_SESSION_TRIAL_LOAD_H
#define STRATEGIES_SESSION_TRIAL_LOAD_H

struct cache;
struct error;
struct loader;
struct loader_plan;
struct trial_plan;

struct trial_load {
	struct loader *loader; /* delivers */
	/* Of CACHE_APPLICATION only; the loader then reads from the cache. */
	struct loader *filler;
	struct cache *cache;
};

/*
 * What the loader of a trial is asked for, and the filler, which has no threads
 * where there is no application cache.  The reader need not be there yet.
 */
void trial_load_plan(const struct trial_plan *plan, struct loader_plan *filler,
    struct loader_plan *loader);
/* Close it also when this fails. */
int trial_load_open(
    const struct trial_plan *plan, struct trial_load *load, struct error *err);
void trial_load_close(struct trial_load *load);

#endif
