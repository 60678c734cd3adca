/*
 * prepare.h - the offline part: runs the dataset, or its profiled samples,
 * through the steps before the split and into shards.
 *
 * Each worker thread makes one shard at a time. The content of a shard depends
 * only on the dataset, the number of shards and the seed of the order, so bytes
 * are the same for any number of threads, and after an interruption.
 */
#ifndef STRATEGIES_PREPARE_PREPARE_H
#define STRATEGIES_PREPARE_PREPARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/sample/reader.h"
#include "strategies/plan/stored_order.h"
#include "strategies/plan/strategy.h"
#include "strategies/prepare/costs.h"

struct claim;
struct error;
struct finished;
struct frame_sums;
struct inventory;
struct manifest;
struct medium;
struct sink;

/* Stored data of another strategy: the same samples, shards and order. */
struct prepare_other {
	const struct reader *stored;
	unsigned split;                 /* the representation of its samples */
	const struct shard_cost *costs; /* [shards], as charged */
	const struct frame_sums *sums;  /* [shards]; NULL: it has no frames */
	uint64_t bytes_read, skipped, filtered; /* as charged, too */
};

struct prepare_plan;

/* The folder that is written; pointers are NULL where nothing is known. */
struct prepare_folder {
	const char *dir;           /* exists */
	const char *fingerprint;   /* for the manifest */
	const bool *stands;        /* [shards]: they stay as they are */
	bool is_part;              /* others make the rest, and the manifest */
	unsigned first_shard;      /* number of shard 0 in the folder */
	struct finished *finished; /* gets a note of each shard */
	const struct claim *claim; /* checked before each shard */
	/*
	 * The manifest that the folder has: a shard that is written anew must
	 * be as it says, or gets no name.
	 */
	const struct manifest *truth;
	/* The files of the source; for materialize only. */
	const struct inventory *inventory;
	/* Writes the files that the manifest lists, before the manifest. */
	int (*describe)(const struct prepare_plan *plan, struct sink *sink,
	    struct manifest *manifest, struct error *err);
};

struct prepare_plan {
	const struct reader *source;
	const struct pipeline *pipeline; /* bound */
	const struct strategy *strategy; /* not unprocessed */
	struct stored_order order;       /* order in the shards */
	/*
	 * Work of other strategies to start from; NULL: none. It is charged as
	 * if it had been done again (costs.h).
	 *
	 * `samples` are read instead of the source, and go through the steps in
	 * between. Their split is the same or an earlier one, and their codec
	 * has no transform.
	 *
	 * `frames` are copied, and nothing else is read. Split and store are
	 * the same, and frames_are_shared.
	 */
	const struct prepare_other *samples, *frames;
	struct medium *medium; /* to write through */
	struct prepare_folder folder;
	unsigned threads, shards;
	uint64_t seed;
	bool skip_errors;         /* leave out samples that a step refuses */
	struct skipped *skipped;  /* gets the samples left out; may be NULL */
	struct shard_cost *costs; /* [shards], is filled in; may be NULL */
	struct frame_sums *sums;  /* the same */
	const atomic_bool *stop;  /* set: ERROR_INTERRUPTED; may be NULL */
	/* After each sample, by any thread; may be NULL. */
	void (*progress)(void *arg, uint64_t samples);
	void *arg;
};

/* All is charged as if the strategy had started from the source. */
struct prepared {
	uint64_t samples;           /* stored by this call */
	uint64_t skipped, filtered; /* failed; dropped by filters */
	uint64_t wall_ns, cpu_ns;
	uint64_t bytes_read; /* from the source */
	/* Wall time summed over threads; at most wall_ns times the threads. */
	struct shard_cost cost;
};

int prepare_run(const struct prepare_plan *plan, struct prepared *prepared,
    struct error *err);

/* Calls `visit` for each sample of the source, with its shard, in order. */
typedef void prepare_visit(void *arg, unsigned shard, uint64_t sample);
int prepare_each_sample(const struct prepare_plan *plan, prepare_visit *visit,
    void *arg, struct error *err);

#endif
