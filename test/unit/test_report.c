/* test_report.c - what the views make of the measurements. */
#include <math.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "strategies/candidate.h"
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
	"prep_sync_s", "emulated_storage", "fits_memory", "others_percent" };

static const uint64_t second = 1000000000;

static void read_view(
    struct fixture *fixture, enum results_view view, struct grid *grid)
{
	struct error err = ERROR_INIT;

	test_ok(
	    results_read(fixture->results, view, fixture->session, grid, &err),
	    &err);
}

static void read_report(struct fixture *fixture, struct grid *grid)
{
	read_view(fixture, RESULTS_REPORT, grid);
}

/* A trial of 2 threads, as it is, with or without a preparation. */
static void store(struct fixture *fixture, const char *label,
    const struct preparation_row *preparation, const struct trial_row *trial)
{
	const struct strategy_row row = { .label = label, .split = label };
	struct trial_row with = *trial;
	struct error err = ERROR_INIT;
	int64_t strategy = 0;

	with.threads = 2;
	test_ok(results_add_strategy(
	            fixture->results, fixture->session, &row, &strategy, &err),
	    &err);
	if (preparation)
		test_ok(results_set_preparation(
		            fixture->results, strategy, preparation, &err),
		    &err);
	test_ok(
	    results_add_trial(fixture->results, strategy, &with, &err), &err);
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

/* An epoch of 100 samples. */
#define EPOCH(of_run, number, seconds)                                \
	{                                                             \
		.run = (of_run), .epoch = (number),                   \
		.wall_ns = (uint64_t)((seconds)*1e9), .samples = 100, \
		.resident_percent = -1                                \
	}

static void test_report_a_run_is_one_value(void **state)
{
	const struct run_row cold[] = {
		EPOCH(1, 1, 1), /* 200 samples in 4 s: 50 */
		{ .run = 1,
		    .epoch = 2,
		    .wall_ns = 3 * second,
		    .samples = 100,
		    .resident_percent = 3 },
		EPOCH(2, 1, 1), /* 100 */
		EPOCH(3, 1, 1), /* 300 in 2.5 s: 120 */
		EPOCH(3, 2, 1),
		EPOCH(3, 3, 0.5),
	};
	struct run_row warm[] = {
		EPOCH(1, 1, 10), /* fills the cache */
		EPOCH(1, 2, 5),  /* not warm yet */
		EPOCH(1, 3, 2),  /* 200 in 5 s: 40 */
		EPOCH(1, 4, 3), EPOCH(2, 1, 8), EPOCH(2, 2, 2), /* 50 */
	};
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	warm[1].warmup = true;
	fixture_open(&fixture);
	store(&fixture, "raw", NULL,
	    &(struct trial_row){ .runs = cold, .run_count = ARRAY_LEN(cold) });
	store(&fixture, "raw", NULL,
	    &(struct trial_row){ .cache = CACHE_SYSTEM,
	        .runs = warm,
	        .run_count = ARRAY_LEN(warm) });
	read_report(&fixture, &grid);
	check_near(&grid, 0, "runs", 3);
	check_near(&grid, 0, "throughput_samples_per_s", 100);
	check_near(&grid, 0, "throughput_low_samples_per_s", 50);
	check_near(&grid, 0, "throughput_high_samples_per_s", 120);
	check_near(&grid, 0, "interval_percent", 35);
	check_near(&grid, 0, "first_epoch_samples_per_s", 100);
	check_near(&grid, 0, "resident_percent", 3);
	check_near(&grid, 1, "runs", 2);
	check_near(&grid, 1, "throughput_samples_per_s", 45);
	check_near(&grid, 1, "throughput_low_samples_per_s", 40);
	check_near(&grid, 1, "throughput_high_samples_per_s", 50);
	check_near(&grid, 1, "first_epoch_samples_per_s", (10 + 12.5) / 2);
	grid_release(&grid);
	fixture_close(&fixture);
}

/*
 * Median 102.5, absolute deviations 0.5 0.5 1.5 1.5 2.5 and that of the last:
 * MAD 1.5.  So 110 scores 0.6745 * 7.5 / 1.5 = 3.37, and 111 3.82.
 * Of the same ones, MAD 0: 0.7979 * 1 / (1 / 5) = 3.99, or 1.99 of two.
 */
static void test_report_marks_outliers(void **state)
{
	static const struct {
		unsigned rates[6];
		unsigned outliers;
		unsigned marked; /* the last run is */
	} cases[] = {
		{ { 100, 101, 102, 103, 104, 110 }, 0, 0 },
		{ { 100, 101, 102, 103, 104, 111 }, 1, 1 },
		{ { 100, 101, 102, 103, 104, 50 }, 1, 1 },
		{ { 100, 100, 100, 100, 101 }, 1, 1 },
		{ { 100, 100, 100, 101, 101 }, 0, 0 },
		{ { 100, 100, 100, 100, 100 }, 0, 0 },
		{ { 100, 100, 101, 200 }, 0, 0 }, /* too few to tell */
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct run_row runs[12];
		struct trial_row trial = { .cache = CACHE_SYSTEM,
			.runs = runs };
		struct fixture fixture;
		struct grid grid = GRID_INIT, rows = GRID_INIT;

		for (unsigned r = 0; r < 6 && cases[i].rates[r]; r++)
			for (unsigned epoch = 1; epoch <= 2; epoch++)
				runs[trial.run_count++] =
				    (struct run_row){ .run = r + 1,
					    .epoch = epoch,
					    .wall_ns = second,
					    .samples = cases[i].rates[r] };
		fixture_open(&fixture);
		store(&fixture, "raw", NULL, &trial);
		read_report(&fixture, &grid);
		read_view(&fixture, RESULTS_RUNS, &rows);
		check_near(&grid, 0, "outliers", cases[i].outliers);
		for (size_t row = 0; row + 1 < rows.row_count; row++)
			check_near(
			    &rows, row, "outlier", 0); /* cold ones too */
		check_near(
		    &rows, rows.row_count - 1, "outlier", cases[i].marked);
		grid_release(&rows);
		grid_release(&grid);
		fixture_close(&fixture);
	}
}

static void test_report_says_what_a_figure_rests_on(void **state)
{
	const struct preparation_row preparation = {
		.wall_ns = 5 * second,
		.read_ns = 1 * second, /* 10 s of two threads */
		.compute_ns = 6 * second,
		.compress_ns = 2 * second,
		.write_ns = second / 2,
		.sync_ns = second / 2,
	};
	struct run_row runs[] = { EPOCH(1, 1, 1), EPOCH(2, 1, 3) };
	const struct trial_row trial = { .runs = runs,
		.run_count = ARRAY_LEN(runs),
		.bottleneck = "cpu:jpeg_decode",
		.evidence = "71 %",
		.ended = "budget",
		.peak_rss_bytes = 77 };
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	runs[0].cores.others_ns = second / 2;
	runs[1].cores.others_ns = second / 10;
	runs[1].peak_rss_bytes = 99;
	fixture_open(&fixture);
	store(&fixture, "raw", &preparation, &trial);
	store(&fixture, "unprocessed", &preparation, &trial);
	store(&fixture, "raw/none", NULL,
	    &(struct trial_row){ .runs = runs, .run_count = 1 });
	store(&fixture, "raw/npy", NULL,
	    &(struct trial_row){ .state = TRIAL_SKIPPED });
	read_report(&fixture, &grid);
	assert_string_equal(grid_text(&grid, 0, "bottleneck_evidence"), "71 %");
	assert_string_equal(grid_text(&grid, 0, "ended"), "budget");
	assert_string_equal(grid_text(&grid, 0, "emulated_storage"), "");
	check_near(&grid, 0, "prep_s", 5);
	check_near(&grid, 0, "prep_read_s", 0.5);
	check_near(&grid, 0, "prep_compute_s", 3);
	check_near(&grid, 0, "prep_compress_s", 1);
	check_near(&grid, 0, "prep_write_s", 0.25);
	check_near(&grid, 0, "prep_sync_s", 0.25);
	check_near(&grid, 0, "others_percent", 15); /* 0.6 s of 4 */
	check_near(&grid, 0, "peak_rss_bytes", 77);
	check_near(&grid, 0, "outliers", 0);
	check_near(&grid, 1, "prep_s", 0); /* its preparation is to count it */
	check_near(&grid, 1, "prep_compute_s", 0);
	assert_string_equal(grid_text(&grid, 2, "ended"), "");
	check_near(&grid, 2, "interval_percent", NAN); /* a single figure */
	check_near(&grid, 2, "prep_read_s", NAN);
	check_near(&grid, 3, "outliers", NAN);
	grid_release(&grid);
	fixture_close(&fixture);
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
		read_report(&fixture, &grid);
		assert_string_equal(
		    grid_text(&grid, 0, "emulated_storage"), cases[i].text);
		/* What was asked for, or the half of it that was on disk. */
		check_near(&grid, 0, "read_mb_per_s", *cases[i].text ? 50 : 25);
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
		read_report(&fixture, &grid);
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
	read_report(&fixture, &grid);
	read_view(&fixture, RESULTS_TRIALS, &trials);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const double want = cases[i].full_storage_bytes;
		struct candidate c = candidate_read(&trials, i, NAN);

		check_near(&grid, i, "full_storage_bytes", want);
		check_near(&grid, i, "full_prep_s", i > 0 ? 10 : 0);
		assert_true(fabs(c.full_storage_bytes - want) < 1);
		/* Of twice as many. */
		c = candidate_read(&trials, i, 20000);
		assert_true(fabs(c.full_storage_bytes - 2 * want) < 1);
		c = candidate_read(&grid, i, NAN); /* as CSV has it */
		assert_true(fabs(c.full_storage_bytes - want) < 1);
	}
	grid_release(&grid);
	grid_release(&trials);
	fixture_close(&fixture);
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

static void test_report_views_of_phases_and_levels(void **state)
{
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
		    [LEVEL_ALL] = { 4 * second, 6 * second, 200, 800000000 },
		    [LEVEL_READ] = { second, second / 4, 200, 800000000 } } };
	struct fixture fixture;
	struct grid phases = GRID_INIT, levels = GRID_INIT, steps = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	store(&fixture, "raw", NULL, &trial);
	read_view(&fixture, RESULTS_PHASES, &phases);
	assert_int_equal(phases.row_count, 2);
	assert_string_equal(grid_text(&phases, 0, "phase"), "open");
	assert_string_equal(grid_text(&phases, 0, "strategy"), "raw");
	assert_string_equal(grid_text(&phases, 1, "phase"), "wait");
	check_near(&phases, 0, "wall_s", 1);
	check_near(&phases, 0, "cpu_s", 0.5);
	check_near(&phases, 0, "calls", 100);
	check_near(&phases, 0, "bytes", 800);
	check_near(&phases, 0, "wall_share_percent", 25);
	read_view(&fixture, RESULTS_LEVELS, &levels);
	assert_int_equal(levels.row_count, 2);
	assert_string_equal(grid_text(&levels, 0, "level"), "read");
	assert_string_equal(grid_text(&levels, 1, "level"), "all");
	check_near(&levels, 0, "samples_per_s", 200);
	check_near(&levels, 0, "mb_per_s", 800);
	check_near(&levels, 0, "cpu_percent", 25);
	check_near(&levels, 1, "samples_per_s", 50);
	check_near(&levels, 1, "mb_per_s", 200);
	check_near(&levels, 1, "cpu_percent", 150);
	read_view(&fixture, RESULTS_STEPS, &steps);
	check_near(&steps, 0, "calls", 100);
	check_near(&steps, 0, "bytes_in", 5e8);
	check_near(&steps, 0, "bytes_out", 9e8);
	check_near(&steps, 0, "cpu_ns_per_byte", 3);
	grid_release(&phases);
	grid_release(&levels);
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
		cmocka_unit_test(test_report_a_run_is_one_value),
		cmocka_unit_test(test_report_marks_outliers),
		cmocka_unit_test(test_report_says_what_a_figure_rests_on),
		cmocka_unit_test(test_report_says_what_storage_was_emulated),
		cmocka_unit_test(test_report_says_what_fits_in_memory),
		cmocka_unit_test(test_report_extrapolates_by_what_is_known),
		cmocka_unit_test(test_report_rank_ties_by_cost),
		cmocka_unit_test(test_report_sessions_do_not_mix),
		cmocka_unit_test(test_report_views_of_runs_and_steps),
		cmocka_unit_test(test_report_views_of_phases_and_levels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
