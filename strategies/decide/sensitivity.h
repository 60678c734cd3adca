/*
 * sensitivity.h - how firm a recommendation is: for which numbers of epochs,
 * storage budgets and weights another strategy would win.
 *
 * Each winner is what ranking_make says of the same report and request with
 * the one quantity changed.  A strategy that wins for two numbers of epochs, or
 * two weights, is taken to win in between: totals, costs and weighted sums are
 * linear in them, and of linear functions each is best on one interval; where
 * ties let the cheaper one win, a short span may be passed over.  Of storage
 * all sizes that matter are tried.
 */
#ifndef STRATEGIES_DECIDE_SENSITIVITY_H
#define STRATEGIES_DECIDE_SENSITIVITY_H

#include <stdbool.h>
#include <stddef.h>

#include "strategies/decide/rank.h"

struct error;

enum { SENSITIVITY_SPANS = 32 };

struct sensitivity_span {
	double from, to; /* both in it; `to` INFINITY: and more */
	/* As the report has it; NULL: nothing qualifies. */
	const char *strategy;
	enum cache_mode cache; /* with which it wins at `from` */
};

/* Over all values of one quantity. */
struct sensitivity_axis {
	struct sensitivity_span spans[SENSITIVITY_SPANS];
	size_t count;
	bool is_cut; /* there are more, behind the last */
};

struct sensitivity {
	/* Epochs of the full dataset, from 1, by an objective that counts them.
	 */
	struct sensitivity_axis epochs;
	const struct objective_ops *epochs_by;
	/* Bytes for the full dataset, from 0; by the objective asked for. */
	struct sensitivity_axis storage;
	/*
	 * Share of one weight of the sum of the three, 0 to 1 in hundredths,
	 * the other two as in the request: by objective balanced.
	 */
	struct sensitivity_axis prep, storage_weight, throughput;
};

int sensitivity_make(struct sensitivity *sensitivity,
    const struct figures_list *figures, const struct request *request,
    struct error *err);

#endif
