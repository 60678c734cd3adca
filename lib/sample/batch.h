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
#include "lib/files/mapping.h"
#include "lib/sample/sample.h"

struct batch;
struct batch_home;
struct key_room;
struct pool;

/* Takes batches back in place of a home. */
struct batch_lender {
	void (*give)(struct batch_lender *lender, struct batch *batch);
};

struct batch {
	struct sample *slots; /* [capacity]; the first `count` are filled */
	unsigned capacity, count;
	void *blocks[FIELDS_MAX]; /* contiguous fields; NULL: the size varies */
	struct pages pages[FIELDS_MAX]; /* memory of large blocks */
	struct buf keys;                /* the bytes of the slots' keys */
	unsigned varied; /* bit f: field f varies in size and uses the pool */
	struct key_room *key_room; /* keys of batch_put; NULL: batch_add */
	struct batch_home *home;   /* where batch_give brings it; NULL: none */
	struct batch_lender *lender; /* or who takes it; NULL: the home */
	/* Its place in memory that processes share, from 1; 0: its own memory.
	 */
	uint32_t place;
	/*
	 * If it has an entry, samples of the only field lie there, in a mapped
	 * file, and blocks[0] points to the first one; `block` is its own.
	 */
	struct mapping view;
	void *block;
};

/* `pool` is borrowed and freed after the batch; NULL: none. */
struct batch *batch_new(unsigned capacity, const struct schema *schema,
    struct pool *pool, struct error *err);
/*
 * The same with blocks in `memory` of batch_part bytes, which is borrowed and
 * left as it is; its place, from 1.
 */
struct batch *batch_new_at(unsigned capacity, const struct schema *schema,
    struct pool *pool, void *memory, uint32_t place, struct error *err);
/* Bytes of all blocks there; 0: no field has a known size, or they are too
 * many.
 */
size_t batch_part(unsigned capacity, const struct schema *schema);
void batch_free(struct batch *batch); /* NULL is fine */
/* Empties a batch that nobody reads any more; returns memory to the pool. */
void batch_reset(struct batch *batch);
/* The same for a batch whose slots were filled in any order. */
void batch_clear(struct batch *batch);

/*
 * Lets the samples of the only field, which has a known size, be views of
 * neighbours in a mapped file: sample 0 is at `first`.  Takes the mapping,
 * until the batch is cleared.  The slots are still to be set by
 * batch_view_slot.
 */
void batch_begin_view(struct batch *batch, struct mapping mapping, void *first);
/* Makes a slot a view of the sample, which is at its place in the mapping. */
void batch_view_slot(
    struct batch *batch, unsigned slot, const struct sample *sample);
/*
 * Copies the first `slots` slots, as far as they are views, to the batch's own
 * memory: it has no view any more.
 */
void batch_end_view(struct batch *batch, unsigned slots);

/* Returns the slot to fill next; the batch must not be full. */
static inline struct sample *batch_slot(struct batch *batch)
{
	return &batch->slots[batch->count];
}

/* Adds the filled slot to the batch, with a copy of the key. */
int batch_add(struct batch *batch, struct span key, struct error *err);

/*
 * For batches with a key_room: gives a filled slot its key, which is copied.
 * Several threads may do so for different slots.  batch->count does not change.
 */
int batch_put(
    struct batch *batch, unsigned slot, struct span key, struct error *err);
/*
 * Sets batch->count after the first `slots` slots were filled in any order.
 * Slots whose number of fields is 0 are left out: those behind move up.
 */
void batch_close_gaps(struct batch *batch, unsigned slots);

#endif
