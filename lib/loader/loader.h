/*
 * loader.h - runs samples from a reader through the online steps into batches,
 * with threads of its own.
 *
 *   fetchers --chunks--> workers --batches--> consumer (loader_next)
 *
 * Fetchers read chunks ahead of need into recycled buffers. They share the rest
 * of a stream where the reader allows it. A worker unpacks a chunk, parses its
 * records in place and runs all steps of one sample after the other; the last
 * step writes into a slot of a batch. Full batches go through a bounded queue
 * to the consumer. Threads are made once and sleep between epochs. In the timed
 * path nothing is allocated (once buffers have grown), locked or measured for
 * each sample.
 *
 * Fetchers, read-ahead, threads and batches bound the memory; the size of the
 * dataset does not matter. Samples of unequal size use memory of the loader's
 * pool (pool.h) while they are in a batch. The batch returns it when the
 * consumer is done.
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
struct batch_freelist;
struct trace_events;

struct loader_plan {
	const struct reader *reader;     /* borrowed */
	const struct pipeline *pipeline; /* borrowed; bound */
	/* The reader's medium, to tell opening from reading, or NULL. */
	struct medium *medium;
	unsigned from, to;   /* representations: `from` is the reader's */
	unsigned threads;    /* workers */
	unsigned fetchers;   /* 0: one for each worker */
	unsigned read_ahead; /* chunks in advance; 0: 4 for each worker */
	unsigned batch;      /* samples */
	unsigned shuffle;    /* window in samples; 0: keep the order */
	uint64_t seed;
	bool skip_errors;        /* leave out samples that a step refuses */
	struct skipped *skipped; /* records these; borrowed, or NULL */
	bool unfused;            /* run fused steps one by one, see chain.h */
	const atomic_bool *stop; /* ends a partial epoch early; NULL: never */
	/*
	 * Free list of batches of known size, shared with other loaders
	 * (batch_freelist.h); borrowed. NULL: the loader keeps its own batches.
	 */
	struct batch_freelist *freelist;
};

/* Numbers of buffers, with the defaults of the plan filled in. */
struct loader_sizes {
	unsigned fetchers, read_ahead;
	unsigned batch, shuffle; /* samples */
	unsigned window;  /* batches that a worker fills at the same time */
	unsigned waiting; /* full batches that may wait, for each worker */
	unsigned chunks, batches;
};

/*
 * Computes the sizes for a plan whose reader has `samples` samples, 0: unknown.
 * The plan's reader is not used.
 */
void loader_find_sizes(const struct loader_plan *plan, uint64_t samples,
    struct loader_sizes *sizes);

/*
 * Results of the traced pass. The CPU time of each thread comes from the
 * kernel; it is divided among activities in the proportions of the timed rounds
 * (stopwatch.h). The parts add up to cpu_ns.
 */
struct loader_trace {
	struct chain_trace chain;
	struct activity_cost unpack; /* decompression and checksums of chunks */
	struct activity_cost parse;  /* parsing samples in chunks */
	/*
	 * Sums over all threads. Bytes are: read from the medium, unpacked, in
	 * samples, made by steps, delivered. Waiting includes workers for data,
	 * fetchers for room, and the consumer.
	 */
	struct phase_row phases[PHASE_COUNT];
	uint64_t wall_ns, cpu_ns;
	uint64_t starved_ns; /* the workers' waiting for data */
};

struct loader *loader_new(const struct loader_plan *plan, struct error *err);
void loader_free(struct loader *loader); /* stops everything; NULL is fine */

/*
 * Starts an epoch; the one before must have ended. `trace` counts and partly
 * times what the threads do, which takes some percent longer. Random draws
 * depend on `epoch`.
 */
void loader_begin(struct loader *loader, uint32_t epoch, bool trace);
/*
 * Starts a partial epoch, which stops after reading, or after decompressing and
 * parsing. It delivers nothing, and loader_next returns at its end.
 */
void loader_begin_partial(
    struct loader *loader, uint32_t epoch, enum epoch_extent extent);
/* Starts an epoch that only reads, and verifies what is unverified. */
void loader_begin_check(struct loader *loader);
/*
 * Limits further epochs to about this fraction of the samples, in whole streams
 * spread over the dataset; 1: all. Returns the actual fraction, which is 1
 * where steps make many samples of one.
 */
double loader_set_part(struct loader *loader, double fraction);
/*
 * Limits further epochs to `count` streams; they are copied.  A part then is
 * one of these.  The caller does not read the reader's others by this loader.
 */
int loader_set_streams(struct loader *loader, const size_t *streams,
    size_t count, struct error *err);
/*
 * Returns the next batch, in any order, which the caller may use until the next
 * call. NULL at the end of the epoch or after an error (see loader_end). The
 * last batches of an epoch may be short: one for each thread, or with `shuffle`
 * all in the window.
 */
struct batch *loader_next(struct loader *loader);
/* Ends the epoch, also early: 0, or -1 with the first error of any thread. */
int loader_end(struct loader *loader, struct error *err);

/*
 * Records what the threads do in the next traced epoch: its first `most` events
 * (trace_event.h), whose memory is made here.  Before the loader begins another
 * epoch, loader_take_events gives them to the caller.  Names live as long as
 * the pipeline.  Nothing recorded: the list is NULL.
 */
int loader_record(struct loader *loader, size_t most, struct error *err);
int loader_take_events(
    struct loader *loader, struct trace_events *events, struct error *err);

/* Results of the last epoch. */
uint64_t loader_skipped(const struct loader *loader);
uint64_t loader_filtered(const struct loader *loader); /* filters dropped */
void loader_get_trace(const struct loader *loader, struct loader_trace *trace);
/* Adds the figures of another loader that ran after this one. */
void loader_add_trace(
    struct loader_trace *sum, const struct loader_trace *more);

#endif
