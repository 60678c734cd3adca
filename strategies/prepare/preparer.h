/*
 * preparer.h - one thread of a preparation: runs samples through the steps and
 * stores them in a shard.
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
	unsigned from; /* the representation of its samples */
	struct store_form form;
	enum order_way way;             /* how the source is read */
	struct permutation permutation; /* samples, or streams; or empty */
	size_t *first; /* [shards + 1]: first stream or sample of each */
	struct shard_cost *costs; /* [shards], as measured */
	unsigned *order;          /* [shards]: longest first; NULL: by number */
	atomic_uint next_shard;   /* place in this order */
	atomic_bool failed;
	pthread_mutex_t lock; /* guards the rest */
	struct prepared prepared;
	struct error err;
};

struct preparer {
	struct preparation *job;
	struct chain *chain;
	struct chain *transform; /* the codec's; NULL: none */
	void *unpacker;
	struct chunk chunk;
	void *picker;                   /* NULL: not opened yet */
	struct shuffled_window *window; /* owned; NULL: not used yet */
	struct sample out, transformed;
	struct error err;
	uint64_t samples, skipped, filtered;
	struct shard_cost *cost; /* the current shard's */
	uint64_t storing_ns;     /* time in its writer */
	pthread_t thread;
};

int preparer_init(
    struct preparer *worker, struct preparation *job, struct error *err);
void preparer_release(struct preparer *worker);
/* Returns the stream at this place of the order. */
size_t preparation_stream(const struct preparation *job, size_t place);
bool preparer_must_stop(const struct preparer *worker);

struct preparer_moment {
	uint64_t wall_ns, cpu_ns;
};

struct preparer_moment preparer_moment(void);
/* Counts the time since `began` as reading. */
void preparer_has_read(
    struct preparer *worker, const struct preparer_moment *began);
/* Unpacks the worker's chunk, and makes and stores its samples. */
int preparer_chunk(struct preparer *worker, struct shard_writer *writer);
/* Makes and stores the samples that come from one sample of the chunk. */
int preparer_sample(struct preparer *worker, struct shard_writer *writer,
    const struct chunk *chunk, const struct sample *in);

#endif
