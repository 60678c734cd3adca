/*
 * spare.h - batches that wait for whichever loader runs next.
 *
 * Several loaders that are open at once, of which one works at a time, would
 * each keep their own: new memory takes time, much of it on a virtual machine
 * whose host hands it out page by page, and all of them together fill it.  So a
 * loader takes them when an epoch begins, by pointer, and gives them back when
 * it has ended.
 *
 * Only batches whose fields are all of known size: their memory is their own.
 * Used by one thread.
 */
#ifndef LIB_LOADER_SPARE_H
#define LIB_LOADER_SPARE_H

#include <stdint.h>

struct batch;
struct schema;
struct spare;

struct spare *spare_new(void); /* NULL: out of memory */
/* What was taken is the taker's; NULL is fine. */
void spare_free(struct spare *spare);
/* Frees what waits; NULL is fine. */
void spare_clear(struct spare *spare);

/*
 * One that was given back for the same schema, which is told by its address,
 * and with the same capacity; NULL: none.
 */
struct batch *spare_take(
    struct spare *spare, const struct schema *schema, unsigned capacity);
/* Frees it where there is no memory to note it. */
void spare_give(
    struct spare *spare, const struct schema *schema, struct batch *batch);

/* Bytes of the batches taken since this was asked last. */
uint64_t spare_reused(struct spare *spare); /* NULL: 0 */

#endif
