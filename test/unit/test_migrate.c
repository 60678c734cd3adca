/*
 * test_migrate.c - a large database of an older presto is brought up to date,
 * and nothing is written beside it.
 *
 * SQLite opens files without a name for what does not fit into its cache.
 */
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/results.h"
#include "test/unit/test.h"

static sqlite3_vfs *real;
static unsigned nameless; /* files that were opened without a name */

static int open_counted(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out)
{
	UNUSED(vfs);
	nameless += !name;
	return real->xOpen(real, name, file, flags, out);
}

static void execute(const char *path, const char *sql)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL))
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}

/* Some megabytes of failed trials, in the form of version 1. */
static void make_large(const char *path)
{
	static const char schema[] = {
#include "lib/db/schema.inc"
		0
	};

	execute(path, schema);
	execute(path,
	    "INSERT INTO session VALUES (1, 'p', 'p.conf', '', '', 'd', 'w', 1,"
	    " 1, 1, 0, 1, 0, 0, 0, 'cpu', 1, 1, 0, '', '', '', '', '', '0.1',"
	    " '', '', 'done');"
	    "INSERT INTO strategy VALUES (1, 1, 'unprocessed', '',"
	    " 'unprocessed', '', '', 0, 1, NULL, NULL);"
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
	    " WHERE i < 8000) INSERT INTO trial SELECT i, 1, i, 'system',"
	    " 'failed', printf('%0800d', i), '', NULL FROM n;"
	    "PRAGMA application_id = 1886545267; PRAGMA user_version = 1");
}

static void test_migrating_writes_no_file_beside_the_database(void **state)
{
	struct error err = ERROR_INIT;
	char *dir = test_scratch(), *path = test_path(dir, "presto.db");
	struct results *results;
	sqlite3_vfs counted;

	UNUSED(state);
	make_large(path);
	real = sqlite3_vfs_find(NULL);
	counted = *real;
	counted.zName = "counted";
	counted.xOpen = open_counted;
	assert_int_equal(sqlite3_vfs_register(&counted, 1), SQLITE_OK);
	for (unsigned write = 0; write < 2; write++) {
		results = results_open(path, write, &err);
		test_ok(results ? 0 : -1, &err);
		results_close(results);
	}
	sqlite3_vfs_unregister(&counted);
	assert_int_equal(nameless, 0);
	free(path);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_migrating_writes_no_file_beside_the_database),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
