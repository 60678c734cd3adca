/* batch_home.c - see batch_home.h. */
#include "lib/sample/batch_home.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/pages.h"
#include "lib/sample/batch.h"
#include "lib/sample/key_room.h"
#include "lib/sample/pool.h"

enum { KEY_USUAL = 24 }; /* bytes */

struct batch_home {
	struct schema schema;
	struct pool *pool;
	unsigned capacity, spare;
	struct pages pages;  /* memory that is shared; empty: none */
	unsigned char *part; /* the first part of it */
	size_t part_bytes;
	unsigned places; /* number of parts */

	pthread_mutex_t lock; /* protects what follows */
	struct batch **free;  /* [spare]; the last one is used first */
	unsigned free_count;
	unsigned placed; /* places that were used */
	uint64_t taken;  /* batches that are elsewhere */
	bool is_closed;
	pid_t process; /* 0: no batch was made yet */
};

static void destroy(struct batch_home *home)
{
	for (unsigned i = 0; i < home->free_count; i++)
		batch_free(home->free[i]);
	pool_free(home->pool);
	pages_give(&home->pages);
	pthread_mutex_destroy(&home->lock);
	free(home->free);
	free(home);
}

struct batch_home *batch_home_new(unsigned capacity,
    const struct schema *schema, unsigned spare, struct error *err)
{
	struct batch_home *home = memory_zeroed(sizeof(*home), err);

	if (!home)
		return NULL;
	home->schema = *schema;
	home->capacity = capacity;
	home->spare = spare;
	pthread_mutex_init(&home->lock, NULL);
	home->pool = pool_new(0, err);
	home->free = calloc((size_t)spare + 1, sizeof(struct batch *));
	if (home->pool && home->free)
		return home;
	if (home->pool)
		error_memory(err, spare * sizeof(struct batch *));
	destroy(home);
	return NULL;
}

int batch_home_share(
    struct batch_home *home, unsigned places, struct error *err)
{
	const size_t part = batch_part(home->capacity, &home->schema);
	struct batch **free_batches;
	size_t bytes;
	int fd;

	if (part == 0 || size_mul(pages_round(part), places, &bytes) ||
	    bytes > PTRDIFF_MAX)
		return error_set(
		    err, ERROR_LIMIT, "batches of this size cannot be shared");
	free_batches =
	    memory_zeroed(((size_t)places + 1) * sizeof(struct batch *), err);
	if (!free_batches)
		return -1;
	home->part = pages_share(&home->pages, bytes, &fd, err);
	if (!home->part) {
		free(free_batches);
		return -1;
	}
	free(home->free);
	home->free = free_batches;
	home->part_bytes = part;
	home->spare = home->places = places;
	return fd;
}

void batch_home_close(struct batch_home *home)
{
	bool is_last;

	if (!home)
		return;
	pthread_mutex_lock(&home->lock);
	home->is_closed = true;
	is_last = home->taken == 0;
	pthread_mutex_unlock(&home->lock);
	if (is_last)
		destroy(home);
}

struct pool *batch_home_pool(struct batch_home *home)
{
	return home->pool;
}

/* Makes a batch in shared memory; NULL: it has no place left, or no memory. */
static struct batch *make_shared(struct batch_home *home)
{
	struct error ignored = ERROR_INIT;
	unsigned place = 0;
	unsigned char *part;

	pthread_mutex_lock(&home->lock);
	if (home->placed < home->places)
		place = ++home->placed;
	pthread_mutex_unlock(&home->lock);
	if (place == 0)
		return NULL;
	part = home->part + (place - 1) * pages_round(home->part_bytes);
	return pages_fill(part, home->part_bytes)
	           ? batch_new_at(home->capacity, &home->schema, home->pool,
	                 part, place, &ignored)
	           : NULL;
}

static struct batch *make(struct batch_home *home, struct error *err)
{
	struct batch *batch = make_shared(home);

	if (!batch)
		batch =
		    batch_new(home->capacity, &home->schema, home->pool, err);
	if (!batch)
		return NULL;
	batch->home = home;
	batch->key_room = key_room_new((size_t)home->capacity * KEY_USUAL, err);
	if (batch->key_room)
		return batch;
	batch_free(batch);
	return NULL;
}

struct batch *batch_home_take(struct batch_home *home, struct error *err)
{
	struct batch *batch = NULL;

	pthread_mutex_lock(&home->lock);
	if (home->process == 0)
		home->process = getpid();
	if (home->free_count > 0)
		batch = home->free[--home->free_count];
	if (batch)
		home->taken++;
	pthread_mutex_unlock(&home->lock);
	if (batch)
		return batch;
	batch = make(home, err);
	pthread_mutex_lock(&home->lock);
	home->taken += batch != NULL;
	pthread_mutex_unlock(&home->lock);
	return batch;
}

/* Where memory is shared, only batches in it are worth keeping. */
static bool is_kept(const struct batch_home *home, const struct batch *batch)
{
	return home->free_count < home->spare && !home->is_closed &&
	       (home->places == 0 || batch->place > 0);
}

void batch_give(struct batch *batch)
{
	struct batch_home *home = batch ? batch->home : NULL;
	bool is_last;

	if (batch && batch->lender) {
		batch->lender->give(batch->lender, batch);
		return;
	}
	/* The lock of a child may be held by a thread that only the parent has.
	 */
	if (!home || home->process != getpid())
		return;
	batch_clear(batch);
	pthread_mutex_lock(&home->lock);
	if (is_kept(home, batch)) {
		home->free[home->free_count++] = batch;
		batch = NULL;
	}
	pthread_mutex_unlock(&home->lock);
	batch_free(batch);
	pthread_mutex_lock(&home->lock);
	is_last = --home->taken == 0 && home->is_closed;
	pthread_mutex_unlock(&home->lock);
	if (is_last)
		destroy(home);
}
