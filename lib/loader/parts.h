/*
 * parts.h - what the parts of the loader share; inside lib/loader only.
 *
 * loader.c makes the threads and runs epochs, fetcher.c and worker.c are what
 * they do in one, share.c how workers help each other, batches.c what it fills.
 * The queues are the only way between them; `stop` makes everybody leave, and
 * the first error stays.
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

/* What a thread does in the traced pass; see trace.c. */
struct meter {
	bool is_on;
	struct stopwatch watch;
	/* Rounds: a chunk is got, a sample begun, another made; one is put. */
	struct pace get, begin, make, put;
	struct effort open, read, unpack, parse, hand;
	struct chain_trace chain;
	uint64_t delivered; /* bytes */
	struct waits for_data, for_room;
	uint64_t cpu_ns, wall_ns; /* of all; until the end, since when */
};

/* What comes of one sample, for all workers to make; see share.c. */
struct offer {
	struct chain_share share;
	char where[KEY_TEXT]; /* the sample is from, for messages */
	bool is_open;         /* under the loader's lock, as users */
	unsigned users;       /* others that are at it */
};

struct worker {
	struct loader *loader;
	struct chain *chain;
	struct sample sample; /* that it is at; views */
	struct offer offer;
	void *unpacker;
	struct buf unpacked;  /* lent to the chunk that it is at */
	struct batch **open;  /* [window]: batches being filled */
	struct random random; /* which of them gets the next sample */
	bool only_copies;     /* no step has anything to do */
	bool has_quiet;       /* batches that the consumer was not woken for */
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
	unsigned users; /* under the loader's lock, as at_end */
	bool at_end;
};

struct loader {
	struct loader_plan plan;
	unsigned window; /* open batches of a worker */

	struct fetcher *fetchers;
	struct worker *workers;
	unsigned fetchers_started, workers_started; /* threads that exist */

	struct chunk *chunks;
	unsigned chunk_count;
	struct batch **batches;
	unsigned batch_count;
	struct pool *pool; /* of what varies in size in batches and chains */
	struct queue chunks_free, chunks_ready;
	struct queue batches_free, batches_ready;
	struct batch *lent; /* the consumer's */

	size_t *order; /* of the streams, in this epoch */
	atomic_uint fetchers_left, workers_left; /* in this epoch */
	atomic_bool stop;
	uint32_t epoch;
	uint64_t losses; /* of mappings, when it began */
	bool tracing;
	enum level level;          /* how far this epoch goes */
	bool checks;               /* what was read; of LEVEL_READ */
	size_t part;               /* streams of an epoch */
	struct medium_times times; /* of the traced epoch */
	struct waits waits;        /* the consumer's */
	uint64_t wall_ns; /* of the traced epoch; until its end, since when */
	bool shares;      /* a step makes many of one, and there are workers */

	pthread_mutex_t lock; /* of what follows */
	size_t next_stream;   /* index into order */
	unsigned opening;     /* streams that are taken, but not open yet */
	pthread_cond_t opened;
	pthread_cond_t offered; /* or taken back, or nobody is busy */
	unsigned busy;          /* workers that may still offer */
	pthread_cond_t changed;
	uint64_t generation; /* counts epochs begun */
	unsigned running;    /* threads at work */
	bool quit;
	struct error err; /* the first of any thread */
	uint64_t skipped;
};

/* Keeps the error if it is the first, and stops everybody. */
void loader_fail(struct loader *loader, const struct error *err);
/* Notes a sample that was left out, and why. */
void loader_note_skipped(
    struct loader *loader, const char *where, const char *why);

/* Batches and their pool; they wait where the plan says. */
int batches_make(struct loader *loader, struct error *err);
/* Those that it has not, for an epoch; and back. */
int batches_take(struct loader *loader, struct error *err);
void batches_give(struct loader *loader);

/* At the thread's begin and end of an epoch; `thread` is its number. */
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

/* The lap was of the loader itself. */
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

/* Where it notes that it waits; NULL: nowhere. */
static inline struct waits *meter_waits(
    struct meter *meter, struct waits *waits)
{
	return meter_is_on(meter) ? waits : NULL;
}

/* A chunk in an epoch that goes no further than its level: 0, or -1. */
int level_chunk(struct worker *worker, struct chunk *chunk);
/* Bytes as the reader has them; of the traced pass. */
uint64_t chunk_fetched(const struct chunk *chunk);

/* One epoch of a thread. */
void fetcher_epoch(struct fetcher *fetcher);
void worker_epoch(struct worker *worker);

/*
 * Into batches: what comes of the sample that its chain has begun.  `where` it
 * is from, or NULL: it is the worker's.  -1: the epoch is over for it.
 */
int worker_deliver(
    struct worker *worker, const struct chunk *chunk, const char *where);

/* As worker_deliver, with the help of workers that have nothing to do. */
int share_sample(struct worker *worker, const struct chunk *chunk);
/* Helps the others, until all are done. */
void share_help(struct worker *worker);

int worker_init(
    struct worker *worker, struct loader *loader, struct error *err);
void worker_release(struct worker *worker);

#endif
