/*
 * cache.h - the application cache keeps the samples of a representation in
 * memory, as tensors, and has a reader of them.
 *
 * A loader that makes the representation fills it with batches (cache_add).
 * Then another loader takes the samples from its reader: chunks are ranges of
 * samples, samples are views into the cache. Nothing is read, unpacked, parsed
 * or copied except what the steps write into batches.
 *
 *   loader (from..k) --batches--> cache --chunks--> loader (k..to)
 *
 * One thread fills it, while no loader runs over its reader. Then any number of
 * threads read it. A budget in bytes limits its memory; the pages that hold it
 * are slightly more.
 */
#ifndef LIB_LOADER_CACHE_H
#define LIB_LOADER_CACHE_H

#include <stdint.h>

struct batch;
struct cache;
struct error;
struct reader;
struct schema;

/* Most chunks of an epoch, so that a loader can read all of them ahead. */
enum { CACHE_CHUNKS = 1280 };

struct cache_plan {
	const struct schema *schema; /* schema of the samples; copied */
	uint64_t samples; /* expected samples, not a limit; 0: unknown */
	uint64_t budget;  /* bytes */
};

struct cache *cache_new(const struct cache_plan *plan, struct error *err);
void cache_free(struct cache *cache); /* NULL is fine */

/*
 * Returns a reader of the samples that are in the cache when an epoch begins;
 * valid as long as the cache. A loader over it can be made before the cache is
 * filled, so that making it is not timed.
 */
const struct reader *cache_reader(const struct cache *cache);

/* Frees the samples; the cache can be filled again. */
void cache_clear(struct cache *cache);
/*
 * Copies the samples of a batch. ERROR_LIMIT "needs about 3.1 GB in memory, 1.2
 * GB are allowed" when they do not fit.
 */
int cache_add(
    struct cache *cache, const struct batch *batch, struct error *err);

uint64_t cache_samples(const struct cache *cache);
uint64_t cache_bytes(const struct cache *cache); /* all memory that it uses */

/* Estimates the bytes of a sample from the means of its fields and key. */
double cache_sample_bytes(
    const struct schema *schema, double field_bytes, double key_bytes);

#endif
