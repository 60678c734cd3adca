/*
 * sensitivity.h - how firm a recommendation is: the numbers of epochs, storage
 * budgets and weights for which another strategy would win.
 *
 * Each winner is that of ranking_make for the same request with one quantity
 * changed.  A strategy that wins for two numbers of epochs, or two weights, is
 * assumed to win for all between them: totals, costs and weighted sums are
 * linear, and each linear function is the best on one interval.  Where the
 * cheaper of tied ones wins, a short span may be missed.  For storage all sizes
 * of candidates are tried.
 */
#ifndef STRATEGIES_DECIDE_SENSITIVITY_H
#define STRATEGIES_DECIDE_SENSITIVITY_H

#include <stdbool.h>
#include <stddef.h>

#include "strategies/decide/rank.h"

struct error;

enum { SENSITIVITY_SPANS = 32 };

struct sensitivity_span {
	double from, to; /* both included; `to` INFINITY: no end */
	/* Borrowed from the figures; NULL: nothing qualifies. */
	const char *strategy;
	enum cache_mode cache; /* the winner's at `from` */
};

/* Over all values of one quantity. */
struct sensitivity_axis {
	struct sensitivity_span spans[SENSITIVITY_SPANS];
	size_t count;
	bool is_cut; /* more spans follow, but there was no room */
};

struct sensitivity {
	/* Epochs of the full dataset, from 1, by the objective epochs_by. */
	struct sensitivity_axis epochs;
	const struct objective_ops *epochs_by;
	/* Bytes for the full dataset, from 0, by the objective requested. */
	struct sensitivity_axis storage;
	/*
	 * One weight as a fraction of the sum of all three, 0 to 1 in
	 * hundredths, by the objective that uses weights.  The other two keep
	 * their ratio.
	 */
	struct sensitivity_axis prep, storage_weight, throughput;
};

int sensitivity_make(struct sensitivity *sensitivity,
    const struct figures_list *figures, const struct request *request,
    struct error *err);

#endif
