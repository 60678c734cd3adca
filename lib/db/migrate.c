/*
 * migrate.c - see migrate.h.
 *
 * The application_id tells the file from databases of other programs;
 * user_version is the number of migrations that it has been through.
 */
#include "lib/db/migrate.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/database.h"

static const char schema[] = {
#include "lib/db/schema.inc"
	0
};

static const char trust[] = {
#include "lib/db/trust.inc"
	0
};

/* NULL: nothing was kept, or the size is not known. */
static const char cache_bytes[] =
    "ALTER TABLE trial ADD COLUMN cache_bytes INTEGER";

/* Unix time; the n-th runs of trials with the same time were in one round. */
static const char rounds[] = "ALTER TABLE trial ADD COLUMN rounds_ns INTEGER";

/* Time of lib/measure/reference.h; NULL: it was not run. */
static const char reference[] =
    "ALTER TABLE run ADD COLUMN reference_ns INTEGER";

/* Strategies whose stored data was taken over; NULL: none. */
static const char reuse[] =
    "ALTER TABLE preparation ADD COLUMN samples_from INTEGER"
    " REFERENCES strategy;"
    "ALTER TABLE preparation ADD COLUMN frames_from INTEGER"
    " REFERENCES strategy";

/*
 * The pipeline file and what was set beside it, so that it can be read again
 * from any folder.  Folders are absolute.  An older presto left NULL.
 */
static const char pipeline_file[] =
    "ALTER TABLE session ADD COLUMN file_text TEXT;"
    "ALTER TABLE session ADD COLUMN file_folder TEXT;"
    "CREATE TABLE setting ("
    " session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,"
    " position INTEGER NOT NULL," /* from 1 */
    " section TEXT NOT NULL,"
    " key TEXT NOT NULL,"
    " value TEXT NOT NULL,"
    " folder TEXT NOT NULL," /* where the command ran */
    " PRIMARY KEY (session, position)"
    ") STRICT, WITHOUT ROWID";

/* Does the reader of the session read it?  NULL: as `portable`. */
static const char readable[] =
    "ALTER TABLE strategy ADD COLUMN readable INTEGER";

/* Files that were profiled (lib/folder/inventory.h); NULL: not kept. */
static const char inventory[] = "ALTER TABLE session ADD COLUMN inventory BLOB";

/*
 * `dataset` and `work_dir` are absolute, to be found again.  These two are as
 * the user gave them, to be printed.  An older presto left NULL.
 */
static const char as_given[] =
    "ALTER TABLE session ADD COLUMN dataset_given TEXT;"
    "ALTER TABLE session ADD COLUMN work_dir_given TEXT";

static const char derived[] = {
#include "lib/db/derived.inc"
	0
};

/*
 * The evidence behind a row.  trial.cold: what is known cold before cold runs;
 * NULL: nothing was dropped, or an older presto measured it.
 * preparation.verified: what was compared to find `equivalent`; NULL: nothing,
 * or not known.  figure.drift: 1 where the noise of the runs hangs together so
 * long that their interval may not hold the median of longer measurements.
 */
static const char evidence[] =
    "ALTER TABLE trial ADD COLUMN cold TEXT"
    " CHECK (cold IN ('yes', 'pages', 'no', 'unknown'));"
    "ALTER TABLE preparation ADD COLUMN verified TEXT"
    " CHECK (verified IN ('all', 'part', 'stored'));"
    "ALTER TABLE figure ADD COLUMN drift INTEGER";

/* The interval of first_samples_per_s: figures of rule 2 have it. */
static const char first_interval[] =
    "ALTER TABLE figure ADD COLUMN first_low REAL;"
    "ALTER TABLE figure ADD COLUMN first_high REAL";

/*
 * A quarter to a half of the bytes of an epoch, and its time when they were
 * read: where the rest comes much slower, a cache gave them.  NULL: not known.
 */
static const char early[] = "ALTER TABLE run ADD COLUMN early_bytes INTEGER;"
                            "ALTER TABLE run ADD COLUMN early_ns INTEGER";

static const char ceiling[] = {
#include "lib/db/ceiling.inc"
	0
};

/*
 * Code of the user's that the pipeline ran (lib/pipeline/code_print.h).  NULL:
 * an older presto measured it.
 */
static const char code[] = "ALTER TABLE session ADD COLUMN code TEXT";

static const char search[] = {
#include "lib/db/search.inc"
	0
};

/* Limits of one open file, and of opening files; 0: not limited. */
static const char streams[] =
    "ALTER TABLE session ADD COLUMN emulated_stream REAL NOT NULL DEFAULT 0;"
    "ALTER TABLE session ADD COLUMN emulated_opens REAL NOT NULL DEFAULT 0";

/*
 * Epochs that `hosts` processes ran at the same moment: what each of them did.
 * The ranks begin at 0, and all of them deliver the same samples.
 */
static const char host_runs[] =
    "CREATE TABLE host_run ("
    " trial INTEGER NOT NULL REFERENCES trial ON DELETE CASCADE,"
    " hosts INTEGER NOT NULL,"
    " run INTEGER NOT NULL,"
    " epoch INTEGER NOT NULL,"
    " rank INTEGER NOT NULL,"
    " host TEXT NOT NULL,"
    " samples INTEGER NOT NULL,"
    " wall_ns INTEGER NOT NULL,"
    " bytes INTEGER NOT NULL,"
    " PRIMARY KEY (trial, hosts, run, epoch, rank)"
    ") STRICT, WITHOUT ROWID";

/*
 * Bytes that the application cache was allowed, which decides what it keeps;
 * NULL: not known.
 */
static const char cache_budget[] =
    "ALTER TABLE session ADD COLUMN cache_budget INTEGER";

/*
 * The costs of the steps by which orders were chosen, as order_costs_print has
 * them; NULL: none were chosen, or an older presto did.
 */
static const char order_costs[] =
    "ALTER TABLE session ADD COLUMN order_costs TEXT";

/*
 * A trial may have cache 'disk'.  The table would else have to be copied, with
 * all that refers to it; a constraint alone may be changed in this way
 * (https://www.sqlite.org/lang_altertable.html).
 */
static const char disk[] =
    "PRAGMA writable_schema = ON;"
    "UPDATE sqlite_schema SET sql = replace(sql,"
    " '(''none'', ''system'', ''application'')',"
    " '(''none'', ''system'', ''application'', ''disk'')')"
    " WHERE type = 'table' AND name = 'trial';"
    "PRAGMA writable_schema = RESET";

/*
 * What all hosts of a trial did together (strategies/figures/host_figures.h):
 * figures of rule 5 have it.  NULL: one process measured it.
 */
static const char host_totals[] =
    "ALTER TABLE figure ADD COLUMN hosts INTEGER;"
    "ALTER TABLE figure ADD COLUMN total_samples_per_s REAL;"
    "ALTER TABLE figure ADD COLUMN total_mb_per_s REAL;"
    "ALTER TABLE figure ADD COLUMN slowest_samples_per_s REAL;"
    "ALTER TABLE figure ADD COLUMN knee_hosts INTEGER";

/*
 * The rows of v_evidence_seen, which are derived with the figures: a view would
 * look through all sessions for those of one, since SQLite pushes no condition
 * into a group that is joined to another group.
 */
static const char seen_rates[] =
    "CREATE TABLE seen_rate ("
    " session INTEGER NOT NULL REFERENCES session ON DELETE CASCADE,"
    " device TEXT," /* NULL: not known */
    " threads INTEGER NOT NULL,"
    " bytes REAL NOT NULL," /* MB/s */
    " files REAL NOT NULL"  /* files/s */
    ") STRICT;"
    "CREATE INDEX seen_rate_session ON seen_rate (session)";

/* A version that changed views only. */
static const char views_only[] = "";

/* The n-th migration brings version n to n + 1. */
static const char *const migrations[] = { schema, cache_bytes, views_only,
	trust, rounds, views_only, views_only, reference, views_only, reuse,
	pipeline_file, readable, views_only, inventory, as_given, derived,
	evidence, first_interval, ceiling, early, views_only, code, views_only,
	search, streams, host_runs, cache_budget, order_costs, disk, views_only,
	host_totals, seen_rates, views_only };

/* Views hold no data: the newest replace those of any older version. */
static const char views[] = {
#include "lib/db/views.inc"
	0
};

static const char rows[] = {
#include "lib/db/rows.inc"
	0
};

struct state {
	int application;
	int version;
	int objects; /* tables and the like */
};

static int read_int(sqlite3 *db, const char *sql, int *value)
{
	sqlite3_stmt *s = NULL;
	int rc = sqlite3_prepare_v2(db, sql, -1, &s, NULL);

	if (rc == SQLITE_OK) {
		rc = sqlite3_step(s) == SQLITE_ROW ? SQLITE_OK
		                                   : sqlite3_errcode(db);
		*value = sqlite3_column_int(s, 0);
	}
	sqlite3_finalize(s);
	return rc;
}

static int read_state(
    sqlite3 *db, const char *path, struct state *state, struct error *err)
{
	int rc = read_int(db, "PRAGMA application_id", &state->application);
	char words[RESULTS_WORDS];

	if (rc == SQLITE_OK)
		rc = read_int(db, "PRAGMA user_version", &state->version);
	if (rc == SQLITE_OK)
		rc = read_int(
		    db, "SELECT count(*) FROM sqlite_schema", &state->objects);
	if (rc == SQLITE_NOTADB)
		return error_set(err, ERROR_USAGE,
		    "%s is not a result database of presto", path);
	if (rc != SQLITE_OK)
		return error_set(err, ERROR_SYSTEM, "cannot read %s: %s", path,
		    results_words(db, words));
	return 0;
}

static int check_state(
    const struct state *state, const char *path, bool create, struct error *err)
{
	const int newest = ARRAY_LEN(migrations);

	if (state->objects == 0 && state->version == 0) {
		if (create)
			return 0;
		return error_set(err, ERROR_USAGE,
		    "%s is empty; run 'presto profile' first", path);
	}
	if (state->application != RESULTS_APPLICATION || state->version < 1)
		return error_set(err, ERROR_USAGE,
		    "%s is a database of another program, not of presto", path);
	if (state->version > newest)
		return error_set(err, ERROR_USAGE,
		    "%s was written by a newer presto (format %d, this one "
		    "reads up to %d)",
		    path, state->version, newest);
	return 0;
}

static int execute_error(sqlite3 *db, const char *path, struct error *err)
{
	char words[RESULTS_WORDS];

	return error_set(err, ERROR_SYSTEM, "cannot make the tables of %s: %s",
	    path, results_words(db, words));
}

static int execute(
    sqlite3 *db, const char *path, const char *sql, struct error *err)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK)
		return 0;
	return execute_error(db, path, err);
}

/* Makes the views of a text once more, for the connection. */
static int make_temporary(
    sqlite3 *db, const char *path, const char *text, struct error *err)
{
	static const char create[] = "CREATE VIEW ";
	const char *view = strstr(text, create);
	int rc = SQLITE_OK;

	for (; rc == SQLITE_OK && view; view = strstr(view + 1, create)) {
		char *sql = sqlite3_mprintf(
		    "CREATE TEMP VIEW %s", view + strlen(create));
		sqlite3_stmt *s = NULL;

		/* The first statement only: others follow in the text. */
		rc = sql ? sqlite3_prepare_v2(db, sql, -1, &s, NULL)
		         : SQLITE_NOMEM;
		if (rc == SQLITE_OK && sqlite3_step(s) != SQLITE_DONE)
			rc = sqlite3_errcode(db);
		sqlite3_finalize(s);
		sqlite3_free(sql);
	}
	return rc == SQLITE_OK ? 0 : execute_error(db, path, err);
}

int migrate_temporary_views(
    struct sqlite3 *db, const char *path, struct error *err)
{
	return make_temporary(db, path, views, err) ||
	               make_temporary(db, path, rows, err)
	           ? -1
	           : 0;
}

/* A changed row makes the derived rows of its session out of date. */
static int make_trigger(sqlite3 *db, const char *path, const char *event,
    const char *table, const char *session, struct error *err)
{
	char *sql = sqlite3_mprintf(
	    "CREATE TRIGGER IF NOT EXISTS derived_%s_%.6s AFTER %s ON %s BEGIN"
	    " DELETE FROM derivation WHERE session = %s; END",
	    table, event, event, table, session);
	int rc;

	if (!sql)
		return error_memory(err, strlen(session));
	rc = execute(db, path, sql, err);
	sqlite3_free(sql);
	return rc;
}

/* The session of a row, found by the number of its strategy or trial. */
#define OF_STRATEGY(id) "(SELECT session FROM strategy WHERE id = " id ")"
#define OF_TRIAL(id)                                        \
	"(SELECT strategy.session FROM trial JOIN strategy" \
	" ON strategy.id = trial.strategy WHERE trial.id = " id ")"

static int make_triggers(sqlite3 *db, const char *path, struct error *err)
{
	static const struct {
		const char *table, *changed, *deleted; /* session */
	} sources[] = {
		{ "preparation", OF_STRATEGY("NEW.strategy"),
		    OF_STRATEGY("OLD.strategy") },
		{ "trial", OF_STRATEGY("NEW.strategy"),
		    OF_STRATEGY("OLD.strategy") },
		{ "run", OF_TRIAL("NEW.trial"), OF_TRIAL("OLD.trial") },
		{ "step", OF_TRIAL("NEW.trial"), OF_TRIAL("OLD.trial") },
		{ "phase", OF_TRIAL("NEW.trial"), OF_TRIAL("OLD.trial") },
		{ "host_run", OF_TRIAL("NEW.trial"), OF_TRIAL("OLD.trial") },
		{ "strategy", "NEW.session", "OLD.session" },
	};

	for (size_t i = 0; i < ARRAY_LEN(sources); i++)
		if (make_trigger(db, path, "INSERT", sources[i].table,
		        sources[i].changed, err) ||
		    make_trigger(db, path, "UPDATE", sources[i].table,
		        sources[i].changed, err) ||
		    make_trigger(db, path, "DELETE", sources[i].table,
		        sources[i].deleted, err))
			return -1;
	return make_trigger(db, path,
	    "UPDATE OF samples, total_samples, full_samples, source_bytes,"
	    " total_bytes, memory_bytes, memory_limit, emulated_bandwidth,"
	    " emulated_latency, emulated_iops, emulated_open,"
	    " emulated_stream, emulated_opens",
	    "session", "NEW.id", err);
}

/* Runs the missing migrations; another process may have done so meanwhile. */
static int bring_up(sqlite3 *db, const char *path, struct error *err)
{
	struct state state = { .version = 0 };
	char pragmas[96];

	if (read_state(db, path, &state, err))
		return -1;
	if (check_state(&state, path, true, err))
		return -1;
	for (size_t i = (size_t)state.version; i < ARRAY_LEN(migrations); i++)
		if (execute(db, path, migrations[i], err))
			return -1;
	if (execute(db, path, views, err) || execute(db, path, rows, err) ||
	    make_triggers(db, path, err))
		return -1;
	sqlite3_snprintf(sizeof(pragmas), pragmas,
	    "PRAGMA application_id = %d; PRAGMA user_version = %d",
	    RESULTS_APPLICATION, (int)ARRAY_LEN(migrations));
	return execute(db, path, pragmas, err);
}

int migrate(struct sqlite3 *db, const char *path, struct error *err)
{
	struct state state = { .version = 0 };
	int rc;

	if (read_state(db, path, &state, err))
		return -1;
	if (check_state(&state, path, true, err))
		return -1;
	if (state.version == ARRAY_LEN(migrations))
		return 0;
	/*
	 * SQLite keeps its journal where the file system cannot do WAL.  Tables
	 * that are made anew wait in memory, and not in a file of /var/tmp.
	 */
	if (execute(db, path, "PRAGMA temp_store = MEMORY", err) ||
	    execute(db, path, "PRAGMA journal_mode = WAL", err) ||
	    execute(db, path, "PRAGMA foreign_keys = OFF", err) ||
	    execute(db, path, "BEGIN IMMEDIATE", err))
		return -1;
	rc = bring_up(db, path, err);
	if (rc == 0)
		rc = execute(db, path, "COMMIT", err);
	if (rc)
		sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}

static sqlite3 *copy_to_memory(sqlite3 *db, const char *path, struct error *err)
{
	sqlite3_backup *backup = NULL;
	sqlite3 *copy = NULL;
	bool is_whole = false;
	char words[RESULTS_WORDS];

	if (sqlite3_open(":memory:", &copy) == SQLITE_OK)
		backup = sqlite3_backup_init(copy, "main", db, "main");
	if (backup)
		is_whole = sqlite3_backup_step(backup, -1) == SQLITE_DONE;
	if (sqlite3_backup_finish(backup) == SQLITE_OK && is_whole)
		return copy;
	error_set(err, ERROR_SYSTEM, "cannot read %s: %s", path,
	    copy ? results_words(copy, words) : "out of memory");
	sqlite3_close(copy);
	return NULL;
}

int migrate_to_read(struct sqlite3 **db, const char *path, struct error *err)
{
	struct state state = { .version = 0 };
	sqlite3 *copy;

	if (read_state(*db, path, &state, err) ||
	    check_state(&state, path, false, err))
		return -1;
	if (state.version == ARRAY_LEN(migrations))
		return 0;
	copy = copy_to_memory(*db, path, err);
	if (!copy)
		return -1;
	sqlite3_close(*db);
	*db = copy;
	return migrate(copy, path, err);
}
