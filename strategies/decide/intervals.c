/* intervals.c - see intervals.h. */
#include "strategies/decide/intervals.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/db/derived.h"
#include "lib/stats/dependence.h"
#include "lib/stats/statistics.h"
#include "strategies/decide/trial_figures.h"

struct work {
	struct rate_interval *found;      /* [trial]; borrowed */
	double *rates;                    /* one trial after the other */
	struct rate_series *series;       /* [trial], in `rates` */
	struct rate_series *round_series; /* trials of the same rounds */
	double *values;                   /* for sorting; in `rates` */
};

static void set_interval(struct rate_interval *found,
    const struct rate_series *series, double *values,
    const struct dependence *dependence)
{
	const size_t n = series->count;
	struct interval interval;
	enum drift drift;

	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		values[i] = series->rates[i];
	interval =
	    interval_inflated(values, n, dependence_inflation(dependence));
	found->low = interval.low;
	found->high = interval.high;
	drift = dependence_drift(dependence, n);
	if (drift != DRIFT_UNKNOWN)
		found->drift = drift == DRIFT_YES;
}

static bool same_rounds(
    const struct interval_trial *a, const struct interval_trial *b)
{
	return a == b || (a->rounds_ns && a->rounds_ns == b->rounds_ns);
}

/* Sets the intervals of the first trial, and of those of its rounds. */
static int set_of_rounds(const struct work *work,
    const struct interval_trial *trials, size_t first, size_t count,
    struct error *err)
{
	struct dependence dependence;
	size_t n = 0;

	for (size_t i = first; i < count; i++)
		if (same_rounds(&trials[first], &trials[i]))
			work->round_series[n++] = work->series[i];
	if (dependence_of(&dependence, work->round_series, n, err))
		return -1;
	for (size_t i = first; i < count; i++)
		if (same_rounds(&trials[first], &trials[i]))
			set_interval(&work->found[i], &work->series[i],
			    work->values, &dependence);
	return 0;
}

static bool is_first_of_rounds(const struct interval_trial *trials, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (same_rounds(&trials[k], &trials[i]))
			return false;
	return true;
}

int intervals_find(struct rate_interval *found,
    const struct interval_trial *trials, size_t count, struct error *err)
{
	size_t runs = 0, next = 0;
	struct work work = { .found = found };
	int rc = -1;

	for (size_t i = 0; i < count; i++)
		runs += trials[i].runs->count;
	/* The second half of the rates is for sorting. */
	work.rates = malloc((2 * runs + 1) * sizeof(*work.rates));
	work.series = calloc(count + 1, sizeof(*work.series));
	work.round_series = calloc(count + 1, sizeof(*work.round_series));
	if (!work.rates || !work.series || !work.round_series) {
		error_memory(err, 2 * runs * sizeof(*work.rates));
		goto done;
	}
	work.values = work.rates + runs;
	for (size_t i = 0; i < count; i++) {
		found[i] = (struct rate_interval){ NAN, NAN, NAN };
		work.series[i].rates = &work.rates[next];
		work.series[i].count = trials[i].runs->count;
		for (size_t k = 0; k < trials[i].runs->count; k++)
			work.rates[next++] =
			    trials[i].runs->runs[k].samples_per_s;
	}
	rc = 0;
	for (size_t i = 0; rc == 0 && i < count; i++)
		if (is_first_of_rounds(trials, i))
			rc = set_of_rounds(&work, trials, i, count, err);
done:
	free(work.round_series);
	free(work.series);
	free(work.rates);
	return rc;
}
