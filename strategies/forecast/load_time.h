/* load_time.h - the time of an epoch, from the model of a forecast. */
#ifndef STRATEGIES_FORECAST_LOAD_TIME_H
#define STRATEGIES_FORECAST_LOAD_TIME_H

#include <stdbool.h>

struct load;
struct model;
struct strategy;

struct load_time {
	double epoch_s;
	double hits_s;     /* the part from the application cache */
	const char *limit; /* "cpu", "storage" or "latency" */
	double error;      /* error of the rehearsal, as a fraction */
	bool is_cold;      /* it waits for a storage */
};

/* The data is in memory, and the application cache is not used. */
struct load_time load_time_warm(const struct model *model,
    const struct strategy *strategy, const struct load *load);
/* It comes from the storage, as far as that is known. */
struct load_time load_time_cold(const struct model *model,
    const struct strategy *strategy, const struct load *load);
/* It comes from the application cache, or as much of it as fits. */
struct load_time load_time_cached(const struct model *model,
    const struct strategy *strategy, const struct load *load);
/* As the cache mode says, after the first epoch. */
struct load_time load_time_of(const struct model *model,
    const struct strategy *strategy, const struct load *load);

/*
 * Returns the seconds that loading a sample of a far dataset waits for its
 * server, as it was rehearsed with about so many threads; 0: it was not.
 */
double load_time_far_s(const struct model *model, unsigned threads);

/*
 * Returns how many times the CPU time of one thread a sample takes with so many
 * threads: they share caches and the memory.
 */
double load_time_stretch(const struct model *model, unsigned threads);

#endif
