/*
 * all_trials.h - compares all trials of two sessions together.
 *
 * The n-th runs of all trials in a session make one value, the mean of their
 * logarithms: they were made one after the other, so a disturbance that hit all
 * of them counts once.
 */
#ifndef STRATEGIES_COMPARE_ALL_TRIALS_H
#define STRATEGIES_COMPARE_ALL_TRIALS_H

#include <stdbool.h>
#include <stddef.h>

#include "strategies/compare/compare.h"
#include "strategies/compare/fastest_runs.h"

struct error;
struct ranksum_values;

struct all_trials {
	double *base, *new_one;       /* owned: sums, one a round */
	size_t base_count, new_count; /* rounds that all trials have */
	size_t trials;
	double more, less; /* sums of the logarithms of their left_ratio */
	struct fastest_sum fastest; /* NAN: not known for all */
	bool is_whole;              /* all of them were tested */
};

#define ALL_TRIALS_INIT          \
	{                        \
		.is_whole = true \
	}

/* Adds a trial: the logarithms of its runs, in their order, in both. */
int all_trials_add(struct all_trials *all, const struct compared *trial,
    const struct ranksum_values *base, const struct ranksum_values *new_one,
    struct error *err);

/* Sets the mean of the comparison, except for its ratio. */
int all_trials_judge(const struct all_trials *all,
    struct comparison *comparison, struct error *err);

void all_trials_release(struct all_trials *all);

#endif
