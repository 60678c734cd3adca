/*
 * pool.h - the worker processes of one python step.
 *
 * A thread takes a worker for a call and gives it back.  If none is idle, one
 * is started, up to a number; then the thread waits.  So there are as many
 * workers as threads that call at a time.  A lost worker is replaced.
 *
 * Any thread may call.
 */
#ifndef LIB_PYTHON_POOL_H
#define LIB_PYTHON_POOL_H

#include "lib/python/worker.h"

struct error;
struct python_pool;

/*
 * Makes a pool of at most `most` workers (0: any number), and starts the first
 * one; `told` gets what it says, see python_worker_new.  `code` is borrowed.
 */
struct python_pool *python_pool_new(const struct python_code *code,
    uint64_t most, struct buf *told, struct error *err);
/* Ends all workers, which nobody has; NULL is fine. */
void python_pool_free(struct python_pool *pool);

/*
 * Returns a worker; NULL if it cannot be started, or if its code is not that of
 * the first worker any more.
 */
struct python_worker *python_pool_take(
    struct python_pool *pool, struct error *err);
void python_pool_give(struct python_pool *pool, struct python_worker *worker);

#endif
