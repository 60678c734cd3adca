/*
 * objective.h - the ways to say that one strategy is better than another.
 *
 * An objective is a `const struct objective_ops` in a file of its own, listed
 * in strategies/decide/objectives/objectives.def.  Nothing else names one:
 * callers ask for its properties.
 */
#ifndef STRATEGIES_DECIDE_OBJECTIVES_OBJECTIVE_H
#define STRATEGIES_DECIDE_OBJECTIVES_OBJECTIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "strategies/whatif/prices.h"

struct candidate;

enum { OBJECTIVE_TEXT = 128 };

struct range {
	double low, high;
};

/* (value - low) / (high - low); 1 when all are the same, NAN of NAN. */
double range_place(const struct range *range, double value);

struct weights {
	double prep, storage, throughput;
};

/* All that an objective needs to know beside the candidate. */
struct scales {
	struct weights weights;
	double epochs; /* passes over the full dataset; NAN: not asked */
	const struct prices *prices; /* borrowed; NULL: not asked */
	struct workload workload;    /* for the prices */
	/* The least and the most of all candidates. */
	struct range throughput, full_prep_s, full_storage_bytes;
};

struct objective_ops {
	const char *name;
	const char *summary; /* one phrase, no full stop */
	bool is_default;     /* one is */
	bool needs_epochs, needs_prices, uses_weights;
	/*
	 * The worth is a rate.  A rate within the noise of the best, or enough
	 * for the accelerators, is as good: of those the cheapest wins.
	 */
	bool is_rate;
	/* "least cost": its worth is an amount, negated; NULL: it is not. */
	const char *least;
	/* "fast": a gain says how many times as; NULL: it is no ratio. */
	const char *gain;
	/*
	 * False: scores are the worths, spread so that the best has 1 and
	 * the worst 0.  True: a worth is a score.
	 */
	bool scored;
	/*
	 * The worth of a candidate with this throughput for the full dataset;
	 * more is better, NAN when it cannot be said.
	 */
	double (*worth)(const struct candidate *candidate,
	    const struct scales *scales, double throughput);
	/*
	 * Writes why the first of a ranking is the best, beside its throughput:
	 * "it scores best when ..."; NULL: the throughput says it.
	 */
	void (*say_best)(const struct candidate *best,
	    const struct scales *scales, char text[OBJECTIVE_TEXT]);
	/* Writes why no stored form is better than the dataset as it is. */
	void (*say_nothing)(
	    const struct scales *scales, char text[OBJECTIVE_TEXT]);
};

#define OBJECTIVE(name) extern const struct objective_ops objective_##name;
#include "strategies/decide/objectives/objectives.def"
#undef OBJECTIVE

const struct objective_ops *objective_find(const char *name);
const struct objective_ops *objective_at(size_t i); /* NULL behind the last */
const struct objective_ops *objective_default(void);
/* The first that needs epochs, and no prices. */
const struct objective_ops *objective_by_epochs(void);
/* The first that uses weights. */
const struct objective_ops *objective_by_weights(void);

/* "no stored form pays in 3 epochs": a say_nothing. */
void objective_say_not_in_epochs(
    const struct scales *scales, char text[OBJECTIVE_TEXT]);

#endif
