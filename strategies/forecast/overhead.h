/*
 * overhead.h - the bytes of stored data besides its records: lines of indexes,
 * ends of shards, the manifest.  They count where samples are small or few.
 *
 * They are counted on data stored in memory (memory_store.h): one sample, the
 * same twice, and the same beside an empty shard.
 */
#ifndef STRATEGIES_FORECAST_OVERHEAD_H
#define STRATEGIES_FORECAST_OVERHEAD_H

struct memory_store_plan;

struct overhead {      /* bytes */
	double sample; /* per sample of the representation */
	double shard;  /* per shard */
	double folder; /* once for the folder */
};

/*
 * `of` says what is stored; its numbers of samples and shards do not count. All
 * is 0 if the data cannot be stored so, or one sample is so large that nothing
 * of this counts.
 */
struct overhead overhead_measure(const struct memory_store_plan *of);

#endif
