/* test_report.c - the report of trials: figures, score, rank. */
#include <math.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/db/results_write.h"
#include "strategies/figures/candidate.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

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
	                  .resident_percent = 0.5,
	                  .predicted = 450 });
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	assert_int_equal(grid.row_count, 2);
	assert_string_equal(grid_text(&grid, 0, "pipeline"), "photos");
	assert_string_equal(grid_text(&grid, 0, "bottleneck"), "cpu:decoded");
	assert_string_equal(grid_text(&grid, 0, "store"), "");
	fixture_near(&grid, 0, "throughput_samples_per_s", 101);
	fixture_near(&grid, 0, "throughput_low_samples_per_s", 90);
	fixture_near(&grid, 0, "throughput_high_samples_per_s", 104);
	fixture_near(&grid, 0, "prep_s", 0);
	fixture_near(&grid, 0, "break_even_epochs", 0);
	fixture_near(&grid, 0, "rank", 2);
	fixture_near(&grid, 0, "score", 0);
	fixture_near(&grid, 0, "predicted_samples_per_s", NAN);
	fixture_near(&grid, 0, "shards", 0);

	assert_string_equal(grid_text(&grid, 1, "split"), "resized");
	assert_string_equal(grid_text(&grid, 1, "codec"), "gzip:6");
	assert_string_equal(grid_text(&grid, 1, "cache"), "none");
	assert_string_equal(grid_text(&grid, 1, "status"), "done");
	assert_string_equal(grid_text(&grid, 1, "source"), "measured");
	assert_string_equal(grid_text(&grid, 1, "equivalent"), "yes");
	fixture_near(&grid, 1, "schema_version", 1);
	fixture_near(&grid, 1, "samples", 1000);
	fixture_near(&grid, 1, "runs", 3);
	fixture_near(&grid, 1, "throughput_samples_per_s", 500);
	fixture_near(&grid, 1, "first_epoch_samples_per_s", 500);
	fixture_near(&grid, 1, "storage_bytes", 3e8);
	fixture_near(&grid, 1, "bytes_per_sample", 3e5);
	/* 3 runs of 150 MB from the disk in 2.5 + 2 + 1 seconds. */
	fixture_near(&grid, 1, "read_mb_per_s", 450 / 5.5);
	fixture_near(&grid, 1, "cpu_percent", 150);
	fixture_near(&grid, 1, "cpu_us_per_sample", 1.5e6 * 5.5 / 3000);
	fixture_near(&grid, 1, "first_batch_s", 0.02);
	fixture_near(&grid, 1, "resident_percent", 0.5);
	fixture_near(&grid, 1, "peak_rss_bytes", 50000003);
	fixture_near(&grid, 1, "prediction_error_percent", -10);
	fixture_near(&grid, 1, "full_prep_s", 140);
	fixture_near(&grid, 1, "full_storage_bytes", 3e9);
	/* 14 s of preparation, 1000 / 101 - 1000 / 500 s saved an epoch. */
	fixture_near(&grid, 1, "break_even_epochs", 2);
	fixture_near(&grid, 1, "rank", 1);
	fixture_near(&grid, 1, "score", 1);
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
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	/* In the order of strategy, threads, and the cache's name. */
	assert_string_equal(grid_text(&grid, 0, "cache"), "application");
	fixture_near(&grid, 0, "throughput_samples_per_s", NAN);
	fixture_near(&grid, 0, "first_epoch_samples_per_s", 100);
	fixture_near(&grid, 0, "rank", NAN);
	fixture_near(&grid, 1, "throughput_samples_per_s", 2000);
	fixture_near(&grid, 1, "throughput_low_samples_per_s", 1000);
	fixture_near(&grid, 1, "throughput_high_samples_per_s", 3000);
	fixture_near(&grid, 1, "first_epoch_samples_per_s", 110);
	fixture_near(&grid, 1, "read_mb_per_s", 0);
	fixture_near(&grid, 1, "break_even_epochs", NAN); /* nothing to beat */
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
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	assert_int_equal(grid.row_count, 1);
	fixture_near(&grid, 0, "read_mb_per_s", 50);
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
	const struct strategy_row row = {
		.label = "unprocessed", .split = "unprocessed", .readable = true
	};
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
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	fixture_near(&grid, 0, "throughput_samples_per_s", 40);
	fixture_near(&grid, 0, "runs", 1);
	fixture_near(&grid, 0, "peak_rss_bytes", 0);
	fixture_near(&grid, 0, "read_mb_per_s", 7);
	fixture_near(&grid, 0, "resident_percent", NAN);
	fixture_near(&grid, 0, "storage_bytes", NAN);
	fixture_near(&grid, 0, "rank", 1);
	fixture_near(&grid, 0, "score", 1);
	grid_release(&grid);
	fixture_close(&fixture);
}

static struct candidate candidate_of(
    const struct grid *rows, size_t row, double full_samples)
{
	struct error err = ERROR_INIT;
	struct figures_list figures;
	struct candidate candidate;

	test_ok(figures_read(&figures, rows, &err), &err);
	candidate = candidate_make(&figures, row, full_samples);
	figures_release(&figures);
	return candidate;
}

static void test_report_says_what_storage_was_emulated(void **state)
{
	static const struct {
		struct storage_limits limits;
		const char *text;
	} cases[] = {
		{ { .bandwidth = 0 }, "" },
		{ { .bandwidth = 9.1e8,
		      .latency = 600e-6,
		      .iops = 9853,
		      .open = 2e-3 },
		    "910 MB/s, 600 us, 9853 IOPS, open 2 ms" },
		{ { .bandwidth = 1.5e5 }, "0.15 MB/s" },
		{ { .latency = 0.25 }, "250 ms" },
		{ { .iops = 1500000 }, "1500000 IOPS" },
		{ { .open = 1.5e-4 }, "open 150 us" },
	};
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct grid grid = GRID_INIT;

		fixture_session(&fixture, &cases[i].limits);
		fixture_add(&fixture, &(struct fixture_trial){ .label = "raw",
		                          .storage_bytes = 1e8,
		                          .cold = { 500 } });
		fixture_read(&fixture, RESULTS_REPORT, &grid);
		assert_string_equal(
		    grid_text(&grid, 0, "emulated_storage"), cases[i].text);
		/* What was asked for, or the half of it that was on disk. */
		fixture_near(
		    &grid, 0, "read_mb_per_s", *cases[i].text ? 50 : 25);
		grid_release(&grid);
	}
	fixture_close(&fixture);
}

/* The full dataset is 10 times as much. */
static void test_report_says_what_fits_in_memory(void **state)
{
	static const struct {
		enum cache_mode cache;
		double storage_bytes;
		uint64_t cache_bytes, limit;
		const char *fits;
	} cases[] = {
		{ CACHE_NONE, 1.6e9, 0, 0, "yes" },
		{ CACHE_NONE, 1.7e9, 0, 0, "no" },
		{ CACHE_SYSTEM, 1.6e9, 0, 15999999999, "no" },
		{ CACHE_SYSTEM, 1.7e9, 0, 99999999999, "no" }, /* has 16 GB */
		{ CACHE_APPLICATION, 9e9, 1600000000, 0, "yes" },
		{ CACHE_APPLICATION, 1e9, 1700000000, 0, "no" },
		{ CACHE_APPLICATION, 1e9, 0, 0, "" },
	};
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct session_info info = { .samples = 1000,
			.full_samples = 10000,
			.machine = { .memory_bytes = 16000000000,
			    .memory_limit = cases[i].limit } };
		struct error err = ERROR_INIT;
		struct grid grid = GRID_INIT;

		test_ok(results_begin_session(
		            fixture.results, &info, &fixture.session, &err),
		    &err);
		fixture_add(
		    &fixture, &(struct fixture_trial){ .label = "raw",
		                  .cache = cases[i].cache,
		                  .storage_bytes = cases[i].storage_bytes,
		                  .cache_bytes = cases[i].cache_bytes,
		                  .cold = { 500 } });
		fixture_read(&fixture, RESULTS_REPORT, &grid);
		assert_string_equal(
		    grid_text(&grid, 0, "fits_memory"), cases[i].fits);
		grid_release(&grid);
	}
	fixture_close(&fixture);
}

/*
 * A tenth of the samples, which are a sixth of the bytes: the files of all are
 * known, those of resized ones are not.
 */
static void test_report_extrapolates_by_what_is_known(void **state)
{
	const struct session_info info = { .samples = 1000,
		.total_samples = 2000,
		.full_samples = 10000,
		.source_bytes = 100000000,
		.total_bytes = 120000000 };
	static const struct {
		const char *label;
		double full_storage_bytes;
	} cases[] = {
		{ "unprocessed", 6e8 }, /* 120 MB, five times */
		{ "raw/tar/none", 6e8 },
		{ "resized/tar/none", 1e9 },
	};
	struct fixture fixture;
	struct error err = ERROR_INIT;
	struct grid grid = GRID_INIT, trials = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	test_ok(results_begin_session(
	            fixture.results, &info, &fixture.session, &err),
	    &err);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		fixture_add(
		    &fixture, &(struct fixture_trial){ .label = cases[i].label,
		                  .prep_s = i > 0,
		                  .storage_bytes = 1e8,
		                  .cold = { 500 } });
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	fixture_read(&fixture, RESULTS_TRIALS, &trials);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const double want = cases[i].full_storage_bytes;
		struct candidate c = candidate_of(&trials, i, NAN);

		fixture_near(&grid, i, "full_storage_bytes", want);
		fixture_near(&grid, i, "full_prep_s", i > 0 ? 10 : 0);
		assert_true(fabs(c.full.storage_bytes - want) < 1);
		/* Of twice as many. */
		c = candidate_of(&trials, i, 20000);
		assert_true(fabs(c.full.storage_bytes - 2 * want) < 1);
		c = candidate_of(&grid, i, NAN); /* as CSV has it */
		assert_true(fabs(c.full.storage_bytes - want) < 1);
	}
	grid_release(&grid);
	grid_release(&trials);
	fixture_close(&fixture);
}

/* ---- score and rank ---- */

static void test_report_rank_ties_by_cost(void **state)
{
	static const struct fixture_trial trials[] = {
		/* The fastest; its interval is 990 to 1010. */
		{ .label = "centered/tar/none",
		    .prep_s = 4,
		    .storage_bytes = 4e8,
		    .cold = { 990, 1000, 1010 } },
		/* Overlaps, is smaller, and took longer. */
		{ .label = "resized/tar/zstd:1",
		    .prep_s = 9,
		    .storage_bytes = 1e8,
		    .cold = { 980, 985, 990 } },
		/* As small, took less long. */
		{ .label = "resized/tar/none",
		    .prep_s = 3,
		    .storage_bytes = 1e8,
		    .cold = { 970, 980, 985 } },
		{ .label = "decoded/tar/none",
		    .prep_s = 1,
		    .storage_bytes = 1e7,
		    .cold = { 890, 910, 929 } },
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
	static const double ranks[] = { 1, 1, 1, 4, 5, NAN, NAN, NAN };
	static const double places[] = { 3, 2, 1, 4, 5, NAN, NAN, NAN };
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(trials); i++)
		fixture_add(&fixture, &trials[i]);
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	for (size_t i = 0; i < ARRAY_LEN(ranks); i++) {
		fixture_near(&grid, i, "rank", ranks[i]);
		fixture_near(&grid, i, "place", places[i]);
	}
	fixture_near(&grid, 0, "score", 1);
	fixture_near(&grid, 1, "score", 875 / 890.0);
	fixture_near(&grid, 4, "score", 0);
	fixture_near(&grid, 5, "score", NAN);
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
	fixture_near(&grid, 0, "rank", 1);
	fixture_near(&grid, 1, "session", 2);
	fixture_near(&grid, 1, "rank", 1); /* its files are there anyway */
	fixture_near(&grid, 2, "rank", 1);
	fixture_near(&grid, 2, "place", 2);
	fixture_near(&grid, 2, "score", 1); /* as has the other: the same */
	fixture_near(&grid, 1, "score", 1);
	fixture_near(&grid, 2, "break_even_epochs", NAN); /* is not faster */
	grid_release(&grid);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report_figures_of_a_cold_trial),
		cmocka_unit_test(test_report_figures_of_cached_trials),
		cmocka_unit_test(
		    test_report_emulated_storage_counts_what_was_fetched),
		cmocka_unit_test(
		    test_report_leave_out_warm_ups_and_what_is_not_known),
		cmocka_unit_test(test_report_says_what_storage_was_emulated),
		cmocka_unit_test(test_report_says_what_fits_in_memory),
		cmocka_unit_test(test_report_extrapolates_by_what_is_known),
		cmocka_unit_test(test_report_rank_ties_by_cost),
		cmocka_unit_test(test_report_sessions_do_not_mix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
