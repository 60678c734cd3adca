/* apart.c - see apart.h. */
#include "strategies/compare/apart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/stats/dependence.h"
#include "lib/stats/statistics.h"
#include "strategies/compare/compare.h"
#include "strategies/compare/rates.h"

const double apart_most = 1.5;

/* The runs of a session, trial by trial. */
struct session_runs {
	double *rates; /* owned, and room for sorting; all that follow, too */
	double *scratch;
	struct rate_series *series;
	size_t trials;
};

static int make_runs(
    struct session_runs *runs, const struct rates *side, struct error *err)
{
	const size_t cells = side->rounds * side->trials + 1;
	const size_t most = side->rounds + side->trials;

	*runs = (struct session_runs){
		.rates = calloc(cells + most, sizeof(double)),
		.series = calloc(side->trials + 1, sizeof(*runs->series)),
		.trials = side->trials,
	};
	if (!runs->rates || !runs->series)
		return error_memory(err, (cells + most) * sizeof(double));
	runs->scratch = runs->rates + cells;
	return 0;
}

static void release_runs(struct session_runs *runs)
{
	free(runs->series);
	free(runs->rates);
}

static void read_session(
    struct session_runs *runs, const struct rates *side, size_t session)
{
	double *next = runs->rates;

	for (size_t t = 0; t < runs->trials; t++) {
		size_t n = 0;

		for (size_t r = 0; r < side->rounds; r++) {
			const double rate = *rates_at(side, session, r, t);

			if (!isnan(rate))
				next[n++] = exp(rate);
		}
		runs->series[t] = (struct rate_series){ next, n };
		next += n;
	}
}

/* Divides the runs of each trial by their median. */
static void level(struct session_runs *runs)
{
	double *next = runs->rates;

	for (size_t t = 0; t < runs->trials; t++) {
		const size_t n = runs->series[t].count;
		double middle;

		memcpy(runs->scratch, next, n * sizeof(*next));
		middle = median_of(runs->scratch, n);
		for (size_t i = 0; i < n; i++)
			next[i] /= middle;
		next += n;
	}
}

/* Returns the slowest round from the fastest; changes the runs. */
static double range_of(struct session_runs *runs, size_t rounds)
{
	double low = INFINITY, high = 0;

	level(runs);
	for (size_t i = 0; i < rounds; i++) {
		size_t n = 0;
		double middle;

		for (size_t t = 0; t < runs->trials; t++)
			if (i < runs->series[t].count)
				runs->scratch[n++] = runs->series[t].rates[i];
		middle = median_of(runs->scratch, n);
		low = fmin(low, middle);
		high = fmax(high, middle);
	}
	return log(high / low);
}

int apart_within(double *range, const struct rates *side, struct error *err)
{
	struct session_runs runs;
	struct dependence dependence;
	int rc = make_runs(&runs, side, err);

	for (size_t s = 0; rc == 0 && s < side->sessions; s++) {
		read_session(&runs, side, s);
		rc = dependence_of(&dependence, runs.series, runs.trials, err);
		if (rc == 0 && (dependence.is_serial || dependence.is_common))
			*range = fmax(*range, range_of(&runs, side->rounds));
	}
	release_runs(&runs);
	return rc;
}

int apart_between(bool *is_faster, struct compared *const *trials, size_t count,
    double threshold, struct error *err)
{
	double *ratios = malloc((count + 1) * sizeof(*ratios));
	double middle;

	if (!ratios)
		return error_memory(err, (count + 1) * sizeof(*ratios));
	for (size_t i = 0; i < count; i++)
		ratios[i] = trials[i]->ratio;
	middle = median_of(ratios, count);
	*is_faster = middle > 1 / (1 - threshold) && middle < apart_most;
	free(ratios);
	return 0;
}
