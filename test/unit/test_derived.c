/* test_derived.c - derived rows: when they are computed, and where. */
#define _XOPEN_SOURCE 700 /* chmod, geteuid */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/derived.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"
#include "lib/files/path.h"
#include "strategies/decide/derive.h"
#include "test/unit/fixture.h"
#include "test/unit/sql.h"
#include "test/unit/test.h"

static int derived_sessions(const struct fixture *fixture)
{
	return (int)sql_number(
	    fixture->path, "SELECT count(*) FROM derivation");
}

/* Sessions of `unprocessed` with 100 samples/s, and of one ten times as fast.
 */
static void add_sessions(struct fixture *fixture, unsigned count)
{
	static const struct fixture_trial trials[] = {
		{ .label = "unprocessed",
		    .storage_bytes = 1e6,
		    .cold = { 90, 95, 100, 105, 110, 500 } },
		{ .label = "raw/tar/none",
		    .prep_s = 2,
		    .storage_bytes = 2e6,
		    .cold = { 900, 950, 1000, 1050, 1100 } },
	};

	for (unsigned session = 1; session <= count; session++) {
		if (session > 1)
			fixture_session(fixture, NULL);
		for (size_t i = 0; i < ARRAY_LEN(trials); i++)
			fixture_add(fixture, &trials[i]);
	}
}

static void derive_all(struct fixture *fixture)
{
	struct error err = ERROR_INIT;

	test_ok(results_derive(fixture->results, 0, &err), &err);
}

static struct buf read_file(const char *path)
{
	struct error err = ERROR_INIT;
	struct buf bytes = BUF_INIT;

	test_ok(path_read(path, 1 << 24, &bytes, &err), &err);
	return bytes;
}

/* ---- what is stored ---- */

/* Any SQLite client reads what the program prints. */
static void test_derived_rows_are_in_the_file(void **state)
{
	static const struct {
		const char *sql;
		double value;
	} cases[] = {
		{ "SELECT throughput_samples_per_s FROM v_report"
		  " WHERE strategy = 'unprocessed'",
		    102.5 },
		{ "SELECT throughput_low_samples_per_s FROM v_report"
		  " WHERE strategy = 'unprocessed'",
		    90 },
		{ "SELECT outliers FROM v_report"
		  " WHERE strategy = 'unprocessed'",
		    1 },
		{ "SELECT rank FROM v_report WHERE strategy = 'raw/tar/none'",
		    1 },
		{ "SELECT rank FROM v_report WHERE strategy = 'unprocessed'",
		    2 },
		{ "SELECT sum(outlier) FROM v_runs", 1 },
		{ "SELECT run FROM run_figure WHERE outlier", 6 },
		{ "SELECT count(*) FROM run_figure", 11 },
		/* 10,000 samples: 20 s to prepare, 1 s for 9.76 s an epoch. */
		{ "SELECT full_prep_s FROM v_report"
		  " WHERE strategy = 'raw/tar/none'",
		    20 },
		{ "SELECT break_even_epochs FROM v_report"
		  " WHERE strategy = 'raw/tar/none'",
		    1 },
		{ "SELECT score FROM v_report WHERE strategy = 'unprocessed'",
		    0 },
		{ "SELECT place FROM v_report WHERE strategy = 'unprocessed'",
		    2 },
		{ "SELECT full_throughput_samples_per_s FROM v_report"
		  " WHERE strategy = 'raw/tar/none'",
		    1000 },
	};
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	add_sessions(&fixture, 1);
	derive_all(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const double got = sql_number(fixture.path, cases[i].sql);

		if (fabs(got - cases[i].value) > 1e-6 * cases[i].value)
			fail_msg("%s: %g", cases[i].sql, got);
	}
	assert_int_equal(derived_sessions(&fixture), 1);
	/* The columns of the table are the members of the struct. */
	assert_int_equal(
	    sql_number(fixture.path,
	        "SELECT count(*) FROM pragma_table_info('figure')"),
	    sizeof(struct trial_figures) / sizeof(double));
	fixture_close(&fixture);
}

static void test_derived_rows_go_with_their_session(void **state)
{
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	add_sessions(&fixture, 2);
	derive_all(&fixture);
	sql_run(fixture.path, "DELETE FROM session WHERE id = 1");
	assert_int_equal(
	    sql_number(fixture.path, "SELECT count(*) FROM figure"), 2);
	assert_int_equal(
	    sql_number(fixture.path, "SELECT count(*) FROM run_figure"), 11);
	assert_int_equal(
	    sql_number(fixture.path, "SELECT count(*) FROM ranking"), 2);
	assert_int_equal(derived_sessions(&fixture), 1);
	fixture_close(&fixture);
}

/* ---- when ---- */

static void test_derived_rows_are_out_of_date_after_any_change(void **state)
{
	static const char *const changes[] = {
		"UPDATE run SET wall_ns = 2 * wall_ns WHERE trial = 1",
		"DELETE FROM run WHERE trial = 1 AND run = 6",
		"INSERT INTO run SELECT trial, warmup, 9, epoch, wall_ns,"
		" first_batch_ns, samples, skipped, user_ns, system_ns,"
		" bytes_fetched, 0, NULL, peak_rss_bytes, 0, 0, 0, 0, NULL,"
		" NULL, NULL, NULL FROM run WHERE trial = 1 AND run = 1",
		"UPDATE trial SET state = 'failed' WHERE id = 2",
		"DELETE FROM trial WHERE id = 2",
		"UPDATE preparation SET storage_bytes = 5 WHERE strategy = 2",
		"UPDATE preparation SET equivalent = 'no' WHERE strategy = 2",
		"DELETE FROM preparation WHERE strategy = 2",
		"UPDATE strategy SET readable = 0 WHERE id = 2",
		"DELETE FROM strategy WHERE id = 2",
		"UPDATE step SET cpu_ns = 1",
		"DELETE FROM step",
		"INSERT INTO phase VALUES (1, 'read', 1, 1, 1, 1)",
		"UPDATE session SET full_samples = 7",
		"UPDATE session SET memory_bytes = 7",
		"UPDATE session SET emulated_open = 1",
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
		struct fixture fixture;

		fixture_open(&fixture);
		add_sessions(&fixture, 1);
		derive_all(&fixture);
		sql_run(fixture.path,
		    "UPDATE session SET state = 'done', ended = 'now'");
		assert_int_equal(derived_sessions(&fixture), 1);
		sql_run(fixture.path, changes[i]);
		if (derived_sessions(&fixture))
			fail_msg("not out of date: %s", changes[i]);
		derive_all(&fixture);
		assert_int_equal(derived_sessions(&fixture), 1);
		fixture_close(&fixture);
	}
}

/* Only its own session's, and what changed is then told. */
static void test_derived_rows_follow_a_change(void **state)
{
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	add_sessions(&fixture, 2);
	derive_all(&fixture);
	sql_run(fixture.path,
	    "UPDATE run SET wall_ns = 2 * wall_ns WHERE trial = 1");
	assert_int_equal(derived_sessions(&fixture), 1);
	derive_all(&fixture);
	assert_int_equal(derived_sessions(&fixture), 2);
	assert_true(fabs(sql_number(fixture.path,
	                     "SELECT throughput FROM figure WHERE trial = 1") -
	                 51.25) < 1e-6);
	assert_true(fabs(sql_number(fixture.path,
	                     "SELECT throughput FROM figure WHERE trial = 3") -
	                 102.5) < 1e-6);
	fixture_close(&fixture);
}

static void test_derived_rows_of_another_rule_count_for_nothing(void **state)
{
	struct error err = ERROR_INIT;
	struct fixture fixture;
	size_t count = 0;

	UNUSED(state);
	fixture_open(&fixture);
	add_sessions(&fixture, 3);
	derive_all(&fixture);
	sql_run(fixture.path,
	    "UPDATE derivation SET rule = rule + 1 WHERE session = 2;"
	    "UPDATE figure SET throughput = 7");
	derive_all(&fixture);
	assert_int_equal(
	    sql_number(fixture.path,
	        "SELECT count(*) FROM figure WHERE throughput > 7"),
	    2);
	test_ok(results_rebuild(fixture.results, &count, &err), &err);
	assert_int_equal(count, 3);
	assert_int_equal(
	    sql_number(fixture.path,
	        "SELECT count(*) FROM figure WHERE throughput > 7"),
	    6);
	fixture_close(&fixture);
}

static int fail_to_derive(
    struct results *results, int64_t session, struct error *err)
{
	const struct trial_figures figures = trial_figures_unknown(1);

	UNUSED(session);
	if (results_set_figures(results, &figures, err))
		return -1;
	return error_set(err, ERROR_SYSTEM, "no luck");
}

static void test_derived_rows_are_all_stored_or_none(void **state)
{
	static const struct results_rule rule = { .version = 99,
		.derive = fail_to_derive };
	struct error err = ERROR_INIT;
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	add_sessions(&fixture, 1);
	derive_all(&fixture);
	results_set_rule(fixture.results, &rule);
	assert_int_equal(results_derive(fixture.results, 0, &err), -1);
	test_contains(err.text, "no luck");
	assert_int_equal(
	    sql_number(fixture.path, "SELECT count(*) FROM figure"), 2);
	assert_int_equal(
	    sql_number(fixture.path,
	        "SELECT throughput > 100 FROM figure WHERE trial = 1"),
	    1);
	results_set_rule(fixture.results, &derive_rule);
	derive_all(&fixture);
	assert_int_equal(derived_sessions(&fixture), 1);
	fixture_close(&fixture);
}

/* As a view without rows is read. */
static void test_derived_rows_of_no_session_are_none(void **state)
{
	struct error err = ERROR_INIT;
	struct grid grid = GRID_INIT;
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	test_ok(results_read(fixture.results, RESULTS_REPORT, 7, &grid, &err),
	    &err);
	assert_int_equal(grid.row_count, 0);
	assert_int_equal(derived_sessions(&fixture), 0);
	grid_release(&grid);
	test_ok(results_read(fixture.results, RESULTS_REPORT, 1, &grid, &err),
	    &err);
	assert_int_equal(grid.row_count, 0);
	assert_int_equal(derived_sessions(&fixture), 1);
	grid_release(&grid);
	fixture_close(&fixture);
}

/* ---- readers ---- */

static void check_throughput(
    struct results *results, int64_t session, size_t rows, double want)
{
	struct error err = ERROR_INIT;
	struct grid grid = GRID_INIT;

	test_ok(
	    results_read(results, RESULTS_REPORT, session, &grid, &err), &err);
	assert_int_equal(grid.row_count, rows);
	fixture_near(&grid, 0, "throughput_samples_per_s", want);
	fixture_near(&grid, 1, "rank", 1);
	grid_release(&grid);
}

/* In any order, of one session and of all. */
static void check_reader(const char *path)
{
	struct error err = ERROR_INIT;
	struct results *reader = derive_open(path, false, &err);

	test_ok(reader ? 0 : -1, &err);
	check_throughput(reader, 3, 2, 102.5);
	check_throughput(reader, 1, 2, 51.25);
	check_throughput(reader, 0, 6, 51.25);
	check_throughput(reader, 2, 2, 102.5);
	results_close(reader);
}

static void test_derived_rows_of_a_reader_are_not_in_the_file(void **state)
{
	struct fixture fixture;
	struct buf before, after;

	UNUSED(state);
	fixture_open(&fixture);
	add_sessions(&fixture, 3);
	derive_all(&fixture);
	sql_run(fixture.path,
	    "UPDATE run SET wall_ns = 2 * wall_ns WHERE trial = 1;"
	    "DELETE FROM derivation WHERE session = 2;"
	    "PRAGMA wal_checkpoint(TRUNCATE)");
	results_close(fixture.results);
	fixture.results = NULL;
	before = read_file(fixture.path);
	check_reader(fixture.path);
	if (geteuid()) { /* root may write all */
		assert_int_equal(chmod(fixture.path, 0400), 0);
		check_reader(fixture.path);
		assert_int_equal(chmod(fixture.dir, 0500), 0);
		check_reader(fixture.path);
		assert_int_equal(chmod(fixture.dir, 0700), 0);
		assert_int_equal(chmod(fixture.path, 0600), 0);
	}
	after = read_file(fixture.path);
	assert_true(span_equal(buf_span(&before), buf_span(&after)));
	assert_int_equal(derived_sessions(&fixture), 1);
	buf_release(&before);
	buf_release(&after);
	fixture_close(&fixture);
}

/* Once it has temporary rows, it copies what is valid when that is read. */
static void test_derived_rows_that_are_valid_are_copied(void **state)
{
	struct error err = ERROR_INIT;
	struct results *reader;
	struct fixture fixture;

	UNUSED(state);
	fixture_open(&fixture);
	add_sessions(&fixture, 3);
	derive_all(&fixture);
	sql_run(fixture.path, "UPDATE figure SET throughput = 7;"
	                      "DELETE FROM derivation WHERE session = 1;");
	reader = derive_open(fixture.path, false, &err);
	test_ok(reader ? 0 : -1, &err);
	check_throughput(reader, 1, 2, 102.5);
	check_throughput(reader, 3, 2, 7);
	check_throughput(reader, 1, 2, 102.5);
	check_throughput(reader, 0, 6, 102.5);
	check_throughput(reader, 2, 2, 7);
	results_close(reader);
	fixture_close(&fixture);
}

/* A view in the file may be anybody's, and say anything. */
static void test_derived_rows_leave_views_of_others_alone(void **state)
{
	struct fixture fixture;
	struct error err = ERROR_INIT;
	struct results *reader;

	UNUSED(state);
	fixture_open(&fixture);
	add_sessions(&fixture, 1);
	sql_run(fixture.path,
	    "create  view mine as select strategy, rank from v_report;"
	    "CREATE VIEW other AS SELECT * FROM gone;"
	    "DELETE FROM derivation");
	reader = derive_open(fixture.path, false, &err);
	test_ok(reader ? 0 : -1, &err);
	check_throughput(reader, 1, 2, 102.5);
	results_close(reader);
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_derived_rows_are_in_the_file),
		cmocka_unit_test(test_derived_rows_go_with_their_session),
		cmocka_unit_test(
		    test_derived_rows_are_out_of_date_after_any_change),
		cmocka_unit_test(test_derived_rows_follow_a_change),
		cmocka_unit_test(
		    test_derived_rows_of_another_rule_count_for_nothing),
		cmocka_unit_test(test_derived_rows_are_all_stored_or_none),
		cmocka_unit_test(test_derived_rows_of_no_session_are_none),
		cmocka_unit_test(
		    test_derived_rows_of_a_reader_are_not_in_the_file),
		cmocka_unit_test(test_derived_rows_that_are_valid_are_copied),
		cmocka_unit_test(test_derived_rows_leave_views_of_others_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
