/*
 * test_results_move.c - a database that is removed or replaced while it is
 * written to: nothing stored is lost or overwritten.  Linked with --wrap
 * (Makefile), so that memory can run out where names are made.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/results.h"
#include "lib/db/results_write.h"
#include "lib/files/path.h"
#include "test/unit/fixture.h"
#include "test/unit/sql.h"
#include "test/unit/test.h"

int __wrap_buf_printf(struct buf *buf, struct error *err, const char *format,
    ...) __attribute__((format(printf, 3, 4)));

static bool memory_is_out;

int __wrap_buf_printf(
    struct buf *buf, struct error *err, const char *format, ...)
{
	char text[1024];
	va_list args;
	int len;

	if (memory_is_out)
		return error_memory(err, sizeof(text));
	va_start(args, format);
	len = vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	assert_in_range(len, 0, sizeof(text) - 1);
	if (buf_append(buf, text, (size_t)len + 1, err))
		return -1;
	buf->len--; /* the NUL does not count */
	return 0;
}

/* All that was stored is in the database at `path`. */
static void check_whole(const char *path, int warnings, int ended)
{
	assert_int_equal(sql_number(path, "SELECT count(*) FROM session"), 1);
	assert_int_equal(
	    sql_number(path, "SELECT count(*) FROM warning"), warnings);
	assert_int_equal(
	    sql_number(
	        path, "SELECT count(*) FROM session WHERE state = 'done'"),
	    ended);
	assert_int_equal(sql_number(path, "SELECT count(*) FROM"
	                                  " pragma_integrity_check"
	                                  " WHERE integrity_check = 'ok'"),
	    1);
}

static void warn(struct fixture *fixture, const char *text)
{
	struct error err = ERROR_INIT;

	test_ok(
	    results_add_warning(fixture->results, fixture->session, text, &err),
	    &err);
}

static void end(struct fixture *fixture)
{
	struct error err = ERROR_INIT;

	test_ok(results_end_session(
	            fixture->results, fixture->session, "done", &err),
	    &err);
}

static void remove_file(const char *path, const char *end)
{
	char name[512];

	snprintf(name, sizeof(name), "%s%s", path, end);
	unlink(name);
}

/* With what SQLite keeps beside it, and without. */
static void test_results_removed_are_written_anew(void **state)
{
	UNUSED(state);
	for (int all = 0; all < 2; all++) {
		struct fixture fixture;

		fixture_open(&fixture);
		warn(&fixture, "one");
		assert_null(results_moved_from(fixture.results));
		assert_int_equal(unlink(fixture.path), 0);
		if (all) {
			remove_file(fixture.path, "-wal");
			remove_file(fixture.path, "-shm");
		}
		warn(&fixture, "two");
		assert_string_equal(
		    results_moved_from(fixture.results), fixture.path);
		assert_string_equal(
		    results_path(fixture.results), fixture.path);
		/* And once more, before its last words. */
		assert_int_equal(unlink(fixture.path), 0);
		end(&fixture);
		results_close(fixture.results);
		fixture.results = NULL;
		check_whole(fixture.path, 2, 1);
		remove_file(fixture.path, "");
		test_is_empty(fixture.dir);
		fixture_close(&fixture);
	}
}

static void test_results_replaced_are_written_beside(void **state)
{
	struct fixture fixture;
	char *second, *third, *wal;

	UNUSED(state);
	fixture_open(&fixture);
	second = test_path(fixture.dir, "presto-2.db");
	third = test_path(fixture.dir, "presto-3.db");
	wal = test_path(fixture.dir, "presto.db-wal");
	warn(&fixture, "one");
	assert_int_equal(unlink(fixture.path), 0);
	assert_int_equal(unlink(wal), 0);
	test_write(fixture.dir, "presto.db", "theirs");
	test_write(fixture.dir, "presto.db-wal", "their log");
	test_write(fixture.dir, "presto-2.db", "theirs, too");
	warn(&fixture, "two");
	assert_string_equal(results_path(fixture.results), third);
	end(&fixture);
	results_close(fixture.results);
	fixture.results = NULL;
	check_whole(third, 2, 1);
	test_reads(fixture.path, "theirs");
	test_reads(wal, "their log");
	test_reads(second, "theirs, too");
	free(wal);
	free(third);
	free(second);
	fixture_close(&fixture);
}

/* A log of others is no place for a database, even if its name is free. */
static void test_results_keep_away_from_logs_of_others(void **state)
{
	struct fixture fixture;
	char *second, *wal;

	UNUSED(state);
	fixture_open(&fixture);
	second = test_path(fixture.dir, "presto-2.db");
	wal = test_path(fixture.dir, "presto.db-wal");
	warn(&fixture, "one");
	assert_int_equal(unlink(fixture.path), 0);
	assert_int_equal(unlink(wal), 0);
	test_write(fixture.dir, "presto.db-wal", "their log");
	end(&fixture);
	results_close(fixture.results);
	fixture.results = NULL;
	check_whole(second, 1, 1);
	test_reads(wal, "their log");
	free(wal);
	free(second);
	fixture_close(&fixture);
}

/* With its folder; that it lies elsewhere now helps nobody who looks here. */
static void test_results_whose_folder_went_are_written_anew(void **state)
{
	struct fixture fixture;
	struct error err = ERROR_INIT;
	char *moved;

	UNUSED(state);
	fixture_open(&fixture);
	warn(&fixture, "one");
	moved = test_scratch();
	test_ok(path_make_dirs(moved, &err), &err);
	assert_int_equal(rmdir(moved), 0);
	assert_int_equal(rename(fixture.dir, moved), 0);
	end(&fixture);
	results_close(fixture.results);
	fixture.results = NULL;
	check_whole(fixture.path, 1, 1);
	test_scratch_remove(moved);
	fixture_close(&fixture);
}

static void test_results_that_find_no_memory_say_so(void **state)
{
	struct fixture fixture;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	assert_int_equal(unlink(fixture.path), 0);
	memory_is_out = true;
	assert_int_equal(
	    results_add_warning(fixture.results, fixture.session, "one", &err),
	    -1);
	memory_is_out = false;
	assert_int_equal(err.code, ERROR_MEMORY);
	test_contains(err.text, "cannot be written anew: ");
	fixture_close(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_results_removed_are_written_anew),
		cmocka_unit_test(test_results_replaced_are_written_beside),
		cmocka_unit_test(test_results_keep_away_from_logs_of_others),
		cmocka_unit_test(
		    test_results_whose_folder_went_are_written_anew),
		cmocka_unit_test(test_results_that_find_no_memory_say_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
