/*
 * results.c - see results.h: opening and closing, and every statement there
 * is.  results_write.c and results_read.c bind and step them.
 */
#include "lib/db/results.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/database.h"
#include "lib/db/migrate.h"
#include "lib/db/one_session.h"
#include "lib/files/input.h"
#include "lib/files/path.h"

#define OF_SESSION " WHERE ?1 = 0 OR session = ?1 "

static const char *const texts[STATEMENT_COUNT] = {
	[BEGIN] = "BEGIN IMMEDIATE",
	[COMMIT] = "COMMIT",
	[ROLLBACK] = "ROLLBACK",
	[ADD_SESSION] =
	    "INSERT INTO session (pipeline, path, text, fingerprint, dataset,"
	    " work_dir, samples, total_samples, full_samples, seed, batch,"
	    " emulated_bandwidth, emulated_latency, emulated_iops, cpu, cores,"
	    " memory_bytes, memory_limit, kernel, compiler, libraries,"
	    " source_fs, work_fs, version, started, emulated_open, virtual,"
	    " budget_ns, source_bytes, total_bytes, dataset_given,"
	    " work_dir_given, state)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
	    " ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26,"
	    " ?27, ?28, ?29, ?30, ?31, ?32, 'running')",
	[SET_FILE] = "UPDATE session SET file_text = ?2, file_folder = ?3"
	             " WHERE id = ?1",
	[SET_INVENTORY] = "UPDATE session SET inventory = ?2 WHERE id = ?1",
	[ADD_SETTING] = "INSERT INTO setting (session, position, section, key,"
	                " value, folder) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
	[END_SESSION] =
	    "UPDATE session SET state = ?2, ended = ?3 WHERE id = ?1",
	[FIND_UNFINISHED] = "SELECT id, work_dir FROM session"
	                    " WHERE fingerprint = ?1 AND state <> 'done'"
	                    " ORDER BY id DESC LIMIT 1",
	[ADD_STRATEGY] =
	    "INSERT INTO strategy (session, label, step_order, split, store,"
	    " codec, shards, portable, predicted_prep_s,"
	    " predicted_storage_bytes, readable)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
	    " ON CONFLICT (session, label) DO UPDATE SET label = label"
	    " RETURNING id",
	[SET_PREPARATION] =
	    "INSERT OR REPLACE INTO preparation (strategy, wall_ns, cpu_ns,"
	    " bytes_read, storage_bytes, samples, skipped, equivalent, read_ns,"
	    " compute_ns, compress_ns, write_ns, sync_ns, samples_from,"
	    " frames_from)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
	    " ?14, ?15)",
	[DROP_TRIAL] = "DELETE FROM trial"
	               " WHERE strategy = ?1 AND threads = ?2 AND cache = ?3",
	[ADD_TRIAL] = "INSERT INTO trial (strategy, threads, cache, state,"
	              " message, bottleneck, predicted_samples_per_s,"
	              " cache_bytes, evidence, ended, peak_rss_bytes,"
	              " rounds_ns)"
	              " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11,"
	              " ?12)",
	[ADD_RUN] =
	    "INSERT INTO run (trial, warmup, run, epoch, wall_ns,"
	    " first_batch_ns, samples, skipped, user_ns, system_ns,"
	    " bytes_fetched, bytes_from_storage, resident_percent,"
	    " peak_rss_bytes, started_ns, others_ns, stolen_ns, waited_ns,"
	    " reference_ns)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
	    " ?14, ?15, ?16, ?17, ?18, ?19)",
	[ADD_STEP] =
	    "INSERT INTO step (trial, position, name, step, cpu_ns, samples,"
	    " calls, bytes_in, bytes_out)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
	[ADD_PHASE] =
	    "INSERT INTO phase (trial, phase, wall_ns, cpu_ns, calls, bytes)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
	[ADD_LEVEL] =
	    "INSERT INTO level (trial, level, wall_ns, cpu_ns, samples, bytes)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
	[ADD_WARNING] = "INSERT INTO warning (session, text) VALUES (?1, ?2)",
	[ADD_SYSTEM] =
	    "INSERT INTO system_sample (session, activity, label, threads,"
	    " cache, run, at_ns, interval_ns, cpu_user_percent,"
	    " cpu_system_percent, cpu_idle_percent, cpu_wait_percent,"
	    " cpu_stolen_percent, disk_read_bytes_per_s,"
	    " disk_write_bytes_per_s, network_read_bytes_per_s,"
	    " network_write_bytes_per_s, memory_free_bytes,"
	    " memory_cached_bytes, memory_used_bytes, major_faults_per_s,"
	    " minor_faults_per_s, context_switches_per_s, interrupts_per_s,"
	    " pressure_cpu_percent, pressure_io_percent,"
	    " pressure_memory_percent)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
	    " ?14, ?15, ?16, ?17, CAST(?18 AS INTEGER), CAST(?19 AS INTEGER),"
	    " CAST(?20 AS INTEGER), ?21, ?22, ?23, ?24, ?25, ?26, ?27)",
	[SET_CEILING] =
	    "INSERT OR REPLACE INTO ceiling (device, day, pattern, threads,"
	    " bytes_per_s, requests_per_s, latency_ns, tool, cold, files,"
	    " file_bytes, measured, resident_percent, brief)"
	    " SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
	    " ?14 WHERE NOT ?14 OR NOT EXISTS (SELECT 1 FROM ceiling"
	    " WHERE device = ?1 AND day = ?2 AND pattern = ?3"
	    " AND threads = ?4 AND NOT brief)",
	[GET_CEILINGS] =
	    "SELECT pattern, threads, bytes_per_s, requests_per_s, latency_ns,"
	    " tool, cold, files, file_bytes, measured, resident_percent,"
	    " brief FROM ceiling WHERE device = ?1 AND day = ?2"
	    " ORDER BY pattern DESC, threads",
	[HAS_TRIAL] =
	    "SELECT 1 FROM strategy JOIN trial ON trial.strategy = strategy.id"
	    " WHERE session = ?1 AND label = ?2 AND threads = ?3"
	    " AND cache = ?4 AND state = 'done'"
	    " AND coalesce(ended, '') <> '" TRIAL_INTERRUPTED "'",
	[HAS_OTHER_SESSIONS] =
	    "SELECT EXISTS (SELECT 1 FROM session WHERE id <> ?1)",
	[NEWEST_SESSION] = "SELECT max(session) FROM strategy"
	                   " WHERE id IN (SELECT strategy FROM trial)",
	[FIND_SESSION] = "SELECT count(*) FILTER (WHERE id = ?1), count(*),"
	                 " min(id), max(id) FROM session",
	[READ_SESSION] =
	    "SELECT samples, total_samples, full_samples, seed, batch,"
	    " emulated_bandwidth, emulated_latency, emulated_iops, cores,"
	    " memory_bytes, memory_limit, cpu, kernel, compiler, libraries,"
	    " source_fs, work_fs, pipeline, path, text, fingerprint,"
	    " coalesce(dataset_given, dataset),"
	    " coalesce(work_dir_given, work_dir), version, started, ended, "
	    "state, emulated_open, virtual,"
	    " budget_ns, source_bytes, total_bytes"
	    " FROM session WHERE id = ?1",
	[READ_PLACES] = "SELECT path, dataset, dataset_given, work_dir,"
	                " work_dir_given, file_folder FROM session",
	[READ_FILE] = "SELECT path, file_text, file_folder FROM session"
	              " WHERE id = ?1",
	[READ_INVENTORY] = "SELECT inventory FROM session WHERE id = ?1",
	[READ_SETTINGS] = "SELECT section, key, value, folder FROM setting"
	                  " WHERE session = ?1 ORDER BY position",
	[READ_VIEW + RESULTS_REPORT] = "SELECT * FROM v_report" OF_SESSION,
	[READ_VIEW + RESULTS_TRIALS] =
	    "SELECT * FROM v_trial" OF_SESSION
	    "ORDER BY session, strategy_id, threads, cache",
	[READ_VIEW + RESULTS_RUNS] = "SELECT * FROM v_runs" OF_SESSION,
	[READ_VIEW + RESULTS_STEPS] = "SELECT * FROM v_steps" OF_SESSION,
	[READ_VIEW + RESULTS_PHASES] = "SELECT * FROM v_phases" OF_SESSION,
	[READ_VIEW + RESULTS_LEVELS] = "SELECT * FROM v_levels" OF_SESSION,
	[READ_VIEW + RESULTS_SYSTEM] = "SELECT * FROM v_system" OF_SESSION,
	[READ_VIEW + RESULTS_EFFORTS] = "SELECT * FROM v_effort" OF_SESSION,
	[READ_VIEW + RESULTS_TIME] = "SELECT * FROM v_time" OF_SESSION,
	[READ_VIEW + RESULTS_RATES] =
	    "SELECT session, v_epoch.trial, v_epoch.run,"
	    " 1e9 * sum(v_epoch.samples) / sum(v_epoch.wall_ns)"
	    " AS samples_per_s,"
	    " (SELECT avg(reference_ns) FROM run AS any_epoch"
	    " WHERE any_epoch.trial = v_epoch.trial"
	    " AND any_epoch.run = v_epoch.run) AS reference_ns,"
	    " min(run.started_ns) AS started_ns,"
	    " 1.0 * sum(v_epoch.cpu_ns) / sum(v_epoch.wall_ns) AS own_cores,"
	    " 1.0 * sum(run.others_ns + coalesce(run.stolen_ns, 0))"
	    " / sum(v_epoch.wall_ns) AS others_cores"
	    " FROM v_epoch JOIN run ON run.trial = v_epoch.trial"
	    " AND run.run = v_epoch.run AND run.epoch = v_epoch.epoch"
	    " AND run.warmup = 0"
	    " JOIN trial ON trial.id = v_epoch.trial"
	    " JOIN strategy ON strategy.id = trial.strategy"
	    " WHERE steady AND (?1 = 0 OR session = ?1)"
	    " GROUP BY session, v_epoch.trial, v_epoch.run"
	    " ORDER BY v_epoch.trial, v_epoch.run",
	[READ_VIEW + RESULTS_WARNINGS] =
	    "SELECT session, text FROM warning" OF_SESSION "ORDER BY id",
};

enum error_code results_error_code(sqlite3 *db)
{
	switch (sqlite3_errcode(db)) {
	case SQLITE_CORRUPT:
	case SQLITE_NOTADB:
		return ERROR_DATA;
	case SQLITE_NOMEM:
		return ERROR_MEMORY;
	default:
		return ERROR_SYSTEM;
	}
}

const char *results_words(sqlite3 *db, char words[RESULTS_WORDS])
{
	const int number = sqlite3_system_errno(db);
	char cause[ERROR_CAUSE];

	if (sqlite3_errcode(db) == SQLITE_IOERR && number)
		snprintf(words, RESULTS_WORDS, "%s: %s", sqlite3_errmsg(db),
		    error_cause(number, cause));
	else
		snprintf(words, RESULTS_WORDS, "%s", sqlite3_errmsg(db));
	return words;
}

int results_error(struct results *results, const char *what, struct error *err)
{
	const int rc = sqlite3_errcode(results->db);
	char words[RESULTS_WORDS];

	if (rc == SQLITE_BUSY)
		return error_set(err, ERROR_SYSTEM,
		    "%s: cannot %s: another program has been writing to it "
		    "for %d s",
		    results->path, what, BUSY_TIMEOUT_MS / 1000);
	return error_set(err, results_error_code(results->db),
	    "%s: cannot %s: %s", results->path, what,
	    results_words(results->db, words));
}

int results_reset(sqlite3_stmt *s)
{
	sqlite3_reset(s);
	sqlite3_clear_bindings(s);
	return 0;
}

int results_run(struct results *results, enum statement which, const char *what,
    struct error *err)
{
	sqlite3_stmt *s = which == BEGIN ? results_writer(results, which, err)
	                                 : results->stmt[which];
	int rc = 0;

	if (!s)
		return -1;
	if (sqlite3_step(s) != SQLITE_DONE)
		rc = results_error(results, what, err);
	results_reset(s);
	return rc;
}

void results_bind_text(sqlite3_stmt *s, int i, const char *text)
{
	sqlite3_bind_text(s, i, text ? text : "", -1, SQLITE_TRANSIENT);
}

void results_bind_uint(sqlite3_stmt *s, int i, uint64_t number)
{
	sqlite3_bind_int64(
	    s, i, number > INT64_MAX ? INT64_MAX : (sqlite3_int64)number);
}

static int prepare_one(
    struct results *results, enum statement which, struct error *err)
{
	if (sqlite3_prepare_v3(results->db, texts[which], -1,
	        SQLITE_PREPARE_PERSISTENT, &results->stmt[which], NULL))
		return results_error(results, "prepare to use", err);
	return 0;
}

int results_prepare(struct results *results, struct error *err)
{
	if (sqlite3_exec(
	        results->db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL))
		return results_error(results, "switch foreign keys on", err);
	for (enum statement i = 0; i < READ_VIEW; i++)
		if (prepare_one(results, i, err))
			return -1;
	return 0;
}

sqlite3_stmt *results_view(
    struct results *results, enum results_view view, struct error *err)
{
	const enum statement which = READ_VIEW + view;

	if (!results->stmt[which] && prepare_one(results, which, err))
		return NULL;
	return results->stmt[which];
}

static bool has_others(struct results *results, int64_t session)
{
	sqlite3_stmt *s = results->stmt[HAS_OTHER_SESSIONS];
	bool has;

	sqlite3_bind_int64(s, 1, session);
	has = sqlite3_step(s) == SQLITE_ROW && sqlite3_column_int(s, 0);
	results_reset(s);
	return has;
}

/* Without a connection so far. */
static struct results *new_results(
    const char *path, bool is_reader, struct error *err)
{
	struct results *results = calloc(1, sizeof(*results));

	if (results) {
		results->path = strdup(path);
		results->is_reader = is_reader;
	}
	if (results && results->path)
		return results;
	error_memory(err, sizeof(*results));
	results_close(results);
	return NULL;
}

static struct results *open_one(
    struct results *results, int64_t session, struct error *err)
{
	struct results *one = new_results(results->path, false, err);

	if (!one)
		return NULL;
	one->db = one_session_copy(results->db, results->path, session, err);
	if (!one->db || results_prepare(one, err)) {
		results_close(one);
		return NULL;
	}
	return one;
}

struct results *results_of_session(
    struct results *results, int64_t session, struct error *err)
{
	if (!session || !results->is_reader)
		return results;
	if (results->one && results->one_session == session)
		return results->one;
	if (!has_others(results, session))
		return results;
	results_close(results->one);
	results->one = open_one(results, session, err);
	results->one_session = session;
	return results->one;
}

struct results *results_open(const char *path, bool create, struct error *err)
{
	struct results *results;

	if (!create && !path_exists(path)) {
		error_set(err, ERROR_USAGE,
		    "no result database %s; run 'presto profile' first", path);
		return NULL;
	}
	if (results_check_access(path, create, err))
		return NULL;
	results = new_results(path, !create, err);
	if (!results)
		return NULL;
	if (results_connect(results, create, err) ||
	    (create ? migrate(results->db, path, err)
	            : migrate_to_read(&results->db, path, err)) ||
	    results_prepare(results, err)) {
		results_close(results);
		return NULL;
	}
	results_note_place(results);
	return results;
}

const char *results_path(const struct results *results)
{
	return results->path;
}

void results_close(struct results *results)
{
	if (!results)
		return;
	results_close(results->one);
	results_disconnect(results);
	free(results->moved_from);
	private_release(&results->names);
	free(results->path);
	free(results);
}
