/* pool.c - see pool.h. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/python/pool.h"

struct python_pool {
	const struct python_code *code;
	uint64_t most;   /* 0: any number */
	struct buf told; /* by the first worker */

	pthread_mutex_t lock; /* protects everything below */
	pthread_cond_t given;
	struct python_worker **idle; /* the last one given is taken next */
	size_t idle_count, idle_capacity;
	uint64_t running; /* idle, taken, or being started */
};

static int add_idle(
    struct python_pool *pool, struct python_worker *worker, struct error *err)
{
	void *list = array_grow(pool->idle, &pool->idle_capacity,
	    pool->idle_count + 1, sizeof(struct python_worker *), err);

	if (!list)
		return -1;
	pool->idle = list;
	pool->idle[pool->idle_count++] = worker;
	return 0;
}

struct python_pool *python_pool_new(const struct python_code *code,
    uint64_t most, struct buf *told, struct error *err)
{
	struct python_pool *pool = memory_zeroed(sizeof(*pool), err);
	struct python_worker *first;

	if (!pool)
		return NULL;
	pool->code = code;
	pool->most = most;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->given, NULL);
	first = python_worker_new(code, &pool->told, err);
	if (first &&
	    buf_printf(told, err, "%s", (const char *)pool->told.data) == 0 &&
	    add_idle(pool, first, err) == 0) {
		pool->running = 1;
		return pool;
	}
	python_worker_free(first);
	python_pool_free(pool);
	return NULL;
}

void python_pool_free(struct python_pool *pool)
{
	if (!pool)
		return;
	for (size_t i = 0; i < pool->idle_count; i++)
		python_worker_free(pool->idle[i]);
	free(pool->idle);
	buf_release(&pool->told);
	pthread_cond_destroy(&pool->given);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

/* Frees the place of a worker, so that another may be started. */
static void free_place(struct python_pool *pool)
{
	pthread_mutex_lock(&pool->lock);
	pool->running--;
	pthread_cond_signal(&pool->given);
	pthread_mutex_unlock(&pool->lock);
}

/* Starts a worker in a place that was counted before. */
static struct python_worker *start(struct python_pool *pool, struct error *err)
{
	struct buf told = BUF_INIT;
	struct python_worker *worker =
	    python_worker_new(pool->code, &told, err);

	if (worker && !span_equal(buf_span(&told), buf_span(&pool->told))) {
		error_set(err, ERROR_SYSTEM,
		    "%s has changed while presto used it: run presto again",
		    pool->code->target);
		python_worker_free(worker);
		worker = NULL;
	}
	buf_release(&told);
	if (!worker)
		free_place(pool);
	return worker;
}

struct python_worker *python_pool_take(
    struct python_pool *pool, struct error *err)
{
	struct python_worker *worker = NULL;

	pthread_mutex_lock(&pool->lock);
	while (!pool->idle_count && pool->most && pool->running >= pool->most)
		pthread_cond_wait(&pool->given, &pool->lock);
	if (pool->idle_count)
		worker = pool->idle[--pool->idle_count];
	else
		pool->running++;
	pthread_mutex_unlock(&pool->lock);
	return worker ? worker : start(pool, err);
}

void python_pool_give(struct python_pool *pool, struct python_worker *worker)
{
	struct error ignored = ERROR_INIT;
	bool kept = false;

	if (!python_worker_is_lost(worker)) {
		pthread_mutex_lock(&pool->lock);
		kept = add_idle(pool, worker, &ignored) == 0;
		pthread_cond_signal(&pool->given);
		pthread_mutex_unlock(&pool->lock);
	}
	if (kept)
		return;
	python_worker_free(worker);
	free_place(pool);
}
