/*
 * pool.c - see pool.h.
 *
 * Each size has stacks of free blocks.  A block is identified by its number in
 * tables that never move: each new table is twice as long as the one before it.
 * The head of a stack contains a counter that changes each time, so that
 * concurrent changes are noticed.
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
	TABLES = 20,
	TABLE_FIRST = 1024, /* blocks of the first table */
	HOMES = 16,      /* stacks of a size; further processors share them */
	ENTRY_BITS = 32, /* bits of a head for the block's number + 1, or 0 */
	PAGE = 4096,
};

struct pool_block {
	struct pool *pool;
	void *data;            /* owned; NULL: no block has this number */
	struct pages pages;    /* the memory of a large block */
	size_t wanted;         /* bytes that its user asked for */
	uint32_t number;       /* its place in the tables */
	uint32_t size;         /* index of its size */
	uint32_t home;         /* index of its stack */
	_Atomic uint32_t next; /* entry below it in the stack */
};

struct pool {
	atomic_uint_fast64_t heads[SIZES][HOMES];
	atomic_uint_fast64_t wanted, peak; /* bytes */
	atomic_uint_fast64_t bytes, made;  /* changed under the lock only */

	pthread_mutex_t lock; /* protects what follows */
	struct pool_block empty;
	/* A table is made before a block of it is in a stack, and stays. */
	struct pool_block *tables[TABLES];
	size_t fresh;  /* constant: not protected */
	uint32_t used; /* entries from `used` on were never used */
	uint32_t gone; /* list of entries whose block was freed */
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

static uint32_t entry_of(const struct pool_block *block)
{
	return block->number + 1;
}

/* Returns the table of a block, and its index there. */
static unsigned table_of(uint32_t number, uint32_t *index)
{
	const uint32_t place = number / TABLE_FIRST + 1;
	const unsigned table = 31 - (unsigned)__builtin_clz(place);

	*index = number - TABLE_FIRST * ((1u << table) - 1);
	return table;
}

static struct pool_block *block_at(const struct pool *pool, uint32_t number)
{
	uint32_t index;
	const unsigned table = table_of(number, &index);

	return &pool->tables[table][index];
}

/* ---- stacks ---- */

static void push(struct pool *pool, struct pool_block *block)
{
	atomic_uint_fast64_t *at = &pool->heads[block->size][block->home];
	uint_fast64_t head = atomic_load_explicit(at, memory_order_relaxed);
	uint_fast64_t now;

	do {
		atomic_store_explicit(
		    &block->next, (uint32_t)head, memory_order_relaxed);
		now =
		    ((head >> ENTRY_BITS) + 1) << ENTRY_BITS | entry_of(block);
	} while (!atomic_compare_exchange_weak_explicit(
	    at, &head, now, memory_order_release, memory_order_relaxed));
}

static struct pool_block *pop_from(struct pool *pool, atomic_uint_fast64_t *at)
{
	uint_fast64_t head = atomic_load_explicit(at, memory_order_acquire);
	struct pool_block *block;
	uint_fast64_t now;

	do {
		if ((uint32_t)head == 0)
			return NULL;
		block = block_at(pool, (uint32_t)head - 1);
		now = ((head >> ENTRY_BITS) + 1) << ENTRY_BITS |
		      atomic_load_explicit(&block->next, memory_order_relaxed);
	} while (!atomic_compare_exchange_weak_explicit(
	    at, &head, now, memory_order_acquire, memory_order_acquire));
	return block;
}

/* Returns the stack of the processor that this thread runs on. */
static uint32_t home_here(void)
{
	const int cpu = sched_getcpu();

	return cpu < 0 ? 0 : (uint32_t)cpu % HOMES;
}

/* Takes a block of this size, if need be from another stack. */
static struct pool_block *pop(struct pool *pool, unsigned size)
{
	const uint32_t home = home_here();
	struct pool_block *block = NULL;

	for (uint32_t i = 0; !block && i < HOMES; i++)
		block = pop_from(pool, &pool->heads[size][(home + i) % HOMES]);
	return block;
}

/* Takes a block of the smallest available size among from .. to-1. */
static struct pool_block *pop_any(struct pool *pool, unsigned from, unsigned to)
{
	struct pool_block *block = NULL;

	for (unsigned size = from; !block && size < to && size < SIZES; size++)
		block = pop(pool, size);
	return block;
}

/* ---- blocks, with the lock held ---- */

static void discard(struct pool *pool, struct pool_block *block)
{
	if (block->pages.map)
		pages_give(&block->pages);
	else
		free(block->data);
	block->data = NULL;
	atomic_fetch_sub(&pool->bytes, size_bytes(block->size));
	atomic_store(&block->next, pool->gone);
	pool->gone = entry_of(block);
}

static void *allocate(struct pool_block *block, struct error *err)
{
	const size_t bytes = size_bytes(block->size) + TENSOR_SLACK;
	void *data;

	if (bytes >= PAGES_HUGE)
		return pages_take(&block->pages, bytes, err);
	data = aligned_alloc(TENSOR_ALIGN, bytes);
	if (!data)
		error_memory(err, bytes);
	return data;
}

/* Returns an entry that has no block; NULL when out of memory. */
static struct pool_block *take_entry(struct pool *pool, struct error *err)
{
	struct pool_block *block;
	unsigned table;
	uint32_t index;

	if (pool->gone) {
		block = block_at(pool, pool->gone - 1);
		pool->gone = atomic_load(&block->next);
		return block;
	}
	table = table_of(pool->used, &index);
	if (table < TABLES && !pool->tables[table])
		pool->tables[table] =
		    calloc((size_t)TABLE_FIRST << table, sizeof(*block));
	if (table == TABLES || !pool->tables[table]) {
		error_memory(err, sizeof(*block) * TABLE_FIRST);
		return NULL;
	}
	block = &pool->tables[table][index];
	block->number = pool->used++;
	return block;
}

static struct pool_block *make(
    struct pool *pool, unsigned size, struct error *err)
{
	struct pool_block *block = take_entry(pool, err);

	if (!block)
		return NULL;
	block->pool = pool;
	block->size = size;
	block->data = allocate(block, err);
	if (!block->data) {
		atomic_store(&block->next, pool->gone);
		pool->gone = entry_of(block);
		return NULL;
	}
	atomic_fetch_add(&pool->bytes, size_bytes(size));
	atomic_fetch_add(&pool->made, 1);
	return block;
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
	struct pool_block *block = NULL;

	for (unsigned s = size; s-- > 0 && is_too_much(pool, size);)
		while (is_too_much(pool, size) && (block = pop(pool, s)))
			discard(pool, block);
}

static struct pool_block *take_locked(
    struct pool *pool, unsigned size, bool *is_new, struct error *err)
{
	const bool is_full = is_too_much(pool, size);
	struct pool_block *block = NULL;

	if (is_full || !is_fresh(pool))
		block = pop_any(pool, size, size + STEPS + 1);
	if (is_full && !block)
		block = pop_any(pool, size, SIZES);
	if (block)
		return block;
	make_room(pool, size);
	block = make(pool, size, err);
	*is_new = block != NULL;
	return block;
}

/* ---- for its users ---- */

struct pool *pool_new(size_t fresh, struct error *err)
{
	struct pool *pool = memory_zeroed(sizeof(*pool), err);

	if (!pool)
		return NULL;
	pthread_mutex_init(&pool->lock, NULL);
	pool->empty.pool = pool;
	pool->fresh = fresh;
	return pool;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	for (uint32_t i = 0; i < pool->used; i++)
		if (block_at(pool, i)->data)
			discard(pool, block_at(pool, i));
	for (unsigned i = 0; i < TABLES; i++)
		free(pool->tables[i]);
	pthread_mutex_destroy(&pool->lock);
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
static void touch_rest(const struct pool_block *block, size_t bytes)
{
	volatile unsigned char *data = block->data;

	for (size_t at = bytes; at < size_bytes(block->size); at += PAGE)
		data[at] = 0;
}

struct pool_block *pool_take(struct pool *pool, size_t bytes, struct error *err)
{
	const unsigned size = size_of(bytes);
	struct pool_block *block = NULL;
	bool is_new = false;

	if (size >= SIZES) {
		error_memory(err, bytes);
		return NULL;
	}
	note_wanted(pool, size_bytes(size));
	if (!is_fresh(pool))
		block = pop_any(pool, size, size + STEPS + 1);
	if (!block) {
		pthread_mutex_lock(&pool->lock);
		block = take_locked(pool, size, &is_new, err);
		pthread_mutex_unlock(&pool->lock);
	}
	if (is_new)
		touch_rest(block, bytes);
	if (!block) {
		atomic_fetch_sub(&pool->wanted, size_bytes(size));
		return NULL;
	}
	block->wanted = size_bytes(size);
	block->home = home_here();
	return block;
}

void pool_give(struct pool_block *block)
{
	struct pool *pool = block->pool;

	atomic_fetch_sub_explicit(
	    &pool->wanted, block->wanted, memory_order_relaxed);
	push(pool, block);
}

struct pool_block *pool_empty(struct pool *pool)
{
	return pool ? &pool->empty : NULL;
}

struct pool *pool_block_pool(const struct pool_block *block)
{
	return block->pool;
}

void *pool_block_data(const struct pool_block *block)
{
	return block->data;
}

size_t pool_block_capacity(const struct pool_block *block)
{
	return size_bytes(block->size);
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
