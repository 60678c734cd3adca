/*
 * results.c - see results.h: opens and closes a database, and has all its
 * statements, which the other results_*.c files bind and step.
 */
#include "lib/db/results.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/database.h"
#include "lib/db/migrate.h"
#include "lib/db/results_read.h"
#include "lib/files/input.h"
#include "lib/files/path.h"

#define OF_TRIALS        \
	" FROM strategy" \
	" JOIN trial ON trial.strategy = strategy.id"
#define ITS_TRIALS "SELECT trial.id" OF_TRIALS " WHERE session = ?1"

/*
 * Rows of `trial` that are loaded in the way that results_bind_load binds: see
 * results_has_trial, and enum load_key.
 */
#define LOADED_SO                                                       \
	"strategy = ?1 AND (chosen & 1 OR threads = ?2) AND cache = ?3" \
	" AND (chosen & 2 OR fetchers = ?5)"                            \
	" AND (chosen & 4 OR read_ahead = ?6) AND shuffle = ?7"         \
	" AND (chosen & 8 OR batch = ?8) AND chosen = ?9"

static const char *const texts[READ_ONE] = {
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
	    " work_dir_given, code, emulated_stream, emulated_opens,"
	    " cache_budget, state)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
	    " ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26,"
	    " ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36, 'running')",
	[SET_FILE] = "UPDATE session SET file_text = ?2, file_folder = ?3"
	             " WHERE id = ?1",
	[SET_INVENTORY] = "UPDATE session SET inventory = ?2 WHERE id = ?1",
	[SET_ORDER_COSTS] = "UPDATE session SET order_costs = ?2 WHERE id = ?1",
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
	    " predicted_storage_bytes, readable, shards_asked, samples,"
	    " predicted_prep_low_s, predicted_prep_high_s,"
	    " predicted_storage_low_bytes, predicted_storage_high_bytes)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
	    " ?14, ?15, ?16, ?17)"
	    " ON CONFLICT (session, label, shards_asked, samples)"
	    " DO UPDATE SET label = label"
	    " RETURNING id",
	[SET_PREPARATION] =
	    "INSERT OR REPLACE INTO preparation (strategy, wall_ns, cpu_ns,"
	    " bytes_read, storage_bytes, samples, skipped, equivalent, read_ns,"
	    " compute_ns, compress_ns, write_ns, sync_ns, samples_from,"
	    " frames_from, verified, filtered, difference_largest,"
	    " difference_mean, psnr_db)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
	    " ?14, ?15, ?16, ?17, ?18, ?19, ?20)",
	[DROP_TRIAL] = "DELETE FROM trial WHERE " LOADED_SO " AND place = ?4",
	/*
	 * It replaces one whose numbers were asked for, and auto has found them
	 * now, or the other way round.
	 */
	[ADD_TRIAL] =
	    "INSERT OR REPLACE INTO trial (strategy, threads, cache, place,"
	    " fetchers, read_ahead, shuffle, batch, chosen, state, message,"
	    " bottleneck, predicted_samples_per_s, cache_bytes, evidence,"
	    " ended, peak_rss_bytes, rounds_ns, cold, predicted_low,"
	    " predicted_high, predicted, bound_samples_per_s)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
	    " ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23)",
	[ADD_RUN] =
	    "INSERT INTO run (trial, warmup, run, epoch, wall_ns,"
	    " first_batch_ns, samples, skipped, user_ns, system_ns,"
	    " bytes_fetched, bytes_from_storage, resident_percent,"
	    " peak_rss_bytes, started_ns, others_ns, stolen_ns, waited_ns,"
	    " reference_ns, early_bytes, early_ns, filtered)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13,"
	    " ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22)",
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
	[ADD_TRACE] =
	    "INSERT INTO trace_event (trial, position, thread, thread_name,"
	    " kind, name, begin_ns, end_ns, value)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
	[ADD_HOST] =
	    "INSERT INTO host_run (trial, hosts, run, epoch, rank, host,"
	    " samples, wall_ns, bytes)"
	    " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
	/* The order tells which of two equally fast trials comes first. */
	[TRACED_TRIALS] =
	    "SELECT trial.id, cache, label = 'unprocessed', sum(run.samples),"
	    " sum(wall_ns)" OF_TRIALS
	    " LEFT JOIN run ON run.trial = trial.id AND warmup = 0"
	    " AND (cache = 'none' OR epoch > 1)"
	    " WHERE session = ?1 AND EXISTS"
	    " (SELECT 1 FROM trace_event AS own WHERE own.trial = trial.id)"
	    " GROUP BY trial.id ORDER BY label, shards_asked,"
	    " strategy.samples, threads, cache, place, fetchers, read_ahead,"
	    " shuffle, batch",
	[DROP_EVENTS] = "DELETE FROM trace_event WHERE trial = ?1",
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
	    "INSERT INTO ceiling (device, boot, day, pattern, threads, origin,"
	    " brief, bytes_per_s, requests_per_s, latency_ns, tool, cold,"
	    " files, file_bytes, measured, resident_percent,"
	    " median_bytes_per_s, low_bytes_per_s, high_bytes_per_s, passes)"
	    " VALUES (?1, ?2, substr(?14, 1, 10), ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
	    " ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)"
	    " ON CONFLICT DO UPDATE SET"
	    " bytes_per_s = CASE WHEN cold = excluded.cold THEN"
	    " max(bytes_per_s, excluded.bytes_per_s)"
	    " ELSE excluded.bytes_per_s END,"
	    " requests_per_s = CASE WHEN cold = excluded.cold THEN"
	    " max(requests_per_s, excluded.requests_per_s)"
	    " ELSE excluded.requests_per_s END,"
	    " latency_ns = excluded.latency_ns, tool = excluded.tool,"
	    " cold = excluded.cold, files = excluded.files,"
	    " file_bytes = excluded.file_bytes, measured = excluded.measured,"
	    " resident_percent = excluded.resident_percent,"
	    " median_bytes_per_s = excluded.median_bytes_per_s,"
	    " low_bytes_per_s = excluded.low_bytes_per_s,"
	    " high_bytes_per_s = excluded.high_bytes_per_s,"
	    " passes = excluded.passes",
	[GET_CEILINGS] =
	    "SELECT pattern, threads, bytes_per_s, requests_per_s, latency_ns,"
	    " tool, cold, files, file_bytes, measured, resident_percent,"
	    " brief, origin, median_bytes_per_s, low_bytes_per_s,"
	    " high_bytes_per_s, passes"
	    " FROM ceiling WHERE device = ?1 AND boot = ?2 AND measured >="
	    " strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-1 day')"
	    " ORDER BY pattern DESC, threads, measured DESC",
	[HAS_TRIAL] = "SELECT 1 FROM trial WHERE " LOADED_SO
	              " AND ?4 IN ('', place) AND state = 'done'"
	              " AND coalesce(ended, '') <> '" TRIAL_INTERRUPTED "'",
	[NEWEST_SESSION] =
	    "SELECT id FROM session WHERE EXISTS (SELECT 1" OF_TRIALS
	    " WHERE strategy.session = session.id)"
	    " ORDER BY id DESC LIMIT 1",
	[FIND_SESSION] = "SELECT count(*) FILTER (WHERE id = ?1), count(*),"
	                 " min(id), max(id) FROM session",
	[READ_SESSION] =
	    "SELECT samples, total_samples, full_samples, seed, batch,"
	    " emulated_bandwidth, emulated_latency, emulated_iops, cores,"
	    " memory_bytes, memory_limit, cpu, kernel, compiler, libraries,"
	    " source_fs, work_fs, pipeline, path, text, fingerprint,"
	    " coalesce(dataset_given, dataset),"
	    " coalesce(work_dir_given, work_dir), version, started, ended,"
	    " state, coalesce(code, ''), emulated_open, virtual,"
	    " budget_ns, source_bytes, total_bytes, emulated_stream,"
	    " emulated_opens, cache_budget"
	    " FROM session WHERE id = ?1",
	[READ_PLACES] = "SELECT path, dataset, dataset_given, work_dir,"
	                " work_dir_given, file_folder FROM session",
	[READ_FILE] = "SELECT path, file_text, file_folder FROM session"
	              " WHERE id = ?1",
	[READ_INVENTORY] = "SELECT inventory FROM session WHERE id = ?1",
	[READ_ORDER_COSTS] = "SELECT order_costs FROM session WHERE id = ?1",
	[READ_SETTINGS] = "SELECT section, key, value, folder FROM setting"
	                  " WHERE session = ?1 ORDER BY position",
	[LIST_MISSING] =
	    "SELECT id FROM session WHERE id BETWEEN ?1 AND ?2 AND NOT EXISTS"
	    " (SELECT 1 FROM derivation"
	    " WHERE session = session.id AND rule = ?3)",
	[MEASURED_SESSION] =
	    "SELECT samples, total_samples, full_samples, source_bytes,"
	    " total_bytes, memory_bytes, memory_limit,"
	    " emulated_bandwidth > 0 OR emulated_latency > 0"
	    " OR emulated_iops > 0 OR emulated_open > 0"
	    " OR emulated_stream > 0 OR emulated_opens > 0"
	    " FROM session WHERE id = ?1",
	[MEASURED_TRIALS] =
	    "SELECT trial.id, strategy.id, label, split, threads, cache, state,"
	    " coalesce(readable, portable), wall_ns, storage_bytes,"
	    " equivalent, cache_bytes, rounds_ns,"
	    " (SELECT sum(cpu_ns) FROM step WHERE trial = trial.id),"
	    " nullif(strategy.samples, 0), fetchers, read_ahead, shuffle,"
	    " batch, chosen" OF_TRIALS
	    " LEFT JOIN preparation ON preparation.strategy = strategy.id"
	    " WHERE session = ?1 ORDER BY trial.id",
	[MEASURED_EPOCHS] =
	    "SELECT run.trial, warmup, run, epoch, wall_ns, first_batch_ns,"
	    " run.samples, bytes_fetched, bytes_from_storage,"
	    " user_ns + system_ns, resident_percent, run.peak_rss_bytes,"
	    " started_ns, others_ns, stolen_ns, reference_ns" OF_TRIALS
	    " JOIN run ON run.trial = trial.id"
	    " WHERE session = ?1 ORDER BY trial.id, warmup, run, epoch",
	[MEASURED_PHASES] =
	    "SELECT phase.trial, phase, wall_ns, cpu_ns, calls" OF_TRIALS
	    " JOIN phase ON phase.trial = trial.id"
	    " WHERE session = ?1 ORDER BY trial.id",
	[DROP_FIGURES] = "DELETE FROM figure WHERE trial IN (" ITS_TRIALS ")",
	[DROP_RUN_FIGURES] =
	    "DELETE FROM run_figure WHERE trial IN (" ITS_TRIALS ")",
	[DROP_RANKS] = "DELETE FROM ranking WHERE trial IN (" ITS_TRIALS ")",
	[DROP_SEEN] = "DELETE FROM seen_rate WHERE session = ?1",
	[ADD_SEEN] =
	    "INSERT INTO seen_rate SELECT session, device, threads, bytes,"
	    " files FROM v_evidence_seen WHERE session = ?1",
	[ADD_FIGURE] =
	    "INSERT INTO figure VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9,"
	    " ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,"
	    " ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, ?34,"
	    " ?35, ?36, ?37, ?38, ?39, ?40, ?41)",
	[ADD_RUN_FIGURE] = "INSERT INTO run_figure VALUES (?1, ?2, ?3, ?4, ?5,"
	                   " ?6, ?7, ?8)",
	[ADD_RANK] = "INSERT INTO ranking VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
	[SET_RULE] = "INSERT OR REPLACE INTO derivation VALUES (?1, ?2)",
	[TAKE_RULE] =
	    "INSERT INTO temp.derivation SELECT * FROM main.derivation"
	    " WHERE session = ?1 AND rule = ?2",
	[TAKE_FIGURES] = "INSERT INTO temp.figure SELECT * FROM main.figure"
	                 " WHERE trial IN (" ITS_TRIALS ")",
	[TAKE_RUN_FIGURES] =
	    "INSERT INTO temp.run_figure SELECT * FROM main.run_figure"
	    " WHERE trial IN (" ITS_TRIALS ")",
	[TAKE_RANKS] = "INSERT INTO temp.ranking SELECT * FROM main.ranking"
	               " WHERE trial IN (" ITS_TRIALS ")",
	[TAKE_SEEN] = "INSERT INTO temp.seen_rate SELECT * FROM main.seen_rate"
	              " WHERE session = ?1",
};

/* Most views have an order of their own; `order` is for the others. */
static const struct {
	const char *columns, *from, *order;
} views[RESULTS_VIEW_COUNT] = {
	[RESULTS_REPORT] = { "*", "v_report", "" },
	[RESULTS_TRIALS] = { "*", "v_trial",
	    " ORDER BY session, strategy_id, threads, cache, cache_place,"
	    " fetchers, read_ahead, shuffle, batch" },
	[RESULTS_RUNS] = { "*", "v_runs", "" },
	[RESULTS_STEPS] = { "*", "v_steps", "" },
	[RESULTS_PHASES] = { "*", "v_phases", "" },
	[RESULTS_LEVELS] = { "*", "v_levels", "" },
	[RESULTS_SYSTEM] = { "*", "v_system", "" },
	[RESULTS_EFFORTS] = { "*", "v_effort", "" },
	[RESULTS_TRACE] = { "*", "v_trace", "" },
	[RESULTS_HOSTS] = { "*", "v_hosts", "" },
	[RESULTS_TIME] = { "*", "v_time", "" },
	[RESULTS_RATES] = { "*", "v_rates", "" },
	[RESULTS_WARNINGS] = { "session, text", "warning", " ORDER BY id" },
};

static enum error_code error_code(sqlite3 *db)
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
	return error_set(err, error_code(results->db), "%s: cannot %s: %s",
	    results->path, what, results_words(results->db, words));
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

void results_bind_if(sqlite3_stmt *s, int i, bool known, double number)
{
	if (known)
		sqlite3_bind_double(s, i, number);
}

static int prepare_text(struct results *results, enum statement which,
    const char *text, struct error *err)
{
	if (sqlite3_prepare_v3(results->db, text, -1, SQLITE_PREPARE_PERSISTENT,
	        &results->stmt[which], NULL))
		return results_error(results, "prepare to use", err);
	return 0;
}

int results_prepare(struct results *results, struct error *err)
{
	if (sqlite3_exec(
	        results->db, "PRAGMA foreign_keys = ON", NULL, NULL, NULL))
		return results_error(results, "switch foreign keys on", err);
	for (enum statement i = 0; i < LATE; i++)
		if (prepare_text(results, i, texts[i], err))
			return -1;
	return 0;
}

/* For one session there is a condition that indexes serve. */
static int prepare_view(
    struct results *results, enum statement which, struct error *err)
{
	const bool all = which >= READ_ALL;
	const size_t view = which - (all ? READ_ALL : READ_ONE);
	char text[256];

	sqlite3_snprintf(sizeof(text), text, "SELECT %s FROM %s%s%s",
	    views[view].columns, views[view].from,
	    all ? "" : " WHERE session = ?1", views[view].order);
	return prepare_text(results, which, text, err);
}

sqlite3_stmt *results_late(
    struct results *results, enum statement which, struct error *err)
{
	if (!results->db) {
		error_set(err, ERROR_SYSTEM, "%s: it is not open any more",
		    results->path);
		return NULL;
	}
	if (!results->stmt[which] &&
	    (which < READ_ONE ? prepare_text(results, which, texts[which], err)
	                      : prepare_view(results, which, err)))
		return NULL;
	return results->stmt[which];
}

void results_drop_late(struct results *results)
{
	for (enum statement i = LATE; i < STATEMENT_COUNT; i++) {
		sqlite3_finalize(results->stmt[i]);
		results->stmt[i] = NULL;
	}
}

/* Without a connection. */
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
	results_disconnect(results);
	free(results->moved_from);
	private_release(&results->names);
	free(results->path);
	free(results);
}
