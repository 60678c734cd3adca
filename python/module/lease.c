/* lease.c - see lease.h. */
#include "python/module/lease.h"

#include <stdlib.h>
#include <unistd.h>

#include "api/presto.h"

struct lease *lease_new(struct presto_batch *batch)
{
	struct lease *lease = malloc(sizeof(*lease));

	if (!lease) {
		presto_batch_free(batch);
		return NULL;
	}
	atomic_init(&lease->holders, 1);
	lease->batch = batch;
	lease->process = getpid();
	return lease;
}

struct lease *lease_hold(struct lease *lease)
{
	atomic_fetch_add_explicit(&lease->holders, 1, memory_order_relaxed);
	return lease;
}

void lease_drop(struct lease *lease)
{
	if (atomic_fetch_sub_explicit(
	        &lease->holders, 1, memory_order_acq_rel) > 1)
		return;
	if (lease->process == getpid())
		presto_batch_free(lease->batch);
	free(lease);
}
