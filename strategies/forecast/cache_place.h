/*
 * cache_place.h - which representation the application cache of a trial keeps,
 * and of how many samples.
 *
 * A strategy may cache any representation from the one that it reads up to the
 * last one in front of the first random step: what lies behind differs in each
 * epoch (the prefix rule of Plumber, Kuchnik et al. 2022).  A later place saves
 * more CPU time, and usually takes more memory.
 *
 * A place that is asked for by name is taken.  Without a name it is the last
 * one whose samples all fit into the budget.  If none fits, or the place that
 * was asked for does not, the cache is partial: as many samples as fit are in
 * it, and the others are read from storage in each epoch.  Then the place is
 * the one with the shortest predicted epoch.
 */
#ifndef STRATEGIES_FORECAST_CACHE_PLACE_H
#define STRATEGIES_FORECAST_CACHE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

struct load;
struct model;
struct pipeline;
struct strategy;

struct cache_place {
	unsigned at;  /* representation of the strategy's own pipeline */
	double bytes; /* memory that all samples of the load need there */
	double share; /* fraction of the samples in the cache, to 1 */
};

/*
 * Finds the place for a load with CACHE_APPLICATION; load->place may name one.
 * A strategy that reads a later representation than the named one caches that.
 * `budget`: bytes.
 */
struct cache_place cache_place_find(const struct model *model,
    const struct strategy *strategy, const struct load *load, uint64_t budget);
/* Bytes that the cache may hold: as the plan says, or as the pilot found. */
uint64_t cache_place_budget(const struct model *model);
/* The same with that budget. */
struct cache_place cache_place_of(const struct model *model,
    const struct strategy *strategy, const struct load *load);

/* Bytes that so many samples of the source take at a representation. */
double cache_place_bytes(
    const struct model *model, unsigned at, uint64_t samples);

/*
 * Seconds of CPU time that a sample of the source takes when its representation
 * `at` is in the cache.
 */
double cache_place_hit_s(const struct model *model, unsigned at);

/*
 * Epoch time of a partial cache: hits at memory speed, misses from storage.
 * Both times are those of an epoch in which all samples are hits, or misses.
 */
double cache_place_epoch_s(double share, double hits_s, double misses_s);

#endif
