/* test_figures.c - figures, runs and work are read from rows as typed values.
 */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"
#include "strategies/figures/figures.h"
#include "strategies/figures/runs.h"
#include "strategies/figures/work.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

/* A row of texts, as a report in CSV has it. */
static void add_row(struct grid *rows, const char *const cells[][2], size_t n)
{
	struct error err = ERROR_INIT;

	for (size_t i = 0; !rows->row_count && i < n; i++)
		test_ok(grid_add_column(rows, cells[i][0], &err), &err);
	test_ok(grid_add_row(rows, &err), &err);
	for (size_t i = 0; i < n; i++)
		test_ok(grid_set_text(rows, i, cells[i][1], &err), &err);
}

static void test_figures_are_typed(void **state)
{
	static const char *const known[][2] = { { "session",
		                                    "9007199254740993" },
		{ "strategy", "raw/tar/none" }, { "threads", "4" },
		{ "cache", "application" }, { "status", "failed" },
		{ "equivalent", "lossy" }, { "portable", "no" },
		{ "throughput_samples_per_s", "12.5" }, { "runs", "7" } };
	static const char *const odd[][2] = { { "session", "" },
		{ "strategy", "unprocessed" }, { "threads", "" },
		{ "cache", "" }, { "status", "done" }, { "equivalent", "" },
		{ "portable", "" }, { "throughput_samples_per_s", "" },
		{ "runs", "" } };
	struct grid rows = GRID_INIT;
	struct error err = ERROR_INIT;
	struct figures_list figures;
	const struct figures *f;

	UNUSED(state);
	add_row(&rows, known, ARRAY_LEN(known));
	add_row(&rows, odd, ARRAY_LEN(odd));
	test_ok(figures_read(&figures, &rows, &err), &err);
	assert_int_equal(figures.count, 2);
	f = &figures.list[0];
	/* More than a double can hold. */
	assert_true(f->session == 9007199254740993);
	assert_true(figures_newest_session(&figures) == f->session);
	assert_true(f->threads == 4 && f->cache == CACHE_APPLICATION &&
	            f->state == TRIAL_FAILED &&
	            f->answers.equivalent == EQUIVALENT_LOSSY &&
	            f->answers.portable == ANSWER_NO);
	assert_true(fabs(f->throughput.median - 12.5) < 1e-12);
	assert_true(isnan(f->throughput.low) && isnan(f->full.prep_s));
	/* The report does not say how many are counted. */
	assert_true(fabs(f->throughput.counted - 7) < 1e-12);
	assert_string_equal(f->message, "");
	f = &figures.list[1];
	assert_true(f->session == 0 && f->threads == 0 &&
	            f->cache == CACHE_UNKNOWN &&
	            f->answers.equivalent == EQUIVALENT_UNKNOWN &&
	            f->answers.portable == ANSWER_UNKNOWN);
	assert_string_equal(cache_word(f->cache), "");
	assert_true(figures_is_unprocessed(f));
	figures_release(&figures);
	grid_release(&rows);
}

static void test_figures_of_the_same_trial_are_found(void **state)
{
	struct figures list[] = { figures_none(), figures_none() };
	const struct figures_list figures = { list, ARRAY_LEN(list) };
	struct figures wanted = figures_none();

	UNUSED(state);
	list[0].strategy = list[1].strategy = wanted.strategy = "raw/tar/none";
	list[0].threads = list[1].threads = wanted.threads = 2;
	list[0].cache = CACHE_NONE;
	list[1].cache = wanted.cache = CACHE_SYSTEM;
	assert_ptr_equal(figures_find(&figures, &wanted), &list[1]);
	wanted.threads = 3;
	assert_null(figures_find(&figures, &wanted));
}

static void test_figures_of_a_session_are_those_of_its_runs(void **state)
{
	struct fixture fixture;
	struct grid rows = GRID_INIT;
	struct session_work work = SESSION_WORK_INIT;
	struct timed_runs runs;
	struct figures_list figures;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	fixture_add(&fixture, &(struct fixture_trial){ .label = "raw/tar/none",
	                          .prep_s = 3,
	                          .storage_bytes = 5e6,
	                          .cold = { 100, 110, 120 } });
	fixture_read(&fixture, RESULTS_TRIALS, &rows);
	test_ok(figures_read(&figures, &rows, &err), &err);
	assert_int_equal(figures.count, 1);
	assert_true(figures.list[0].session == fixture.session);
	assert_true(figures.list[0].cache == CACHE_NONE);
	assert_true(fabs(figures.list[0].throughput.median - 110) < 1e-6);
	assert_true(fabs(figures.list[0].profiled.prep_s - 3) < 1e-6);
	grid_release(&rows);
	fixture_read(&fixture, RESULTS_RATES, &rows);
	test_ok(timed_runs_read(&runs, &rows, &err), &err);
	assert_int_equal(runs.count, 3);
	for (size_t i = 0; i < runs.count; i++)
		assert_true(runs.list[i].trial == figures.list[0].trial);
	test_ok(
	    session_work_read(&work, fixture.results, fixture.session, &err),
	    &err);
	assert_true(work.trial_count <= 1);
	session_work_release(&work);
	timed_runs_release(&runs);
	figures_release(&figures);
	grid_release(&rows);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures_are_typed),
		cmocka_unit_test(test_figures_of_the_same_trial_are_found),
		cmocka_unit_test(
		    test_figures_of_a_session_are_those_of_its_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
