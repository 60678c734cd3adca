/*
 * test_report_views.c - the columns of the views; rows of runs, steps, phases.
 */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
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
	"full_storage_bytes", "break_even_epochs", "score", "rank",
	"bottleneck_evidence", "interval_percent", "outliers", "ended",
	"prep_read_s", "prep_compute_s", "prep_compress_s", "prep_write_s",
	"prep_sync_s", "emulated_storage", "fits_memory", "others_percent",
	"relative_low", "relative_high", "full_throughput_samples_per_s",
	"source_samples", "full_samples", "tied", "place", "prep_error_percent",
	"storage_error_percent", "cold", "drift", "verified", "prep_cpu_s",
	"filtered", "cache_place", "fetchers", "read_ahead", "shuffle", "batch",
	"predicted_low_samples_per_s", "predicted_high_samples_per_s",
	"bound_high_samples_per_s", "why", "difference_largest",
	"difference_mean", "psnr_db", "hosts", "total_samples_per_s",
	"total_mb_per_s", "slowest_samples_per_s", "knee_hosts" };

static void test_report_view_has_the_columns_of_the_contract(void **state)
{
	struct fixture fixture;
	struct grid report = GRID_INIT, trials = GRID_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_read(&fixture, RESULTS_REPORT, &report);
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

static void test_report_views_of_runs_and_steps(void **state)
{
	struct fixture fixture;
	struct grid runs = GRID_INIT, steps = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &(struct fixture_trial){ .label = "raw/tar/none",
	                          .cache = CACHE_SYSTEM,
	                          .cold = { 100, 200 },
	                          .warm = { 1000, 2000 } });
	fixture_read(&fixture, RESULTS_RUNS, &runs);
	assert_int_equal(runs.row_count, 4);
	fixture_near(&runs, 0, "wall_s", 10);
	fixture_near(&runs, 1, "samples_per_s", 1000);
	fixture_near(&runs, 2, "run", 2);
	fixture_near(&runs, 2, "epoch", 1);
	fixture_read(&fixture, RESULTS_STEPS, &steps);
	assert_int_equal(steps.row_count, 2);
	assert_string_equal(grid_text(&steps, 1, "step"), "jpeg_decode");
	fixture_near(&steps, 1, "cpu_us_per_sample", 9);
	fixture_near(&steps, 1, "cpu_share_percent", 90);
	grid_release(&runs);
	grid_release(&steps);
	fixture_close(&fixture);
}

static void test_report_views_of_phases_and_levels(void **state)
{
	static const uint64_t second = 1000000000;
	const struct step_row step = { .name = "decoded",
		.step = "jpeg_decode",
		.cpu_ns = 3 * second / 2,
		.samples = 100,
		.calls = 100,
		.bytes_in = 500000000,
		.bytes_out = 900000000 };
	const struct trial_row trial = { .steps = &step,
		.step_count = 1,
		.phases = { [PHASE_WAIT] = { 3 * second, 1, 7, 0 },
		    [PHASE_OPEN] = { second, second / 2, 100, 800 } },
		.levels = {
		    [EXTENT_ALL] = { 4 * second, 6 * second, 200, 800000000 },
		    [EXTENT_READ] = { second, second / 4, 200, 800000000 } } };
	struct fixture fixture;
	struct grid phases = GRID_INIT, levels = GRID_INIT, steps = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_store(&fixture, "raw", NULL, &trial);
	fixture_read(&fixture, RESULTS_PHASES, &phases);
	assert_int_equal(phases.row_count, 2);
	assert_string_equal(grid_text(&phases, 0, "phase"), "open");
	assert_string_equal(grid_text(&phases, 0, "strategy"), "raw");
	assert_string_equal(grid_text(&phases, 1, "phase"), "wait");
	fixture_near(&phases, 0, "wall_s", 1);
	fixture_near(&phases, 0, "cpu_s", 0.5);
	fixture_near(&phases, 0, "calls", 100);
	fixture_near(&phases, 0, "bytes", 800);
	fixture_near(&phases, 0, "wall_share_percent", 25);
	fixture_read(&fixture, RESULTS_LEVELS, &levels);
	assert_int_equal(levels.row_count, 2);
	assert_string_equal(grid_text(&levels, 0, "level"), "read");
	assert_string_equal(grid_text(&levels, 1, "level"), "all");
	fixture_near(&levels, 0, "samples_per_s", 200);
	fixture_near(&levels, 0, "mb_per_s", 800);
	fixture_near(&levels, 0, "cpu_percent", 25);
	fixture_near(&levels, 1, "samples_per_s", 50);
	fixture_near(&levels, 1, "mb_per_s", 200);
	fixture_near(&levels, 1, "cpu_percent", 150);
	fixture_read(&fixture, RESULTS_STEPS, &steps);
	fixture_near(&steps, 0, "calls", 100);
	fixture_near(&steps, 0, "bytes_in", 5e8);
	fixture_near(&steps, 0, "bytes_out", 9e8);
	fixture_near(&steps, 0, "cpu_ns_per_byte", 3);
	grid_release(&phases);
	grid_release(&levels);
	grid_release(&steps);
	fixture_close(&fixture);
}

/* Shares that an older presto wrote, as this one would. */
static void test_report_views_read_old_evidence(void **state)
{
	static const struct {
		double bandwidth; /* emulated */
		const char *evidence, *want;
	} cases[] = {
		{ 0, "71 %", "71 %" },
		{ 0, "reading alone takes 92 % of the time",
		    "reading alone takes 92 % of the time" },
		{ 0, "0.93 of 910 MB/s", "93 % of 910 MB/s" },
		{ 0, "0.90 of 9853 IOPS", "90 % of 9853 IOPS" },
		{ 0, "1.02 of 400 MB/s", "100 % of 408 MB/s" },
		{ 0, "30.00 of 1.50 MB/s", "100 % of 45 MB/s" },
		{ 0, "1.50 of 1000 files/s", "100 % of 1 500 files/s" },
		{ 0, "40.3 MB/s, ceiling too low", "100 % of 40.3 MB/s" },
		{ 1e6, "1.06 of 1.00 MB/s", "100 % of 1.00 MB/s" },
		{ 0, "93 % of 910 MB/s", "93 % of 910 MB/s" },
	};
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct storage_limits limits = {
			.bandwidth = cases[i].bandwidth,
		};
		struct grid grid = GRID_INIT;

		fixture_session(&fixture, &limits);
		fixture_add(
		    &fixture, &(struct fixture_trial){ .label = "raw/tar/none",
		                  .cold = { 100 },
		                  .bottleneck = "storage",
		                  .evidence = cases[i].evidence });
		fixture_read(&fixture, RESULTS_REPORT, &grid);
		assert_string_equal(
		    grid_text(&grid, 0, "bottleneck_evidence"), cases[i].want);
		grid_release(&grid);
	}
	fixture_close(&fixture);
}

/* Shares are of the most that the session saw with as many threads. */
static void test_report_views_hold_shares_against_the_fastest(void **state)
{
	static const struct {
		unsigned threads;
		const char *label, *evidence, *want;
	} cases[] = {
		{ 1, "raw/tar/none", "93 % of 910 MB/s", "93 % of 910 MB/s" },
		{ 2, "raw/tar/none", "93 % of 910 MB/s", "47 % of 1 820 MB/s" },
		{ 2, "raw/npy/none", "100 % of 1 820 MB/s",
		    "100 % of 1 820 MB/s" },
		{ 2, "raw/tar/zstd", "50 % of 1 000 files/s",
		    "50 % of 1 000 files/s" },
		{ 2, "raw/tar/gzip", "71 %", "71 %" },
		/* another storage */
		{ 2, "unprocessed", "80 % of 100 MB/s", "80 % of 100 MB/s" },
	};
	const struct storage_limits none = { .bandwidth = 0 };
	struct grid grid = GRID_INIT;
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_session(&fixture, &none);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		fixture_add(
		    &fixture, &(struct fixture_trial){ .label = cases[i].label,
		                  .threads = cases[i].threads,
		                  .cold = { 100 },
		                  .bottleneck = "storage",
		                  .evidence = cases[i].evidence });
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	assert_int_equal(grid.row_count, ARRAY_LEN(cases));
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		for (size_t k = 0; k < grid.row_count; k++)
			if (strcmp(grid_text(&grid, k, "strategy"),
			        cases[i].label) == 0 &&
			    (unsigned)grid_number(&grid, k, "threads") ==
			        cases[i].threads)
				assert_string_equal(
				    grid_text(&grid, k, "bottleneck_evidence"),
				    cases[i].want);
	grid_release(&grid);
	fixture_close(&fixture);
}

/* Of preparation and size, but of what is there already. */
static void test_report_view_has_the_errors_of_the_forecast(void **state)
{
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &(struct fixture_trial){ .label = "unprocessed",
	                          .cold = { 100 },
	                          .storage_bytes = 1e6,
	                          .predicted_prep_s = 1,
	                          .predicted_storage_bytes = 2e6 });
	fixture_add(&fixture, &(struct fixture_trial){ .label = "raw/tar/none",
	                          .cold = { 100 },
	                          .prep_s = 2,
	                          .storage_bytes = 1e6,
	                          .predicted_prep_s = 1.5,
	                          .predicted_storage_bytes = 1.1e6 });
	fixture_add(&fixture, &(struct fixture_trial){ .label = "raw/tar/gzip",
	                          .cold = { 100 },
	                          .prep_s = 2,
	                          .storage_bytes = 1e6 });
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	fixture_near(&grid, 0, "prep_error_percent", NAN);
	fixture_near(&grid, 0, "storage_error_percent", NAN);
	fixture_near(&grid, 1, "prep_error_percent", -25);
	fixture_near(&grid, 1, "storage_error_percent", 10);
	fixture_near(&grid, 2, "prep_error_percent", NAN);
	fixture_near(&grid, 2, "storage_error_percent", NAN);
	grid_release(&grid);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_report_view_has_the_columns_of_the_contract),
		cmocka_unit_test(test_report_views_of_runs_and_steps),
		cmocka_unit_test(test_report_views_of_phases_and_levels),
		cmocka_unit_test(test_report_views_read_old_evidence),
		cmocka_unit_test(
		    test_report_views_hold_shares_against_the_fastest),
		cmocka_unit_test(
		    test_report_view_has_the_errors_of_the_forecast),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
