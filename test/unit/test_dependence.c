/* test_dependence.c - does the noise of runs hang together in time? */
#include <math.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/stats/dependence.h"
#include "test/unit/test.h"

enum { TRIALS = 3, RUNS_MOST = 100, SESSIONS = 200 };

/* Deviations of logarithms; `keep` is the autocorrelation of the common part.
 */
struct noise_case {
	const char *name;
	size_t trials, runs;
	double own, common, keep;
	unsigned least, most; /* sessions of SESSIONS that drift */
};

static struct dependence ask(
    double rates[][RUNS_MOST], size_t trials, size_t runs)
{
	struct rate_series series[TRIALS];
	struct dependence dependence;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < trials; i++)
		series[i] = (struct rate_series){ rates[i], runs };
	test_ok(dependence_of(&dependence, series, trials, &err), &err);
	return dependence;
}

static bool drifts(const struct noise_case *c, uint64_t seed)
{
	struct random random = random_stream(seed, 0, 0, 0);
	double rates[TRIALS][RUNS_MOST];
	double common = c->common * random_normal(&random);
	struct dependence dependence;

	for (size_t run = 0; run < c->runs; run++) {
		for (size_t i = 0; i < c->trials; i++)
			rates[i][run] =
			    exp(common + c->own * random_normal(&random));
		common = c->keep * common + sqrt(1 - c->keep * c->keep) *
		                                c->common *
		                                random_normal(&random);
	}
	dependence = ask(rates, c->trials, c->runs);
	return dependence_drift(&dependence, c->runs) == DRIFT_YES;
}

static void test_dependence_is_found_and_seldom_claimed(void **state)
{
	static const struct noise_case cases[] = {
		{ "alone, independent", 1, 10, 0.05, 0, 0, 0, 20 },
		{ "independent", 3, 10, 0.05, 0, 0, 0, 20 },
		{ "longer, independent", 3, 60, 0.05, 0, 0, 0, 4 },
		{ "alone, drift", 1, 20, 0.01, 0.05, 0.9, 150, SESSIONS },
		{ "drift", 3, 10, 0.01, 0.05, 0.9, 180, SESSIONS },
		{ "longer, drift", 3, 60, 0.01, 0.05, 0.9, 150, SESSIONS },
		{ "common to all", 3, 10, 0.01, 0.05, 0, 180, SESSIONS },
		{ "longer, not lasting", 3, 60, 0.01, 0.05, 0, 0, 4 },
		{ "hardly common", 3, 10, 0.05, 0.01, 0.9, 0, 30 },
		{ "just enough to tell", 3, 5, 0.01, 0.05, 0, 150, SESSIONS },
		{ "too few to tell", 3, 4, 0.01, 0.05, 0.9, 0, 0 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		unsigned found = 0;

		for (uint64_t seed = 1; seed <= SESSIONS; seed++)
			found += drifts(&cases[i], seed);
		if (found < cases[i].least || found > cases[i].most)
			fail_msg("%s: %u of %d sessions drift", cases[i].name,
			    found, SESSIONS);
	}
}

/* (n r + 1) / (n - 4) + 1 / sqrt(n), computed by hand. */
static void test_dependence_is_the_corrected_autocorrelation(void **state)
{
	double rates[1][RUNS_MOST];
	struct dependence d;

	UNUSED(state);
	for (size_t i = 0; i < 8; i++)
		rates[0][i] = i % 4 < 2 ? 2 : 1;
	d = ask(rates, 1, 8);
	/* r = (4 - 3) / 8: four neighbours are alike, and three are not. */
	assert_false(d.is_serial);
	assert_true(dependence_inflation(&d) == 1);
	for (size_t i = 0; i < 16; i++)
		rates[0][i] = i % 8 < 4 ? 2 : 1;
	d = ask(rates, 1, 16);
	/* r = (12 - 3) / 16 */
	assert_true(d.is_serial);
	assert_true(fabs(d.correlation - (10 / 12.0 + 1 / sqrt(16))) < 1e-12 ||
	            d.correlation == 0.98);
	assert_true(fabs(dependence_inflation(&d) -
	                 (1 + d.correlation) / (1 - d.correlation)) < 1e-12);
	assert_false(d.is_common);
}

static void test_dependence_of_equal_or_no_runs_is_none(void **state)
{
	double rates[2][RUNS_MOST] = { { 3, 3, 3, 3, 3, 3 },
		{ 5, 5, 5, 5, 5, 5 } };
	struct dependence d = ask(rates, 2, 6);

	UNUSED(state);
	assert_true(dependence_inflation(&d) == 1);
	assert_int_equal(dependence_drift(&d, 6), DRIFT_UNKNOWN);
	d = ask(rates, 0, 0);
	assert_true(dependence_inflation(&d) == 1);
	d = ask(rates, 2, 0);
	assert_int_equal(dependence_drift(&d, 0), DRIFT_UNKNOWN);
}

/* Trials that ended earlier are compared in the rounds that they have. */
static void test_dependence_takes_series_of_unlike_length(void **state)
{
	static const double a[] = { 1, 2, 1, 3, 1, 2, 2, 1, 3, 2 };
	static const double b[] = { 10, 20, 10, 30, 10, 20 };
	const struct rate_series series[] = { { a, 10 }, { b, 6 } };
	struct dependence d;
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(dependence_of(&d, series, 2, &err), &err);
	assert_true(d.is_common);
	assert_int_equal(dependence_drift(&d, 10), DRIFT_YES);
	assert_int_equal(dependence_drift(&d, 6), DRIFT_YES);
	assert_int_equal(dependence_drift(&d, DEPENDENCE_FEW), DRIFT_UNKNOWN);
}

/* Equal rates whose mean of logarithms is rounded. */
static void test_dependence_is_not_one_of_rounding(void **state)
{
	double rates[1][RUNS_MOST];

	UNUSED(state);
	for (size_t n = 5; n < RUNS_MOST; n++) {
		struct dependence d;

		for (size_t i = 0; i < n; i++)
			rates[0][i] = 1 + 0.1 * (double)n;
		d = ask(rates, 1, n);
		assert_false(d.is_serial);
	}
}

/* A calm phase of a short session looks like a calm machine. */
static void test_dependence_is_not_denied_by_few_rounds(void **state)
{
	const struct dependence none = { .correlation = 0 };

	UNUSED(state);
	assert_int_equal(dependence_drift(&none, 10), DRIFT_UNKNOWN);
	assert_int_equal(
	    dependence_drift(&none, DEPENDENCE_ENOUGH - 1), DRIFT_UNKNOWN);
	assert_int_equal(dependence_drift(&none, DEPENDENCE_ENOUGH), DRIFT_NO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dependence_is_found_and_seldom_claimed),
		cmocka_unit_test(
		    test_dependence_is_the_corrected_autocorrelation),
		cmocka_unit_test(test_dependence_of_equal_or_no_runs_is_none),
		cmocka_unit_test(test_dependence_takes_series_of_unlike_length),
		cmocka_unit_test(test_dependence_is_not_one_of_rounding),
		cmocka_unit_test(test_dependence_is_not_denied_by_few_rounds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
