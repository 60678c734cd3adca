/*
 * spare.h - a free list of batches, which loaders share.
 *
 * Several loaders can be open while only one works. If each kept its own
 * batches, they would fill the memory, and new memory takes time, especially on
 * a virtual machine that gets it from the host page by page. So a loader takes
 * batches from this list when an epoch begins, and returns them when it ends.
 *
 * Only batches whose fields all have a known size are kept here: they own their
 * memory. Used by one thread.
 */
#ifndef LIB_LOADER_SPARE_H
#define LIB_LOADER_SPARE_H

#include <stdint.h>

struct batch;
struct schema;
struct spare;

struct spare *spare_new(void); /* NULL: out of memory */
/* Taken batches stay with the taker; NULL is fine. */
void spare_free(struct spare *spare);
/* Frees all batches in the list; NULL is fine. */
void spare_clear(struct spare *spare);

/*
 * Returns a batch that was given for the same schema (the same address) and
 * capacity; NULL: none.
 */
struct batch *spare_take(
    struct spare *spare, const struct schema *schema, unsigned capacity);
/* Adds a batch; frees it when memory is short. */
void spare_give(
    struct spare *spare, const struct schema *schema, struct batch *batch);

/* Returns the bytes of the batches taken since the last call. */
uint64_t spare_reused(struct spare *spare); /* NULL: 0 */

#endif
