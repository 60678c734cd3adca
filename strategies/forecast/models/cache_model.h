/*
 * cache_model.h - the cost of a pipeline with a cache: the model of cedar (Zhao
 * et al. 2024) on the costs and sizes of the steps.
 *
 * Candidates are no cache, and a cache behind each step in front of the first
 * random one, if all samples fit.  A plan with a cache costs what the steps
 * behind it take, and reading the cached bytes.  cache_place.h asks the first
 * two functions for presto's own cache, with the measured times of fused steps.
 */
#ifndef STRATEGIES_FORECAST_MODELS_CACHE_MODEL_H
#define STRATEGIES_FORECAST_MODELS_CACHE_MODEL_H

#include <stdbool.h>
#include <stddef.h>

struct cache_model_step {
	double cost_ms;   /* one sample, in the order of the plan */
	double out_bytes; /* one sample */
	bool random;
};

struct cache_model_storage {
	double read_s_per_byte;
	double samples;    /* samples in the cache */
	double free_bytes; /* room for them; 0: any */
};

/* The cost of a sample that is in the cache, in the unit of `behind`. */
double cache_model_hit(double behind, double bytes, double cost_per_byte);
/* The fraction of the needed bytes that there is room for, at most 1. */
double cache_model_share(double need_bytes, double room_bytes);

/*
 * May the cache be behind step `i`?  No step up to it is random, and the
 * samples fit.
 */
bool cache_model_allows(const struct cache_model_step *steps, size_t i,
    const struct cache_model_storage *storage);
/* The cost of a sample in ms with a cache behind step `i`. */
double cache_model_ms(const struct cache_model_step *steps, size_t count,
    size_t i, const struct cache_model_storage *storage);
/* The cost without a cache. */
double cache_model_none_ms(const struct cache_model_step *steps, size_t count);
/*
 * Returns the step with the cheapest cache behind it, the first of equals;
 * `count`: no cache is cheaper.
 */
size_t cache_model_best(const struct cache_model_step *steps, size_t count,
    const struct cache_model_storage *storage);

#endif
