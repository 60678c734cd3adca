/* statistics.c - see statistics.h. */
#include "lib/stats/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"

enum { BINOMIAL_MOST = 1000, OUTLIERS_LEAST = 5 };

static int compare(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void values_sort(double *values, size_t n)
{
	qsort(values, n, sizeof(*values), compare);
}

static double middle_of(const double *sorted, size_t n)
{
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

double median_of(double *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (isnan(values[i]))
			return NAN;
	if (n == 0)
		return NAN;
	values_sort(values, n);
	return middle_of(values, n);
}

double deviation_of(double *values, size_t n)
{
	/* quartiles of a normal distribution, in standard deviations */
	static const double apart = 1.349;

	values_sort(values, n);
	return (values[n * 3 / 4] - values[n / 4]) / apart /
	       middle_of(values, n);
}

/* Returns the index, from 1, of the value at which the interval begins. */
static size_t binomial_order(size_t count)
{
	const size_t n = count < BINOMIAL_MOST ? count : BINOMIAL_MOST;
	double p = pow(0.5, (double)n), total = p; /* P(X = 0), P(X <= 0) */
	size_t k = 0;

	while (k < n / 2 && total <= 0.025) {
		p *= (double)(n - k) / (double)(k + 1);
		total += p;
		k++;
	}
	k = k * count / n;
	return k < 1 ? 1 : k;
}

/* From the k-th smallest to the k-th largest. */
static struct interval interval_from(double *values, size_t n, size_t k)
{
	values_sort(values, n);
	return (struct interval){
		.median = middle_of(values, n),
		.low = values[k - 1],
		.high = values[n - k],
	};
}

struct interval interval_of(double *values, size_t n)
{
	return interval_from(values, n, binomial_order(n));
}

struct interval interval_inflated(double *values, size_t n, double inflation)
{
	const size_t most = binomial_order(n);
	const double k =
	    floor(((double)n - 1.96 * sqrt((double)n * inflation)) / 2);

	if (inflation <= 1)
		return interval_from(values, n, most);
	return interval_from(
	    values, n, k < 1 ? 1 : (size_t)fmin(k, (double)most));
}

double interval_width(const struct interval *interval)
{
	return (interval->high - interval->low) / 2 / interval->median;
}

/* ---- ratios ---- */

enum { WALSH_MOST = SIGNED_RANK_MOST * (SIGNED_RANK_MOST + 1) / 2 };

size_t signed_rank_order(size_t n)
{
	const size_t most = n * (n + 1) / 2;
	double ways[WALSH_MOST + 1] = { 1 }; /* subsets with each sum */
	double below = 0;
	size_t k = 0;

	for (size_t number = 1; number <= n; number++)
		for (size_t sum = most; sum >= number; sum--)
			ways[sum] += ways[sum - number];
	while (k < most && below + ways[k] <= 0.025 * pow(2, (double)n))
		below += ways[k++];
	return k < 1 ? 1 : k;
}

/* Takes roots of products: comparing these needs no logarithm. */
static struct interval walsh_interval(const double *ratios, size_t n)
{
	const size_t k = signed_rank_order(n);
	double products[WALSH_MOST] = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j <= i; j++)
			products[count++] = ratios[i] * ratios[j];
	values_sort(products, count);
	return (struct interval){
		.median = sqrt(middle_of(products, count)),
		.low = sqrt(products[k - 1]),
		.high = sqrt(products[count - k]),
	};
}

bool ratio_interval(double *ratios, size_t n, struct interval *interval)
{
	if (n < INTERVAL_LEAST)
		return false;
	*interval = n > SIGNED_RANK_MOST ? interval_of(ratios, n)
	                                 : walsh_interval(ratios, n);
	return true;
}

/* ---- outliers ---- */

static void set_distances(
    const double *values, size_t n, double middle, double *distances)
{
	for (size_t i = 0; i < n; i++)
		distances[i] = fabs(values[i] - middle);
}

int outliers_mark(
    const double *values, size_t n, bool *is_outlier, struct error *err)
{
	double middle, deviation, mean = 0, *work;

	memset(is_outlier, 0, n * sizeof(*is_outlier));
	if (n < OUTLIERS_LEAST)
		return 0;
	work = malloc(n * sizeof(*work));
	if (!work)
		return error_memory(err, n * sizeof(*work));
	memcpy(work, values, n * sizeof(*work));
	middle = median_of(work, n);
	set_distances(values, n, middle, work);
	deviation = median_of(work, n);
	for (size_t i = 0; i < n; i++)
		mean += work[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		const double distance = fabs(values[i] - middle);

		is_outlier[i] = deviation > 0
		                    ? 0.6745 * distance > 3.5 * deviation
		                    : 0.7979 * distance > 3.5 * mean;
	}
	free(work);
	return 0;
}
