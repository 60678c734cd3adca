/*
 * parts.h - structures that the files of the loader share; inside lib/loader
 * only.
 *
 * loader.c makes the threads and runs epochs. fetcher.c and worker.c have the
 * code of the threads, share.c lets workers help each other, batches.c makes
 * the batches. Threads communicate through the queues only. `stop` makes all
 * threads leave the epoch, and the first error is kept.
 */
#ifndef LIB_LOADER_PARTS_H
#define LIB_LOADER_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/loader/loader.h"
#include "lib/loader/queue.h"
#include "lib/media/medium.h"

/* Counts and times what a thread does in the traced pass; see trace.c. */
struct meter {
	bool is_on;
	struct stopwatch watch;
	/*
	 * Rounds: getting a chunk, beginning a sample, making one, putting a
	 * batch.
	 */
	struct pace get, begin, make, put;
	struct effort open, read, unpack, parse, hand;
	struct chain_trace chain;
	uint64_t delivered; /* bytes delivered */
	struct waits for_data, for_room;
	uint64_t cpu_ns, wall_ns; /* totals; during an epoch: when it began */
};

/* A sample that yields many, so that all workers can make them; see share.c. */
struct offer {
	struct chain_split share;
	char where[KEY_TEXT]; /* name of the sample, for messages */
	bool is_open;         /* under the loader's lock, like users */
	unsigned users;       /* other workers that take part */
};

struct worker {
	struct loader *loader;
	struct chain *chain;
	struct sample sample; /* the current sample; views into the chunk */
	struct offer offer;
	void *unpacker;
	struct buf unpacked;  /* lent to the current chunk */
	struct batch **open;  /* [window]: batches that it fills */
	struct random random; /* chooses the batch for the next sample */
	bool only_copies;     /* the steps do nothing */
	bool has_quiet; /* it has put batches without waking the consumer */
	struct meter meter;
	struct error err;
	pthread_t thread;
};

struct fetcher {
	struct loader *loader;
	struct meter meter;
	struct error err;
	pthread_t thread;

	/* The stream that it has opened; others may help, see fetcher.c. */
	void *stream;
	size_t index;
	unsigned users; /* under the loader's lock, like at_end */
	bool at_end;
};

struct loader {
	struct loader_plan plan;
	unsigned window; /* batches that a worker fills at the same time */

	struct fetcher *fetchers;
	struct worker *workers;
	unsigned fetchers_started, workers_started; /* existing threads */

	struct chunk *chunks;
	unsigned chunk_count;
	struct batch **batches;
	unsigned batch_count;
	struct pool *pool; /* memory for data of varying size */
	struct queue chunks_free, chunks_ready;
	struct queue batches_free, batches_ready;
	struct batch *lent; /* the batch that the consumer has */

	size_t *order; /* order of the streams in this epoch */
	/* still running in this epoch */
	atomic_uint fetchers_left, workers_left;
	atomic_bool stop;
	uint32_t epoch;
	uint64_t losses; /* lost mappings when the epoch began */
	bool tracing;
	enum level level;          /* how far this epoch goes */
	bool checks;               /* LEVEL_READ also verifies */
	size_t part;               /* number of streams in an epoch */
	struct medium_times times; /* medium times in the traced epoch */
	struct waits waits;        /* waiting of the consumer */
	uint64_t wall_ns; /* length of the traced epoch; during it: its start */
	/* a step makes many samples of one, and workers can help */
	bool shares;

	pthread_mutex_t lock; /* protects everything below */
	size_t next_stream;   /* index into order */
	unsigned opening; /* streams that were taken, but are not open yet */
	pthread_cond_t opened;
	/* an offer was made or withdrawn, or nobody is busy */
	pthread_cond_t offered;
	unsigned busy; /* workers that may still make an offer */
	pthread_cond_t changed;
	uint64_t generation; /* number of epochs begun */
	unsigned running;    /* threads that are working */
	bool quit;
	struct error err; /* the first error of any thread */
	uint64_t skipped;
};

/* Keeps the error if it is the first, and stops all threads. */
void loader_fail(struct loader *loader, const struct error *err);
/* Records a sample that was left out, and the reason. */
void loader_note_skipped(
    struct loader *loader, const char *where, const char *why);

/* Makes the batches and their pool; they are kept where the plan says. */
int batches_make(struct loader *loader, struct error *err);
/* Take the missing batches from the free list for an epoch, and return them. */
int batches_take(struct loader *loader, struct error *err);
void batches_give(struct loader *loader);

/* Called when a thread begins and ends an epoch; `thread` is its number. */
void meter_begin(
    struct meter *meter, const struct loader *loader, uint32_t thread);
void meter_end(struct meter *meter);

static inline bool meter_is_on(const struct meter *meter)
{
	return TRACES && meter->is_on;
}

static inline void meter_start(struct meter *meter, struct pace *pace)
{
	if (meter_is_on(meter))
		stopwatch_start(&meter->watch, pace);
}

static inline void meter_lap(struct meter *meter, struct effort *effort)
{
	if (meter_is_on(meter))
		stopwatch_lap(&meter->watch, effort);
}

/* Adds the lap to the loader's own work. */
static inline void meter_hand(struct meter *meter)
{
	if (meter_is_on(meter))
		stopwatch_add(&meter->watch, &meter->hand);
}

static inline void meter_stop(struct meter *meter)
{
	if (meter_is_on(meter))
		stopwatch_stop(&meter->watch);
}

/* Returns where to record waiting; NULL: nowhere. */
static inline struct waits *meter_waits(
    struct meter *meter, struct waits *waits)
{
	return meter_is_on(meter) ? waits : NULL;
}

/* Handles a chunk in a partial epoch: 0, or -1. */
int level_chunk(struct worker *worker, struct chunk *chunk);
/* Returns the bytes of the chunk as the reader fetched them. */
uint64_t chunk_fetched(const struct chunk *chunk);

/* Run one epoch of a thread. */
void fetcher_epoch(struct fetcher *fetcher);
void worker_epoch(struct worker *worker);

/*
 * Puts all samples of the current input sample into batches. `where`: its name;
 * NULL: the worker's own sample. -1: the epoch is over for this worker.
 */
int worker_deliver(
    struct worker *worker, const struct chunk *chunk, const char *where);

/* Does the same with the help of idle workers. */
int share_sample(struct worker *worker, const struct chunk *chunk);
/* Helps other workers until all are done. */
void share_help(struct worker *worker);

int worker_init(
    struct worker *worker, struct loader *loader, struct error *err);
void worker_release(struct worker *worker);

#endif
