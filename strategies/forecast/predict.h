/*
 * predict.h - forecasts size, preparation time and throughput of each strategy,
 * from a model that the pilot samples made (pilot.h).
 *
 * All figures of the model are per sample of the source, with all samples that
 * steps make of it: CPU time of each step, bytes of each representation in each
 * store, time and ratio of each codec.
 *
 * How fast data in memory is loaded was measured with the real loader
 * (rehearsal.h).  Where that was not done, such as for another number of
 * threads, it is computed from what was: the same data with other threads, the
 * same representation without a codec, or the online steps alone.  If the data
 * is not in memory, an epoch is simulated with the speed of the storage
 * (epoch_time.h): with the limits of an emulated one, or with its ceilings
 * (ceilings.h).  There, B are the bytes per second of large reads of as many
 * threads, or of one; and a file of F bytes takes 1 / f - F / B to open, where
 * f are files per second.
 *
 * A thread that prepares reads, computes and writes in turn, and syncs its
 * files.  Steps run as one there, which the pilot has timed as well.
 *
 * Each figure has an interval: see accuracy.h.
 */
#ifndef STRATEGIES_FORECAST_PREDICT_H
#define STRATEGIES_FORECAST_PREDICT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "lib/sample/reader.h"
#include "strategies/forecast/models/accuracy.h"
#include "strategies/forecast/models/ceilings.h"
#include "strategies/forecast/models/order_cost.h"
#include "strategies/forecast/models/sync_time.h"
#include "strategies/forecast/packer.h"
#include "strategies/forecast/rehearsal.h"
#include "strategies/forecast/shapes.h"
#include "strategies/plan/plan.h"
#include "strategies/plan/strategies.h"

struct error;
struct storage_speed;

/* How the sizes of all samples differ from those of the pilot (sizes.h). */
struct size_correction {
	/* field_bytes above the mean of the pilot samples ... */
	double more[PIPELINE_STEPS + 1];
	/* ... and its standard error, as a fraction */
	double error[PIPELINE_STEPS + 1];
	bool raw_known; /* field_bytes[0] is the mean of all samples */
};

/* Bytes of the largest sample and chunk of the pilot, to plan memory with. */
struct largest_bytes {
	double sample[PIPELINE_STEPS + 1]; /* of each representation */
	double chunk;                      /* of the source */
};

/* This machine, or another one that is asked about (machine_file.h). */
struct model_machine {
	unsigned cores;
	/* Cores of the machine that rehearsed; 0: as `cores`. */
	unsigned own_cores;
	uint64_t memory; /* size of the page cache, at most; 0: not known */
	/* Bytes that the application cache may hold; 0: plan_cache_budget. */
	uint64_t cache_budget;
	/* Bytes per second of a thread: copying, and hashing samples. */
	double copy_bytes_per_s, hash_bytes_per_s;
	/* How many times as fast as here its cores are.  0: this machine. */
	double speed;
	/* A storage in place of those that are known; NULL: none.  Borrowed. */
	const struct storage_speed *storage;
	/* Cores that other programs used while the pilot ran. */
	double others;
};

/* How fast data in memory was loaded, in each way (rehearsal.h). */
struct rehearsed_list {
	struct rehearsed *list; /* owned: see model_release */
	size_t count, capacity;
	/* Shards as large as the session's, and shards of few bytes. */
	struct rehearsed_colds cold, cold_small;
};

struct model {
	double step_s[PIPELINE_STEPS]; /* CPU time of one sample */
	/*
	 * CPU time of the steps in front of a representation when they run as
	 * one, over that of each step by itself.
	 */
	double fused[PIPELINE_STEPS + 1];
	/* CPU time of the online steps, fused as in the loader. */
	double online_s[PIPELINE_STEPS + 1];
	/* Samples of a representation for each one of the source. */
	double many[PIPELINE_STEPS + 1];
	double field_bytes[PIPELINE_STEPS + 1]; /* all `many` of them */
	double source_bytes;                    /* as stored in the source */
	struct size_correction correction;
	double key_bytes;
	struct largest_bytes largest;
	struct shapes shapes[PIPELINE_STEPS + 1];
	unsigned samples; /* pilot samples */
	double pilot_s;   /* wall time that each of them took */
	struct model_machine machine;
	struct order_cost order; /* 0 in models that are not timed */
	struct rehearsed_list rehearsed;
	struct accuracy accuracy;
	/* Set by the caller, who knows the folders: */
	struct sync_cost sync;
	/* Ceilings of the storage of the source, and of the stored data. */
	struct ceilings source_ceilings, stored_ceilings;
	const struct plan *plan;
	const struct pipeline *pipeline;
	const struct reader *source;
	/*
	 * The model of another order of the steps (order_models.h); NULL: the
	 * last. Ceilings, `sync` and `order` are set in the first model only,
	 * that of the order given.
	 */
	struct model *next;
	/* [representation][store of the plan][codec of the plan] */
	struct packing packing[PIPELINE_STEPS + 1][PLAN_LIST][PLAN_LIST];
};

struct prediction {
	double storage_bytes; /* for all samples of the load */
	double prep_s;
	double prep_steps_s, prep_encode_s; /* parts of prep_s */
	double samples_per_s; /* delivered; one of the source may give many */
	/* it bounds the rate: "cpu", "storage" or "latency" */
	const char *limit;
	/*
	 * The true values of 95 of 100 forecasts lie in these intervals; high
	 * 0: not known.
	 */
	double low_samples_per_s, high_samples_per_s;
	double low_storage_bytes, high_storage_bytes;
	double low_prep_s, high_prep_s;
	double error; /* error of the rehearsal for samples_per_s, a fraction */
	bool is_cold; /* the epochs wait for a storage */
	double epoch_s;
	double first_epoch_s; /* cold; fills the application cache */
	double untimed_s;     /* the same while the data is still in memory */
};

/* How a strategy is loaded.  The fields behind `cache` are 0: as the plan. */
struct load {
	uint64_t samples;
	unsigned threads;
	enum cache_mode cache; /* cached data does not wait for storage */
	unsigned place;        /* as in struct trial_mode, and so are these */
	unsigned fetchers, read_ahead, shuffle, batch;
	double others; /* cores that other programs use meanwhile */
};

/*
 * Returns the model of the strategy's order: its pipeline, times and sizes are
 * those that the strategy's split counts in.
 */
const struct model *model_of(
    const struct model *model, const struct strategy *strategy);

/* Frees what the model owns, but not the model; NULL is fine. */
void model_release(struct model *model);

/* Returns the place of the strategy's store and codec in the plan's lists. */
struct packing_place {
	unsigned store, codec;
};
struct packing_place model_place(
    const struct model *model, const struct strategy *strategy);
/* Returns how its data is packed; the strategy stores something. */
const struct packing *model_packing(
    const struct model *model, const struct strategy *strategy);
/*
 * Returns the mean bytes of a block of its shards, not compressed: it ends with
 * the first sample that fills it.
 */
double model_block_bytes(
    const struct model *model, const struct strategy *strategy);
/* Returns how many shards the strategy has for so many samples. */
double model_shards(const struct model *model, const struct strategy *strategy,
    uint64_t samples);

/* Returns how a trial of this mode loads so many samples. */
struct load load_of_mode(uint64_t samples, const struct trial_mode *mode);

/*
 * Predicts one strategy, loaded in one way.  It takes microseconds, changes
 * nothing, and may be called by several threads at a time.  A strategy of a
 * reordered pipeline (strategy->pipeline) is predicted as well: by its own
 * pilot if it was one of the pilot's strategies, else from the times of the
 * steps.  The search (strategies/search) calls it for all candidates.
 */
struct prediction model_predict(const struct model *model,
    const struct strategy *strategy, const struct load *load);

/* Returns the ceilings of the storage that the strategy is loaded from. */
const struct ceilings *model_ceilings(
    const struct model *model, const struct strategy *strategy);

/* Returns the bytes on disk; for unprocessed those of the source. */
double model_storage_bytes(const struct model *model,
    const struct strategy *strategy, uint64_t samples);

#endif
