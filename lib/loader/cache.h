/*
 * cache.h - the application cache: the samples of a representation in memory,
 * as tensors, and a reader of them.
 *
 * It is filled with the batches of a loader that makes the representation
 * (cache_add); from then on another loader takes them from its reader: chunks
 * are ranges of samples, samples are views into the cache.  Nothing is read,
 * unpacked, parsed or copied but what the steps write into the batch.
 *
 *	loader (from..k) --batches--> cache --chunks--> loader (k..to)
 *
 * One thread fills it, while no loader runs over its reader; filled, any
 * number of threads read it.  What it keeps is bounded by a budget, to the
 * byte; the pages that hold it are some more.
 */
#ifndef LIB_LOADER_CACHE_H
#define LIB_LOADER_CACHE_H

#include <stdint.h>

struct batch;
struct cache;
struct error;
struct reader;
struct schema;

/* Of an epoch at most: a loader may as well read them all ahead. */
enum { CACHE_CHUNKS = 1280 };

struct cache_plan {
	const struct schema *schema; /* of its samples; copied */
	uint64_t samples; /* that are to come: no limit; 0: not known */
	uint64_t budget;  /* bytes */
};

struct cache *cache_new(const struct cache_plan *plan, struct error *err);
void cache_free(struct cache *cache); /* NULL is fine */

/*
 * Of what is in the cache when an epoch begins; lives as long as it.  A loader
 * over it may be made before it is filled, so that this takes no time then.
 */
const struct reader *cache_reader(const struct cache *cache);

/* Gives its memory back; it can be filled anew. */
void cache_clear(struct cache *cache);
/*
 * Copies the samples of a batch.  ERROR_LIMIT "needs about 3.1 GB in memory,
 * 1.2 GB are allowed" when they do not fit.
 */
int cache_add(
    struct cache *cache, const struct batch *batch, struct error *err);

uint64_t cache_samples(const struct cache *cache);
uint64_t cache_bytes(const struct cache *cache); /* all that it takes */

/*
 * What a sample will take whose fields have `field_bytes` in all and whose key
 * has `key_bytes`, both on average.
 */
double cache_sample_bytes(
    const struct schema *schema, double field_bytes, double key_bytes);
/* The ERROR_LIMIT of cache_add, for who knows before; returns -1. */
int cache_too_large(double need, uint64_t budget, struct error *err);

#endif
