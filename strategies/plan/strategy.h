/*
 * strategy.h - one strategy: in which order the steps run, where the pipeline
 * is cut, and how the data at the cut is stored.  Its label is stable:
 * "unprocessed", "resized/tar/gzip:6", "o3:greyed/npy/none".
 */
#ifndef STRATEGIES_PLAN_STRATEGY_H
#define STRATEGIES_PLAN_STRATEGY_H

#include <stdbool.h>

#include "lib/codecs/codec.h"
#include "lib/db/results.h"
#include "lib/pipeline/pipeline.h"
#include "strategies/orders/orders.h"

struct error;
struct stock_reader;
struct store_ops;

enum { STRATEGY_VARIANT = 64, STRATEGY_TITLE = RESULTS_LABEL + 64 };

struct strategy {
	char label[RESULTS_LABEL];
	bool unprocessed; /* it stores nothing; the rest is not set */
	/*
	 * The user's own loader, on the dataset as it is: `unprocessed` is set,
	 * too, and predictions are those of unprocessed.
	 */
	bool yours;
	/*
	 * The pipeline with its steps in the order of this strategy, bound;
	 * borrowed.  NULL: the pipeline as it is given.
	 */
	const struct pipeline *pipeline;
	char order[ORDER_LABEL]; /* "o3"; "": the order given */
	uint64_t samples;        /* taken from the source; 0: as the session */
	uint64_t shards;         /* 0: chosen by the size of the data */
	/* A sweep adds this to the label: ", 4 shards"; or "". */
	char variant[STRATEGY_VARIANT];
	unsigned split; /* the representation that is stored */
	const struct store_ops *store;
	struct codec codec;
};

/*
 * Reads a label; "resized/tar" has codec none.  ERROR_USAGE also where the
 * representation cannot be stored so.  The pipeline is bound.
 */
int strategy_parse(struct strategy *strategy, const char *label,
    const struct pipeline *pipeline, struct error *err);

/*
 * The same for labels that may begin with an order: "o3:greyed/npy/none".  The
 * strategy borrows the pipeline of its order from `orders`.
 */
int strategy_parse_ordered(struct strategy *strategy, const char *label,
    struct orders *orders, struct error *err);

/*
 * Returns the pipeline with its steps in the order of the strategy; `given`:
 * the pipeline as it is given.  Whoever means the steps, the representations or
 * the schemas of a strategy asks here, since `split` counts in this order.
 */
const struct pipeline *strategy_pipeline(
    const struct strategy *strategy, const struct pipeline *given);

/* Finds the representation `name`; ERROR_USAGE if it may not be stored. */
int strategy_find_split(const struct pipeline *pipeline, const char *name,
    unsigned *split, struct error *err);
/* Sets the label from order, split, store and codec. */
void strategy_set_label(
    struct strategy *strategy, const struct pipeline *pipeline);
/*
 * ERROR_USAGE if the store or the codec does not take the representation;
 * `combination` then names the part that is impossible: "raw/npy".
 */
int strategy_check(const struct strategy *strategy,
    const struct pipeline *pipeline, char combination[RESULTS_LABEL],
    struct error *err);

/* Writes the label and the variant; returns `title`. */
const char *strategy_title(
    const struct strategy *strategy, char title[STRATEGY_TITLE]);
/* How many samples does it take, in a session that takes so many? */
uint64_t strategy_samples(const struct strategy *strategy, uint64_t session);
/* Do both store as many samples in as many shards? */
bool strategy_same_size(const struct strategy *a, const struct strategy *b);

/* Does its codec lose something? */
bool strategy_is_lossy(const struct strategy *strategy);
/*
 * May its output differ: by its codec, by an offline lossy step, or by an order
 * that does not commute exactly with the one given?
 */
bool strategy_may_differ(
    const struct strategy *strategy, const struct pipeline *given);

/*
 * Can this reader read the stored data?  NULL: can any reader but presto, so
 * that the data is portable (lib/stores/readable.h)?
 */
bool strategy_is_readable(
    const struct strategy *strategy, const struct stock_reader *reader);

#endif
