/* sql.c - see sql.h. */
#include "test/unit/sql.h"

#include <math.h>
#include <sqlite3.h>

#include "test/unit/test.h"

static sqlite3 *open_database(const char *path)
{
	sqlite3 *db = NULL;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	return db;
}

void sql_run(const char *path, const char *sql)
{
	sqlite3 *db = open_database(path);

	sqlite3_exec(db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL))
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	sqlite3_close(db);
}

double sql_number(const char *path, const char *sql)
{
	sqlite3 *db = open_database(path);
	sqlite3_stmt *s = NULL;
	double value;

	if (sqlite3_prepare_v2(db, sql, -1, &s, NULL))
		fail_msg("%s: %s", sql, sqlite3_errmsg(db));
	assert_int_equal(sqlite3_step(s), SQLITE_ROW);
	value = sqlite3_column_type(s, 0) == SQLITE_NULL
	            ? NAN
	            : sqlite3_column_double(s, 0);
	sqlite3_finalize(s);
	sqlite3_close(db);
	return value;
}

void sql_make_first_version(const char *path, const char *rest)
{
	static const char schema[] = {
#include "lib/db/schema.inc"
		0
	};

	sql_run(path, schema);
	sql_run(path,
	    "INSERT INTO session VALUES (1, 'p', 'p.conf', '', '', 'd', 'w', 1,"
	    " 1, 1, 0, 1, 0, 0, 0, 'cpu', 1, 1, 0, '', '', '', '', '', '0.1',"
	    " '', '', 'done');"
	    "INSERT INTO strategy VALUES (1, 1, 'unprocessed', '',"
	    " 'unprocessed', '', '', 0, 1, NULL, NULL);"
	    "PRAGMA application_id = 1886545267; PRAGMA user_version = 1");
	sql_run(path, rest);
}
