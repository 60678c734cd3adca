/*
 * worker.h - a process with a Python interpreter that runs a function of the
 * user's own.
 *
 * Arrays go through two files in memory that both processes map, and messages
 * of a few bytes through pipes.  The function sees the input in shared memory,
 * without a copy of its own.  What it returns is copied to shared memory there,
 * unless it is an array in the memory of the input, and to the output here.
 *
 * A worker ends with this process, even if the function runs at that time.
 * Its CPU time is counted as the caller's (lib/base/outside.h).
 *
 * Used by one thread at a time.
 */
#ifndef LIB_PYTHON_WORKER_H
#define LIB_PYTHON_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/bytes.h"
#include "lib/sample/tensor.h"

struct error;
struct python_worker;

/* The code to run; all texts are borrowed, and outlive the workers. */
struct python_code {
	const char *interpreter; /* a path, or a name in PATH */
	const char *target;      /* "FILE.py:FUNCTION", "PACKAGE:FUNCTION" */
	const char *folder; /* where it runs, and finds files and modules */
	/* "NAME=VALUE": options of the function; NULL behind the last. */
	const char *const *options;
	bool draws; /* seed it for each sample */
	bool shows; /* its prints go to stderr, not nowhere */
	/*
	 * The function gets the inputs of a call, which have one shape, as one
	 * array with the samples first, and returns one such array.  It must
	 * not change its input: if it fails, it is called for one at a time.
	 */
	bool stacks;
	double timeout_s; /* for the answer to one call */
};

enum python_form { PYTHON_ARRAY, PYTHON_BYTES, PYTHON_TEXT };

/* A result is what the function returned. */
struct python_result {
	struct tensor tensor; /* a view, valid until an input is put */
	enum python_form form;
};

/*
 * Starts a worker, and waits until it has imported the code.  `told` gets lines
 * that identify the code: "file PATH", "python 3.11", "numpy 1.24.2",
 * "imports HASH" of other modules if there are any, and "draws yes" if the
 * function takes `rng`.  ERROR_USAGE: the code cannot be run.
 */
struct python_worker *python_worker_new(
    const struct python_code *code, struct buf *told, struct error *err);
void python_worker_free(struct python_worker *worker); /* NULL is fine */

/* Samples that a worker can have at a time. */
enum { PYTHON_SLOTS = 64 };

/*
 * Copies the input of a sample; slots are filled in order, from 0 on.  `draw`
 * is what a function that draws is seeded with.
 */
int python_worker_put(struct python_worker *worker, unsigned slot,
    const struct tensor *in, const uint64_t draw[2], struct error *err);
/*
 * Calls the function for slots 0 .. count-1.  ERROR_DATA: it took too long, or
 * the process ended; then the worker is lost, but still has the results of the
 * slots that it had finished, and the inputs of those that it had not begun.
 */
int python_worker_run(
    struct python_worker *worker, unsigned count, struct error *err);
/* How far a lost worker is with a slot. */
enum python_progress {
	PYTHON_NOT_CALLED, /* the input is as it was put */
	PYTHON_CALLED,     /* the function may have changed the input */
	PYTHON_RETURNED,   /* it has returned, or failed in words */
};
enum python_progress python_worker_progress(
    const struct python_worker *worker, unsigned slot);
/*
 * Returns the result of a slot.  ERROR_DATA: the function failed, and the error
 * has its words.
 */
int python_worker_get(struct python_worker *worker, unsigned slot,
    struct python_result *result, struct error *err);
/* Copies the input of a slot that was not called, of another worker, to slot 0.
 */
int python_worker_repeat(struct python_worker *worker,
    const struct python_worker *other, unsigned slot, struct error *err);

/* Is it only to be freed? */
bool python_worker_is_lost(const struct python_worker *worker);

#endif
