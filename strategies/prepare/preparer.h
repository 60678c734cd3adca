/*
 * preparer.h - one thread of a preparation: shard by shard, the samples of its
 * streams through the steps into a writer.  Inside strategies only; prepare.c
 * divides the streams and runs the threads.
 */
#ifndef STRATEGIES_PREPARE_PREPARER_H
#define STRATEGIES_PREPARE_PREPARER_H

#include <pthread.h>
#include <stdatomic.h>

#include "lib/base/error.h"
#include "lib/sample/permutation.h"
#include "lib/sample/reader.h"
#include "lib/stores/store.h"
#include "strategies/prepare/prepare.h"

struct chain;
struct shuffled_window;
struct shard_cost;

struct preparation { /* shared by the workers */
	const struct prepare_plan *plan;
	const struct reader *source;
	unsigned from; /* the representation that it gives */
	struct store_form form;
	enum order_way way;             /* how it is read */
	struct permutation permutation; /* of samples or streams; or empty */
	size_t *first;            /* [shards + 1]: streams, or samples, of it */
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
	void *picker;                   /* NULL: not opened yet */
	struct shuffled_window *window; /* or NULL */
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
/* The stream at this place of the order. */
size_t preparation_stream(const struct preparation *job, size_t place);
bool preparer_must_stop(const struct preparer *worker);

struct preparer_moment {
	uint64_t wall_ns, cpu_ns;
};

struct preparer_moment preparer_moment(void);
/* The time since then went into reading. */
void preparer_has_read(
    struct preparer *worker, const struct preparer_moment *began);
/* Unpacks the chunk, and stores what comes of its samples. */
int preparer_chunk(struct preparer *worker, struct shard_writer *writer);
/* Stores what comes of the sample, which is of the chunk. */
int preparer_sample(struct preparer *worker, struct shard_writer *writer,
    const struct chunk *chunk, const struct sample *in);

#endif
