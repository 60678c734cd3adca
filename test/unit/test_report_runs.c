/*
 * test_report_runs.c - from the runs of a trial to its figure: interval,
 * outliers, interference.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/db/results_write.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

static const uint64_t second = 1000000000;

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
		{ .run = 2, /* 100; less stayed than before the run above */
		    .epoch = 1,
		    .wall_ns = second,
		    .samples = 100,
		    .resident_percent = 1 },
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
	fixture_store(&fixture, "raw", NULL,
	    &(struct trial_row){ .runs = cold, .run_count = ARRAY_LEN(cold) });
	fixture_store(&fixture, "raw", NULL,
	    &(struct trial_row){ .cache = CACHE_SYSTEM,
	        .runs = warm,
	        .run_count = ARRAY_LEN(warm) });
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	fixture_near(&grid, 0, "runs", 3);
	fixture_near(&grid, 0, "throughput_samples_per_s", 100);
	fixture_near(&grid, 0, "throughput_low_samples_per_s", 50);
	fixture_near(&grid, 0, "throughput_high_samples_per_s", 120);
	fixture_near(&grid, 0, "interval_percent", 35);
	fixture_near(&grid, 0, "first_epoch_samples_per_s", 100);
	fixture_near(&grid, 0, "resident_percent", 3);
	fixture_near(&grid, 1, "runs", 2);
	fixture_near(&grid, 1, "throughput_samples_per_s", 45);
	fixture_near(&grid, 1, "throughput_low_samples_per_s", 40);
	fixture_near(&grid, 1, "throughput_high_samples_per_s", 50);
	fixture_near(&grid, 1, "first_epoch_samples_per_s", (10 + 12.5) / 2);
	grid_release(&grid);
	fixture_close(&fixture);
}

/* Each time of the kernel is in its own column. */
static void test_report_runs_have_the_times_of_the_kernel(void **state)
{
	const struct run_row run = {
		.run = 1,
		.epoch = 1,
		.wall_ns = second,
		.samples = 100,
		.resident_percent = -1,
		.user_ns = 2 * second,
		.system_ns = 3 * second,
		.cores = { .others_ns = 4000000000,
		    .stolen_ns = 5 * second,
		    .waited_ns = 6 * second },
	};
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_store(&fixture, "raw", NULL,
	    &(struct trial_row){ .runs = &run, .run_count = 1 });
	fixture_read(&fixture, RESULTS_RUNS, &grid);
	fixture_near(&grid, 0, "user_s", 2);
	fixture_near(&grid, 0, "system_s", 3);
	fixture_near(&grid, 0, "others_s", 4);
	fixture_near(&grid, 0, "stolen_s", 5);
	fixture_near(&grid, 0, "waited_s", 6);
	grid_release(&grid);
	grid = (struct grid)GRID_INIT;
	/* Stolen time is that of others, too; waiting is nobody's work. */
	fixture_read(&fixture, RESULTS_RATES, &grid);
	fixture_near(&grid, 0, "own_cores", 2 + 3);
	fixture_near(&grid, 0, "others_cores", 4 + 5);
	grid_release(&grid);
	fixture_close(&fixture);
}

/*
 * Places of the 95 % interval of a median of runs that do not hang together:
 * from the k-th smallest to the k-th largest of n, with k the largest number
 * for which P(X < k) <= 2.5 % for X binomial (n, 1/2), and at least 1.  Beyond
 * 1,000 runs it is in proportion.
 */
static void test_report_interval_is_that_of_its_rule(void **state)
{
	static const struct {
		unsigned n, k;
	} cases[] = { { 1, 1 }, { 2, 1 }, { 5, 1 }, { 6, 1 }, { 8, 1 },
		{ 9, 2 }, { 11, 2 }, { 12, 3 }, { 15, 4 }, { 17, 5 }, { 20, 6 },
		{ 25, 8 }, { 30, 10 }, { 40, 14 }, { 50, 18 }, { 100, 40 },
		{ 1000, 469 }, { 2000, 938 } };
	struct error err = ERROR_INIT;
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const unsigned n = cases[i].n;
		struct run_row *runs = calloc(n, sizeof(*runs));
		struct trial_row trial = {
			.threads = 1, .runs = runs, .run_count = n
		};
		char label[16];
		struct strategy_row row = { .label = label, .split = label };
		int64_t strategy;

		snprintf(label, sizeof(label), "of_%u", n);
		/* 1, n, 2, n - 1 ... per s: each run differs from the next. */
		for (unsigned k = 0; k < n; k++)
			runs[k] = (struct run_row){ .run = k + 1,
				.epoch = 1,
				.wall_ns = 1000000000,
				.samples = k % 2 ? n - k / 2 : 1 + k / 2 };
		test_ok(results_add_strategy(fixture.results, fixture.session,
		            &row, &strategy, &err),
		    &err);
		test_ok(
		    results_add_trial(fixture.results, strategy, &trial, &err),
		    &err);
		free(runs);
	}
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	assert_int_equal(grid.row_count, ARRAY_LEN(cases));
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const unsigned n = cases[i].n, k = cases[i].k;

		fixture_near(
		    &grid, i, "throughput_samples_per_s", (n + 1) / 2.0);
		fixture_near(&grid, i, "throughput_low_samples_per_s", k);
		fixture_near(
		    &grid, i, "throughput_high_samples_per_s", n + 1 - k);
	}
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

	size_t counts[ARRAY_LEN(cases)], row = 0;
	struct fixture fixture;
	struct grid grid = GRID_INIT, rows = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct run_row runs[12];
		struct trial_row trial = { .cache = CACHE_SYSTEM,
			.runs = runs };
		char label[16];

		for (unsigned r = 0; r < 6 && cases[i].rates[r]; r++)
			for (unsigned epoch = 1; epoch <= 2; epoch++)
				runs[trial.run_count++] =
				    (struct run_row){ .run = r + 1,
					    .epoch = epoch,
					    .wall_ns = second,
					    .samples = cases[i].rates[r] };
		snprintf(label, sizeof(label), "case_%zu", i);
		fixture_store(&fixture, label, NULL, &trial);
		counts[i] = trial.run_count;
	}
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	fixture_read(&fixture, RESULTS_RUNS, &rows);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		fixture_near(&grid, i, "outliers", cases[i].outliers);
		for (size_t k = 0; k + 1 < counts[i]; k++, row++)
			fixture_near(
			    &rows, row, "outlier", 0); /* cold ones too */
		fixture_near(&rows, row++, "outlier", cases[i].marked);
	}
	assert_int_equal(row, rows.row_count);
	grid_release(&rows);
	grid_release(&grid);
	fixture_close(&fixture);
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
	runs[0].cores.others_ns = (int64_t)second / 2;
	runs[1].cores.others_ns = (int64_t)second / 10;
	runs[1].peak_rss_bytes = 99;
	fixture_open(&fixture);
	fixture_store(&fixture, "raw", &preparation, &trial);
	fixture_store(&fixture, "unprocessed", &preparation, &trial);
	fixture_store(&fixture, "raw/none", NULL,
	    &(struct trial_row){ .runs = runs, .run_count = 1 });
	fixture_store(&fixture, "raw/npy", NULL,
	    &(struct trial_row){ .state = TRIAL_SKIPPED });
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	assert_string_equal(grid_text(&grid, 0, "bottleneck_evidence"), "71 %");
	assert_string_equal(grid_text(&grid, 0, "ended"), "budget");
	assert_string_equal(grid_text(&grid, 0, "emulated_storage"), "");
	fixture_near(&grid, 0, "prep_s", 5);
	fixture_near(&grid, 0, "prep_read_s", 0.5);
	fixture_near(&grid, 0, "prep_compute_s", 3);
	fixture_near(&grid, 0, "prep_compress_s", 1);
	fixture_near(&grid, 0, "prep_write_s", 0.25);
	fixture_near(&grid, 0, "prep_sync_s", 0.25);
	fixture_near(&grid, 0, "others_percent", 15); /* 0.6 s of 4 */
	fixture_near(&grid, 0, "peak_rss_bytes", 77);
	fixture_near(&grid, 0, "outliers", 0);
	fixture_near(
	    &grid, 1, "prep_s", 0); /* its preparation is to count it */
	fixture_near(&grid, 1, "prep_compute_s", 0);
	assert_string_equal(grid_text(&grid, 2, "ended"), "");
	fixture_near(&grid, 2, "interval_percent", NAN); /* a single figure */
	fixture_near(&grid, 2, "prep_read_s", NAN);
	fixture_near(&grid, 3, "outliers", NAN);
	grid_release(&grid);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_report_a_run_is_one_value),
		cmocka_unit_test(test_report_runs_have_the_times_of_the_kernel),
		cmocka_unit_test(test_report_interval_is_that_of_its_rule),
		cmocka_unit_test(test_report_marks_outliers),
		cmocka_unit_test(test_report_says_what_a_figure_rests_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
