/*
 * ordered_state.h - the state that the threads of an ordered loader share; for
 * lib/loader/ordered/ordered*.c only.
 *
 * Parts of the dataset (epoch_order.h) are fetched in order, one after the
 * other, into lanes: part i uses lane i modulo their number.  Workers take the
 * samples of the chunks in the same order, a few at a time (ordered_take.h).
 * With the index of a sample its place is known, and with that its slot in a
 * batch, so workers fill the same batch or neighbouring ones at the same time
 * (ordered_output.h).  The consumer takes full batches in order (ordered.c).
 *
 * Slots are numbered from the beginning of a run, which is that of the loader,
 * or a seek.  Batch b has the slots b * batch to (b + 1) * batch - 1; each
 * epoch begins with a new batch.
 *
 * `lock` protects what is not said to be otherwise.  It is taken for a chunk, a
 * batch, or some samples, never for each sample.
 */
#ifndef LIB_LOADER_ORDERED_ORDERED_STATE_H
#define LIB_LOADER_ORDERED_ORDERED_STATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/base/error.h"
#include "lib/loader/consumer.h"
#include "lib/loader/gate.h"
#include "lib/loader/ordered/epoch_order.h"
#include "lib/loader/ordered/ordered.h"
#include "lib/pipeline/chain.h"
#include "lib/sample/batch.h"
#include "lib/sample/copy_run.h"
#include "lib/sample/reader.h"

enum {
	/* Epochs under way at most: a dataset may be one large sample. */
	ORDERED_EPOCHS = 2,
	ORDERED_ENDS = ORDERED_EPOCHS + 1, /* and the one before them */
	ORDERED_TAKE = 64, /* samples that a worker takes at once, at most */
};

struct ordered_epoch {
	struct epoch_order order;
	uint64_t pass;    /* its number among the epochs of all runs */
	uint64_t slot;    /* the slot of its first place */
	atomic_bool done; /* all samples that it needs were taken */
};

enum ordered_chunk_state {
	CHUNK_EMPTY,
	CHUNK_FILLING, /* by a fetcher */
	CHUNK_FETCHED, /* to be unpacked */
	CHUNK_UNPACKING,
	CHUNK_READY,
	CHUNK_FAILED, /* `err` says why */
};

struct ordered_chunk {
	struct chunk chunk; /* belongs to who fills or unpacks it, or takes */
	enum ordered_chunk_state state;
	struct error err;
	atomic_uint users; /* takes that view its samples */
	uint64_t samples;  /* that it must have; UINT64_MAX: any number */
	struct ordered_lane *lane;
};

/* Where a part is fetched to: `depth` chunks, used round and round. */
struct ordered_lane {
	struct ordered_chunk *chunks;
	bool is_used;
	struct ordered_epoch *epoch;
	uint64_t part;                /* its number in the epoch */
	uint64_t put, claimed, taken; /* chunks so far */
	uint64_t parsed;              /* samples so far; for streams */
	unsigned held;                /* chunks that are not empty */
	bool at_end;                  /* everything was put */
	bool is_passed;               /* everything was taken */
};

/* Samples that a worker has taken: views into a chunk. */
struct ordered_take {
	struct ordered_chunk *chunk;
	struct epoch_order order; /* order of its epoch */
	uint64_t slot;            /* first slot of its epoch */
	uint64_t index;           /* index of the first sample */
	unsigned count;
	bool is_last;    /* the epoch's last one is among them */
	uint64_t ticket; /* number of the take, if steps make many */
	struct sample samples[ORDERED_TAKE];
	struct chunk_mark marks[ORDERED_TAKE];
};

/* A sample that yields many: see ordered_many.h. */
struct ordered_input {
	bool is_held, is_begun, is_counted, has_failed, is_skipped;
	uint32_t epoch;
	struct ordered_chunk *chunk;
	uint64_t ticket;
	bool is_last;
	struct chain_split split;   /* for other workers to join */
	uint64_t count, next, step; /* numbers; how many to do at once */
	/* Slot of number 0; slots below 0 (modulo 2^64) are skipped. */
	uint64_t slot;
	unsigned users; /* workers that make some of it */
	char where[KEY_TEXT];
	struct error err; /* has_failed: why */
};

/* Inputs that were skipped in front of a slot. */
struct ordered_lost {
	uint64_t slot, count;
};

/* Slots of a batch that a worker has filled, or left empty. */
struct ordered_done {
	uint64_t batch;
	unsigned slots;
};

struct ordered_worker {
	struct ordered_loader *loader;
	struct chain *chain;
	struct chain *helper; /* makes parts of others' inputs; or NULL */
	void *unpacker;
	struct ordered_take take;
	const struct chunk *source; /* of the samples that it makes now */
	struct order_places places;
	struct ordered_input input;
	uint64_t joined;     /* ticket of the input that `helper` has, plus 1 */
	uint64_t opened;     /* batches that it knows to be open */
	uint64_t filling;    /* number of the batch that it fills */
	struct batch *batch; /* the batch itself; NULL: none yet */
	/* Slots that are done, but not told yet, by batch. */
	struct ordered_done done[ORDERED_TAKE];
	unsigned done_count;
	bool is_quiet;       /* the consumer is yet to be woken */
	bool only_copies;    /* the steps do nothing */
	bool joins;          /* neighbours are copied at once */
	struct copy_run run; /* samples that are not copied yet */
	uint64_t viewed;     /* batch of the last decision, plus 1; 0: none */
	bool views;          /* the decision */
	struct error err;
	pthread_t thread;
};

struct ordered_fetcher {
	struct ordered_loader *loader;
	void *picker;
	struct pick *picks; /* [order.piece] */
	struct error err;
	pthread_t thread;
};

/* A batch that is being filled, or waits for the consumer. */
struct ordered_output {
	struct batch *batch;
	atomic_uint missing; /* slots that are not done */
	atomic_uint gaps;    /* slots that stay empty */
	atomic_uint dropped; /* gaps that filters left */
	unsigned slots;
	/* For views, see ordered_view.c. */
	atomic_uint making; /* slots that are not done; sooner than `missing` */
	bool is_mixed;      /* not all can be views; under the lock */
};

/* The end of an epoch of this run. */
struct ordered_end {
	uint64_t slot;  /* slot behind its last sample */
	uint64_t batch; /* number behind its last batch */
	unsigned rest;  /* slots of its last batch, if that is short; or 0 */
	bool drops;     /* one more batch follows, which is dropped */
};

struct ordered_loader {
	struct ordered_plan plan;
	struct order order;
	bool makes_many, is_nested; /* one step or more make several of one */
	bool unpacks;               /* chunks need unpacking */
	bool lends_bufs;            /* to chunks that are unpacked */
	bool reads_late;            /* workers read what is cached */
	size_t view_window;         /* bytes, see ordered_view.h; 0: no views */
	unsigned take_most;         /* samples to take at once */
	struct open_streams *streams;
	struct batch_home *home;
	pid_t process; /* where its threads are; 0: not started */

	struct ordered_fetcher *fetchers;
	struct ordered_worker *workers;
	unsigned fetchers_started, workers_started;

	struct ordered_lane *lanes;
	struct ordered_chunk *chunks; /* [lane_count * depth] */
	unsigned lane_count, depth;
	unsigned wake_at; /* lanes that must be free before fetchers wake */
	struct buf *spare_bufs; /* [lane_count * depth]: for unpacked data */
	struct ordered_output *outputs; /* [output_count]: batch modulo that */
	unsigned output_count;

	/* Taking samples; see ordered_take.c. */
	pthread_mutex_t take_lock; /* taken before `lock` */
	struct ordered_chunk *current;
	struct ordered_epoch *taking; /* NULL: none yet */
	uint64_t index;               /* index of the next sample */
	uint64_t next_slot;           /* for the next epoch */
	uint64_t chunk_left;          /* samples that count in `current` */
	uint64_t next_take;           /* ticket */
	bool is_broken;               /* `broken` ends the epoch at `index` */
	struct error broken;

	atomic_bool stop;            /* all threads leave the run */
	atomic_uint_fast64_t failed; /* least slot that failed; UINT64_MAX */
	atomic_uint_fast64_t opened; /* batches; changes under the lock */
	atomic_uint_fast64_t waited; /* batch that the consumer waits for */
	atomic_uint_fast64_t skipped, filtered;
	struct consumer consumer;

	pthread_mutex_t lock;
	struct gate gate; /* opened for each run */
	unsigned running, workers_running;
	struct error err; /* error of slot `failed` */

	pthread_cond_t fetchable; /* a lane or a chunk of one became free */
	unsigned fetchers_waiting, free_lanes;
	uint64_t next_ticket, take_ticket,
	    claim_ticket; /* numbers of parts: lanes */
	struct ordered_epoch epochs[ORDERED_EPOCHS];
	uint64_t fetch_epoch; /* epochs of this run that were begun */
	/* With by_spans, an epoch of the run is a span; see ordered_span.c. */
	struct ordered_span spans[ORDERED_SPANS]; /* by number modulo that */
	uint64_t spans_asked, spans_taken;
	uint64_t spans_run;          /* number of the run's first one */
	uint64_t fetch_part;         /* next part of the last of them */
	uint64_t passes;             /* epochs of all runs that were begun */
	uint64_t take_epoch;         /* epochs whose taking has begun */
	unsigned spare_count, ahead; /* chunks unpacked in advance */

	pthread_cond_t workable; /* `events` changed */
	uint64_t events;         /* changes that workers may wait for */
	unsigned workers_waiting;

	pthread_cond_t room; /* batches were taken */
	unsigned room_waiters;
	uint64_t room_told; /* `taken` when they were woken last */
	struct ordered_end ends[ORDERED_ENDS];
	uint64_t ends_known, ends_taken; /* epochs of this run */
	uint64_t taken;                  /* batches */
	/* If steps make many: the first slot of the epoch, places counted. */
	uint64_t many_slot, many_place;
	uint64_t many_first; /* places in front of a seek's batch */
	uint64_t many_count; /* inputs whose samples were counted */
	bool many_is_dead;   /* one of them cannot be */
	/* From lost_first on: those of which the consumer is not told yet. */
	struct ordered_lost *lost; /* owned */
	size_t lost_first, lost_count, lost_capacity;

	/* The consumer's own. */
	bool is_running, is_stopping;
	struct ordered_position start, position;
	uint64_t drop_until; /* batches below it are not delivered */
	unsigned gaps;       /* in the batch that was taken last */
	bool is_between;     /* the position is behind the end of a span */
};

/* Keeps the error of the least slot, and makes threads leave behind it. */
void ordered_fail(
    struct ordered_loader *loader, uint64_t slot, const struct error *err);
void ordered_fail_locked(
    struct ordered_loader *loader, uint64_t slot, const struct error *err);
/*
 * With the lock held: finds the part of an epoch that is number `number` of the
 * run; false: nobody has asked for it yet.
 */
bool ordered_span_find(const struct ordered_loader *loader, uint64_t number,
    struct ordered_span *span);
/* Goes to the next span at its beginning; ERROR_USAGE if there is none. */
int ordered_span_begin(struct ordered_loader *loader, struct error *err);
/* With the lock held: counts the inputs skipped in front of a slot. */
void ordered_count_lost(struct ordered_loader *loader, uint64_t slot);
/* Wakes the consumer if it waits. */
void ordered_notify(struct ordered_loader *loader);
/* With the lock held: tells workers that something has changed. */
void ordered_tell_workers(struct ordered_loader *loader);

/* Is the run over for a thread that works on this slot? */
static inline bool ordered_is_over(struct ordered_loader *loader, uint64_t slot)
{
	return atomic_load_explicit(&loader->stop, memory_order_relaxed) ||
	       slot >
	           atomic_load_explicit(&loader->failed, memory_order_relaxed);
}

#endif
