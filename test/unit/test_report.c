/* test_report.c - what the views make of the measurements. */
#include <math.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

/* The contract, as users have it. */
static const char *const contract[] = { "schema_version", "session", "pipeline",
	"strategy", "order", "split", "store", "codec", "shards", "threads",
	"cache", "status", "source", "samples", "runs",
	"throughput_samples_per_s", "throughput_low_samples_per_s",
	"throughput_high_samples_per_s", "first_epoch_samples_per_s", "prep_s",
	"storage_bytes", "bytes_per_sample", "read_mb_per_s", "cpu_percent",
	"cpu_us_per_sample", "peak_rss_bytes", "first_batch_s",
	"resident_percent", "bottleneck", "equivalent", "portable",
	"predicted_samples_per_s", "prediction_error_percent", "full_prep_s",
	"full_storage_bytes", "break_even_epochs", "score", "rank" };

static void read_report(struct fixture *fixture, struct grid *grid)
{
	struct error err = ERROR_INIT;

	test_ok(results_read(fixture->results, RESULTS_REPORT, fixture->session,
	            grid, &err),
	    &err);
}

static void check_near(
    const struct grid *grid, size_t row, const char *column, double want)
{
	const double got = grid_number(grid, row, column);

	if (isnan(got) != isnan(want) || fabs(got - want) > 1e-6 * fabs(want))
		fail_msg("row %zu: %s is %g, not %g", row, column, got, want);
}

static void test_report_view_has_the_columns_of_the_contract(void **state)
{
	struct fixture fixture;
	struct grid report = GRID_INIT, trials = GRID_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	read_report(&fixture, &report);
	assert_int_equal(report.column_count, ARRAY_LEN(contract));
	test_ok(results_read(fixture.results, RESULTS_TRIALS, 0, &trials, &err),
	    &err);
	for (size_t i = 0; i < ARRAY_LEN(contract); i++) {
		assert_string_equal(report.columns[i], contract[i]);
		assert_string_equal(trials.columns[i], contract[i]);
	}
	grid_release(&report);
	grid_release(&trials);
	fixture_close(&fixture);
}

/* ---- the figures ---- */

static void test_report_figures_of_a_cold_trial(void **state)
{
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &(struct fixture_trial){ .label = "unprocessed",
	                          .storage_bytes = 1e8,
	                          .cold = { 100, 104, 90, 102 },
	                          .bottleneck = "cpu:decoded" });
	fixture_add(
	    &fixture, &(struct fixture_trial){ .label = "resized/tar/gzip:6",
	                  .prep_s = 14,
	                  .storage_bytes = 3e8,
	                  .cold = { 400, 500, 1000 },
	                  .warm = { 7000, 7000, 7000 },
	                  .resident_percent = 0.5,
	                  .predicted = 450 });
	read_report(&fixture, &grid);
	assert_int_equal(grid.row_count, 2);
	assert_string_equal(grid_text(&grid, 0, "pipeline"), "photos");
	assert_string_equal(grid_text(&grid, 0, "bottleneck"), "cpu:decoded");
	assert_string_equal(grid_text(&grid, 0, "store"), "");
	check_near(&grid, 0, "throughput_samples_per_s", 101);
	check_near(&grid, 0, "throughput_low_samples_per_s", 90);
	check_near(&grid, 0, "throughput_high_samples_per_s", 104);
	check_near(&grid, 0, "prep_s", 0);
	check_near(&grid, 0, "break_even_epochs", 0);
	check_near(&grid, 0, "rank", 2);
	check_near(&grid, 0, "score", 0);
	check_near(&grid, 0, "predicted_samples_per_s", NAN);
	check_near(&grid, 0, "shards", 0);

	assert_string_equal(grid_text(&grid, 1, "split"), "resized");
	assert_string_equal(grid_text(&grid, 1, "codec"), "gzip:6");
	assert_string_equal(grid_text(&grid, 1, "cache"), "none");
	assert_string_equal(grid_text(&grid, 1, "status"), "done");
	assert_string_equal(grid_text(&grid, 1, "source"), "measured");
	assert_string_equal(grid_text(&grid, 1, "equivalent"), "yes");
	check_near(&grid, 1, "schema_version", 1);
	check_near(&grid, 1, "samples", 1000);
	check_near(&grid, 1, "runs", 3);
	check_near(&grid, 1, "throughput_samples_per_s", 500);
	check_near(&grid, 1, "first_epoch_samples_per_s", 500);
	check_near(&grid, 1, "storage_bytes", 3e8);
	check_near(&grid, 1, "bytes_per_sample", 3e5);
	/* 3 runs of 150 MB from the disk in 2.5 + 2 + 1 seconds. */
	check_near(&grid, 1, "read_mb_per_s", 450 / 5.5);
	check_near(&grid, 1, "cpu_percent", 150);
	check_near(&grid, 1, "cpu_us_per_sample", 1.5e6 * 5.5 / 3000);
	check_near(&grid, 1, "first_batch_s", 0.02);
	check_near(&grid, 1, "resident_percent", 0.5);
	check_near(&grid, 1, "peak_rss_bytes", 50000003);
	check_near(&grid, 1, "prediction_error_percent", -10);
	check_near(&grid, 1, "full_prep_s", 140);
	check_near(&grid, 1, "full_storage_bytes", 3e9);
	/* 14 s of preparation, 1000 / 101 - 1000 / 500 s saved an epoch. */
	check_near(&grid, 1, "break_even_epochs", 2);
	check_near(&grid, 1, "rank", 1);
	check_near(&grid, 1, "score", 1);
	grid_release(&grid);
	fixture_close(&fixture);
}

static void test_report_figures_of_cached_trials(void **state)
{
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &(struct fixture_trial){ .label = "raw/tar/none",
	                          .cache = CACHE_SYSTEM,
	                          .prep_s = 1,
	                          .storage_bytes = 1e8,
	                          .cold = { 100, 110, 120 },
	                          .warm = { 1000, 3000, 2000 } });
	fixture_add(&fixture, &(struct fixture_trial){ .label = "raw/tar/none",
	                          .cache = CACHE_APPLICATION,
	                          .prep_s = 1,
	                          .storage_bytes = 1e8,
	                          .cold = { 100 } }); /* has no later epoch */
	read_report(&fixture, &grid);
	/* In the order of strategy, threads, and the cache's name. */
	assert_string_equal(grid_text(&grid, 0, "cache"), "application");
	check_near(&grid, 0, "throughput_samples_per_s", NAN);
	check_near(&grid, 0, "first_epoch_samples_per_s", 100);
	check_near(&grid, 0, "rank", NAN);
	check_near(&grid, 1, "throughput_samples_per_s", 2000);
	check_near(&grid, 1, "throughput_low_samples_per_s", 1000);
	check_near(&grid, 1, "throughput_high_samples_per_s", 3000);
	check_near(&grid, 1, "first_epoch_samples_per_s", 110);
	check_near(&grid, 1, "read_mb_per_s", 0);
	check_near(&grid, 1, "break_even_epochs", NAN); /* nothing to beat */
	grid_release(&grid);
	fixture_close(&fixture);
}

static void test_report_emulated_storage_counts_what_was_fetched(void **state)
{
	const struct storage_limits limits = { .latency = 1e-3 };
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_session(&fixture, &limits);
	fixture_add(&fixture, &(struct fixture_trial){ .label = "raw/tar/none",
	                          .storage_bytes = 1e8,
	                          .cold = { 500 } });
	read_report(&fixture, &grid);
	assert_int_equal(grid.row_count, 1);
	check_near(&grid, 0, "read_mb_per_s", 50);
	grid_release(&grid);
	fixture_close(&fixture);
}

static void test_report_leave_out_warm_ups_and_what_is_not_known(void **state)
{
	const struct run_row runs[] = {
		{ .run = 1,
		    .epoch = 1,
		    .warmup = true,
		    .wall_ns = 1,
		    .samples = 5,
		    .peak_rss_bytes = 1 << 30 },
		{ .run = 1,
		    .epoch = 1,
		    .wall_ns = 1000000000,
		    .samples = 40,
		    .bytes_fetched = 7000000,
		    .bytes_from_storage = -1,
		    .resident_percent = -1 },
		{ .run = 2, .epoch = 1, .samples = 40 }, /* took no time */
	};
	const struct trial_row trial = {
		.threads = 1, .runs = runs, .run_count = ARRAY_LEN(runs)
	};
	const struct strategy_row row = { .label = "unprocessed",
		.split = "unprocessed" };
	struct fixture fixture;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;
	int64_t strategy;

	UNUSED(state);
	fixture_open(&fixture);
	test_ok(results_add_strategy(
	            fixture.results, fixture.session, &row, &strategy, &err),
	    &err);
	test_ok(
	    results_add_trial(fixture.results, strategy, &trial, &err), &err);
	read_report(&fixture, &grid);
	check_near(&grid, 0, "throughput_samples_per_s", 40);
	check_near(&grid, 0, "runs", 1);
	check_near(&grid, 0, "peak_rss_bytes", 0);
	check_near(&grid, 0, "read_mb_per_s", 7);
	check_near(&grid, 0, "resident_percent", NAN);
	check_near(&grid, 0, "storage_bytes", NAN);
	check_near(&grid, 0, "rank", 1);
	check_near(&grid, 0, "score", 1);
	grid_release(&grid);
	fixture_close(&fixture);
}

/*
 * Places of the 95 % interval of a median, n: from the k-th smallest to the
 * k-th largest.  Conover, "Practical Nonparametric Statistics", table A3 and
 * (beyond its 40) the binomial distribution summed with exact integers.
 */
static void test_report_interval_is_the_exact_one(void **state)
{
	static const struct {
		unsigned n, k;
	} cases[] = { { 1, 1 }, { 2, 1 }, { 5, 1 }, { 6, 1 }, { 8, 1 },
		{ 9, 2 }, { 11, 2 }, { 12, 3 }, { 15, 4 }, { 17, 5 }, { 20, 6 },
		{ 25, 8 }, { 30, 10 }, { 40, 14 }, { 50, 18 }, { 100, 40 },
		{ 1000, 469 }, { 2000, 938 } };
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const unsigned n = cases[i].n;
		struct run_row *runs = calloc(n, sizeof(*runs));
		struct trial_row trial = {
			.threads = 1, .runs = runs, .run_count = n
		};
		struct strategy_row row = { .label = "unprocessed",
			.split = "unprocessed" };
		struct fixture fixture;
		struct grid grid = GRID_INIT;
		int64_t strategy;

		for (unsigned k = 0; k < n; k++) /* the k-th has k per s */
			runs[k] = (struct run_row){ .run = k + 1,
				.epoch = 1,
				.wall_ns = 1000000000,
				.samples = k * 7919 % n + 1 };
		fixture_open(&fixture);
		test_ok(results_add_strategy(fixture.results, fixture.session,
		            &row, &strategy, &err),
		    &err);
		test_ok(
		    results_add_trial(fixture.results, strategy, &trial, &err),
		    &err);
		read_report(&fixture, &grid);
		check_near(&grid, 0, "throughput_samples_per_s", (n + 1) / 2.0);
		check_near(
		    &grid, 0, "throughput_low_samples_per_s", cases[i].k);
		check_near(&grid, 0, "throughput_high_samples_per_s",
		    n + 1 - cases[i].k);
		grid_release(&grid);
		fixture_close(&fixture);
		free(runs);
	}
}

/* ---- score and rank ---- */

static void test_report_rank_ties_by_cost(void **state)
{
	static const struct fixture_trial trials[] = {
		/* The fastest; its interval is 950 to 1050. */
		{ .label = "centered/tar/none",
		    .prep_s = 4,
		    .storage_bytes = 4e8,
		    .cold = { 950, 1000, 1050 } },
		/* Overlaps, is smaller, and took longer. */
		{ .label = "resized/tar/zstd:1",
		    .prep_s = 9,
		    .storage_bytes = 1e8,
		    .cold = { 940, 960, 980 } },
		/* As small, took less long. */
		{ .label = "resized/tar/none",
		    .prep_s = 3,
		    .storage_bytes = 1e8,
		    .cold = { 930, 940, 950 } },
		{ .label = "decoded/tar/none",
		    .prep_s = 1,
		    .storage_bytes = 1e7,
		    .cold = { 900, 910, 949 } },
		{ .label = "unprocessed",
		    .storage_bytes = 1e6,
		    .cold = { 100, 110, 120 } },
		{ .label = "raw/tar/none",
		    .prep_s = 1,
		    .storage_bytes = 1,
		    .cold = { 5000 },
		    .equivalent = EQUIVALENT_NO },
		{ .label = "raw/tar/jpeg:90",
		    .prep_s = 1,
		    .storage_bytes = 1,
		    .cold = { 5000 },
		    .equivalent = EQUIVALENT_LOSSY },
		{ .label = "raw/npy/none",
		    .prep_s = 1,
		    .storage_bytes = 1,
		    .cold = { 5000 },
		    .state = TRIAL_FAILED },
	};
	static const double ranks[] = { 3, 2, 1, 4, 5, NAN, NAN, NAN };
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(trials); i++)
		fixture_add(&fixture, &trials[i]);
	read_report(&fixture, &grid);
	for (size_t i = 0; i < ARRAY_LEN(ranks); i++)
		check_near(&grid, i, "rank", ranks[i]);
	check_near(&grid, 0, "score", 1);
	check_near(&grid, 1, "score", 850 / 890.0);
	check_near(&grid, 4, "score", 0);
	check_near(&grid, 5, "score", NAN);
	assert_string_equal(grid_text(&grid, 5, "equivalent"), "no");
	assert_string_equal(grid_text(&grid, 6, "equivalent"), "lossy");
	assert_string_equal(grid_text(&grid, 7, "status"), "failed");
	grid_release(&grid);
	fixture_close(&fixture);
}

static void test_report_sessions_do_not_mix(void **state)
{
	static const struct fixture_trial trial = { .label = "unprocessed",
		.storage_bytes = 1e6,
		.cold = { 100, 100 } };
	struct fixture fixture;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &trial);
	fixture_session(&fixture, NULL);
	fixture_add(&fixture, &trial);
	fixture_add(&fixture,
	    &(struct fixture_trial){
	        .label = "raw/tar/none", .prep_s = 1, .cold = { 100, 100 } });
	test_ok(results_read(fixture.results, RESULTS_REPORT, 0, &grid, &err),
	    &err);
	assert_int_equal(grid.row_count, 3);
	check_near(&grid, 0, "rank", 1);
	check_near(&grid, 1, "session", 2);
	check_near(&grid, 1, "rank", 1); /* its files are there anyway */
	check_near(&grid, 2, "rank", 2);
	check_near(&grid, 2, "score", 1); /* as has the other: the same */
	check_near(&grid, 1, "score", 1);
	check_near(&grid, 2, "break_even_epochs", NAN); /* is not faster */
	grid_release(&grid);
	fixture_close(&fixture);
}

static void test_report_views_of_runs_and_steps(void **state)
{
	struct fixture fixture;
	struct grid runs = GRID_INIT, steps = GRID_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &(struct fixture_trial){ .label = "raw/tar/none",
	                          .cache = CACHE_SYSTEM,
	                          .cold = { 100, 200 },
	                          .warm = { 1000, 2000 } });
	test_ok(results_read(fixture.results, RESULTS_RUNS, fixture.session,
	            &runs, &err),
	    &err);
	assert_int_equal(runs.row_count, 4);
	check_near(&runs, 0, "wall_s", 10);
	check_near(&runs, 1, "samples_per_s", 1000);
	check_near(&runs, 2, "run", 2);
	check_near(&runs, 2, "epoch", 1);
	test_ok(results_read(fixture.results, RESULTS_STEPS, fixture.session,
	            &steps, &err),
	    &err);
	assert_int_equal(steps.row_count, 2);
	assert_string_equal(grid_text(&steps, 1, "step"), "jpeg_decode");
	check_near(&steps, 1, "cpu_us_per_sample", 9);
	check_near(&steps, 1, "cpu_share_percent", 90);
	grid_release(&runs);
	grid_release(&steps);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_report_view_has_the_columns_of_the_contract),
		cmocka_unit_test(test_report_figures_of_a_cold_trial),
		cmocka_unit_test(test_report_figures_of_cached_trials),
		cmocka_unit_test(
		    test_report_emulated_storage_counts_what_was_fetched),
		cmocka_unit_test(
		    test_report_leave_out_warm_ups_and_what_is_not_known),
		cmocka_unit_test(test_report_interval_is_the_exact_one),
		cmocka_unit_test(test_report_rank_ties_by_cost),
		cmocka_unit_test(test_report_sessions_do_not_mix),
		cmocka_unit_test(test_report_views_of_runs_and_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
