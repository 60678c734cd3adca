/*
 * batch.h - what the loader delivers: up to `capacity` samples.
 *
 * A field whose size is known lies contiguously, sample behind sample, as
 * frameworks want it: the steps wrote it there.  Fields of unequal size have
 * recycled memory of their own, a slot each.
 */
#ifndef LIB_SAMPLE_BATCH_H
#define LIB_SAMPLE_BATCH_H

#include "lib/sample/sample.h"

struct batch {
	struct sample *slots; /* [capacity]; the first `count` are filled */
	unsigned capacity, count;
	void *blocks[FIELDS_MAX]; /* contiguous fields; NULL: not contiguous */
	struct buf keys;          /* what the slots' keys point into */
};

struct batch *batch_new(
    unsigned capacity, const struct schema *schema, struct error *err);
void batch_free(struct batch *batch); /* NULL is fine */
void batch_reset(struct batch *batch);

/* The slot to fill next; the batch is not full. */
struct sample *batch_slot(struct batch *batch);
/* Takes it in, with a copy of the key. */
int batch_add(struct batch *batch, struct span key, struct error *err);

#endif
