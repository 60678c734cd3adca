/*
 * batch_home.h - makes batches that may outlive their maker.
 *
 * A home makes a batch when one is wanted and none is free.  A batch that is
 * given back is used again.  The memory of fields of varying size (pool.h)
 * belongs to the home as well.  The home lives until its owner has closed it
 * and the last batch has come back.
 *
 * Any thread may take and give batches.  In a child of fork, batches can be
 * read; giving them does nothing.
 *
 * A home may make batches where another process reads them: their fields of
 * known size lie in memory that it shares, at the batch's `place`.  All places
 * are of the same size, and keep their memory until the home's end.
 */
#ifndef LIB_SAMPLE_BATCH_HOME_H
#define LIB_SAMPLE_BATCH_HOME_H

#include "lib/sample/sample.h"

struct batch;
struct batch_home;
struct error;
struct pool;

/*
 * For batches of this capacity and schema.  Keeps up to `spare` free batches;
 * further ones are freed.
 */
struct batch_home *batch_home_new(unsigned capacity,
    const struct schema *schema, unsigned spare, struct error *err);
/*
 * Before the first batch is taken: makes up to `places` batches in memory that
 * others may borrow (pages.h), and further ones elsewhere, which are not kept.
 * Returns the descriptor of the memory, for the caller to close; -1: there is
 * none, and nothing has changed.
 */
int batch_home_share(
    struct batch_home *home, unsigned places, struct error *err);
/* The owner's last call; NULL is fine. */
void batch_home_close(struct batch_home *home);
/* The memory of fields of varying size; valid until batch_home_close. */
struct pool *batch_home_pool(struct batch_home *home);

/* Returns an empty batch; NULL when out of memory. */
struct batch *batch_home_take(struct batch_home *home, struct error *err);
/* Gives back a batch of batch_home_take, or of a lender; NULL is fine. */
void batch_give(struct batch *batch);

#endif
