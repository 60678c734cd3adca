/*
 * objective.h - what makes one strategy better than another.
 *
 * An objective is a `const struct objective_ops` in a file of its own, listed
 * in strategies/objectives.def.
 */
#ifndef STRATEGIES_OBJECTIVES_OBJECTIVE_H
#define STRATEGIES_OBJECTIVES_OBJECTIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "strategies/prices.h"

struct candidate;

struct range {
	double low, high;
};

/* (value - low) / (high - low); 1 when all are the same, NAN of NAN. */
double range_place(const struct range *range, double value);

struct weights {
	double prep, storage, throughput;
};

/* What is the same for all candidates. */
struct scales {
	struct weights weights;
	double epochs; /* passes over the full dataset; NAN: not asked */
	const struct prices *prices; /* NULL: not asked */
	struct workload workload;    /* what they pay for */
	struct range throughput, full_prep_s, full_storage_bytes;
};

struct objective_ops {
	const char *name;
	const char *summary; /* one phrase, no full stop */
	bool needs_epochs, needs_prices;
	/*
	 * False: scores are the worths, spread so that the best has 1 and
	 * the worst 0.  True: a worth is a score.
	 */
	bool scored;
	/*
	 * What the candidate is worth if this is its throughput with the full
	 * dataset; more is better, NAN when it cannot be said.
	 */
	double (*worth)(const struct candidate *candidate,
	    const struct scales *scales, double throughput);
};

#define OBJECTIVE(name) extern const struct objective_ops objective_##name;
#include "strategies/objectives.def"
#undef OBJECTIVE

const struct objective_ops *objective_find(const char *name);
const struct objective_ops *objective_at(size_t i); /* NULL behind the last */

#endif
