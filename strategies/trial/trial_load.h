/* trial_load.h - the loaders of a trial's epochs, and its application cache. */
#ifndef STRATEGIES_TRIAL_TRIAL_LOAD_H
#define STRATEGIES_TRIAL_TRIAL_LOAD_H

struct cache;
struct error;
struct loader;
struct trial_plan;
struct user_loader;

struct trial_load {
	struct loader *loader; /* delivers batches */
	/* CACHE_APPLICATION only: the loader then reads from the cache. */
	struct loader *filler;
	struct cache *cache;
	/* Reads what a partial cache lacks; NULL: it has all. */
	struct loader *rest;
	struct user_loader *user_loader; /* in place of all others; or NULL */
};

/* Close it also when this fails. */
int trial_load_open(
    const struct trial_plan *plan, struct trial_load *load, struct error *err);
void trial_load_close(struct trial_load *load);

#endif
