/* one_session.c - see one_session.h. */
#include "lib/db/one_session.h"

#include <sqlite3.h>
#include <stddef.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/database.h"
#include "lib/db/migrate.h"

#define ITS_STRATEGIES "SELECT id FROM strategy WHERE session = ?1"
#define ITS_TRIALS     "SELECT id FROM trial WHERE strategy IN (" ITS_STRATEGIES ")"

/* Each after those that it refers to.  Ceilings are of no session. */
static const struct {
	const char *name, *rows;
} tables[] = {
	{ "session", "id = ?1" },
	{ "strategy", "session = ?1" },
	{ "preparation", "strategy IN (" ITS_STRATEGIES ")" },
	{ "trial", "strategy IN (" ITS_STRATEGIES ")" },
	{ "run", "trial IN (" ITS_TRIALS ")" },
	{ "step", "trial IN (" ITS_TRIALS ")" },
	{ "phase", "trial IN (" ITS_TRIALS ")" },
	{ "level", "trial IN (" ITS_TRIALS ")" },
	{ "setting", "session = ?1" },
	{ "warning", "session = ?1" },
	{ "system_sample", "session = ?1" },
	{ "ceiling", "?1 = ?1" },
};

struct copying {
	sqlite3 *from, *to;
	const char *path;
};

static int fail(const struct copying *copying, sqlite3 *db, struct error *err)
{
	char words[RESULTS_WORDS];

	return error_set(err, results_error_code(db), "cannot read %s: %s",
	    copying->path, results_words(db, words));
}

/* Both have been through the same migrations, so columns have one order. */
static int prepare(const struct copying *copying, const char *name,
    const char *rows, sqlite3_stmt **select, sqlite3_stmt **insert,
    struct error *err)
{
	char sql[512];
	size_t used;

	sqlite3_snprintf(
	    sizeof(sql), sql, "SELECT * FROM \"%w\" WHERE %s", name, rows);
	if (sqlite3_prepare_v2(copying->from, sql, -1, select, NULL))
		return fail(copying, copying->from, err);
	sqlite3_snprintf(
	    sizeof(sql), sql, "INSERT INTO \"%w\" VALUES (?", name);
	used = strlen(sql);
	for (int i = 1; i < sqlite3_column_count(*select); i++)
		used += strlen(sqlite3_snprintf(
		    (int)(sizeof(sql) - used), sql + used, ", ?"));
	sqlite3_snprintf((int)(sizeof(sql) - used), sql + used, ")");
	if (sqlite3_prepare_v2(copying->to, sql, -1, insert, NULL))
		return fail(copying, copying->to, err);
	return 0;
}

static int copy_rows(const struct copying *copying, sqlite3_stmt *select,
    sqlite3_stmt *insert, struct error *err)
{
	int rc;

	while ((rc = sqlite3_step(select)) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(select); i++)
			sqlite3_bind_value(
			    insert, i + 1, sqlite3_column_value(select, i));
		if (sqlite3_step(insert) != SQLITE_DONE)
			return fail(copying, copying->to, err);
		sqlite3_reset(insert);
	}
	return rc == SQLITE_DONE ? 0 : fail(copying, copying->from, err);
}

static int copy_table(const struct copying *copying, const char *name,
    const char *rows, int64_t session, struct error *err)
{
	sqlite3_stmt *select = NULL, *insert = NULL;
	int rc = prepare(copying, name, rows, &select, &insert, err);

	if (rc == 0) {
		sqlite3_bind_int64(select, 1, session);
		rc = copy_rows(copying, select, insert, err);
	}
	sqlite3_finalize(select);
	sqlite3_finalize(insert);
	return rc;
}

static int copy_tables(
    const struct copying *copying, int64_t session, struct error *err)
{
	for (size_t i = 0; i < ARRAY_LEN(tables); i++)
		if (copy_table(
		        copying, tables[i].name, tables[i].rows, session, err))
			return -1;
	return 0;
}

/* In one transaction of each: all tables are of the same moment. */
static int copy_all(
    const struct copying *copying, int64_t session, struct error *err)
{
	int rc;

	if (migrate(copying->to, copying->path, err))
		return -1;
	if (sqlite3_exec(copying->from, "BEGIN", NULL, NULL, NULL))
		return fail(copying, copying->from, err);
	if (sqlite3_exec(copying->to, "BEGIN", NULL, NULL, NULL))
		rc = fail(copying, copying->to, err);
	else
		rc = copy_tables(copying, session, err);
	sqlite3_exec(copying->from, "ROLLBACK", NULL, NULL, NULL);
	if (rc == 0 && sqlite3_exec(copying->to, "COMMIT", NULL, NULL, NULL))
		rc = fail(copying, copying->to, err);
	return rc;
}

struct sqlite3 *one_session_copy(
    struct sqlite3 *from, const char *path, int64_t session, struct error *err)
{
	struct copying copying = { .from = from, .path = path };
	int rc = 0;

	if (sqlite3_open(":memory:", &copying.to))
		rc = error_set(
		    err, ERROR_SYSTEM, "cannot read %s: out of memory", path);
	if (rc == 0)
		rc = copy_all(&copying, session, err);
	if (rc == 0)
		return copying.to;
	sqlite3_close(copying.to);
	return NULL;
}
