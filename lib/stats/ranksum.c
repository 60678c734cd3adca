/*
 * ranksum.c - see ranksum.h.
 *
 * The exact distribution of a rank sum comes from the shift algorithm of
 * Streitberg and Roehmel (1986).  It adds one rank at a time and counts how
 * many sets of k ranks have each sum.  Ranks are doubled, so that those of ties
 * are integers.  The counts are large but never subtracted, so doubles are
 * precise enough.
 */
#include "lib/stats/ranksum.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/stats/statistics.h"

struct ranked {
	double value;
	size_t set;    /* 0 or 1 */
	unsigned rank; /* from 2, in steps of 2; odd for ties */
};

static int by_value(const void *a, const void *b)
{
	const double x = ((const struct ranked *)a)->value;
	const double y = ((const struct ranked *)b)->value;

	return (x > y) - (x < y);
}

/* Returns the sum of t^3 - t over ties of t values. */
static double set_ranks(struct ranked *list, size_t n)
{
	double ties = 0;

	qsort(list, n, sizeof(*list), by_value);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && list[end].value <= list[i].value;)
			end++;
		for (size_t k = i; k < end; k++) /* mean of i+1 .. end, twice */
			list[k].rank = (unsigned)(i + 1 + end);
		ties += pow((double)(end - i), 3) - (double)(end - i);
	}
	return ties;
}

/*
 * Returns counts[s] for s from 0 to the sum of all: how many sets of k ranks
 * have the sum s; owned by the caller.
 */
static double *count_sums(
    const struct ranked *list, size_t n, size_t k, struct error *err)
{
	const size_t width = n * (n + 1) + 1;
	double *all = calloc((k + 1) * width, sizeof(*all)), *last;

	if (!all) {
		error_memory(err, (k + 1) * width * sizeof(*all));
		return NULL;
	}
	all[0] = 1;
	for (size_t i = 0; i < n; i++)
		for (size_t size = i < k ? i + 1 : k; size > 0; size--) {
			const double *from = &all[(size - 1) * width];
			double *to = &all[size * width];

			for (size_t s = list[i].rank; s < width; s++)
				to[s] += from[s - list[i].rank];
		}
	last = &all[k * width];
	for (size_t s = 0; s < width; s++)
		all[s] = last[s];
	return all;
}

/* Computes the exact p-value of a rank sum; `sum` and the ranks are doubled. */
static int exact_p(const struct ranked *list, size_t n, size_t k, double sum,
    double *p, struct error *err)
{
	const double middle = (double)k * (double)(n + 1);
	double *counts = count_sums(list, n, k, err), all = 0, far = 0;

	if (!counts)
		return -1;
	for (size_t s = 0; s <= n * (n + 1); s++) {
		all += counts[s];
		if (fabs((double)s - middle) >= fabs(sum - middle))
			far += counts[s];
	}
	free(counts);
	*p = far / all;
	return 0;
}

static double normal_p(size_t n, size_t k, double sum, double ties)
{
	const double a = (double)k, b = (double)(n - k), all = (double)n;
	const double middle = a * (all + 1) / 2;
	const double variance =
	    a * b / 12 * (all + 1 - ties / (all * (all - 1)));
	const double away = fabs(sum / 2 - middle) - 0.5;

	if (variance <= 0 || away <= 0)
		return 1;
	return erfc(away / sqrt(2 * variance));
}

int ranksum_test(const struct ranksum_values *a, const struct ranksum_values *b,
    double *p, struct error *err)
{
	const size_t n = a->count + b->count;
	struct ranked *list;
	double ties, sum = 0;
	int rc = 0;

	*p = 1;
	if (a->count == 0 || b->count == 0)
		return 0;
	list = calloc(n, sizeof(*list));
	if (!list)
		return error_memory(err, n * sizeof(*list));
	for (size_t i = 0; i < n; i++) {
		const size_t set = i >= a->count;

		list[i].set = set;
		list[i].value = set ? b->values[i - a->count] : a->values[i];
	}
	ties = set_ranks(list, n);
	for (size_t i = 0; i < n; i++)
		sum += list[i].set == 0 ? list[i].rank : 0;
	if (n <= RANKSUM_EXACT)
		rc = exact_p(list, n, a->count, sum, p, err);
	else
		*p = normal_p(n, a->count, sum, ties);
	free(list);
	return rc;
}

/* ---- the shift ---- */

/*
 * Gets the index, from 1, of the difference at which the interval begins: the
 * largest k with P(U < k) <= tail, U being the number of ordered pairs; 0:
 * none.
 */
static int exact_order(
    size_t a, size_t b, double tail, size_t *k, struct error *err)
{
	struct ranked list[RANKSUM_EXACT];
	const size_t least = a * (a + 1); /* doubled: 1 + .. + a, U = 0 */
	double *counts, all = 0, below = 0;

	for (size_t i = 0; i < a + b; i++)
		list[i].rank = (unsigned)(2 * (i + 1));
	counts = count_sums(list, a + b, a, err);
	if (!counts)
		return -1;
	for (size_t u = 0; u <= a * b; u++)
		all += counts[least + 2 * u];
	for (*k = 0; *k <= a * b; (*k)++) {
		below += counts[least + 2 * *k];
		if (below > tail * all * (1 + 1e-9)) /* tolerates rounding */
			break;
	}
	free(counts);
	return 0;
}

/* Returns the value that a normal variable exceeds with probability `tail`. */
static double normal_quantile(double tail)
{
	double low = 0, high = 40;

	for (unsigned i = 0; i < 80; i++) {
		const double middle = (low + high) / 2;

		if (erfc(middle / sqrt(2)) / 2 > tail)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static size_t normal_order(size_t a, size_t b, double tail)
{
	const double pairs = (double)a * (double)b;
	const double away =
	    normal_quantile(tail) * sqrt(pairs * (double)(a + b + 1) / 12);
	const double k = floor(pairs / 2 - away);

	return k < 1 ? 0 : (size_t)k;
}

int ranksum_shift(const struct ranksum_values *a,
    const struct ranksum_values *b, double confidence,
    struct ranksum_shift *shift, struct error *err)
{
	const size_t pairs = a->count * b->count;
	const double tail = (1 - confidence) / 2;
	double *differences = calloc(pairs, sizeof(*differences));
	size_t k;

	if (!differences)
		return error_memory(err, pairs * sizeof(*differences));
	if (a->count + b->count > RANKSUM_EXACT)
		k = normal_order(a->count, b->count, tail);
	else if (exact_order(a->count, b->count, tail, &k, err)) {
		free(differences);
		return -1;
	}
	for (size_t i = 0; i < pairs; i++)
		differences[i] =
		    b->values[i / a->count] - a->values[i % a->count];
	values_sort(differences, pairs);
	*shift = (struct ranksum_shift){
		.shift =
		    (differences[(pairs - 1) / 2] + differences[pairs / 2]) / 2,
		.low = k > 0 ? differences[k - 1] : -INFINITY,
		.high = k > 0 ? differences[pairs - k] : INFINITY,
	};
	free(differences);
	return 0;
}
