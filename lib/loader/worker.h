/* worker.h - a thread that takes chunks, runs the steps and fills batches. */
#ifndef LIB_LOADER_WORKER_H
#define LIB_LOADER_WORKER_H

#include "lib/sample/key.h"

struct chunk;
struct error;
struct loader;
struct worker;

int worker_init(
    struct worker *worker, struct loader *loader, struct error *err);
void worker_release(struct worker *worker);

/* Runs one epoch of the thread. */
void worker_epoch(struct worker *worker);

/*
 * Puts all samples of the current input sample into batches. `where`: its name;
 * NULL: the worker's own sample. -1: the epoch is over for this worker.
 */
int worker_deliver(
    struct worker *worker, const struct chunk *chunk, const char *where);

/* Returns the place of the current sample, for messages; uses `text`. */
const char *worker_where(const struct worker *worker, const struct chunk *chunk,
    char text[KEY_TEXT]);

#endif
