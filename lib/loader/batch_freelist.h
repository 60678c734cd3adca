/*
 * batch_freelist.h - a free list of batches, which loaders share.
 *
 * Several loaders can be open while only one works. If each kept its own
 * batches, they would fill the memory, and new memory takes time, especially on
 * a virtual machine that gets it from the host page by page. So a loader takes
 * batches from this list when an epoch begins, and returns them when it ends.
 *
 * Only batches whose fields all have a known size are kept here: they own their
 * memory. Used by one thread.
 */
#ifndef LIB_LOADER_BATCH_FREELIST_H
#define LIB_LOADER_BATCH_FREELIST_H

#include <stdint.h>

struct batch;
struct schema;
struct batch_freelist;

struct batch_freelist *batch_freelist_new(void); /* NULL: out of memory */
/* Taken batches stay with the taker; NULL is fine. */
void batch_freelist_free(struct batch_freelist *freelist);
/* Frees all batches in the list; NULL is fine. */
void batch_freelist_clear(struct batch_freelist *freelist);

/* Returns a batch of this schema (by address) and capacity; NULL: none. */
struct batch *batch_freelist_take(struct batch_freelist *freelist,
    const struct schema *schema, unsigned capacity);
/* Adds a batch; frees it when memory is short. */
void batch_freelist_give(struct batch_freelist *freelist,
    const struct schema *schema, struct batch *batch);

/* Returns the bytes of the batches taken since the last call. */
uint64_t batch_freelist_reused(struct batch_freelist *freelist); /* NULL: 0 */

#endif
