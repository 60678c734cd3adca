/*
 * prepare.h - the offline part: a whole dataset, or the profiled samples of
 * it, through the steps before the split and into shards.
 *
 * As many workers as threads, a shard each at a time.  Which samples a shard
 * holds, and in which order, depends on the dataset, the number of shards and
 * the order's seed only, so the bytes are the same whatever the threads, and
 * after an interruption.
 */
#ifndef STRATEGIES_PREPARE_PREPARE_H
#define STRATEGIES_PREPARE_PREPARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "lib/sample/reader.h"
#include "strategies/plan/stored_order.h"
#include "strategies/plan/strategy.h"

struct error;
struct finished;
struct frame_sums;
struct inventory;
struct manifest;
struct medium;
struct shard_cost;
struct sink;

/*
 * Another strategy of the same samples, in as many shards and in the same
 * order, that is stored.
 */
struct prepare_other {
	const struct reader *stored;
	unsigned split;                 /* that its samples are of */
	const struct shard_cost *costs; /* [shards], as it was charged */
	const struct frame_sums *sums;  /* [shards], of one with frames */
	uint64_t bytes_read, skipped;   /* as well */
};

struct prepare_plan;

/* The folder that is written; pointers are NULL where nothing is known. */
struct prepare_folder {
	const char *dir;           /* exists */
	const char *fingerprint;   /* for the manifest */
	const bool *stands;        /* [shards]: they stay as they are */
	struct finished *finished; /* gets a note of each shard */
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
	struct stored_order order;       /* of the samples in the shards */
	/*
	 * Work of others that saves time; NULL: none.  It is charged as if it
	 * had been done again (costs.h).
	 * `samples`: their codec has no transform; their split is the same or
	 * an earlier one.  They are read instead of the source, and go through
	 * the steps in between.
	 * `frames`: of the same split and store, and frames_are_shared.
	 * Nothing else is read then.
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

/*
 * What the threads did, wall time, summed: until each was done, so the sum is
 * at most wall_ns times the threads.
 */
struct prepare_parts {
	uint64_t read_ns;     /* opening and fetching from the source */
	uint64_t compute_ns;  /* unpacking, parsing, steps; and all the rest */
	uint64_t compress_ns; /* codecs, and their transforms */
	uint64_t write_ns;    /* creating files, and writing into them */
	uint64_t sync_ns;     /* until they are safe, and have their names */
};

/* All of it is what the strategy takes from the source on. */
struct prepared {
	uint64_t samples; /* stored by this call */
	uint64_t skipped;
	uint64_t wall_ns, cpu_ns;
	uint64_t bytes_read; /* from the source */
	struct prepare_parts parts;
};

int prepare_run(const struct prepare_plan *plan, struct prepared *prepared,
    struct error *err);

/*
 * Calls `visit` for each sample of the source with the shard that it goes to,
 * shard by shard.
 */
typedef void prepare_visit(void *arg, unsigned shard, uint64_t sample);
int prepare_each_sample(const struct prepare_plan *plan, prepare_visit *visit,
    void *arg, struct error *err);

#endif
