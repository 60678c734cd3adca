/* dependence.c - see dependence.h. */
#include "lib/stats/dependence.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/error.h"

/* One-sided levels of 5 and 2.5 %. */
static const double serial_level = 1.645, common_level = 1.96;
static const double least_common = 0.25;
static const double most_correlation = 0.98;

/* Logarithms minus their mean; returns the sum of squares. */
static double set_deviations(const struct rate_series *s, double *deviations)
{
	double mean = 0, squares = 0;

	for (size_t i = 0; i < s->count; i++) {
		deviations[i] = log(s->rates[i]);
		mean += deviations[i] / (double)s->count;
	}
	for (size_t i = 0; i < s->count; i++) {
		deviations[i] -= mean;
		squares += deviations[i] * deviations[i];
	}
	return squares;
}

/* ---- serial ---- */

struct serial_sums { /* weighted by the numbers of runs */
	double runs, correlation, corrected, bias;
	size_t longest;
};

static void add_serial(struct serial_sums *sums, const double *deviations,
    size_t n, double squares)
{
	double products = 0, r;

	for (size_t i = 1; i < n; i++)
		products += deviations[i] * deviations[i - 1];
	r = products / squares;
	sums->runs += (double)n;
	sums->correlation += (double)n * r;
	sums->corrected += (double)n * ((double)n * r + 1) / ((double)n - 4);
	sums->bias += 1;
	sums->longest = n > sums->longest ? n : sums->longest;
}

static void judge_serial(
    const struct serial_sums *sums, struct dependence *dependence)
{
	const double error = 1 / sqrt((double)sums->longest);

	if (!sums->longest)
		return;
	dependence->is_serial = (sums->correlation + sums->bias) / sums->runs >
	                        serial_level * error;
	dependence->correlation = fmin(
	    fmax(sums->corrected / sums->runs + error, 0), most_correlation);
}

/* ---- common ---- */

struct common_sums {
	double correlation, variance, pairs;
};

/* Adds two trials, by the rounds that both have. */
static void add_pair(struct common_sums *sums, const struct rate_series *a,
    const struct rate_series *b, double *work)
{
	const size_t n = a->count < b->count ? a->count : b->count;
	const double xx =
	    set_deviations(&(struct rate_series){ a->rates, n }, work);
	const double yy =
	    set_deviations(&(struct rate_series){ b->rates, n }, work + n);
	double xy = 0;

	if (!(xx > 0) || !(yy > 0))
		return;
	for (size_t i = 0; i < n; i++)
		xy += work[i] * work[n + i];
	sums->correlation += xy / sqrt(xx * yy);
	sums->variance += 1 / ((double)n - 1);
	sums->pairs++;
}

static bool counts(const struct rate_series *series)
{
	return series->count >= INTERVAL_LEAST;
}

static bool is_common(
    const struct rate_series *series, size_t count, double *work)
{
	struct common_sums sums = { 0 };

	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++)
			if (counts(&series[i]) && counts(&series[k]))
				add_pair(&sums, &series[i], &series[k], work);
	return sums.correlation > common_level * sqrt(sums.variance) &&
	       sums.correlation > least_common * sums.pairs;
}

/* ---- both ---- */

int dependence_of(struct dependence *dependence,
    const struct rate_series *series, size_t count, struct error *err)
{
	struct serial_sums sums = { 0 };
	size_t most = 0;
	double *work;

	*dependence = (struct dependence){ .correlation = 0 };
	for (size_t i = 0; i < count; i++)
		most = series[i].count > most ? series[i].count : most;
	work = malloc((2 * most + 1) * sizeof(*work));
	if (!work)
		return error_memory(err, 2 * most * sizeof(*work));
	for (size_t i = 0; i < count; i++) {
		const double squares = set_deviations(&series[i], work);

		if (counts(&series[i]) && squares > 0)
			add_serial(&sums, work, series[i].count, squares);
	}
	judge_serial(&sums, dependence);
	dependence->is_common =
	    most < DEPENDENCE_FEW && is_common(series, count, work);
	free(work);
	return 0;
}

double dependence_inflation(const struct dependence *dependence)
{
	return (1 + dependence->correlation) / (1 - dependence->correlation);
}

bool dependence_drifts(const struct dependence *dependence, size_t count)
{
	const double independent =
	    (double)count / dependence_inflation(dependence);

	if (dependence->is_common && count < DEPENDENCE_FEW)
		return true;
	return dependence->is_serial && independent < INTERVAL_LEAST;
}
