/* ordered_worker.h - the threads that run the steps of an ordered loader. */
#ifndef LIB_LOADER_ORDERED_ORDERED_WORKER_H
#define LIB_LOADER_ORDERED_ORDERED_WORKER_H

#include <stdint.h>

struct error;
struct ordered_loader;
struct ordered_worker;

int ordered_worker_init(struct ordered_worker *worker,
    struct ordered_loader *loader, struct error *err);
void ordered_worker_release(struct ordered_worker *worker);
/* Works until the run is over. */
void ordered_worker_run(struct ordered_worker *worker);

/*
 * A step refused a sample (worker->err): records it and returns 0, or fails at
 * the slot and returns -1.
 */
int ordered_worker_refuse(
    struct ordered_worker *worker, uint64_t slot, const char *where);
/* Waits until loader->events is no longer `seen`, or all threads must leave. */
void ordered_worker_wait(struct ordered_worker *worker, uint64_t seen);

#endif
