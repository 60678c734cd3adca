/*
 * strategies.h - the strategies that a plan asks for, and the combinations
 * that are left out, with the reasons.
 */
#ifndef STRATEGIES_PLAN_STRATEGIES_H
#define STRATEGIES_PLAN_STRATEGIES_H

#include <stddef.h>

#include "strategies/plan/strategy.h"

struct error;
struct ini;
struct plan;

/* Combinations that are not possible: "raw/npy, decoded/npy", and why. */
struct left_out {
	char *what, *why; /* owned */
};

struct strategies { /* the arrays are owned */
	struct strategy *list;
	size_t count, capacity;
	struct left_out *left_out; /* one entry a reason */
	size_t left_count, left_capacity;
	/*
	 * Owned: it made the pipelines of reordered strategies.  NULL: the plan
	 * asks for the order given only.
	 */
	struct orders *orders;
};

#define STRATEGIES_INIT      \
	{                    \
		.list = NULL \
	}

/*
 * Lists all that the plan asks for: `unprocessed` first, then splits in the
 * order of the pipeline, each with every store and codec, and each of these for
 * every number of samples and of shards.  The pipeline is bound.  A split after
 * a random step, or an unknown one, is ERROR_USAGE.  A combination that is not
 * possible is left out; when nothing is left to store, that is ERROR_USAGE.
 *
 * Orders that the plan names by their labels follow in the same way.  What an
 * earlier one of them stores and runs alike is not listed twice.
 */
int strategies_enumerate(struct strategies *strategies, const struct plan *plan,
    const struct pipeline *pipeline, struct error *err);
/*
 * Adds strategies in the orders that are worth a try (orders_choose), if the
 * plan asks for all: those that store other data than the strategies listed
 * before, and those with clearly less online work.  An order that changes the
 * data is left out where an exact one does as well (orders_outdo).
 */
int strategies_add_orders(struct strategies *strategies,
    const struct plan *plan, const struct pipeline *pipeline,
    const struct order_costs *costs, struct error *err);
/* Does the plan ask for strategies_add_orders? */
bool strategies_want_all_orders(const struct plan *plan);
/*
 * Replaces the strategies from number `first` on by their variants: one for
 * each number of samples and of shards that the plan sweeps.
 */
int strategies_sweep(struct strategies *strategies, size_t first,
    const struct plan *plan, struct error *err);
/* Adds a copy, unless there is one with this label. */
int strategies_append(struct strategies *strategies,
    const struct strategy *strategy, struct error *err);
/* Adds `yours` behind unprocessed: the user's own loader is measured, too. */
int strategies_add_yours(struct strategies *strategies, struct error *err);
/* Notes once that `what` is left out; the text of `err` says why. */
int strategies_leave_out(
    struct strategies *strategies, const char *what, struct error *err);
/* ERROR_USAGE if strategies were asked for and all were left out. */
int strategies_check_any(const struct strategies *strategies,
    const struct ini *ini, struct error *err);
/* Finds a strategy by its label; NULL: there is none. */
const struct strategy *strategies_find(
    const struct strategies *strategies, const char *label);
/*
 * Keeps unprocessed, and the strategies with one of these labels, [count].
 * ERROR_USAGE if a label is none of them.
 */
int strategies_keep(struct strategies *strategies, const char *const *labels,
    size_t count, struct error *err);
void strategies_release(struct strategies *strategies);

#endif
