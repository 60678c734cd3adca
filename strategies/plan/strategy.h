/*
 * strategy.h - what a strategy is: where the pipeline is cut, and how the data
 * at the cut is stored.  Its label is stable: "unprocessed",
 * "resized/tar/gzip:6".
 */
#ifndef STRATEGIES_PLAN_STRATEGY_H
#define STRATEGIES_PLAN_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/codecs/codec.h"
#include "lib/db/results.h"
#include "lib/pipeline/pipeline.h"

struct error;
struct ini;
struct plan;
struct stock_reader;
struct store_ops;

struct strategy {
	char label[RESULTS_LABEL];
	bool unprocessed; /* stores nothing; the rest is not set */
	unsigned split;   /* representation that is stored */
	const struct store_ops *store;
	struct codec codec;
};

/* What is not possible: "raw/npy, decoded/npy", and why; owned. */
struct left_out {
	char *what, *why;
};

/* A list of them; the arrays are owned. */
struct strategies {
	struct strategy *list;
	size_t count;
	size_t capacity;
	/* What was asked for and is not in it, by reason. */
	struct left_out *left_out;
	size_t left_count;
	size_t left_capacity;
};

#define STRATEGIES_INIT      \
	{                    \
		.list = NULL \
	}

/*
 * All that the plan asks for: `unprocessed` first, then splits in order of
 * the pipeline, each with every store and codec.  The pipeline is bound.  A
 * split after a random step, or an unknown one, is ERROR_USAGE.  A store or
 * codec that does not take a representation is left out of its strategies;
 * when nothing is left to store, that is ERROR_USAGE.
 */
int strategies_enumerate(struct strategies *strategies, const struct plan *plan,
    const struct pipeline *pipeline, struct error *err);
/* Notes once that `what` is left out; the text of `err` says why. */
int strategies_leave_out(
    struct strategies *strategies, const char *what, struct error *err);
/* Something is left to store, or nothing was asked for. */
int strategies_check_any(const struct strategies *strategies,
    const struct ini *ini, struct error *err);
void strategies_release(struct strategies *strategies);

/*
 * Reads a label; "resized/tar" has codec none.  ERROR_USAGE, also for what
 * cannot be stored so.  The pipeline is bound.
 */
int strategy_parse(struct strategy *strategy, const char *label,
    const struct pipeline *pipeline, struct error *err);

/* Does its codec lose something? */
bool strategy_is_lossy(const struct strategy *strategy);
/* Or may a step that it runs offline, which the file calls lossy? */
bool strategy_may_differ(
    const struct strategy *strategy, const struct pipeline *pipeline);

/*
 * Does this reader take what it stores?  NULL: does at least one other than
 * presto, so that it is portable (lib/stores/readable.h)?
 */
bool strategy_is_readable(
    const struct strategy *strategy, const struct stock_reader *reader);

#endif
