/* test_compare_fastest.c - comparing two sessions by their fastest runs. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/compare/print.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/compare/compare.h"
#include "strategies/compare/fastest_runs.h"
#include "strategies/figures/runs.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

enum { RUNS = 25 };

static const char *const labels[] = { "raw/tar/none", "decoded/tar/none",
	"resized/tar/none" };

/* A session of one trial each, whose runs are disturbed now and then. */
struct made {
	struct figures trials[ARRAY_LEN(labels)];
	struct timed_run runs[ARRAY_LEN(labels) * RUNS];
	struct figures_list trial_list;
	struct timed_runs run_list;
	struct compare_session session;
};

/*
 * `rates` of each trial; every `period`-th run is not disturbed, and the others
 * are slower by 10 to 110 %.  The times of the reference are `reference_ms`,
 * and longer in the same way.
 */
static void make(struct made *made, const double rates[ARRAY_LEN(labels)],
    size_t period, double reference_ms)
{
	*made =
	    (struct made){ .trial_list = { made->trials, ARRAY_LEN(labels) },
		    .run_list = { made->runs, ARRAY_LEN(made->runs) } };
	made->session = (struct compare_session){ &made->trial_list,
		&made->run_list, "done", 2, "cpu", "zlib 1" };
	for (size_t i = 0; i < ARRAY_LEN(labels); i++) {
		made->trials[i] = figures_none();
		made->trials[i].trial = (int64_t)i;
		made->trials[i].strategy = labels[i];
		made->trials[i].threads = 1;
		made->trials[i].state = TRIAL_DONE;
		for (size_t run = 0; run < RUNS; run++) {
			const size_t noise = 7 * run % 11;
			const double slow =
			    run % period ? 1.1 + 0.1 * (double)noise : 1;
			/* Not two are alike. */
			const double more = 1 + 0.0001 * (double)run;

			made->runs[i * RUNS + run] = (struct timed_run){
				.trial = (int64_t)i,
				.samples_per_s = rates[i] / slow * more,
				.own_cores = 1,
				.reference_ns =
				    1e6 * reference_ms * slow * more,
				.started_ns = 1e9 * (double)run,
			};
		}
	}
}

/* With every so many-th run undisturbed. */
static struct comparison compare(const double base_rates[3],
    const double new_rates[3], size_t base_period, size_t period,
    double reference_ms)
{
	struct made base, new_one;
	struct comparison comparison;
	struct error err = ERROR_INIT;

	make(&base, base_rates, base_period, reference_ms > 0 ? 1 : 0);
	make(&new_one, new_rates, period, reference_ms);
	test_ok(comparison_make(
	            &comparison, &base.session, &new_one.session, 0.05, &err),
	    &err);
	return comparison;
}

static void test_fastest_runs_are_not_disturbed(void **state)
{
	double values[RUNS];
	struct fastest_runs got;
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < RUNS; i++)
		values[i] = (double)((i * 7) % RUNS); /* 0 to 24 */
	/* The fastest tenth of 25 are 3 (2.5 is rounded away from 0), the
	 * fastest fifth 5. */
	test_ok(fastest_runs_of(values, RUNS, &got, &err), &err);
	assert_true(fabs(got.mean - 23) < 1e-9 && fabs(got.doubt - 1) < 1e-9);
	assert_true(fabs(values[1] - 7) < 1e-9); /* as they were */
	test_ok(
	    fastest_runs_of(values, FASTEST_RUNS_LEAST - 1, &got, &err), &err);
	assert_true(isnan(got.mean) && isnan(got.doubt));
}

static void test_fastest_surer_changes_count_more(void **state)
{
	const struct fastest_runs sure = { -0.1, 0.01 }, not_so = { 0.5, 0.1 };
	struct fastest_sum sum = { 0, 0 };
	struct fastest_runs all;

	UNUSED(state);
	fastest_sum_add(&sum, &sure);
	fastest_sum_add(&sum, &not_so);
	all = fastest_sum_mean(&sum);
	/* 10000 and 100 */
	assert_true(fabs(all.mean - (-1000.0 + 50) / 10100) < 1e-9);
	assert_true(fabs(all.doubt - 1 / sqrt(10100.0)) < 1e-9);
}

static void test_fastest_find_what_noise_hides(void **state)
{
	static const double rates[] = { 100, 200, 300 };
	static const double slower[] = { 91, 182, 273 };
	struct comparison got = compare(rates, slower, 5, 5, 0);
	char summary[COMPARE_SUMMARY];

	UNUSED(state);
	for (size_t i = 0; i < got.count; i++)
		assert_true(got.list[i].verdict != COMPARE_SLOWER);
	assert_true(got.mean.is_slower && got.mean.is_slower_by_fastest);
	assert_true(fabs(got.mean.fastest_ratio - 0.91) < 0.005);
	assert_true(comparison_verdict(&got) == COMPARE_SLOWER);
	compare_summarize(&got, summary);
	test_contains(summary,
	    "the fastest runs of all 3 trials together are slower by more than "
	    "5 %: 0.91");
	comparison_release(&got);
	/* By 4 %: that is allowed. */
	got = compare(rates, (double[]){ 96, 192, 288 }, 5, 5, 0);
	assert_false(got.mean.is_slower);
	comparison_release(&got);
}

static void test_fastest_deny_what_noise_claims(void **state)
{
	static const double rates[] = { 100, 200, 300 };
	struct comparison got = compare(rates, rates, 1, 6, 0);

	UNUSED(state);
	/* Most runs of NEW are slower by a fifth, and nothing else changed. */
	assert_true(got.list[0].ratio < 0.95 && got.mean.ratio < 0.95);
	for (size_t i = 0; i < got.count; i++)
		assert_true(got.list[i].verdict == COMPARE_UNCLEAR);
	assert_false(got.mean.is_slower);
	assert_true(fabs(got.mean.fastest_ratio - 1) < 0.005);
	assert_true(comparison_verdict(&got) == COMPARE_UNCLEAR);
	comparison_release(&got);
}

static void test_fastest_of_one_trial_do_not_speak_for_all(void **state)
{
	static const double rates[] = { 100, 200, 300 };
	static const double slower[] = { 90, 200, 300 };
	struct comparison got = compare(rates, slower, 5, 5, 0);

	UNUSED(state);
	assert_false(got.mean.is_slower);
	assert_true(fabs(got.list[0].fastest_ratio - 0.9) < 0.005);
	assert_true(fabs(got.list[1].fastest_ratio - 1) < 0.005);
	comparison_release(&got);
}

static void test_fastest_moments_of_the_machine_count(void **state)
{
	static const double rates[] = { 100, 200, 300 };
	static const double slower[] = { 91, 182, 273 };
	struct comparison got = compare(rates, slower, 5, 5, 1 / 0.91);

	UNUSED(state);
	assert_true(fabs(got.list[0].fastest_speed - 0.91) < 0.005);
	assert_true(fabs(got.mean.fastest_ratio - 1) < 0.005);
	assert_false(got.mean.is_slower);
	comparison_release(&got);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fastest_runs_are_not_disturbed),
		cmocka_unit_test(test_fastest_surer_changes_count_more),
		cmocka_unit_test(test_fastest_find_what_noise_hides),
		cmocka_unit_test(test_fastest_deny_what_noise_claims),
		cmocka_unit_test(
		    test_fastest_of_one_trial_do_not_speak_for_all),
		cmocka_unit_test(test_fastest_moments_of_the_machine_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
