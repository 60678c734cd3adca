/*
 * predict.h - forecasts size, preparation time and throughput of each strategy,
 * from a model that the pilot samples made (pilot.h).
 *
 * All figures of the model are per sample of the source, with all samples that
 * steps make of it: CPU time of each step, bytes of each representation in each
 * store, time and ratio of each codec. The forecast of a strategy is a sum: its
 * online time is that of its steps, of decompression and of moving bytes, on
 * all cores. If the data is not in memory, the storage is a second bound, and
 * the lower rate X holds:
 *	X = min(cores / cpu_s, X_storage)
 * This is the closed form of Plumber's max-min program (Kuchnik et al. 2022;
 * allocation.h) for threads that can each do any of the work. For a storage
 * with ceilings (ceilings.h), X_storage is
 *	1 / (bytes / B + opens (1 / f - F / B))
 * where B is bytes per second of large reads, and f is files per second with F
 * bytes each. For an emulated storage it is the least that its limits allow.
 * Preparing a strategy also syncs its files.
 *
 * Five rates are not measured but constants of predict.c, reuse.c and
 * stored_hashes.c: batches are copied at 6 GB/s, the application cache is read
 * at 9 GB/s, samples are hashed at 2 GB/s, one thread reads stored data back at
 * 1 GB/s, and each sample adds 1 us. They are cautious: a virtual machine with
 * two AMD EPYC cores copies 10 GB/s to new memory, and its loader takes 0.2 us
 * a sample without steps. They decide a forecast only where a sample takes a
 * few microseconds.
 */
#ifndef STRATEGIES_FORECAST_PREDICT_H
#define STRATEGIES_FORECAST_PREDICT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "lib/sample/reader.h"
#include "strategies/forecast/ceilings.h"
#include "strategies/forecast/order_cost.h"
#include "strategies/forecast/packer.h"
#include "strategies/forecast/shapes.h"
#include "strategies/plan/plan.h"
#include "strategies/plan/strategies.h"

struct error;

struct model {
	double step_s[PIPELINE_STEPS]; /* CPU time of one sample */
	/* CPU time of the online steps, fused as in the loader. */
	double online_s[PIPELINE_STEPS + 1];
	/* Samples of a representation for each one of the source. */
	double many[PIPELINE_STEPS + 1];
	double field_bytes[PIPELINE_STEPS + 1]; /* all `many` of them */
	double source_bytes;                    /* as stored in the source */
	bool raw_known;  /* field_bytes[0] is the mean of all samples */
	double raw_more; /* above the pilot's mean; 0: not known */
	double key_bytes;
	/*
	 * For memory: bytes of the largest sample of each representation, and
	 * of the largest chunk of the source, in the pilot.
	 */
	double most_bytes[PIPELINE_STEPS + 1];
	double chunk_bytes;
	struct shapes shapes[PIPELINE_STEPS + 1];
	unsigned samples; /* pilot samples */
	unsigned cores;
	uint64_t memory; /* size of the page cache, at most; 0: not known */
	/* What the application cache may hold; 0: plan_cache_budget. */
	uint64_t cache_budget;
	struct order_cost order; /* 0 in models that are not timed */
	/* Set by the caller, who knows the folders: */
	double sync_s; /* per file (sync_time.h) */
	/* Ceilings of the storage of the source, and of the stored data. */
	struct ceilings source_ceilings, stored_ceilings;
	const struct plan *plan;
	const struct pipeline *pipeline;
	const struct reader *source;
	/*
	 * The model of another order of the steps (order_models.h); NULL: the
	 * last. Ceilings, sync_s and `order` are set in the first model only,
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
};

/*
 * Returns the model of the strategy's order: its pipeline, times and sizes are
 * those that the strategy's split counts in.
 */
const struct model *model_of(
    const struct model *model, const struct strategy *strategy);

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
