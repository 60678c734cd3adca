/*
 * python_function.h - the function of a python step: found, identified, and
 * called in a worker process.
 */
#ifndef LIB_OWN_PYTHON_FUNCTION_H
#define LIB_OWN_PYTHON_FUNCTION_H

#include "lib/own/own.h"
#include "lib/python/pool.h"
#include "lib/python/settings.h"

/* The function of a python step: own->code, for all instances. */
struct python_function {
	struct python_settings settings;
	struct python_code code;
	char *words[OWN_WORDS + 1]; /* owned; NULL behind the last */
	struct python_pool *pool;
};

/*
 * For own_ops.  `timeout_s`: of a call; 0: that of [python].  `stacks`: it gets
 * samples in one array (worker.h).
 */
int python_function_open(
    struct own *own, double timeout_s, bool stacks, struct error *err);
void python_function_close(struct own *own);

/*
 * Sees to it that *worker is one that can be called: NULL or a lost one is
 * replaced.  -1: *worker is NULL.
 */
int python_function_keep(const struct python_function *function,
    struct python_worker **worker, struct error *err);
/* Gives *worker back to the pool and clears it; NULL is fine. */
void python_function_give(
    const struct python_function *function, struct python_worker **worker);
/* Calls the function for slot 0 of a worker. */
int python_function_run(const struct python_function *function,
    struct python_worker *worker, struct python_result *result,
    struct error *err);

/* Looks at a result while a worker keeps it. */
typedef int python_use(
    void *arg, struct python_result *result, struct error *err);

/* Calls the function for one sample, with any worker. */
int python_function_call(const struct python_function *function,
    const struct tensor *in, const uint64_t draw[2], python_use *use, void *arg,
    struct error *err);

#endif
