/* results_read.c - see results_read.h: reads sessions, trials and views. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/database.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"

static const char *column_text(sqlite3_stmt *s, int i)
{
	const char *text = (const char *)sqlite3_column_text(s, i);

	return text ? text : "";
}

static uint64_t column_uint(sqlite3_stmt *s, int i)
{
	return (uint64_t)sqlite3_column_int64(s, i);
}

/* 1: there is a row; 0: there is none.  The caller resets the statement. */
static int next_row(struct results *results, enum statement which,
    const char *what, struct error *err)
{
	const int rc = sqlite3_step(results->stmt[which]);

	if (rc == SQLITE_ROW)
		return 1;
	return rc == SQLITE_DONE ? 0 : results_error(results, what, err);
}

int results_find_unfinished(struct results *results, const char *fingerprint,
    int64_t *session, char *work_dir, size_t work_dir_size, struct error *err)
{
	sqlite3_stmt *s = results->stmt[FIND_UNFINISHED];
	int found;

	results_bind_text(s, 1, fingerprint);
	found = next_row(
	    results, FIND_UNFINISHED, "look for a session to resume", err);
	if (found == 1) {
		*session = sqlite3_column_int64(s, 0);
		if ((size_t)snprintf(work_dir, work_dir_size, "%s",
		        column_text(s, 1)) >= work_dir_size)
			found = error_set(err, ERROR_LIMIT,
			    "the work folder of session %lld has too long a "
			    "name",
			    (long long)*session);
	}
	results_reset(s);
	return found;
}

int results_has_trial(struct results *results, int64_t strategy,
    const struct trial_row *load, struct error *err)
{
	sqlite3_stmt *s = results->stmt[HAS_TRIAL];
	int found;

	results_bind_load(s, strategy, load);
	found = next_row(results, HAS_TRIAL, "look for a trial", err);
	results_reset(s);
	return found;
}

static int newest_session(
    struct results *results, int64_t *session, struct error *err)
{
	sqlite3_stmt *s = results->stmt[NEWEST_SESSION];
	int rc = next_row(results, NEWEST_SESSION, "look for sessions", err);

	if (rc == 0)
		rc = error_set(err, ERROR_USAGE,
		    "nothing was measured in %s; run 'presto profile' first",
		    results->path);
	else if (rc == 1)
		*session = sqlite3_column_int64(s, 0);
	results_reset(s);
	return rc < 0 ? -1 : 0;
}

int results_pick_session(struct results *results, int64_t wanted,
    int64_t *session, struct error *err)
{
	sqlite3_stmt *s = results->stmt[FIND_SESSION];
	int rc;

	if (wanted == 0)
		return newest_session(results, session, err);
	sqlite3_bind_int64(s, 1, wanted);
	rc = next_row(results, FIND_SESSION, "look for sessions", err);
	if (rc == 1 && sqlite3_column_int64(s, 0) == 1)
		*session = wanted;
	else if (rc == 1 && sqlite3_column_int64(s, 1) == 0)
		rc = error_set(err, ERROR_USAGE, "no session %lld: %s has none",
		    (long long)wanted, results->path);
	else if (rc == 1 && sqlite3_column_int64(s, 1) == 1)
		rc = error_set(err, ERROR_USAGE,
		    "no session %lld: %s has only %lld", (long long)wanted,
		    results->path, (long long)sqlite3_column_int64(s, 2));
	else if (rc == 1)
		rc = error_set(err, ERROR_USAGE,
		    "no session %lld: %s has %lld to %lld", (long long)wanted,
		    results->path, (long long)sqlite3_column_int64(s, 2),
		    (long long)sqlite3_column_int64(s, 3));
	results_reset(s);
	return rc < 0 ? -1 : 0;
}

int results_pick_begun(struct results *results, int64_t wanted,
    int64_t *session, struct error *err)
{
	sqlite3_stmt *s = results->stmt[FIND_SESSION];
	int rc;

	if (wanted == 0) {
		sqlite3_bind_int64(s, 1, 0);
		rc = next_row(results, FIND_SESSION, "look for sessions", err);
		if (rc == 1)
			wanted = sqlite3_column_int64(s, 3); /* NULL: 0 */
		results_reset(s);
		if (rc < 0)
			return -1;
	}
	return results_pick_session(results, wanted, session, err);
}

static void read_machine(sqlite3_stmt *s, struct machine *machine)
{
	machine->cores = (unsigned)column_uint(s, 8);
	machine->memory_bytes = column_uint(s, 9);
	machine->memory_limit = column_uint(s, 10);
	snprintf(machine->cpu, sizeof(machine->cpu), "%s", column_text(s, 11));
	snprintf(
	    machine->kernel, sizeof(machine->kernel), "%s", column_text(s, 12));
	snprintf(machine->compiler, sizeof(machine->compiler), "%s",
	    column_text(s, 13));
	snprintf(machine->libraries, sizeof(machine->libraries), "%s",
	    column_text(s, 14));
	snprintf(machine->virtual, sizeof(machine->virtual), "%s",
	    column_text(s, 29));
}

enum { FIRST_TEXT = 17 };

static int keep_texts(
    struct session_record *record, const char *const *from, struct error *err)
{
	char *texts[RECORD_TEXTS], *to;
	size_t bytes = 0;

	for (size_t i = 0; i < RECORD_TEXTS; i++)
		bytes += strlen(from[i]) + 1;
	to = record->texts = malloc(bytes);
	if (!to)
		return error_memory(err, bytes);
	for (size_t i = 0; i < RECORD_TEXTS; i++) {
		texts[i] = memcpy(to, from[i], strlen(from[i]) + 1);
		to += strlen(from[i]) + 1;
	}
	record->info.pipeline = texts[0];
	record->info.path = texts[RECORD_PATH];
	record->info.text = texts[RECORD_TEXT];
	record->info.fingerprint = texts[RECORD_FINGERPRINT];
	record->info.dataset = texts[RECORD_DATASET];
	record->info.work_dir = texts[RECORD_WORK_DIR];
	record->version = texts[6];
	record->started = texts[7];
	record->ended = texts[8];
	record->state = texts[9];
	record->info.code = texts[RECORD_CODE];
	return 0;
}

/* Reads columns 17 to 27, texts of any length, into one block of memory. */
static int read_texts(struct results *results, sqlite3_stmt *s,
    struct session_record *record, struct error *err)
{
	const char *texts[RECORD_TEXTS];
	struct buf pipeline = BUF_INIT;
	int rc = 0;

	for (int i = 0; i < RECORD_TEXTS; i++)
		texts[i] = column_text(s, FIRST_TEXT + i);
	if (results->hides)
		rc = results_hide_record(
		    results, &record->info, texts, &pipeline, err);
	if (rc == 0)
		rc = keep_texts(record, texts, err);
	buf_release(&pipeline);
	return rc;
}

static int read_record(struct results *results, sqlite3_stmt *s,
    struct session_record *record, struct error *err)
{
	struct session_info *info = &record->info;

	info->samples = column_uint(s, 0);
	info->total_samples = column_uint(s, 1);
	info->full_samples = column_uint(s, 2);
	info->seed = column_uint(s, 3);
	info->batch = (unsigned)column_uint(s, 4);
	info->limits.bandwidth = sqlite3_column_double(s, 5);
	info->limits.latency = sqlite3_column_double(s, 6);
	info->limits.iops = sqlite3_column_double(s, 7);
	info->limits.open = sqlite3_column_double(s, 28);
	info->budget_ns = column_uint(s, 30);
	info->source_bytes = column_uint(s, 31);
	info->total_bytes = column_uint(s, 32);
	info->limits.stream = sqlite3_column_double(s, 33);
	info->limits.opens = sqlite3_column_double(s, 34);
	info->cache_budget = column_uint(s, 35);
	read_machine(s, &info->machine);
	snprintf(
	    info->source_fs, sizeof(info->source_fs), "%s", column_text(s, 15));
	snprintf(
	    info->work_fs, sizeof(info->work_fs), "%s", column_text(s, 16));
	return read_texts(results, s, record, err);
}

int results_read_session(struct results *results, int64_t session,
    struct session_record *record, struct error *err)
{
	sqlite3_stmt *s = results->stmt[READ_SESSION];
	int rc;

	sqlite3_bind_int64(s, 1, session);
	rc = next_row(results, READ_SESSION, "read a session", err);
	if (rc == 1) {
		record->id = session;
		rc = read_record(results, s, record, err);
	} else if (rc == 0) {
		rc = error_set(err, ERROR_USAGE, "%s: no session %lld",
		    results->path, (long long)session);
	}
	results_reset(s);
	return rc;
}

/* Reads a statement's only column of a session: 1; 0: it is empty. */
static int read_bytes(struct results *results, enum statement which,
    int64_t session, struct buf *out, struct error *err)
{
	sqlite3_stmt *s = results->stmt[which];
	int rc;

	sqlite3_bind_int64(s, 1, session);
	rc = next_row(results, which, "read a session", err);
	if (rc == 1) {
		const void *bytes = sqlite3_column_blob(s, 0);
		const int len = sqlite3_column_bytes(s, 0);

		rc = bytes && len > 0;
		if (rc && buf_append(out, bytes, (size_t)len, err))
			rc = -1;
	}
	results_reset(s);
	return rc;
}

int results_read_inventory(struct results *results, int64_t session,
    struct buf *out, struct error *err)
{
	return read_bytes(results, READ_INVENTORY, session, out, err);
}

int results_read_order_costs(struct results *results, int64_t session,
    struct buf *out, struct error *err)
{
	const int rc = read_bytes(results, READ_ORDER_COSTS, session, out, err);

	return rc > 0 && buf_append(out, "", 1, err) ? -1 : rc;
}

void session_record_release(struct session_record *record)
{
	free(record->texts);
	*record = (struct session_record)SESSION_RECORD_INIT;
}

static int read_row(sqlite3_stmt *s, struct grid *grid, struct error *err)
{
	if (grid_add_row(grid, err))
		return -1;
	for (size_t i = 0; i < grid->column_count; i++) {
		const int at = (int)i;

		switch (sqlite3_column_type(s, at)) {
		case SQLITE_INTEGER:
			grid_set_integer(grid, i, sqlite3_column_int64(s, at));
			break;
		case SQLITE_FLOAT:
			grid_set_real(grid, i, sqlite3_column_double(s, at));
			break;
		case SQLITE_TEXT:
			if (grid_set_text(grid, i, column_text(s, at), err))
				return -1;
			break;
		default:
			break;
		}
	}
	return 0;
}

int results_read(struct results *results, enum results_view view,
    int64_t session, struct grid *grid, struct error *err)
{
	const enum statement which = (session ? READ_ONE : READ_ALL) + view;
	sqlite3_stmt *s;
	int rc = 0;

	if (results_derive(results, session, err))
		return -1;
	s = results_late(results, which, err);
	if (!s)
		return -1;
	for (int i = 0; rc == 0 && i < sqlite3_column_count(s); i++)
		rc = grid_add_column(grid, sqlite3_column_name(s, i), err);
	if (session)
		sqlite3_bind_int64(s, 1, session);
	while (rc == 0 && (rc = next_row(results, which, "read", err)) == 1)
		rc = read_row(s, grid, err);
	results_reset(s);
	if (rc == 0 && results->hides)
		rc = private_rows(&results->names, grid, err);
	return rc;
}

static void read_ceiling(sqlite3_stmt *s, struct ceiling *ceiling)
{
	*ceiling = (struct ceiling){
		.pattern = strcmp(column_text(s, 0), "files") == 0
		               ? CEILING_FILES
		               : CEILING_SEQUENTIAL,
		.threads = (unsigned)column_uint(s, 1),
		.bytes_per_s = sqlite3_column_double(s, 2),
		.requests_per_s = sqlite3_column_double(s, 3),
		.latency_s = sqlite3_column_double(s, 4) / 1e9,
		.cold = sqlite3_column_int(s, 6) != 0,
		.files = column_uint(s, 7),
		.file_bytes = column_uint(s, 8),
		.brief = sqlite3_column_int(s, 11) != 0,
		.origin = strcmp(column_text(s, 12), "trial") == 0
		              ? CEILING_OF_TRIAL
		              : CEILING_OF_PROBE,
		.median_per_s = sqlite3_column_double(s, 13),
		.low_per_s = sqlite3_column_double(s, 14),
		.high_per_s = sqlite3_column_double(s, 15),
		.passes = (unsigned)column_uint(s, 16),
		.resident_percent = sqlite3_column_type(s, 10) == SQLITE_NULL
		                        ? -1
		                        : sqlite3_column_double(s, 10),
	};
	snprintf(ceiling->tool, sizeof(ceiling->tool), "%s", column_text(s, 5));
	snprintf(ceiling->measured, sizeof(ceiling->measured), "%s",
	    column_text(s, 9));
}

int results_get_ceilings(struct results *results,
    const struct ceiling_place *place, struct ceiling *ceilings, size_t most,
    struct error *err)
{
	sqlite3_stmt *s = results->stmt[GET_CEILINGS];
	int count = 0, rc;

	results_bind_text(s, 1, place->device);
	results_bind_text(s, 2, place->boot);
	while (
	    (rc = next_row(results, GET_CEILINGS, "read ceilings", err)) == 1 &&
	    (size_t)count < most)
		read_ceiling(s, &ceilings[count++]);
	results_reset(s);
	return rc < 0 ? -1 : count;
}
