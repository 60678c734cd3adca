/* dependence.c - see dependence.h. */
#include "lib/stats/dependence.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/stats/statistics.h"

/* One-sided levels of 5 and 2.5 %. */
static const double serial_level = 1.645, common_level = 1.96;
static const double least_common = 0.25;
static const double most_correlation = 0.98;
/* Runs that vary by less than 1e-10 are equal, but for rounding. */
static const double least_square = 1e-20;

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
	double runs, correlation, corrected;
	size_t trials, longest;
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
	sums->trials++;
	sums->longest = n > sums->longest ? n : sums->longest;
}

static void judge_serial(
    const struct serial_sums *sums, struct dependence *dependence)
{
	const double error = 1 / sqrt((double)sums->longest);

	if (!sums->trials)
		return;
	/* The mean of n (r + 1 / n), over the mean of n. */
	dependence->is_serial =
	    (sums->correlation + (double)sums->trials) / sums->runs >
	    serial_level * error;
	if (dependence->is_serial)
		dependence->correlation =
		    fmin(fmax(sums->corrected / sums->runs + error, 0),
		        most_correlation);
}

/* ---- common ---- */

/*
 * The correlation of two trials is the product of their deviations, as vectors
 * of length 1.  The sum over all pairs follows from the sum of the vectors: its
 * square has each pair twice, and each trial once.
 */
struct common_sums {
	double vectors[DEPENDENCE_FEW];
	size_t trials[DEPENDENCE_FEW]; /* by the number of their runs */
};

/* Rounds that a trial lacks count as its mean. */
static void add_common(struct common_sums *sums, const double *deviations,
    size_t n, double squares)
{
	for (size_t i = 0; i < n; i++)
		sums->vectors[i] += deviations[i] / sqrt(squares);
	sums->trials[n]++;
}

static void judge_common(
    const struct common_sums *sums, struct dependence *dependence)
{
	double square = 0, trials = 0, pairs = 0, variance = 0;

	for (size_t i = 0; i < DEPENDENCE_FEW; i++)
		square += sums->vectors[i] * sums->vectors[i];
	for (size_t n = INTERVAL_LEAST; n < DEPENDENCE_FEW; n++) {
		const double alike = (double)sums->trials[n];
		const double added = alike * (alike - 1) / 2 + alike * trials;

		pairs += added;
		variance += added / ((double)n - 1);
		trials += alike;
	}
	dependence->is_common =
	    pairs > 0 &&
	    (square - trials) / 2 > common_level * sqrt(variance) &&
	    (square - trials) / 2 > least_common * pairs;
}

/* ---- both ---- */

int dependence_of(struct dependence *dependence,
    const struct rate_series *series, size_t count, struct error *err)
{
	struct serial_sums serial = { 0 };
	struct common_sums common = { .trials = { 0 } };
	size_t most = 0;
	double *work;

	*dependence = (struct dependence){ .correlation = 0 };
	for (size_t i = 0; i < count; i++)
		most = series[i].count > most ? series[i].count : most;
	work = malloc((most + 1) * sizeof(*work));
	if (!work)
		return error_memory(err, most * sizeof(*work));
	for (size_t i = 0; i < count; i++) {
		const size_t n = series[i].count;
		const double squares = set_deviations(&series[i], work);

		if (n < INTERVAL_LEAST || !(squares > least_square * (double)n))
			continue;
		add_serial(&serial, work, n, squares);
		if (most < DEPENDENCE_FEW)
			add_common(&common, work, n, squares);
	}
	judge_serial(&serial, dependence);
	judge_common(&common, dependence);
	free(work);
	return 0;
}

double dependence_inflation(const struct dependence *dependence)
{
	return (1 + dependence->correlation) / (1 - dependence->correlation);
}

enum drift dependence_drift(const struct dependence *dependence, size_t count)
{
	const double independent =
	    (double)count / dependence_inflation(dependence);

	if (count < INTERVAL_LEAST)
		return DRIFT_UNKNOWN;
	if (dependence->is_common && count < DEPENDENCE_FEW)
		return DRIFT_YES;
	if (dependence->is_serial && independent < INTERVAL_LEAST)
		return DRIFT_YES;
	return count < DEPENDENCE_ENOUGH ? DRIFT_UNKNOWN : DRIFT_NO;
}
