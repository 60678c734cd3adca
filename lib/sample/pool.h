/*
 * pool.h - memory for tensors whose size is known only when a sample comes.
 *
 * Whoever has such a tensor sets its `piece` to pool_empty; when a step asks
 * for room (tensor_reshape) it takes a piece that is free and just large
 * enough, and tensor_hand_back makes the piece free for any other.  So the
 * sizes that an epoch has at once are what grows, not each slot of each batch
 * to the size of the largest sample: an epoch of the same samples in another
 * order finds pieces for all of them.
 *
 * Pieces are of sizes, four to each doubling; a tensor gets one of its size,
 * or up to twice as large, or a new one.  The pool owns them all, and tensors
 * borrow them: it is freed after its tensors.  All that it holds is at most
 * twice what was wanted at once at some time (and POOL_LEAST): before it grows
 * beyond, any larger piece is taken, and free smaller ones are given back to
 * the system; else nothing is.
 *
 * For any number of threads.  Who takes a piece gets one that was last taken on
 * the same processor, where there is one.  To take a piece and to give it back
 * are a few atomic operations; a lock is held, and memory allocated, only where
 * no piece is free.  A tensor keeps pieces of up to POOL_KEPT bytes, so that
 * small ones cost nothing.
 */
#ifndef LIB_SAMPLE_POOL_H
#define LIB_SAMPLE_POOL_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct piece;
struct pool;

enum {
	POOL_KEPT = 16 << 10, /* bytes */
	POOL_LEAST = 1 << 20, /* so much it may hold in any case */
};

/*
 * For `tensors` tensors at most, at a time.  The first `fresh` times a new
 * piece is made even where one is free: where all samples of an epoch may be in
 * flight at once, but need not be in the first, that makes one for each.
 */
struct pool *pool_new(size_t tensors, size_t fresh, struct error *err);
void pool_free(struct pool *pool); /* with all pieces; NULL is fine */

/* That tensors of the pool begin with; NULL of none. */
struct piece *pool_empty(struct pool *pool);
/* At least `bytes` bytes; NULL when there is no memory. */
struct piece *pool_take(struct pool *pool, size_t bytes, struct error *err);
void pool_give(struct piece *piece); /* to the pool that it is of */

/* Aligned as owned tensors are; with as much behind as these have. */
void *piece_data(const struct piece *piece);
size_t piece_capacity(const struct piece *piece); /* bytes */
struct pool *piece_pool(const struct piece *piece);

/* What the pool holds, and the most that was wanted at once. */
uint64_t pool_bytes(const struct pool *pool);
uint64_t pool_peak_bytes(const struct pool *pool);
/* Pieces that were made since it was new. */
uint64_t pool_made(const struct pool *pool);

#endif
