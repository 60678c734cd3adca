/*
 * pool.h - memory for tensors whose size is only known when a sample comes.
 *
 * Such a tensor has its `block` set to pool_empty.  When a step asks for room
 * (tensor_reshape), the tensor takes a free block that is just large enough.
 * tensor_hand_back makes the block free for any other tensor.  So memory grows
 * with the sizes in use at one time, not with the largest sample times the
 * number of slots.  An epoch in another order needs no new blocks.
 *
 * Block sizes have four steps per doubling.  A tensor gets a free block of its
 * size, or of up to twice its size, or a new one.  The pool owns all blocks and
 * is freed after its tensors.  It holds at most twice the largest amount that
 * was in use at once, or POOL_LEAST.  At that limit any larger free block is
 * used, and smaller free ones are returned to the system.
 *
 * Any number of threads may use a pool.  A thread prefers blocks that were last
 * used on its processor.  Taking and giving a block is a few atomic operations;
 * a lock and an allocation are needed only if no block is free.  A tensor keeps
 * a block of up to POOL_KEPT bytes, so that small ones cost nothing.
 */
#ifndef LIB_SAMPLE_POOL_H
#define LIB_SAMPLE_POOL_H

#include <stddef.h>
#include <stdint.h>

struct error;
struct pool_block;
struct pool;

enum {
	POOL_KEPT = 16 << 10, /* bytes */
	POOL_LEAST = 1 << 20, /* bytes that it may hold in any case */
};

/*
 * The first `fresh` calls of pool_take make a new block even if one is free.
 * Use it if all samples may be in flight at once, although not in the first
 * epoch: then there is a block for each.
 */
struct pool *pool_new(size_t fresh, struct error *err);
void pool_free(struct pool *pool); /* also frees all blocks; NULL is fine */

/* Returns the initial `block` of the pool's tensors; NULL for pool NULL. */
struct pool_block *pool_empty(struct pool *pool);
/* Returns a block of at least `bytes` bytes; NULL when out of memory. */
struct pool_block *pool_take(
    struct pool *pool, size_t bytes, struct error *err);
void pool_give(struct pool_block *block); /* returns it to its pool */

/* Aligned and padded like memory that a tensor owns. */
void *pool_block_data(const struct pool_block *block);
size_t pool_block_capacity(const struct pool_block *block); /* bytes */
struct pool *pool_block_pool(const struct pool_block *block);

/* Bytes that the pool holds, and the most that was in use at once. */
uint64_t pool_bytes(const struct pool *pool);
uint64_t pool_peak_bytes(const struct pool *pool);
/* Number of blocks made so far. */
uint64_t pool_made(const struct pool *pool);

#endif
