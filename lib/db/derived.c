/* derived.c - see derived.h. */
#include "lib/db/derived.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/database.h"
#include "lib/db/migrate.h"

void results_set_rule(struct results *results, const struct results_rule *rule)
{
	results->rule = rule;
}

/* ---- storing rows ---- */

/* The columns of `figure` after the trial are the members behind it. */
enum {
	FIGURE_COLUMNS =
	    (sizeof(struct trial_figures) - sizeof(int64_t)) / sizeof(double)
};

struct trial_figures trial_figures_unknown(int64_t trial)
{
	struct trial_figures figures;
	double values[FIGURE_COLUMNS] = { NAN };

	for (size_t i = 0; i < FIGURE_COLUMNS; i++)
		values[i] = NAN;
	memcpy((char *)&figures + sizeof(int64_t), values, sizeof(values));
	figures.trial = trial;
	return figures;
}

/* SQLite makes integers of whole reals; 0, or why a parameter is not there. */
static int bind_known(sqlite3_stmt *s, int i, double number)
{
	return isfinite(number) ? sqlite3_bind_double(s, i, number)
	                        : sqlite3_bind_null(s, i);
}

static const char storing[] = "store what is derived";

int results_set_figures(struct results *results,
    const struct trial_figures *figures, struct error *err)
{
	sqlite3_stmt *s = results_late(results, ADD_FIGURE, err);
	double values[FIGURE_COLUMNS];
	int rc;

	if (!s)
		return -1;
	memcpy(values, (const char *)figures + sizeof(int64_t), sizeof(values));
	rc = sqlite3_bind_int64(s, 1, figures->trial);
	for (int i = 0; rc == 0 && i < FIGURE_COLUMNS; i++)
		rc = bind_known(s, i + 2, values[i]);
	if (rc) {
		rc = results_error(results, storing, err);
		results_reset(s);
		return rc;
	}
	return results_run(results, ADD_FIGURE, storing, err);
}

int results_set_run_figures(struct results *results,
    const struct run_figures *figures, struct error *err)
{
	sqlite3_stmt *s = results_late(results, ADD_RUN_FIGURE, err);

	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, figures->trial);
	results_bind_uint(s, 2, figures->run);
	bind_known(s, 3, figures->samples_per_s);
	bind_known(s, 4, figures->reference_ns);
	bind_known(s, 5, figures->started_ns);
	bind_known(s, 6, figures->own_cores);
	bind_known(s, 7, figures->others_cores);
	results_bind_uint(s, 8, figures->is_outlier);
	return results_run(results, ADD_RUN_FIGURE, storing, err);
}

int results_set_rank(
    struct results *results, const struct rank_row *row, struct error *err)
{
	sqlite3_stmt *s = results_late(results, ADD_RANK, err);

	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, row->trial);
	bind_known(s, 2, row->score);
	bind_known(s, 3, row->rank);
	bind_known(s, 4, row->tied);
	bind_known(s, 5, row->place);
	bind_known(s, 6, row->break_even_epochs);
	return results_run(results, ADD_RANK, storing, err);
}

/* ---- temporary tables of a reader ---- */

static int execute(struct results *results, const char *sql, struct error *err)
{
	if (sqlite3_exec(results->db, sql, NULL, NULL, NULL))
		return results_error(results, "derive figures", err);
	return 0;
}

/*
 * Tables of the connection take the place of those of the file: a statement
 * that is prepared from now on finds them first.  They begin empty, and get the
 * rows of a session when that is read: most sessions of a file never are.
 */
static int make_temporary(struct results *results, struct error *err)
{
	static const char tables[] =
	    "CREATE TEMP TABLE derivation AS SELECT * FROM main.derivation"
	    " WHERE 0;"
	    "CREATE TEMP TABLE figure AS SELECT * FROM main.figure WHERE 0;"
	    "CREATE TEMP TABLE run_figure AS SELECT * FROM main.run_figure"
	    " WHERE 0;"
	    "CREATE TEMP TABLE ranking AS SELECT * FROM main.ranking WHERE 0;"
	    "CREATE TEMP TABLE seen_rate AS SELECT * FROM main.seen_rate"
	    " WHERE 0;"
	    "CREATE UNIQUE INDEX temp.derivation_key ON derivation (session);"
	    "CREATE UNIQUE INDEX temp.figure_key ON figure (trial);"
	    "CREATE UNIQUE INDEX temp.run_figure_key"
	    " ON run_figure (trial, run);"
	    "CREATE UNIQUE INDEX temp.ranking_key ON ranking (trial);"
	    "CREATE INDEX temp.seen_rate_key ON seen_rate (session)";

	if (execute(results, "PRAGMA temp_store = MEMORY", err) ||
	    execute(results, "SAVEPOINT derived", err))
		return -1;
	if (execute(results, tables, err) ||
	    migrate_temporary_views(results->db, results->path, err)) {
		struct error ignored = ERROR_INIT;

		execute(results, "ROLLBACK TO derived", &ignored);
		execute(results, "RELEASE derived", &ignored);
		return -1;
	}
	results->has_temporary = true;
	results_drop_late(results);
	return execute(results, "RELEASE derived", err);
}

/* ---- when it is derived ---- */

/* Runs a statement that has the session, and perhaps the rule, bound. */
static int run_late(struct results *results, enum statement which,
    int64_t session, struct error *err)
{
	sqlite3_stmt *s = results_late(results, which, err);

	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, session);
	if (sqlite3_bind_parameter_count(s) > 1)
		sqlite3_bind_int(s, 2, results->rule->version);
	return results_run(results, which, storing, err);
}

int results_set_seen(
    struct results *results, int64_t session, struct error *err)
{
	return run_late(results, ADD_SEEN, session, err);
}

/* The transaction of a reader must not lock the file. */
static int begin(struct results *results, struct error *err)
{
	return results->is_reader ? execute(results, "BEGIN", err)
	                          : results_run(results, BEGIN, storing, err);
}

/* Copies rows of the file into temporary tables; *taken: it has valid ones. */
static int take_session(
    struct results *results, int64_t session, bool *taken, struct error *err)
{
	static const enum statement rows[] = { TAKE_FIGURES, TAKE_RUN_FIGURES,
		TAKE_RANKS, TAKE_SEEN };
	int rc = run_late(results, TAKE_RULE, session, err);

	*taken = rc == 0 && sqlite3_changes(results->db) > 0;
	for (size_t i = 0; *taken && rc == 0 && i < ARRAY_LEN(rows); i++)
		rc = run_late(results, rows[i], session, err);
	return rc;
}

static int derive_session(
    struct results *results, int64_t session, struct error *err)
{
	bool taken = false;

	if (results->has_temporary &&
	    take_session(results, session, &taken, err))
		return -1;
	if (taken)
		return 0;
	if (run_late(results, DROP_FIGURES, session, err) ||
	    run_late(results, DROP_RUN_FIGURES, session, err) ||
	    run_late(results, DROP_RANKS, session, err) ||
	    run_late(results, DROP_SEEN, session, err) ||
	    results->rule->derive(results, session, err))
		return -1;
	return run_late(results, SET_RULE, session, err);
}

struct sessions {
	int64_t *ids; /* owned */
	size_t count, capacity;
};

/* Lists sessions (0: of all) without rows of this version. */
static int list_missing(struct results *results, int64_t session, int version,
    struct sessions *missing, struct error *err)
{
	sqlite3_stmt *s = results_late(results, LIST_MISSING, err);
	int rc = s ? 0 : -1, got = SQLITE_DONE;

	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, session ? session : INT64_MIN);
	sqlite3_bind_int64(s, 2, session ? session : INT64_MAX);
	sqlite3_bind_int(s, 3, version);
	missing->count = 0;
	while (rc == 0 && (got = sqlite3_step(s)) == SQLITE_ROW) {
		int64_t *grown = array_grow(missing->ids, &missing->capacity,
		    missing->count + 1, sizeof(*grown), err);

		rc = -1;
		if (!grown)
			break;
		rc = 0;
		missing->ids = grown;
		grown[missing->count++] = sqlite3_column_int64(s, 0);
	}
	if (rc == 0 && got != SQLITE_DONE)
		rc = results_error(results, "look for what is derived", err);
	results_reset(s);
	return rc;
}

/* In one transaction: to sync each session would take longest. */
static int derive_all(
    struct results *results, const struct sessions *sessions, struct error *err)
{
	struct error ignored = ERROR_INIT;
	int rc = 0;

	if (!sessions->count)
		return 0;
	if (begin(results, err))
		return -1;
	results->is_deriving = true;
	for (size_t i = 0; rc == 0 && i < sessions->count; i++)
		rc = derive_session(results, sessions->ids[i], err);
	results->is_deriving = false;
	if (rc == 0)
		rc = results_run(results, COMMIT, storing, err);
	if (rc)
		results_run(results, ROLLBACK, "undo it", &ignored);
	return rc;
}

int results_derive(struct results *results, int64_t session, struct error *err)
{
	struct sessions missing = { .count = 0 };
	int rc;

	if (!results->rule || results->is_deriving)
		return 0;
	rc = list_missing(
	    results, session, results->rule->version, &missing, err);
	if (rc == 0 && missing.count && results->is_reader &&
	    !results->has_temporary) {
		rc = make_temporary(results, err);
		if (rc == 0)
			rc = list_missing(results, session,
			    results->rule->version, &missing, err);
	}
	if (rc == 0)
		rc = derive_all(results, &missing, err);
	free(missing.ids);
	return rc;
}

int results_rebuild(struct results *results, size_t *count, struct error *err)
{
	struct sessions all = { .count = 0 };
	int rc = list_missing(results, 0, 0, &all, err); /* no rule is 0 */

	if (rc == 0)
		rc = derive_all(results, &all, err);
	*count = all.count;
	free(all.ids);
	return rc;
}
