/* test_watch.c - rows of the machine while a session works. */
#include <math.h>
#include <time.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "strategies/watch.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

enum { MS = 1000000 };

static void wait_ms(unsigned ms)
{
	clock_sleep_until(clock_now(&clock_monotonic) + ms * (uint64_t)MS);
}

static const char label[] = "resized/tar/none";
static const struct watch_whom strategy = { .label = label };
static const struct watch_whom trial = {
	.label = label, .threads = 2, .cache = CACHE_SYSTEM
};

static void read_rows(struct fixture *f, struct grid *grid)
{
	struct error err = ERROR_INIT;

	test_ok(
	    results_read(f->results, RESULTS_SYSTEM, f->session, grid, &err),
	    &err);
}

static void flush(struct fixture *f, struct watch *watch)
{
	struct error err = ERROR_INIT;

	test_ok(watch_flush(watch, 1, f->results, f->session, &err), &err);
}

static void test_watch_has_a_row_of_each_activity(void **state)
{
	struct watch *watch;
	struct system_rates runs;
	struct grid grid = GRID_INIT;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	watch = watch_new("", clock_now(&clock_monotonic));
	assert_non_null(watch);
	assert_false(watch_runs(watch, &runs));
	watch_begin(watch, "prepare", &strategy, 0);
	wait_ms(30);
	watch_end(watch);
	watch_begin(watch, "run", &trial, 3); /* at once: no row between */
	wait_ms(25);
	watch_end(watch);
	wait_ms(30);
	watch_begin(watch, "prepare", &strategy, 0);
	assert_true(watch_runs(watch, &runs));
	assert_true(runs.interval_ns >= 25 * MS);
	flush(&f, watch);
	read_rows(&f, &grid);
	assert_int_equal(grid.row_count, 3);
	assert_string_equal(grid_text(&grid, 0, "activity"), "prepare");
	assert_string_equal(grid_text(&grid, 0, "strategy"), label);
	assert_true(isnan(grid_number(&grid, 0, "threads")));
	assert_string_equal(grid_text(&grid, 1, "activity"), "run");
	assert_int_equal(grid_number(&grid, 1, "run"), 3);
	assert_int_equal(grid_number(&grid, 1, "threads"), 2);
	assert_string_equal(grid_text(&grid, 1, "cache"), "system");
	assert_true(grid_number(&grid, 1, "interval_s") >= 0.025);
	assert_true(grid_number(&grid, 1, "at_s") >= 0.055);
	assert_true(grid_number(&grid, 1, "memory_used_bytes") > 0);
	assert_string_equal(grid_text(&grid, 2, "activity"), "between");
	assert_string_equal(grid_text(&grid, 2, "strategy"), "");
	grid_release(&grid);
	watch_free(watch);
	fixture_close(&f);
}

static void test_watch_looks_twice_a_second(void **state)
{
	struct watch *watch;
	struct grid grid = GRID_INIT;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	watch = watch_new("", clock_now(&clock_monotonic));
	watch_begin(watch, "run", &trial, 1);
	wait_ms(1250);
	watch_end(watch);
	flush(&f, watch);
	flush(&f, watch); /* what was stored is forgotten */
	watch_begin(watch, "run", &trial, 2);
	watch_begin(watch, "run", &trial, 3);
	assert_int_equal(watch_flush(watch, 64, f.results, f.session, NULL), 0);
	read_rows(&f, &grid);
	assert_int_equal(grid.row_count, 3);
	for (size_t i = 0; i < 2; i++)
		assert_true(
		    fabs(grid_number(&grid, i, "interval_s") - 0.5) < 0.2);
	grid_release(&grid);
	watch_free(watch);
	fixture_close(&f);
}

/* Many more rows than are kept: the time that they tell of stays whole. */
static void test_watch_is_bounded(void **state)
{
	char *root = test_scratch();
	struct watch *watch;
	struct grid grid = GRID_INIT;
	uint64_t start, end;
	double sum = 0;
	struct fixture f;

	(void)state;
	fixture_open(&f);
	start = clock_now(&clock_monotonic);
	watch = watch_new(root, start);
	for (int i = 0; i < 9000; i++)
		watch_begin(watch, "run", &trial, 1);
	end = clock_now(&clock_monotonic);
	flush(&f, watch);
	read_rows(&f, &grid);
	assert_in_range(grid.row_count, 100, 4096);
	for (size_t i = 0; i < grid.row_count; i++) {
		sum += grid_number(&grid, i, "interval_s");
		assert_true(isnan(grid_number(&grid, i, "cpu_user_percent")));
	}
	assert_true(sum <= (double)(end - start) * 1e-9);
	assert_true(sum >= 0.9 * (double)(end - start) * 1e-9);
	grid_release(&grid);
	for (unsigned i = 0; i < 9000; i++) /* none can be joined */
		watch_begin(watch, "run", &trial, i);
	flush(&f, watch);
	watch_free(watch);
	fixture_close(&f);
	test_scratch_remove(root);
}

static void test_watch_of_nothing_is_fine(void **state)
{
	struct system_rates runs;
	struct error err = ERROR_INIT;

	(void)state;
	watch_begin(NULL, "run", &trial, 1);
	watch_end(NULL);
	assert_false(watch_runs(NULL, &runs));
	assert_int_equal(watch_flush(NULL, 1, NULL, 0, &err), 0);
	watch_free(NULL);
	watch_free(watch_new("/nowhere", 0));
}

/* What it takes of a core, with some runs a second. */
static void test_watch_costs_next_to_nothing(void **state)
{
	struct timespec before, after;
	struct watch *watch;
	double share;

	(void)state;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
	watch = watch_new("", clock_now(&clock_monotonic));
	watch_begin(watch, "run", &trial, 1);
	wait_ms(2100);
	watch_end(watch);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
	share = ((double)(after.tv_sec - before.tv_sec) +
	            1e-9 * (double)(after.tv_nsec - before.tv_nsec)) /
	        2.1;
	print_message("%.3f %% of a core\n", 100 * share);
	assert_true(share < 0.02); /* sanitizers, and a busy machine */
	watch_free(watch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_watch_has_a_row_of_each_activity),
		cmocka_unit_test(test_watch_looks_twice_a_second),
		cmocka_unit_test(test_watch_is_bounded),
		cmocka_unit_test(test_watch_of_nothing_is_fine),
		cmocka_unit_test(test_watch_costs_next_to_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
