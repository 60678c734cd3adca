/*
 * sensitivity.h - how firm a recommendation is: for which numbers of epochs,
 * storage budgets and weights another strategy would win.
 *
 * Each winner is what ranking_make says of the same report and request with
 * the one quantity changed.  A strategy that wins at both ends of a span is
 * taken to win in between: totals, costs and weighted sums are linear in what
 * is changed, and of linear functions each is best on one interval.
 */
#ifndef STRATEGIES_SENSITIVITY_H
#define STRATEGIES_SENSITIVITY_H

#include <stddef.h>

#include "strategies/rank.h"

struct error;
struct grid;

enum { SENSITIVITY_SPANS = 12 };

struct sensitivity_span {
	double from, to; /* both in it; `to` INFINITY: and more */
	/* As the report has it; NULL: nothing qualifies. */
	const char *strategy;
	const char *cache; /* with which it wins at `from` */
};

/* Over all values of one quantity; more spans than this are cut off. */
struct sensitivity_axis {
	struct sensitivity_span spans[SENSITIVITY_SPANS];
	size_t count;
};

struct sensitivity {
	/* Epochs of the full dataset, from 1: by time, or cost if asked for. */
	struct sensitivity_axis epochs;
	/* Bytes for the full dataset; by the objective of the request. */
	struct sensitivity_axis storage;
	/*
	 * Share of one weight of the sum of the three, 0 to 1 in hundredths,
	 * the other two as in the request: by objective balanced.
	 */
	struct sensitivity_axis prep, storage_weight, throughput;
};

int sensitivity_make(struct sensitivity *sensitivity, const struct grid *report,
    const struct request *request, struct error *err);

#endif
