/*
 * fastest_runs.h - compares two sessions by their fastest runs.
 *
 * A disturbance makes a run slower, and never faster.  So the fastest of many
 * runs show the program, while half of them may show a neighbour on the host.
 */
#ifndef STRATEGIES_COMPARE_FASTEST_RUNS_H
#define STRATEGIES_COMPARE_FASTEST_RUNS_H

#include <stddef.h>

struct error;

enum { FASTEST_RUNS_LEAST = 20 };

/* In logarithms; NAN: too few runs. */
struct fastest_runs {
	double mean;  /* the fastest tenth: two at least */
	double doubt; /* how far the fastest fifth lies below */
};

/* `values` are logarithms of rates. */
int fastest_runs_of(const double *values, size_t count, struct fastest_runs *to,
    struct error *err);

/* The change from one session to the other; NAN where one is. */
struct fastest_runs fastest_runs_change(
    const struct fastest_runs *base, const struct fastest_runs *new_one);

/* A mean of changes, weighted by how sure they are. */
struct fastest_sum {
	double weights, weighted;
};

void fastest_sum_add(
    struct fastest_sum *sum, const struct fastest_runs *change);
struct fastest_runs fastest_sum_mean(const struct fastest_sum *sum);

#endif
