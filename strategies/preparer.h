/*
 * preparer.h - one thread of a preparation: shard by shard, the samples of its
 * streams through the steps into a writer.  Inside strategies only; prepare.c
 * divides the streams and runs the threads.
 */
#ifndef STRATEGIES_PREPARER_H
#define STRATEGIES_PREPARER_H

#include <pthread.h>
#include <stdatomic.h>

#include "lib/base/error.h"
#include "lib/sample/reader.h"
#include "lib/stores/store.h"
#include "strategies/prepare.h"

struct chain;
struct shard_cost;

struct preparation { /* shared by the workers */
	const struct prepare_plan *plan;
	const struct reader *source;
	unsigned from; /* the representation that it gives */
	struct store_form form;
	size_t *first_stream;     /* [shards + 1]: of each shard */
	struct shard_cost *costs; /* [shards]: of what was done here */
	unsigned *order;          /* [shards]: they are taken in; or NULL */
	atomic_uint next_shard;   /* in it */
	atomic_bool failed;
	pthread_mutex_t lock; /* of what follows */
	struct prepared prepared;
	struct error err;
};

struct preparer {
	struct preparation *job;
	struct chain *chain;
	struct chain *transform; /* of the codec; NULL: it has none */
	void *unpacker;
	struct chunk chunk;
	struct sample out, transformed;
	struct error err;
	uint64_t samples, skipped;
	struct shard_cost *cost; /* of the shard at hand */
	uint64_t storing_ns;     /* in its writer */
	pthread_t thread;
};

int preparer_init(
    struct preparer *worker, struct preparation *job, struct error *err);
void preparer_release(struct preparer *worker);
/* Makes a shard, unless it is there and may stay; worker->err says why not. */
int preparer_shard(struct preparer *worker, unsigned shard);

#endif
