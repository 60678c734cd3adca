/* change.c - see change.h. */
#include "strategies/compare/change.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/stats/ranksum.h"
#include "lib/stats/statistics.h"
#include "lib/stats/student.h"
#include "strategies/compare/compare.h"
#include "strategies/compare/rates.h"

/* Nothing that is not there is found more often. */
static const double far_tail = 0.0025;
/* A change is found nine times out of ten if it is so far beyond. */
static const double power_tail = 0.1;
/* The same for a distribution-free interval: 1.28 of 1.96 deviations. */
static const double power_part = 0.65;
/* Turns that are all alike, to the last digit, were made up. */
static const double least_error = 1e-6;

static const struct change unknown = { NAN, NAN, NAN, NAN, NAN, NAN, NAN };

/* ---- by turns ---- */

/* The Walsh averages of more runs than this would change nothing. */
enum { WALSH_RUNS = 60, WALSH_MOST = WALSH_RUNS * (WALSH_RUNS + 1) / 2 };

/* Returns the location of `n` values, which are followed by room for more. */
static double location(double *values, size_t n)
{
	double *walsh = values + n;
	size_t count = 0;

	if (n > WALSH_RUNS)
		return median_of(values, n);
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k <= i; k++)
			walsh[count++] = (values[i] + values[k]) / 2;
	return median_of(walsh, count);
}

/* Returns the location of the runs of a trial in a session; NAN: none. */
static double location_of(
    const struct rates *rates, size_t session, size_t trial, double *scratch)
{
	size_t n = 0;

	for (size_t i = 0; i < rates->rounds; i++) {
		const double rate = *rates_at(rates, session, i, trial);

		if (!isnan(rate))
			scratch[n++] = rate;
	}
	return location(scratch, n);
}

/* Returns NEW - BASE in a turn; NAN: not both have runs. */
static double difference_of(
    const struct rates *sides, size_t turn, size_t trial, double *scratch)
{
	const double base = location_of(&sides[BASE], turn, trial, scratch);

	return location_of(&sides[NEW], turn, trial, scratch) - base;
}

static double turn_of(
    const struct rates *sides, size_t turn, int trial, double *scratch)
{
	const size_t trials = sides[BASE].trials;
	double sum = 0;

	if (trial != ALL_TRIALS)
		return difference_of(sides, turn, (size_t)trial, scratch);
	for (size_t t = 0; t < trials; t++)
		sum += difference_of(sides, turn, t, scratch);
	return sum / (double)trials;
}

static void judge_turns(
    struct change *change, const double *turns, size_t count, size_t tests)
{
	const double tail = (1 - COMPARE_CONFIDENCE) / 2;
	const struct student_mean mean = student_mean(turns, count);
	double t, error;

	change->mean = mean.mean;
	if (mean.freedom == 0)
		return;
	error = fmax(mean.error, least_error);
	t = student_quantile(tail, mean.freedom);
	change->low = mean.mean - t * error;
	change->high = mean.mean + t * error;
	change->reach =
	    student_quantile(tail / (double)tests, mean.freedom) * error;
	change->far_reach =
	    student_quantile(far_tail / (double)tests, mean.freedom) * error;
	change->margin = student_quantile(power_tail, mean.freedom) * error;
	change->p = student_p(mean.mean / error, mean.freedom);
}

int change_by_turns(struct change *change, const struct rates *sides, int trial,
    size_t tests, struct error *err)
{
	const size_t turns = sides[BASE].sessions;
	const size_t rounds = sides[BASE].rounds > sides[NEW].rounds
	                          ? sides[BASE].rounds
	                          : sides[NEW].rounds;
	const size_t most = turns + rounds + WALSH_MOST;
	double *values = malloc(most * sizeof(*values));
	size_t n = 0;

	*change = unknown;
	if (!values)
		return error_memory(err, most * sizeof(*values));
	for (size_t i = 0; i < turns; i++) {
		const double value = turn_of(sides, i, trial, values + turns);

		if (!isnan(value))
			values[n++] = value;
	}
	judge_turns(change, values, n, tests);
	free(values);
	return 0;
}

/* ---- runs ---- */

/* The means of rounds that all trials have. */
static size_t take_rounds(const struct rates *rates, double *to)
{
	size_t n = 0;

	for (size_t i = 0; i < rates->sessions * rates->rounds; i++) {
		double sum = 0;

		for (size_t t = 0; t < rates->trials; t++)
			sum += rates->logs[i * rates->trials + t];
		if (!isnan(sum))
			to[n++] = sum / (double)rates->trials;
	}
	return n;
}

static size_t take_values(const struct rates *rates, int trial, double *to)
{
	return trial == ALL_TRIALS ? take_rounds(rates, to)
	                           : rates_of_trial(rates, (size_t)trial, to);
}

static int judge_runs(struct change *change, const struct ranksum_values *base,
    const struct ranksum_values *new_one, struct error *err)
{
	struct ranksum_shift shift;

	if (!base->count || !new_one->count)
		return 0;
	if (ranksum_shift(base, new_one, COMPARE_CONFIDENCE, &shift, err) ||
	    ranksum_test(base, new_one, &change->p, err))
		return -1;
	change->mean = shift.shift;
	if (!isfinite(shift.low))
		return 0;
	change->low = shift.low;
	change->high = shift.high;
	change->reach = shift.high - shift.shift;
	change->far_reach = change->reach;
	change->margin = power_part * change->reach;
	return 0;
}

int change_of_runs(struct change *change, const struct rates *sides, int trial,
    struct error *err)
{
	const size_t most = sides[BASE].sessions * sides[BASE].rounds;
	const size_t more = sides[NEW].sessions * sides[NEW].rounds;
	double *values = malloc((most + more + 1) * sizeof(*values));
	struct ranksum_values base, new_one;
	int rc;

	*change = unknown;
	if (!values)
		return error_memory(err, (most + more + 1) * sizeof(*values));
	base = (struct ranksum_values){ values,
		take_values(&sides[BASE], trial, values) };
	new_one = (struct ranksum_values){ values + most,
		take_values(&sides[NEW], trial, values + most) };
	rc = judge_runs(change, &base, &new_one, err);
	free(values);
	return rc;
}
