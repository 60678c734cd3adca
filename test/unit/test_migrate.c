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
#include "test/unit/sql.h"
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

/* Some megabytes of failed trials, in the form of version 1. */
static void make_large(const char *path)
{
	sql_make_first_version(path,
	    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n"
	    " WHERE i < 8000) INSERT INTO trial SELECT i, 1, i, 'system',"
	    " 'failed', printf('%0800d', i), '', NULL FROM n");
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
