/*
 * predict.h - how large, how slow to prepare and how fast each strategy will
 * be, from a few samples that went through every step and codec once.
 *
 * Per sample of the source, with all that comes of it: CPU time of a step,
 * bytes of a representation in a store, time and ratio of a codec.  A strategy
 * is then a sum: online time is that of its steps, of decompression and of
 * moving bytes, on as many cores as there are.  What is not in memory comes
 * from the storage besides, and the lesser rate is the strategy's:
 *	X = min(cores / cpu_s, X_storage)
 * which is the closed form of Plumber's max-min program (Kuchnik et al. 2022;
 * allocation.h) where any thread can do any of the work.  X_storage is, of a
 * storage that was measured (ceilings.h),
 *	1 / (bytes / B + opens (1 / f - F / B))
 * with B bytes per second of large reads, and f small files per second of F
 * bytes each; of an emulated one the least of what each of its limits allows.
 * To prepare a strategy, its files are synced besides.
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
	double step_s[PIPELINE_STEPS]; /* CPU, one sample */
	/* CPU of the steps from a representation on, as the loader runs them:
	 * neighbours as one. */
	double online_s[PIPELINE_STEPS + 1];
	/* Samples of a representation that come of one of the source. */
	double many[PIPELINE_STEPS + 1];
	double field_bytes[PIPELINE_STEPS + 1]; /* of all of these */
	double source_bytes;                    /* of a sample, as it lies */
	bool raw_known;  /* field_bytes[0] is of all samples */
	double raw_more; /* than the samples looked at have; 0: not known */
	double key_bytes;
	/* The largest that were met, for what the program will hold: of a
	 * sample of a representation, of a chunk of the source. */
	double most_bytes[PIPELINE_STEPS + 1];
	double chunk_bytes;
	struct shapes shapes[PIPELINE_STEPS + 1];
	unsigned samples; /* looked at */
	unsigned cores;
	uint64_t memory; /* bytes that can keep what is read; 0: not known */
	struct order_cost order; /* of reading the source; timed models only */
	/* Set by who knows where: */
	double sync_s; /* of a file (sync_time.h) */
	/* What the storage of the source, and of what is stored, can do. */
	struct ceilings source_ceilings, stored_ceilings;
	const struct plan *plan;
	const struct pipeline *pipeline;
	const struct reader *source;
	/* [representation][store][codec] of the plan: */
	struct packing packing[PIPELINE_STEPS + 1][PLAN_LIST][PLAN_LIST];
};

struct prediction {
	double storage_bytes; /* of `samples` samples of the source */
	double prep_s;
	double prep_steps_s, prep_encode_s; /* of it */
	double samples_per_s; /* delivered, of which many may come of one */
	const char *limit;    /* of that: "cpu", "storage" or "latency" */
	double epoch_s;
	double first_epoch_s; /* cold; of application with the filling */
	double untimed_s;     /* the same of what was just written */
};

/* How a strategy of the plan is to be loaded. */
struct load {
	uint64_t samples;
	unsigned threads;
	enum cache_mode cache; /* what is cached does not wait for storage */
};

struct prediction model_predict(const struct model *model,
    const struct strategy *strategy, const struct load *load);

/* Of the storage that the strategy is loaded from. */
const struct ceilings *model_ceilings(
    const struct model *model, const struct strategy *strategy);

/* What it needs on disk; of unprocessed, the source. */
double model_storage_bytes(const struct model *model,
    const struct strategy *strategy, uint64_t samples);

/* What the application cache takes, of any strategy. */
double model_cache_bytes(const struct model *model, uint64_t samples);
/* ERROR_LIMIT when it is sure to be more than is allowed now. */
int model_check_cache(
    const struct model *model, uint64_t samples, struct error *err);

#endif
