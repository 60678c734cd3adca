/*
 * batch.h - what the loader delivers: up to `capacity` samples.
 *
 * A field whose size is known lies contiguously, sample behind sample, as
 * frameworks want it: the steps wrote it there.  Fields of unequal size take
 * pieces of a pool (pool.h) when the steps ask for room, and batch_reset hands
 * them back for any slot of any batch; without a pool each slot has recycled
 * memory of its own.
 */
#ifndef LIB_SAMPLE_BATCH_H
#define LIB_SAMPLE_BATCH_H

#include "lib/sample/sample.h"

struct pool;

struct batch {
	struct sample *slots; /* [capacity]; the first `count` are filled */
	unsigned capacity, count;
	void *blocks[FIELDS_MAX]; /* contiguous fields; NULL: not contiguous */
	struct buf keys;          /* what the slots' keys point into */
	unsigned varied; /* bit f: field f is of unequal size, of the pool */
};

/* `pool`: borrowed, freed after the batch; NULL: none. */
struct batch *batch_new(unsigned capacity, const struct schema *schema,
    struct pool *pool, struct error *err);
void batch_free(struct batch *batch); /* NULL is fine */
/* Nobody reads it any more: it is empty, and what it had of the pool free. */
void batch_reset(struct batch *batch);

/* The slot to fill next; the batch is not full. */
struct sample *batch_slot(struct batch *batch);
/* Takes it in, with a copy of the key. */
int batch_add(struct batch *batch, struct span key, struct error *err);

#endif
