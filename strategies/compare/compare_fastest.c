/* compare_fastest.c - see compare_parts.h: the runs that nothing disturbed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "strategies/compare/compare_parts.h"

/* Parts of all runs: of the figure, and of how sure it is. */
static const double fastest = 0.1, fast = 0.2;

/* No figure is surer than by half a percent. */
static const double least_doubt = 0.005;

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x < y) - (x > y);
}

/* Of sorted values, the greatest first: the mean of a part of them. */
static double mean_of(const double *values, size_t count, double part)
{
	const double n = fmax(2, round(part * (double)count));
	double sum = 0;

	for (size_t i = 0; i < (size_t)n; i++)
		sum += values[i];
	return sum / n;
}

int compare_fastest_of(const double *values, size_t count,
    struct compare_fastest *to, struct error *err)
{
	double *sorted;

	*to = (struct compare_fastest){ NAN, NAN };
	if (count < COMPARE_FASTEST_LEAST)
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

struct compare_fastest compare_fastest_change(
    const struct compare_fastest *base, const struct compare_fastest *new_one)
{
	return (struct compare_fastest){ new_one->mean - base->mean,
		hypot(least_doubt, hypot(base->doubt, new_one->doubt)) };
}

void compare_fastest_add(
    struct compare_fastest_sum *sum, const struct compare_fastest *change)
{
	const double weight = 1 / (change->doubt * change->doubt);

	sum->weights += weight;
	sum->weighted += weight * change->mean;
}

struct compare_fastest compare_fastest_of_all(
    const struct compare_fastest_sum *sum)
{
	return (struct compare_fastest){ sum->weighted / sum->weights,
		1 / sqrt(sum->weights) };
}
