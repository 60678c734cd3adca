/*
 * state.h - the state that a loader's threads share; for lib/loader only.
 *
 * loader.c makes the threads and runs epochs.  fetcher.c and worker.c have the
 * code of the threads, split_work.c lets workers help each other, batches.c
 * makes the batches.  Threads communicate through the queues only.  `stop`
 * makes all threads leave the epoch, and the first error is kept.
 */
#ifndef LIB_LOADER_STATE_H
#define LIB_LOADER_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/loader/gate.h"
#include "lib/loader/loader.h"
#include "lib/loader/meter.h"
#include "lib/loader/queue.h"
#include "lib/loader/recording.h"
#include "lib/media/medium.h"
#include "lib/pipeline/ahead.h"
#include "lib/sample/copy_run.h"

/* A sample that yields many; workers share them: see split_work.c. */
struct offer {
	struct chain_split split;
	char where[KEY_TEXT]; /* name of the sample, for messages */
	bool is_open;         /* under the loader's lock, like users */
	unsigned users;       /* other workers that take part */
};

struct worker {
	struct loader *loader;
	struct chain *chain;
	struct sample sample; /* the current sample; views into the chunk */
	struct ahead *ahead;  /* owned: samples behind it */
	struct offer offer;
	void *unpacker;
	struct buf unpacked;  /* lent to the current chunk */
	struct batch **open;  /* [window]: batches that it fills */
	struct random random; /* chooses the batch for the next sample */
	bool only_copies;     /* the steps do nothing */
	bool joins;           /* neighbours are copied at once */
	struct copy_run run;  /* samples that are not copied yet */
	unsigned quiet;       /* batches put since it last woke the consumer */
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
	unsigned window;     /* batches that a worker fills at the same time */
	unsigned quiet_most; /* batches for one wake-up; 0: any number */

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
	atomic_uint fetchers_left, workers_left; /* in this epoch */
	atomic_bool stop;
	uint32_t epoch;
	uint64_t losses; /* lost mappings when the epoch began */
	bool tracing;
	enum epoch_extent extent; /* how far this epoch goes */
	bool checks;              /* EXTENT_READ also verifies */
	bool reads_late;          /* workers read what is cached */
	size_t part;              /* number of streams in an epoch */
	size_t *chosen;           /* owned: of these streams; NULL: of all */
	size_t chosen_count;
	struct medium_times times;  /* medium times in the traced epoch */
	struct waits waits;         /* waiting of the consumer */
	struct recording recording; /* events of the traced epoch */
	uint64_t wall_ns; /* length of the traced epoch; during it: its start */
	bool splits_work; /* several workers make samples of one */

	pthread_mutex_t lock; /* protects everything below */
	size_t next_stream;   /* index into order */
	unsigned opening; /* streams that were taken, but are not open yet */
	pthread_cond_t opened;
	pthread_cond_t offered; /* an offer changed, or nobody is busy */
	unsigned busy;          /* workers that may still make an offer */
	struct gate gate;       /* opened for each epoch */
	unsigned running;       /* threads that are working */
	pthread_cond_t ended;   /* none is */
	struct error err;       /* the first error of any thread */
	uint64_t skipped, filtered;
};

/* Keeps the error if it is the first, and stops all threads. */
void loader_fail(struct loader *loader, const struct error *err);
/* Records a sample that was left out, and the reason. */
void loader_note_skipped(
    struct loader *loader, const char *where, const char *why);

#endif
