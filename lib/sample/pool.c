/*
 * pool.c - see pool.h.
 *
 * Each size has stacks of free blocks.  A block is identified by its number in
 * a table that never moves.  The head of a stack contains a counter that
 * changes each time, so that concurrent changes are noticed.
 *
 * A block returns to the stack of the processor that took it last: there its
 * data is still in the caches, and writing to data in the caches of another
 * processor takes twice as long.
 */
#define _GNU_SOURCE /* sched_getcpu */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/pages.h"
#include "lib/sample/pool.h"
#include "lib/sample/tensor.h"

enum {
	LEAST_LOG2 = 8, /* bytes of the smallest size */
	MOST_LOG2 = 41,
	STEPS = 4, /* sizes per doubling */
	SIZES = (MOST_LOG2 - LEAST_LOG2) * STEPS,
	MORE_PIECES = 256, /* blocks beyond four for each tensor */
	HOMES = 16,        /* stacks of a size; further processors share them */
	ENTRY_BITS = 32,   /* bits of a head for the block's number + 1, or 0 */
	PAGE = 4096,
};

struct piece {
	struct pool *pool;
	void *data;            /* owned; NULL: no block has this number */
	struct pages pages;    /* the memory of a large block */
	size_t wanted;         /* bytes that its user asked for */
	uint32_t size;         /* index of its size */
	uint32_t home;         /* index of its stack */
	_Atomic uint32_t next; /* entry below it in the stack */
};

struct pool {
	atomic_uint_fast64_t heads[SIZES][HOMES];
	atomic_uint_fast64_t wanted, peak; /* bytes */
	atomic_uint_fast64_t bytes, made;  /* changed under the lock only */

	pthread_mutex_t lock; /* protects what follows */
	struct piece empty;
	struct piece *pieces; /* [most] */
	size_t fresh;         /* constant: not protected */
	size_t most, used;    /* entries from `used` on were never used */
	uint32_t gone;        /* list of entries whose block was freed */
};

static size_t size_bytes(unsigned size)
{
	return (size_t)(STEPS + size % STEPS)
	       << (size / STEPS + LEAST_LOG2 - 2);
}

/* Returns the smallest size with room; small sizes simply double. */
static unsigned size_of(size_t bytes)
{
	unsigned log2, size;

	if (bytes <= (size_t)1 << LEAST_LOG2)
		return 0;
	bytes--;
	log2 = 63 - (unsigned)__builtin_clzll(bytes);
	size = (log2 - LEAST_LOG2) * STEPS + 1;
	size += (unsigned)(bytes >> (log2 - 2)) % STEPS;
	if (bytes < POOL_KEPT)
		size += (STEPS - size % STEPS) % STEPS;
	return size;
}

static uint32_t entry_of(const struct piece *piece)
{
	return (uint32_t)(piece - piece->pool->pieces) + 1;
}

/* ---- stacks ---- */

static void push(struct pool *pool, struct piece *piece)
{
	atomic_uint_fast64_t *at = &pool->heads[piece->size][piece->home];
	uint_fast64_t head = atomic_load_explicit(at, memory_order_relaxed);
	uint_fast64_t now;

	do {
		atomic_store_explicit(
		    &piece->next, (uint32_t)head, memory_order_relaxed);
		now =
		    ((head >> ENTRY_BITS) + 1) << ENTRY_BITS | entry_of(piece);
	} while (!atomic_compare_exchange_weak_explicit(
	    at, &head, now, memory_order_release, memory_order_relaxed));
}

static struct piece *pop_from(struct pool *pool, atomic_uint_fast64_t *at)
{
	uint_fast64_t head = atomic_load_explicit(at, memory_order_acquire);
	struct piece *piece;
	uint_fast64_t now;

	do {
		if ((uint32_t)head == 0)
			return NULL;
		piece = &pool->pieces[(uint32_t)head - 1];
		now = ((head >> ENTRY_BITS) + 1) << ENTRY_BITS |
		      atomic_load_explicit(&piece->next, memory_order_relaxed);
	} while (!atomic_compare_exchange_weak_explicit(
	    at, &head, now, memory_order_acquire, memory_order_acquire));
	return piece;
}

/* Returns the stack of the processor that this thread runs on. */
static uint32_t home_here(void)
{
	const int cpu = sched_getcpu();

	return cpu < 0 ? 0 : (uint32_t)cpu % HOMES;
}

/* Takes a block of this size, if need be from another stack. */
static struct piece *pop(struct pool *pool, unsigned size)
{
	const uint32_t home = home_here();
	struct piece *piece = NULL;

	for (uint32_t i = 0; !piece && i < HOMES; i++)
		piece = pop_from(pool, &pool->heads[size][(home + i) % HOMES]);
	return piece;
}

/* Takes a block of the smallest available size among from .. to-1. */
static struct piece *pop_any(struct pool *pool, unsigned from, unsigned to)
{
	struct piece *piece = NULL;

	for (unsigned size = from; !piece && size < to && size < SIZES; size++)
		piece = pop(pool, size);
	return piece;
}

/* ---- blocks, with the lock held ---- */

static void discard(struct pool *pool, struct piece *piece)
{
	if (piece->pages.map)
		pages_give(&piece->pages);
	else
		free(piece->data);
	piece->data = NULL;
	atomic_fetch_sub(&pool->bytes, size_bytes(piece->size));
	atomic_store(&piece->next, pool->gone);
	pool->gone = entry_of(piece);
}

static void *allocate(struct piece *piece, struct error *err)
{
	const size_t bytes = size_bytes(piece->size) + TENSOR_SLACK;
	void *data;

	if (bytes >= PAGES_HUGE)
		return pages_take(&piece->pages, bytes, err);
	data = aligned_alloc(TENSOR_ALIGN, bytes);
	if (!data)
		error_memory(err, bytes);
	return data;
}

static struct piece *make(struct pool *pool, unsigned size, struct error *err)
{
	struct piece *piece;

	if (pool->gone) {
		piece = &pool->pieces[pool->gone - 1];
		pool->gone = atomic_load(&piece->next);
	} else {
		piece = &pool->pieces[pool->used++];
	}
	piece->pool = pool;
	piece->size = size;
	piece->data = allocate(piece, err);
	if (!piece->data) {
		atomic_store(&piece->next, pool->gone);
		pool->gone = entry_of(piece);
		return NULL;
	}
	atomic_fetch_add(&pool->bytes, size_bytes(size));
	atomic_fetch_add(&pool->made, 1);
	return piece;
}

/* Would another block of this size exceed the limit of the pool? */
static bool is_too_much(const struct pool *pool, unsigned size)
{
	const uint64_t most = 2 * atomic_load(&pool->peak);
	const uint64_t bytes = atomic_load(&pool->bytes) + size_bytes(size);

	return bytes > POOL_LEAST && bytes > most;
}

/* Must new blocks still be made, even if one is free? */
static bool is_fresh(const struct pool *pool)
{
	return atomic_load_explicit(&pool->made, memory_order_relaxed) <
	       pool->fresh;
}

/* Frees smaller free blocks to make room for one of this size. */
static void make_room(struct pool *pool, unsigned size)
{
	struct piece *piece = NULL;

	for (unsigned s = size; s-- > 0 && is_too_much(pool, size);)
		while (is_too_much(pool, size) && (piece = pop(pool, s)))
			discard(pool, piece);
	if (pool->gone || pool->used < pool->most)
		return;
	piece = pop_any(pool, 0, SIZES);
	if (piece)
		discard(pool, piece);
}

static struct piece *take_locked(
    struct pool *pool, unsigned size, bool *is_new, struct error *err)
{
	const bool is_full = is_too_much(pool, size);
	struct piece *piece = NULL;

	if (is_full || !is_fresh(pool))
		piece = pop_any(pool, size, size + STEPS + 1);
	if (is_full && !piece)
		piece = pop_any(pool, size, SIZES);
	if (piece)
		return piece;
	make_room(pool, size);
	if (!pool->gone && pool->used == pool->most) {
		error_set(
		    err, ERROR_LIMIT, "more tensors than their pool is for");
		return NULL;
	}
	piece = make(pool, size, err);
	*is_new = piece != NULL;
	return piece;
}

/* ---- for its users ---- */

struct pool *pool_new(size_t tensors, size_t fresh, struct error *err)
{
	struct pool *pool = calloc(1, sizeof(*pool));

	if (!pool) {
		error_memory(err, sizeof(*pool));
		return NULL;
	}
	pthread_mutex_init(&pool->lock, NULL);
	pool->empty.pool = pool;
	pool->fresh = fresh;
	if (tensors < UINT32_MAX / 8)
		pool->most = STEPS * tensors + MORE_PIECES;
	pool->pieces = calloc(pool->most, sizeof(*pool->pieces));
	if (pool->pieces && pool->most)
		return pool;
	error_memory(err, pool->most * sizeof(*pool->pieces));
	pool_free(pool);
	return NULL;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	for (size_t i = 0; pool->pieces && i < pool->used; i++)
		if (pool->pieces[i].data)
			discard(pool, &pool->pieces[i]);
	pthread_mutex_destroy(&pool->lock);
	free(pool->pieces);
	free(pool);
}

static void note_wanted(struct pool *pool, size_t bytes)
{
	const uint_fast64_t now = atomic_fetch_add_explicit(&pool->wanted,
	                              bytes, memory_order_relaxed) +
	                          bytes;
	uint_fast64_t peak =
	    atomic_load_explicit(&pool->peak, memory_order_relaxed);

	while (now > peak &&
	       !atomic_compare_exchange_weak_explicit(&pool->peak, &peak, now,
	           memory_order_relaxed, memory_order_relaxed))
		continue;
}

/* Faults in the rest of the block, for users who need more of it later. */
static void touch_rest(const struct piece *piece, size_t bytes)
{
	volatile unsigned char *data = piece->data;

	for (size_t at = bytes; at < size_bytes(piece->size); at += PAGE)
		data[at] = 0;
}

struct piece *pool_take(struct pool *pool, size_t bytes, struct error *err)
{
	const unsigned size = size_of(bytes);
	struct piece *piece = NULL;
	bool is_new = false;

	if (size >= SIZES) {
		error_memory(err, bytes);
		return NULL;
	}
	note_wanted(pool, size_bytes(size));
	if (!is_fresh(pool))
		piece = pop_any(pool, size, size + STEPS + 1);
	if (!piece) {
		pthread_mutex_lock(&pool->lock);
		piece = take_locked(pool, size, &is_new, err);
		pthread_mutex_unlock(&pool->lock);
	}
	if (is_new)
		touch_rest(piece, bytes);
	if (!piece) {
		atomic_fetch_sub(&pool->wanted, size_bytes(size));
		return NULL;
	}
	piece->wanted = size_bytes(size);
	piece->home = home_here();
	return piece;
}

void pool_give(struct piece *piece)
{
	struct pool *pool = piece->pool;

	atomic_fetch_sub_explicit(
	    &pool->wanted, piece->wanted, memory_order_relaxed);
	push(pool, piece);
}

struct piece *pool_empty(struct pool *pool)
{
	return pool ? &pool->empty : NULL;
}

struct pool *piece_pool(const struct piece *piece)
{
	return piece->pool;
}

void *piece_data(const struct piece *piece)
{
	return piece->data;
}

size_t piece_capacity(const struct piece *piece)
{
	return size_bytes(piece->size);
}

uint64_t pool_bytes(const struct pool *pool)
{
	return atomic_load(&pool->bytes);
}

uint64_t pool_peak_bytes(const struct pool *pool)
{
	return atomic_load(&pool->peak);
}

uint64_t pool_made(const struct pool *pool)
{
	return atomic_load(&pool->made);
}
