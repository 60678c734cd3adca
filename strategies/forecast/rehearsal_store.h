/*
 * rehearsal_store.h - pilot samples stored as a strategy stores them, for the
 * loader to run over; for rehearsal*.c only.
 */
#ifndef STRATEGIES_FORECAST_REHEARSAL_STORE_H
#define STRATEGIES_FORECAST_REHEARSAL_STORE_H

#include "strategies/forecast/memory_store.h"
#include "strategies/forecast/rehearsal_epochs.h"

struct rehearsal_store {
	struct memory_store made;
	size_t *streams; /* owned: all of the reader */
	struct stage stage;
	double cpu_s; /* CPU time of storing all samples */
};

/* How the loader of a trial reads representation `from` of the model. */
struct loading rehearsal_loading(
    const struct rehearsal *rehearsal, unsigned from, enum cache_mode cache);
/* Returns how many samples of a representation an epoch may have. */
double rehearsal_most_samples(const struct rehearsal *rehearsal, unsigned rep);

/*
 * Plans as many samples in a shard as the session will store, if a sample takes
 * `bytes`, and so many shards as take no more than `most` bytes.
 */
void rehearsal_plan_shards(const struct rehearsal *rehearsal, unsigned rep,
    double bytes, double most, struct memory_store_plan *plan);

/*
 * Stores pilot samples: at most `most` bytes of them, before they are
 * compressed, in so many shards; 0: with as many samples in each as the session
 * will store, or fewer where these would not keep all threads busy. ERROR_USAGE
 * if the store or the codec does not take them.
 */
int rehearsal_store_open(struct rehearsal_store *store,
    const struct rehearsal *rehearsal, const struct rehearsed *what,
    double most, unsigned shards, struct error *err);
void rehearsal_store_close(struct rehearsal_store *store);

#endif
