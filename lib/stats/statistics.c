/* statistics.c - see statistics.h. */
#include "lib/stats/statistics.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* From 1: which smallest value the interval begins with. */
static size_t order_of(size_t n)
{
	double p = pow(0.5, (double)n), total = p; /* P(X = 0), P(X <= 0) */
	size_t k = 0;

	while (k < n / 2 && total <= 0.025) {
		p *= (double)(n - k) / (double)(k + 1);
		total += p;
		k++;
	}
	return k < 1 ? 1 : k;
}

struct interval interval_of(double *values, size_t n)
{
	const size_t k = order_of(n);

	qsort(values, n, sizeof(*values), compare);
	return (struct interval){
		.median = (values[(n - 1) / 2] + values[n / 2]) / 2,
		.low = values[k - 1],
		.high = values[n - k],
	};
}

double interval_width(const struct interval *interval)
{
	return (interval->high - interval->low) / 2 / interval->median;
}
