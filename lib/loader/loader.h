/*
 * loader.h - the online part: samples from a reader through the steps into
 * batches, with threads of its own.
 *
 *	fetchers --chunks--> workers --batches--> consumer (loader_next)
 *
 * Fetchers bring chunks into recycled buffers ahead of need, and share what is
 * left of a stream where the reader allows it; workers unpack a chunk, parse
 * its records in place and run the steps of one sample end to end, the last
 * step writing into a slot of a batch; whole batches go through a bounded
 * queue to the consumer.  Threads are made once and sleep between epochs.  In
 * the timed path nothing is allocated (once buffers have grown), locked or
 * measured per sample.
 *
 * Memory is bounded by fetchers, read-ahead, threads and batches, never by
 * the dataset.  Samples of unequal size take theirs from a pool of the loader
 * (pool.h) while they are in a batch, and the batch hands it back when the
 * consumer is done with it.
 */
#ifndef LIB_LOADER_LOADER_H
#define LIB_LOADER_LOADER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/measure/phase.h"
#include "lib/pipeline/chain.h"
#include "lib/sample/batch.h"
#include "lib/sample/reader.h"

struct error;
struct loader;
struct medium;
struct spare;

struct loader_plan {
	const struct reader *reader;     /* borrowed */
	const struct pipeline *pipeline; /* borrowed; bound */
	/* Of the reader: tells opening from reading; NULL: not known. */
	struct medium *medium;
	unsigned from, to;   /* the reader gives representation `from` */
	unsigned threads;    /* workers */
	unsigned fetchers;   /* 0: as many as threads */
	unsigned read_ahead; /* chunks fetched before they are needed; 0: 4
	                        a thread */
	unsigned batch;      /* samples */
	unsigned shuffle;    /* window in samples; 0: as they come */
	uint64_t seed;
	bool skip_errors;        /* samples that a step refuses are left out */
	struct skipped *skipped; /* is told of these; borrowed, or NULL */
	bool unfused;            /* steps run one by one, see chain.h */
	const atomic_bool *stop; /* ends a level early; NULL: nobody does */
	/*
	 * Where batches of known size wait between epochs, for other loaders
	 * too (spare.h); borrowed.  NULL: in the loader.
	 */
	struct spare *spare;
};

/* How many buffers a loader has, with what its plan leaves open. */
struct loader_sizes {
	unsigned fetchers, read_ahead;
	unsigned batch, shuffle; /* samples */
	unsigned window;         /* open batches of a worker */
	unsigned chunks, batches;
};

/*
 * Of a plan whose reader gives so many samples, 0: not known; the reader itself
 * need not be there yet.
 */
void loader_find_sizes(const struct loader_plan *plan, uint64_t samples,
    struct loader_sizes *sizes);

/*
 * What the traced pass found.  CPU times are of the threads as the kernel
 * counts them, divided among what they did as rounds that were timed say
 * (stopwatch.h): their sum is cpu_ns.
 */
struct loader_trace {
	struct chain_trace chain;
	struct effort unpack; /* chunks: decompression, checksums */
	struct effort parse;  /* samples, out of chunks */
	/*
	 * Of all threads.  Bytes: read from the medium, unpacked, of the
	 * samples, made by steps, delivered.  Waiting is the workers' for data,
	 * the fetchers' for room, and the consumer's.
	 */
	struct phase_row phases[PHASE_COUNT];
	uint64_t wall_ns, cpu_ns;
	uint64_t starved_ns; /* of the waiting: the workers' for data */
};

struct loader *loader_new(const struct loader_plan *plan, struct error *err);
void loader_free(struct loader *loader); /* stops what runs; NULL is fine */

/*
 * Starts an epoch; the one before must have ended.  With `trace`, what the
 * threads do is counted and part of it timed, which takes some percent longer.
 * The random draws depend on `epoch`.
 */
void loader_begin(struct loader *loader, uint32_t epoch, bool trace);
/*
 * Starts one that stops after reading, or after decompressing and parsing:
 * it delivers nothing, and loader_next returns at its end.
 */
void loader_begin_level(
    struct loader *loader, uint32_t epoch, enum level level);
/* One that stops after reading, and checks what was not checked before. */
void loader_begin_check(struct loader *loader);
/*
 * Further epochs are of about this share of the samples, in whole streams from
 * all over; 1: all.  Returns the share that it is: all where steps make many
 * samples of one.
 */
double loader_set_part(struct loader *loader, double share);
/*
 * The next batch, in any order, yours until the next call; NULL at the end of
 * the epoch or after an error (loader_end tells which).  The last batches of
 * an epoch may be short: one a thread, with `shuffle` as many as are in the
 * window.
 */
struct batch *loader_next(struct loader *loader);
/* Ends the epoch, also early: 0, or -1 with the first error of any thread. */
int loader_end(struct loader *loader, struct error *err);

/* Of the epoch that ended last. */
uint64_t loader_skipped(const struct loader *loader);
void loader_get_trace(const struct loader *loader, struct loader_trace *trace);

#endif
