/* test_monitor.c - samples of the machine's load during a session. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"
#include "strategies/monitor/monitor.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

enum { MS = 1000000 };

static void wait_ms(unsigned ms)
{
	clock_sleep_until(clock_now(&clock_monotonic) + ms * (uint64_t)MS);
}

static const char label[] = "resized/tar/none";
static const struct monitor_target strategy = { .label = label };
static const struct monitor_target trial = {
	.label = label, .threads = 2, .cache = CACHE_SYSTEM
};

/* Rows of one activity that follow one another. */
struct stretch {
	size_t row, rows; /* the first, and how many */
	double begin_s, end_s;
};

static bool is_same(const struct grid *grid, size_t a, size_t b)
{
	const double run_a = grid_number(grid, a, "run");
	const double run_b = grid_number(grid, b, "run");

	if (strcmp(
	        grid_text(grid, a, "activity"), grid_text(grid, b, "activity")))
		return false;
	return isnan(run_a) ? isnan(run_b) : run_a == run_b;
}

/*
 * The stretch behind this one.  However late the monitor looks: its rows tell
 * of all the time from the first to the last.
 */
static void next_stretch(const struct grid *grid, struct stretch *stretch)
{
	const size_t first = stretch->row + stretch->rows;
	size_t row = first;
	double sum = 0, span;

	assert_true(first < grid->row_count);
	for (; row < grid->row_count && is_same(grid, first, row); row++)
		sum += grid_number(grid, row, "interval_s");
	*stretch = (struct stretch){
		.row = first,
		.rows = row - first,
		.begin_s = grid_number(grid, first, "at_s") -
		           grid_number(grid, first, "interval_s"),
		.end_s = grid_number(grid, row - 1, "at_s"),
	};
	span = stretch->end_s - stretch->begin_s;
	if (fabs(sum - span) > 1e-6)
		fail_msg("%f s of %f", sum, span);
}

/* The same; before it there may be time between activities. */
static void next_activity(const struct grid *grid, struct stretch *stretch)
{
	next_stretch(grid, stretch);
	if (strcmp(grid_text(grid, stretch->row, "activity"), "between") == 0)
		next_stretch(grid, stretch);
}

static void flush(struct fixture *f, struct monitor *monitor)
{
	struct error err = ERROR_INIT;

	test_ok(monitor_flush(monitor, 1, f->results, f->session, &err), &err);
}

static void test_monitor_has_a_row_of_each_activity(void **state)
{
	struct monitor *monitor;
	struct system_rates runs;
	struct grid grid = GRID_INIT;
	struct stretch at = { .row = 0 };
	struct fixture f;
	double before_s;

	(void)state;
	fixture_open(&f);
	monitor = monitor_new("", clock_now(&clock_monotonic));
	assert_non_null(monitor);
	assert_false(monitor_runs(monitor, &runs));
	monitor_begin(monitor, "prepare", &strategy, 0);
	wait_ms(30);
	monitor_end(monitor);
	monitor_begin(monitor, "run", &trial, 3); /* at once: no row between */
	wait_ms(25);
	monitor_end(monitor);
	wait_ms(30);
	monitor_begin(monitor, "prepare", &strategy, 0);
	assert_true(monitor_runs(monitor, &runs));
	assert_true(runs.interval_ns >= 25 * MS);
	flush(&f, monitor);
	fixture_read(&f, RESULTS_SYSTEM, &grid);
	next_activity(&grid, &at);
	assert_string_equal(grid_text(&grid, at.row, "activity"), "prepare");
	assert_string_equal(grid_text(&grid, at.row, "strategy"), label);
	assert_true(isnan(grid_number(&grid, at.row, "threads")));
	assert_true(at.end_s - at.begin_s >= 0.030);
	before_s = at.end_s;
	next_activity(&grid, &at);
	assert_string_equal(grid_text(&grid, at.row, "activity"), "run");
	assert_int_equal(grid_number(&grid, at.row, "run"), 3);
	assert_int_equal(grid_number(&grid, at.row, "threads"), 2);
	assert_string_equal(grid_text(&grid, at.row, "cache"), "system");
	assert_true(at.end_s - at.begin_s >= 0.025);
	assert_true(at.begin_s >= before_s);
	assert_true(grid_number(&grid, at.row, "memory_used_bytes") > 0);
	next_stretch(&grid, &at);
	assert_string_equal(grid_text(&grid, at.row, "activity"), "between");
	assert_string_equal(grid_text(&grid, at.row, "strategy"), "");
	grid_release(&grid);
	monitor_free(monitor);
	fixture_close(&f);
}

/* How long the run has gone on, as the monitor has seen it so far. */
static uint64_t seen_ns(struct monitor *monitor)
{
	struct system_rates runs;

	return monitor_runs(monitor, &runs) ? runs.interval_ns : 0;
}

/*
 * It looks no earlier than after half a second, and soon after it unless the
 * machine is busy: that it does so twice is waited for.
 */
static void wait_for_looks(struct monitor *monitor)
{
	unsigned soon = 0;

	for (unsigned looks = 0; soon < 2; looks++) {
		const uint64_t before = seen_ns(monitor);
		uint64_t after;

		while ((after = seen_ns(monitor)) == before)
			wait_ms(5);
		assert_true(after - before >= 500 * (uint64_t)MS);
		soon += after - before < 550 * (uint64_t)MS;
		assert_true(looks < 100);
	}
}

static void test_monitor_looks_twice_a_second(void **state)
{
	struct monitor *monitor;
	struct grid grid = GRID_INIT, again = GRID_INIT;
	struct stretch at = { .row = 0 };
	struct fixture f;

	(void)state;
	fixture_open(&f);
	monitor = monitor_new("", clock_now(&clock_monotonic));
	monitor_begin(monitor, "run", &trial, 1);
	wait_for_looks(monitor);
	monitor_end(monitor);
	flush(&f, monitor);
	flush(&f, monitor); /* what was stored is forgotten */
	fixture_read(&f, RESULTS_SYSTEM, &grid);
	next_activity(&grid, &at);
	assert_true(at.rows >= 3); /* two looks and the end */
	assert_true(at.end_s - at.begin_s >= 1);
	for (size_t i = 0; i + 1 < at.rows; i++)
		assert_true(
		    grid_number(&grid, at.row + i, "interval_s") >= 0.5);
	monitor_begin(monitor, "run", &trial, 2);
	monitor_begin(monitor, "run", &trial, 3);
	assert_int_equal(
	    monitor_flush(monitor, 64, f.results, f.session, NULL), 0);
	fixture_read(&f, RESULTS_SYSTEM, &again);
	assert_int_equal(again.row_count, grid.row_count);
	grid_release(&again);
	grid_release(&grid);
	monitor_free(monitor);
	fixture_close(&f);
}

static double since_s(uint64_t start_ns)
{
	return (double)(clock_now(&clock_monotonic) - start_ns) * 1e-9;
}

/* Many more rows than are kept: the time that they tell of stays whole. */
static void test_monitor_is_bounded(void **state)
{
	char *root = test_scratch();
	struct monitor *monitor;
	struct grid grid = GRID_INIT;
	struct stretch at = { .row = 0 };
	struct fixture f;
	uint64_t start;
	double first_s, last_s = 0;

	(void)state;
	fixture_open(&f);
	start = clock_now(&clock_monotonic);
	monitor = monitor_new(root, start);
	monitor_begin(monitor, "run", &trial, 1);
	first_s = since_s(start); /* it had begun by then */
	for (int i = 0; i < 9000; i++) {
		last_s = since_s(start);
		monitor_begin(monitor, "run", &trial, 1);
	}
	flush(&f, monitor);
	fixture_read(&f, RESULTS_SYSTEM, &grid);
	assert_in_range(grid.row_count, 100, 4096);
	for (size_t i = 0; i < grid.row_count; i++)
		assert_true(isnan(grid_number(&grid, i, "cpu_user_percent")));
	next_activity(&grid, &at);
	assert_int_equal(at.row + at.rows, grid.row_count);
	assert_true(at.begin_s <= first_s && at.end_s >= last_s);
	grid_release(&grid);
	monitor_free(monitor);
	fixture_close(&f);
	test_scratch_remove(root);
}

/* Rows of different runs, or of the same run of others, are never joined. */
static void test_monitor_joins_no_runs(void **state)
{
	static const struct monitor_target targets[] = {
		{ .label = label, .threads = 2, .cache = CACHE_SYSTEM },
		{ .label = label, .threads = 1, .cache = CACHE_SYSTEM },
		{ .label = label, .threads = 1, .cache = CACHE_NONE },
		{ .label = "other", .threads = 1, .cache = CACHE_NONE },
		{ .label = "other", .threads = 2, .cache = CACHE_NONE },
	};
	char *root = test_scratch();
	struct monitor *monitor;
	struct grid grid = GRID_INIT;
	struct fixture f;
	size_t first;

	(void)state;
	fixture_open(&f);
	monitor = monitor_new(root, clock_now(&clock_monotonic));
	for (unsigned i = 0; i < 5000; i++)
		monitor_begin(monitor, "run", &targets[i % ARRAY_LEN(targets)],
		    1 + i / (unsigned)ARRAY_LEN(targets));
	flush(&f, monitor);
	fixture_read(&f, RESULTS_SYSTEM, &grid);
	/* As many as are kept; the first may be the time before. */
	assert_int_equal(grid.row_count, 4095);
	first = strcmp(grid_text(&grid, 0, "activity"), "run") != 0;
	for (size_t i = 0; i + first < grid.row_count; i++) {
		const struct monitor_target *target =
		    &targets[i % ARRAY_LEN(targets)];
		const size_t row = i + first;

		assert_int_equal(
		    grid_number(&grid, row, "run"), 1 + i / ARRAY_LEN(targets));
		assert_int_equal(
		    grid_number(&grid, row, "threads"), target->threads);
		assert_string_equal(
		    grid_text(&grid, row, "strategy"), target->label);
	}
	grid_release(&grid);
	monitor_free(monitor);
	fixture_close(&f);
	test_scratch_remove(root);
}

static void test_monitor_of_nothing_is_fine(void **state)
{
	struct system_rates runs;
	struct error err = ERROR_INIT;

	(void)state;
	monitor_begin(NULL, "run", &trial, 1);
	monitor_end(NULL);
	assert_false(monitor_runs(NULL, &runs));
	assert_int_equal(monitor_flush(NULL, 1, NULL, 0, &err), 0);
	monitor_free(NULL);
	monitor_free(monitor_new("/nowhere", 0));
}

/* What it takes of a core, with some runs a second. */
static void test_monitor_costs_next_to_nothing(void **state)
{
	const uint64_t start = clock_now(&clock_monotonic);
	struct timespec before, after;
	struct monitor *monitor;
	double share;

	(void)state;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	monitor = monitor_new("", clock_now(&clock_monotonic));
	monitor_begin(monitor, "run", &trial, 1);
	wait_ms(2100);
	monitor_end(monitor);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	share = ((double)(after.tv_sec - before.tv_sec) +
	            1e-9 * (double)(after.tv_nsec - before.tv_nsec)) /
	        since_s(start);
	print_message("%.3f %% of a core\n", 100 * share);
	assert_true(share < 0.02); /* sanitizers, and a busy machine */
	monitor_free(monitor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_monitor_has_a_row_of_each_activity),
		cmocka_unit_test(test_monitor_looks_twice_a_second),
		cmocka_unit_test(test_monitor_is_bounded),
		cmocka_unit_test(test_monitor_joins_no_runs),
		cmocka_unit_test(test_monitor_of_nothing_is_fine),
		cmocka_unit_test(test_monitor_costs_next_to_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
