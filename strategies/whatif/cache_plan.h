/*
 * cache_plan.h - where one cache in a pipeline saves most: the rule of cedar
 * (Zhao et al. 2024) on the costs and sizes of its steps.
 *
 * Candidates are no cache, and a cache behind each step in front of the first
 * random one, if all samples fit.  A plan with a cache costs what the steps
 * behind it take, and reading the cached bytes.
 */
#ifndef STRATEGIES_WHATIF_CACHE_PLAN_H
#define STRATEGIES_WHATIF_CACHE_PLAN_H

#include <stdbool.h>
#include <stddef.h>

struct cache_plan_step {
	double cost_ms;   /* of one sample, in the order of the plan */
	double out_bytes; /* of one sample */
	bool random;
};

struct cache_plan_storage {
	double read_s_per_byte;
	double samples;    /* that the cache would hold */
	double free_bytes; /* room for them; 0: any */
};

/*
 * May the cache be behind step `i`?  No step up to it is random, and the
 * samples fit.
 */
bool cache_plan_allows(const struct cache_plan_step *steps, size_t i,
    const struct cache_plan_storage *storage);
/* The cost of a sample in ms with a cache behind step `i`. */
double cache_plan_ms(const struct cache_plan_step *steps, size_t count,
    size_t i, const struct cache_plan_storage *storage);
/* The cost without a cache. */
double cache_plan_none_ms(const struct cache_plan_step *steps, size_t count);
/*
 * Returns the step with the cheapest cache behind it, the first of equals;
 * `count`: no cache is cheaper.
 */
size_t cache_plan_best(const struct cache_plan_step *steps, size_t count,
    const struct cache_plan_storage *storage);

#endif
