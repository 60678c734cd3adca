/* pool.c - see pool.h and request.h. */
#include "lib/media/http/pool.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/random.h"
#include "lib/base/stop.h"
#include "lib/files/url.h"
#include "lib/media/backends/backend.h"
#include "lib/media/backends/fork_lock.h"
#include "lib/media/http/ahead.h"
#include "lib/media/http/transfer.h"

enum { IDLE_MOST = 64, KNOWN = 64 };

struct http_pool {
	struct medium_counts *counts; /* NULL: nobody counts */
	atomic_uint hurried;          /* calls that have not ended */
	/* Hashes of hosts that answered; one may take another's place. */
	atomic_uint_fast64_t known[KNOWN];
	atomic_uint_fast64_t drawn; /* random numbers so far */
	uint64_t seed;
	struct fork_lock lock; /* protects what follows */
	pid_t process;         /* the owner of what follows */
	struct transfer_share *share;
	struct transfer *idle[IDLE_MOST];
	size_t idle_count;
	struct ahead *ahead;
};

struct http_pool *http_pool_new(struct medium_counts *counts, struct error *err)
{
	struct http_pool *pool = memory_zeroed(sizeof(*pool), err);

	if (!pool)
		return NULL;
	pool->counts = counts;
	pool->process = getpid();
	pool->seed = clock_unix_ns() ^ (uint64_t)pool->process << 40;
	atomic_init(&pool->hurried, 0);
	atomic_init(&pool->drawn, 0);
	for (size_t i = 0; i < KNOWN; i++)
		atomic_init(&pool->known[i], 0);
	fork_lock_init(&pool->lock);
	pool->share = transfer_share_new(err);
	if (pool->share)
		return pool;
	http_pool_free(pool);
	return NULL;
}

void http_pool_free(struct http_pool *pool)
{
	if (!pool)
		return;
	if (pool->process == getpid()) {
		ahead_free(pool->ahead);
		for (size_t i = 0; i < pool->idle_count; i++)
			transfer_free(pool->idle[i]);
		transfer_share_free(pool->share);
	}
	fork_lock_destroy(&pool->lock);
	free(pool);
}

/* Takes the lock; the child of a fork forgets what is its parent's. */
static void lock_own(struct http_pool *pool)
{
	if (!fork_lock_take(&pool->lock))
		return;
	pool->process = getpid();
	pool->idle_count = 0;
	pool->ahead = NULL;
	pool->share = NULL;
}

/* Returns what handles share; NULL: it cannot be made.  Locked. */
static struct transfer_share *share_of(
    struct http_pool *pool, struct error *err)
{
	if (!pool->share)
		pool->share = transfer_share_new(err);
	return pool->share;
}

struct transfer *http_pool_take(struct http_pool *pool, struct error *err)
{
	struct transfer_share *share;
	struct transfer *transfer = NULL;

	lock_own(pool);
	share = share_of(pool, err);
	if (share && pool->idle_count > 0)
		transfer = pool->idle[--pool->idle_count];
	fork_lock_give(&pool->lock);
	if (transfer || !share)
		return transfer;
	return transfer_new(share, err);
}

void http_pool_give(
    struct http_pool *pool, struct transfer *transfer, bool is_broken)
{
	if (!is_broken) {
		lock_own(pool);
		if (pool->idle_count < IDLE_MOST) {
			pool->idle[pool->idle_count++] = transfer;
			transfer = NULL;
		}
		fork_lock_give(&pool->lock);
	}
	transfer_free(transfer);
}

struct ahead *http_pool_ahead(struct http_pool *pool, struct error *err)
{
	struct ahead *ahead;

	lock_own(pool);
	if (!pool->ahead)
		pool->ahead = ahead_new(err);
	ahead = pool->ahead;
	fork_lock_give(&pool->lock);
	return ahead;
}

void http_pool_hurry(struct http_pool *pool, bool begin)
{
	if (begin)
		atomic_fetch_add(&pool->hurried, 1);
	else
		atomic_fetch_sub(&pool->hurried, 1);
}

bool http_pool_stops(const struct http_pool *pool)
{
	return atomic_load_explicit(&pool->hurried, memory_order_relaxed) > 0 ||
	       stop_is_set();
}

/* The hash of the scheme and host; never 0. */
static uint64_t host_hash(const char *url)
{
	return hash_bytes(url, url_root(url), 0) | 1;
}

bool http_pool_knows(const struct http_pool *pool, const char *url)
{
	const uint64_t hash = host_hash(url);

	return atomic_load_explicit(&pool->known[hash / 2 % KNOWN],
	           memory_order_relaxed) == hash;
}

void http_pool_note(struct http_pool *pool, const char *url)
{
	const uint64_t hash = host_hash(url);

	atomic_store_explicit(
	    &pool->known[hash / 2 % KNOWN], hash, memory_order_relaxed);
}

double http_pool_random(struct http_pool *pool)
{
	struct random random = random_stream(pool->seed, (uint32_t)getpid(),
	    atomic_fetch_add(&pool->drawn, 1), 0);

	return random_unit(&random);
}

void http_pool_count(struct http_pool *pool, uint64_t bytes)
{
	if (!pool->counts)
		return;
	atomic_fetch_add_explicit(
	    &pool->counts->requests, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(
	    &pool->counts->bytes_read, bytes, memory_order_relaxed);
}
