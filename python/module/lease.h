/*
 * lease.h - a batch that several Python objects and DLPack consumers share; the
 * last one gives it back.  All of this needs no GIL.
 */
#ifndef PYTHON_MODULE_LEASE_H
#define PYTHON_MODULE_LEASE_H

#include <stdatomic.h>
#include <sys/types.h>

struct presto_batch;

struct lease {
	atomic_size_t holders;
	struct presto_batch *batch; /* owned */
	pid_t process;
};

/* Returns a lease with one holder; NULL: out of memory, the batch is freed. */
struct lease *lease_new(struct presto_batch *batch);
struct lease *lease_hold(struct lease *lease); /* returns the lease */
/*
 * The last one frees the batch, but not in a fork of the process: there, the
 * loader has no threads, and its locks may be held for ever.
 */
void lease_drop(struct lease *lease);

#endif
