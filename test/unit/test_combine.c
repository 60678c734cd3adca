/* test_combine.c - several sessions combined to one. */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "strategies/compare/combine.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

/* Three sessions, whose trials have numbers of their own. */
struct three {
	struct grid trials[3], rates[3];
	struct combine_part parts[3];
	struct grid all, runs; /* of all */
};

enum { TRIAL, STRATEGY, CACHE, THREADS, STATUS, EQUIVALENT, THROUGHPUT, PREP };

static void begin(struct three *three)
{
	static const char *const of_trials[] = { "trial", "strategy", "cache",
		"threads", "status", "equivalent", "throughput_samples_per_s",
		"prep_s", "cpu_us_per_sample", "figures" };
	static const char *const of_rates[] = { "trial", "samples_per_s",
		"started_ns" };
	struct error err = ERROR_INIT;

	*three = (struct three){ .all = GRID_INIT };
	for (size_t part = 0; part < 3; part++) {
		for (size_t i = 0; i < ARRAY_LEN(of_trials); i++)
			test_ok(grid_add_column(
			            &three->trials[part], of_trials[i], &err),
			    &err);
		for (size_t i = 0; i < ARRAY_LEN(of_rates); i++)
			test_ok(grid_add_column(
			            &three->rates[part], of_rates[i], &err),
			    &err);
		three->parts[part] =
		    (struct combine_part){ &three->trials[part],
			    &three->rates[part] };
	}
}

static void end(struct three *three)
{
	for (size_t part = 0; part < 3; part++) {
		grid_release(&three->trials[part]);
		grid_release(&three->rates[part]);
	}
	grid_release(&three->all);
	grid_release(&three->runs);
}

/* With two runs, of `rate` and a tenth more. */
static void add_trial(struct three *three, size_t part, const char *strategy,
    const char *status, double rate)
{
	struct grid *trials = &three->trials[part];
	struct grid *rates = &three->rates[part];
	const int64_t id = (int64_t)(10 * part + trials->row_count + 3);
	struct error err = ERROR_INIT;

	test_ok(grid_add_row(trials, &err) ||
	            grid_set_text(trials, STRATEGY, strategy, &err) ||
	            grid_set_text(trials, CACHE, "system", &err) ||
	            grid_set_text(trials, STATUS, status, &err) ||
	            grid_set_text(trials, EQUIVALENT, "yes", &err),
	    &err);
	grid_set_integer(trials, TRIAL, id);
	grid_set_integer(trials, THREADS, 2);
	grid_set_real(trials, THROUGHPUT, rate);
	grid_set_real(trials, PREP, rate / 10);
	for (int64_t i = 0; i < 2; i++) {
		test_ok(grid_add_row(rates, &err), &err);
		grid_set_integer(rates, 0, id);
		grid_set_real(rates, 1, rate * (1 + (double)i / 10));
		grid_set_integer(rates, 2, 1000 * id + i);
	}
}

static void combine(struct three *three)
{
	struct error err = ERROR_INIT;

	test_ok(
	    combine_sessions(three->parts, 3, &three->all, &three->runs, &err),
	    &err);
}

static void check_refused(struct three *three, const char *message)
{
	struct error err = ERROR_INIT;

	assert_true(combine_sessions(
	                three->parts, 3, &three->all, &three->runs, &err) < 0);
	assert_true(err.code == ERROR_USAGE);
	assert_non_null(strstr(err.text, message));
	end(three);
}

static void test_combine_has_the_runs_of_all(void **state)
{
	struct three three;
	double last = -1;

	UNUSED(state);
	begin(&three);
	for (size_t part = 0; part < 3; part++) {
		/* In another order each time. */
		if (part % 2)
			add_trial(&three, part, "raw", "done", 70);
		add_trial(
		    &three, part, "png", "done", 100 + 100.0 * (double)part);
		if (part % 2 == 0)
			add_trial(&three, part, "raw", "done", 70);
	}
	combine(&three);
	assert_true(three.all.row_count == 2 && three.runs.row_count == 12);
	assert_string_equal(grid_text(&three.all, 0, "strategy"), "png");
	/* 100, 110, 200, 220, 300, 330 */
	fixture_near(&three.all, 0, "throughput_samples_per_s", 210);
	fixture_near(&three.all, 0, "figures", 6);
	fixture_near(&three.all, 0, "prep_s", 20);
	fixture_near(&three.all, 0, "cpu_us_per_sample", NAN);
	for (size_t i = 0; i < 6; i++) {
		const double at = grid_number(&three.runs, i, "started_ns");

		assert_true(
		    islessequal(fabs(grid_number(&three.runs, i, "trial") -
		                     grid_number(&three.all, 0, "trial")),
		        0));
		/* One after the other. */
		assert_true(at > last);
		last = at;
	}
	fixture_near(&three.runs, 5, "samples_per_s", 330);
	fixture_near(&three.all, 1, "throughput_samples_per_s", 73.5);
	end(&three);
}

static void test_combine_what_failed_once_has_failed(void **state)
{
	struct three three;

	UNUSED(state);
	begin(&three);
	for (size_t part = 0; part < 3; part++) {
		add_trial(
		    &three, part, "raw", part == 1 ? "failed" : "done", 70);
		add_trial(
		    &three, part, "png", part == 0 ? "skipped" : "done", 50);
	}
	combine(&three);
	assert_string_equal(grid_text(&three.all, 0, "status"), "failed");
	assert_string_equal(grid_text(&three.all, 1, "status"), "skipped");
	/* What failed has no runs that could be compared. */
	assert_true(three.runs.row_count == 6);
	fixture_near(&three.runs, 0, "samples_per_s", 50);
	end(&three);
}

static void test_combine_keeps_the_worst_data(void **state)
{
	struct three three;
	struct error err = ERROR_INIT;

	UNUSED(state);
	begin(&three);
	for (size_t part = 0; part < 3; part++) {
		add_trial(&three, part, "raw", "done", 70);
		test_ok(grid_set_text(&three.trials[part], EQUIVALENT,
		            part == 0   ? "lossy"
		            : part == 1 ? "no"
		                        : "yes",
		            &err),
		    &err);
	}
	combine(&three);
	assert_string_equal(grid_text(&three.all, 0, "equivalent"), "no");
	end(&three);
}

static void test_combine_needs_the_same_trials(void **state)
{
	struct three three;

	UNUSED(state);
	begin(&three);
	for (size_t part = 0; part < 3; part++)
		add_trial(&three, part, "raw", "done", 70);
	add_trial(&three, 0, "png", "done", 70);
	check_refused(&three, "png, 2 threads, cache system, is not in all");
	begin(&three);
	for (size_t part = 0; part < 3; part++)
		add_trial(&three, part, "raw", "done", 70);
	add_trial(&three, 2, "npy", "done", 70);
	check_refused(&three, "npy, 2 threads, cache system, is not in all");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_combine_has_the_runs_of_all),
		cmocka_unit_test(test_combine_what_failed_once_has_failed),
		cmocka_unit_test(test_combine_keeps_the_worst_data),
		cmocka_unit_test(test_combine_needs_the_same_trials),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
