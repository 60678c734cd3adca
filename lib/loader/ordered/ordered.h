/*
 * ordered.h - a loader for training: batches in an order that can be repeated.
 *
 *   fetchers --chunks--> workers --batches--> consumer (ordered_loader_next)
 *
 * The order depends on the reader, `shuffle`, `seed` and the epoch only, never
 * on threads: batch n of an epoch is the same in every loader with the same
 * plan.  Random steps draw by (seed, epoch, sample, step), as in loader.h.
 *
 * Without `shuffle`, samples come as they are stored.  With `shuffle`:
 *
 *   readers with a picker      a permutation of all samples
 *   readers that know their    a permutation of blocks, so that each block is
 *   blocks (stored data)       read and decompressed once an epoch, and
 *                              permutations of samples within windows;
 *                              with very many shards, one of shards
 *   other readers              a permutation of streams, and windows
 *
 * A window is that many consecutive samples of the order as take about
 * ORDERED_WINDOW bytes where they are stored, but at most
 * ORDERED_WINDOW_SAMPLES.  Its batches are filled at the same time.
 *
 * Rank r of `world_size` gets the r-th of world_size equal sections of the
 * order of each epoch; the first sections are longer by one sample if it cannot
 * be divided.  So each sample comes once, over all ranks.  With `drop_last`,
 * sections have the same number of samples, a multiple of `batch`: up to
 * world_size * batch - 1 samples at the end of the order are left out.  Without
 * it, the last batch of an epoch may be short, and ranks may differ by a batch.
 *
 * Where a step makes several samples of one, sections are of samples before
 * that step, and samples come in the order (input, number).  How many come is
 * not known before they were made, so `drop_last` then leaves out a short batch
 * but cannot make ranks equal: it is refused for several ranks.
 *
 * A sample that is skipped (skip_errors), or dropped by a filter, leaves no
 * hole: its batch is shorter.  So order, positions and ranks are those of the
 * samples before the filter.  A batch that lost all its samples is not
 * delivered, but it is counted.
 *
 * An epoch has no end for the threads: they begin the next one while the
 * consumer takes the last batches.  Memory is bounded by the batches in flight,
 * and by those that the caller keeps.
 *
 * Several loaders, in several processes, may share an epoch: one with
 * `by_spans` delivers spans of batches that are asked for, one span after the
 * other.
 *
 * Used by one thread, except ordered_loader_interrupt and ordered_loader_ask.
 */
#ifndef LIB_LOADER_ORDERED_ORDERED_H
#define LIB_LOADER_ORDERED_ORDERED_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/pipeline/pipeline.h"
#include "lib/sample/batch.h"
#include "lib/sample/reader.h"

struct error;
struct medium;
struct ordered_loader;
struct skipped;

enum {
	ORDERED_WINDOW = 16 << 20, /* bytes */
	ORDERED_WINDOW_SAMPLES = 16 << 10,
};

struct ordered_plan {
	const struct reader *reader;     /* borrowed */
	const struct pipeline *pipeline; /* borrowed; bound */
	/* The reader's medium: sleeps in it end when the loader is freed. */
	struct medium *medium; /* borrowed; NULL: none to wake */
	unsigned from, to;     /* representations: `from` is the reader's */
	unsigned threads;      /* workers */
	unsigned fetchers;     /* 0: one for each worker */
	unsigned batch;        /* samples */
	bool shuffle, drop_last;
	uint64_t seed; /* for the order, and for random steps */
	unsigned rank, world_size;
	unsigned window;         /* samples; 0: as said above */
	bool by_spans;           /* delivers what is asked for, see below */
	bool skip_errors;        /* leave out samples that a step refuses */
	struct skipped *skipped; /* records these; borrowed, or NULL */
};

/* Makes a loader, which is at the beginning of epoch 0. */
struct ordered_loader *ordered_loader_new(
    const struct ordered_plan *plan, struct error *err);
/*
 * Before the first call of ordered_loader_next: makes batches in memory that
 * another process may borrow, see batch_home_share.  There are places for those
 * in the making and for `kept` that the caller has not given back.
 */
int ordered_loader_share(struct ordered_loader *loader, unsigned kept,
    unsigned *places, struct error *err);
/*
 * Stops everything; NULL is fine.  Batches that were delivered remain valid.
 * In a child of fork it frees nothing and returns at once.
 */
void ordered_loader_free(struct ordered_loader *loader);

/*
 * Samples and batches of each epoch of this rank; 0: not known in advance.
 * Samples that filters will drop are among them.
 */
uint64_t ordered_loader_samples(const struct ordered_loader *loader);
uint64_t ordered_loader_batches(const struct ordered_loader *loader);
/*
 * A fingerprint of what fixes the order: the plan, and the numbers of samples
 * in the reader's parts.  It does not depend on threads.
 */
uint64_t ordered_loader_order(const struct ordered_loader *loader);

/*
 * Takes the next batch, which now belongs to the caller, until batch_give: 1.
 * 0: the epoch is over, and the next call begins the next one.  Threads start
 * with the first call.
 *
 * -1: failed.  ERROR_INTERRUPTED: ordered_loader_interrupt was called, or more
 * than `wait_ms` have passed (0: no limit); the next call goes on.  ERROR_USAGE
 * in a child of fork, which has no threads.  Otherwise a sample or a file is
 * to blame, and named: all batches before it were delivered.  The next call
 * tries the same batch again.
 */
int ordered_loader_next(struct ordered_loader *loader, unsigned wait_ms,
    struct batch **batch, struct error *err);
/*
 * Ends the waiting of ordered_loader_next, or of its next call.  Any thread may
 * call it, and a signal handler.
 */
void ordered_loader_interrupt(struct ordered_loader *loader);

/* Batches that were taken count as done. */
struct ordered_position {
	uint32_t epoch;
	uint64_t batch; /* batches of the epoch that were taken */
};

struct ordered_position ordered_loader_position(
    const struct ordered_loader *loader);
/*
 * Goes on at a position, which may be any, without reading what lies before
 * where the reader can pick or knows its blocks.  Other readers skip samples
 * without running steps; where a step makes several of one, it has to run.  A
 * batch number behind the last one means the end of the epoch.
 */
void ordered_loader_seek(
    struct ordered_loader *loader, struct ordered_position position);

/* Batches of an epoch, from .. end - 1. */
struct ordered_span {
	uint32_t epoch;
	uint64_t from, end; /* end UINT64_MAX: to the end of the epoch */
};

enum { ORDERED_SPANS = 16 };

/*
 * For `by_spans`: appends a span to those that ordered_loader_next delivers,
 * which returns 0 at the end of each.  Threads work on two spans at a time.
 * ERROR_USAGE if ORDERED_SPANS are not delivered yet.  Where a step makes many,
 * a span must go to the end of its epoch, and begin with it unless it is the
 * first one of the loader, or behind ordered_loader_forget.  Any thread may
 * call it.
 */
int ordered_loader_ask(
    struct ordered_loader *loader, struct ordered_span span, struct error *err);
/* Drops all spans that were asked for. */
void ordered_loader_forget(struct ordered_loader *loader);
/*
 * Returns how many batches a span should have, so that loaders which share an
 * epoch read little of it twice; 0: a span must go to the end of its epoch.
 */
uint64_t ordered_loader_unit(const struct ordered_loader *loader);

/* Samples left out of the batches delivered so far: failed, and dropped. */
uint64_t ordered_loader_skipped(const struct ordered_loader *loader);
uint64_t ordered_loader_filtered(const struct ordered_loader *loader);

#endif
