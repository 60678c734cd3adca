/* fastest_runs.c - see fastest_runs.h. */
#include "strategies/compare/fastest_runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"

/* Fractions of all runs: for the mean, and for the doubt. */
static const double fastest = 0.1, fast = 0.2;

/* The doubt of a change is half a percent or more. */
static const double least_doubt = 0.005;

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

/* The mean of the first part of the values, two at least. */
static double mean_of(const double *values, size_t count, double part)
{
	const double n = fmax(2, round(part * (double)count));
	double sum = 0;

	for (size_t i = 0; i < (size_t)n; i++)
		sum += values[i];
	return sum / n;
}

int fastest_runs_of(const double *values, size_t count, struct fastest_runs *to,
    struct error *err)
{
	double *sorted;

	*to = (struct fastest_runs){ NAN, NAN };
	if (count < FASTEST_RUNS_LEAST)
		return 0;
	sorted = malloc(count * sizeof(*sorted));
	if (!sorted)
		return error_memory(err, count * sizeof(*sorted));
	memcpy(sorted, values, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_size);
	to->mean = mean_of(sorted, count, fastest);
	to->doubt = to->mean - mean_of(sorted, count, fast);
	free(sorted);
	return 0;
}

struct fastest_runs fastest_runs_change(
    const struct fastest_runs *base, const struct fastest_runs *new_one)
{
	return (struct fastest_runs){ new_one->mean - base->mean,
		hypot(least_doubt, hypot(base->doubt, new_one->doubt)) };
}

void fastest_sum_add(struct fastest_sum *sum, const struct fastest_runs *change)
{
	const double weight = 1 / (change->doubt * change->doubt);

	sum->weights += weight;
	sum->weighted += weight * change->mean;
}

struct fastest_runs fastest_sum_mean(const struct fastest_sum *sum)
{
	return (struct fastest_runs){ sum->weighted / sum->weights,
		1 / sqrt(sum->weights) };
}
