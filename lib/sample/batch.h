/*
 * batch.h - the loader's product: up to `capacity` samples.
 *
 * A field of known size is contiguous, sample after sample, as frameworks
 * expect; the steps write it there.  Fields of varying size take memory from a
 * pool (pool.h) when a step asks for it.  batch_reset gives it back, for any
 * slot of any batch.  Without a pool each slot recycles memory of its own.
 */
#ifndef LIB_SAMPLE_BATCH_H
#define LIB_SAMPLE_BATCH_H

#include "lib/base/pages.h"
#include "lib/sample/sample.h"

struct pool;

struct batch {
	struct sample *slots; /* [capacity]; the first `count` are filled */
	unsigned capacity, count;
	void *blocks[FIELDS_MAX]; /* contiguous fields; NULL: the size varies */
	struct pages pages[FIELDS_MAX]; /* memory of large blocks */
	struct buf keys;                /* the bytes of the slots' keys */
	unsigned varied; /* bit f: field f varies in size and uses the pool */
};

/* `pool` is borrowed and freed after the batch; NULL: none. */
struct batch *batch_new(unsigned capacity, const struct schema *schema,
    struct pool *pool, struct error *err);
void batch_free(struct batch *batch); /* NULL is fine */
/* Empties a batch that nobody reads any more; returns memory to the pool. */
void batch_reset(struct batch *batch);

/* Returns the slot to fill next; the batch must not be full. */
struct sample *batch_slot(struct batch *batch);
/* Adds the filled slot to the batch, with a copy of the key. */
int batch_add(struct batch *batch, struct span key, struct error *err);

#endif
