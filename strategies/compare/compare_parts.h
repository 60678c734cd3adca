/*
 * compare_parts.h - what a comparison is made of beside the trials one by one:
 * the machine, how many cores and how fast ones, that their runs had; and all
 * trials together.  Inside strategies only.
 */
#ifndef STRATEGIES_COMPARE_COMPARE_PARTS_H
#define STRATEGIES_COMPARE_COMPARE_PARTS_H

#include <stddef.h>

#include "strategies/compare/compare.h"

struct error;
struct ranksum_values;

/* Of all intervals; a p below the rest of 1 is no chance. */
#define COMPARE_CONFIDENCE 0.95

/* A trial of both sessions. */
struct matched_trial {
	const struct compare_session *base, *new_one;
	int64_t base_trial, new_trial; /* its numbers in them */
};

/*
 * How many cores were left to the runs in NEW, over that in BASE.  A trial has
 * no use for more than it ever took, and one to spare for its threads to meet.
 * 1 where it is not known.
 */
double compare_left_ratio(const struct compare_session *base,
    const struct compare_session *new_one, const struct compared *of);

/*
 * How fast the machine was in NEW, over BASE, to this trial: sets speed_ratio,
 * speed_doubt, fastest_speed, and reference_ms of both sides.  Of all that the
 * session did of the reference from the trial's first run to its last, also
 * between runs of other trials; as far as its threads were busy, since what
 * they wait for is not the cores.
 */
int compare_set_speed(
    struct compared *to, const struct matched_trial *trial, struct error *err);

/*
 * What disturbs a run makes it slower, and never faster: the fastest of many
 * are those of the program, while half of them may be the neighbour's.  Of
 * logarithms of rates: the mean of the fastest tenth, two at least, and by how
 * much the fastest fifth lies below it, which is little where many runs were
 * not disturbed.  NAN: too few runs for both parts.
 */
enum { COMPARE_FASTEST_LEAST = 20 };

struct compare_fastest {
	double mean, doubt;
};

int compare_fastest_of(const double *values, size_t count,
    struct compare_fastest *to, struct error *err);

/* From one to the other; NAN where one is. */
struct compare_fastest compare_fastest_change(
    const struct compare_fastest *base, const struct compare_fastest *new_one);

/* The mean of several changes, of which those that are surer count more. */
struct compare_fastest_sum {
	double weights, weighted;
};

void compare_fastest_add(
    struct compare_fastest_sum *sum, const struct compare_fastest *change);
struct compare_fastest compare_fastest_of_all(
    const struct compare_fastest_sum *sum);

/*
 * All trials of a comparison, of which the n-th runs of one session are taken
 * for one value, the mean of their logarithms: where they were made one after
 * the other, what disturbed them all counts once.
 */
struct compare_rounds {
	double *base, *new_one;       /* owned: sums, one a round */
	size_t base_count, new_count; /* rounds that all trials have */
	size_t trials;
	double doubt;      /* sum of their speed_doubt: they share its cause */
	double more, less; /* sums of the logarithms of their left_ratio */
	struct compare_fastest_sum fastest; /* NAN: not known of all */
	bool is_whole;                      /* all of them were tested */
};

#define COMPARE_ROUNDS_INIT      \
	{                        \
		.is_whole = true \
	}

/* One trial more; the logarithms of its runs, in their order, in both. */
int compare_rounds_add(struct compare_rounds *rounds, const struct compared *of,
    const struct ranksum_values *base, const struct ranksum_values *new_one,
    struct error *err);

/* Sets what `comparison` says of all trials together but the ratio. */
int compare_rounds_judge(const struct compare_rounds *rounds,
    struct comparison *comparison, struct error *err);

void compare_rounds_release(struct compare_rounds *rounds);

#endif
