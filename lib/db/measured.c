/* measured.c - see measured.h. */
#include "lib/db/measured.h"

#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/database.h"

static double number_at(sqlite3_stmt *s, int i)
{
	return sqlite3_column_type(s, i) == SQLITE_NULL
	           ? NAN
	           : sqlite3_column_double(s, i);
}

static bool is_text(sqlite3_stmt *s, int i, const char *text)
{
	const char *own = (const char *)sqlite3_column_text(s, i);

	return own && strcmp(own, text) == 0;
}

/* 1: there is a row, 0: there is none; -1 is an error. */
static int next_row(struct results *results, sqlite3_stmt *s, struct error *err)
{
	const int rc = sqlite3_step(s);

	if (rc == SQLITE_ROW)
		return 1;
	return rc == SQLITE_DONE
	           ? 0
	           : results_error(results, "read what was measured", err);
}

/* The statement, with the session bound; NULL on an error. */
static sqlite3_stmt *begin_read(struct results *results, enum statement which,
    int64_t session, struct error *err)
{
	sqlite3_stmt *s = results_late(results, which, err);

	if (s)
		sqlite3_bind_int64(s, 1, session);
	return s;
}

/* ---- the session ---- */

static int read_session(struct results *results,
    struct measured_session *measured, struct error *err)
{
	sqlite3_stmt *s =
	    begin_read(results, MEASURED_SESSION, measured->id, err);
	int rc = s ? next_row(results, s, err) : -1;

	if (rc == 1) {
		const double memory = sqlite3_column_double(s, 5);
		const double limit = sqlite3_column_double(s, 6);

		measured->samples = number_at(s, 0);
		measured->total_samples = number_at(s, 1);
		measured->full_samples = number_at(s, 2);
		measured->source_bytes = number_at(s, 3);
		measured->total_bytes = number_at(s, 4);
		measured->memory_bytes = limit > 0 && limit < memory ? limit
		                         : memory > 0                ? memory
		                                                     : NAN;
		measured->is_emulated = sqlite3_column_int(s, 7) != 0;
	}
	if (s)
		results_reset(s);
	return rc < 0 ? -1 : 0;
}

/* ---- trials ---- */

static int set_trial(
    struct measured_trial *trial, sqlite3_stmt *s, struct error *err)
{
	const bool is_unprocessed = is_text(s, 2, "unprocessed");

	*trial = (struct measured_trial){
		.id = sqlite3_column_int64(s, 0),
		.strategy = sqlite3_column_int64(s, 1),
		.threads = (unsigned)sqlite3_column_int64(s, 4),
		.is_done = is_text(s, 6, "done"),
		.is_unprocessed = is_unprocessed,
		.is_as_it_came =
		    is_text(s, 3, "unprocessed") || is_text(s, 3, "raw"),
		.has_same_data = sqlite3_column_type(s, 10) == SQLITE_NULL ||
		                 is_text(s, 10, "yes"),
		.is_readable = sqlite3_column_int(s, 7) != 0,
		.prep_s = is_unprocessed ? 0 : number_at(s, 8) / 1e9,
		.storage_bytes = number_at(s, 9),
		.cache_bytes = number_at(s, 11),
		.rounds_ns = (uint64_t)sqlite3_column_int64(s, 12),
		.steps_cpu_ns = number_at(s, 13),
	};
	if (cache_parse((const char *)sqlite3_column_text(s, 5), &trial->cache))
		return error_set(err, ERROR_DATA,
		    "trial %lld has no cache mode", (long long)trial->id);
	return 0;
}

static int read_trials(struct results *results,
    struct measured_session *measured, struct error *err)
{
	sqlite3_stmt *s =
	    begin_read(results, MEASURED_TRIALS, measured->id, err);
	size_t capacity = 0;
	int rc = s ? 0 : -1;

	while (rc == 0 && (rc = next_row(results, s, err)) == 1) {
		struct measured_trial *grown = array_grow(measured->trials,
		    &capacity, measured->trial_count + 1, sizeof(*grown), err);

		rc = -1;
		if (!grown)
			break;
		measured->trials = grown;
		rc = set_trial(&grown[measured->trial_count++], s, err);
	}
	if (s)
		results_reset(s);
	return rc;
}

/* Trials come in the order of their ids, which *at follows. */
static struct measured_trial *find_trial(
    const struct measured_session *measured, size_t *at, int64_t id)
{
	while (*at < measured->trial_count && measured->trials[*at].id < id)
		(*at)++;
	return *at < measured->trial_count && measured->trials[*at].id == id
	           ? &measured->trials[*at]
	           : NULL;
}

/* ---- epochs ---- */

static struct measured_epoch epoch_at(sqlite3_stmt *s, bool is_emulated)
{
	const double from_storage = number_at(s, 8);

	return (struct measured_epoch){
		.is_warmup = sqlite3_column_int(s, 1) != 0,
		.run = (unsigned)sqlite3_column_int64(s, 2),
		.epoch = (unsigned)sqlite3_column_int64(s, 3),
		.wall_ns = number_at(s, 4),
		.first_batch_ns = number_at(s, 5),
		.samples = number_at(s, 6),
		.bytes_read = is_emulated || isnan(from_storage)
		                  ? number_at(s, 7)
		                  : from_storage,
		.cpu_ns = number_at(s, 9),
		.resident_percent = number_at(s, 10),
		.peak_rss_bytes = number_at(s, 11),
		.started_ns = number_at(s, 12),
		.others_ns = number_at(s, 13),
		.stolen_ns = number_at(s, 14),
		.reference_ns = number_at(s, 15),
	};
}

/* `epochs` move while they grow; trials are given theirs at the end. */
static void share_epochs(struct measured_session *measured)
{
	const struct measured_epoch *epochs = measured->epochs;

	for (size_t i = 0; i < measured->trial_count; i++) {
		measured->trials[i].epochs = epochs;
		if (epochs)
			epochs += measured->trials[i].epoch_count;
	}
}

static int read_epochs(struct results *results,
    struct measured_session *measured, struct error *err)
{
	sqlite3_stmt *s =
	    begin_read(results, MEASURED_EPOCHS, measured->id, err);
	size_t capacity = 0, count = 0, at = 0;
	int rc = s ? 0 : -1;

	while (rc == 0 && (rc = next_row(results, s, err)) == 1) {
		struct measured_epoch *grown = array_grow(measured->epochs,
		    &capacity, count + 1, sizeof(*grown), err);
		struct measured_trial *trial =
		    find_trial(measured, &at, sqlite3_column_int64(s, 0));

		rc = -1;
		if (!grown)
			break;
		rc = 0;
		measured->epochs = grown;
		grown[count] = epoch_at(s, measured->is_emulated);
		if (trial) {
			trial->epoch_count++;
			count++;
		}
	}
	if (s)
		results_reset(s);
	share_epochs(measured);
	return rc;
}

/* ---- the traced pass ---- */

static int read_phases(struct results *results,
    struct measured_session *measured, struct error *err)
{
	sqlite3_stmt *s =
	    begin_read(results, MEASURED_PHASES, measured->id, err);
	size_t at = 0;
	int rc = s ? 0 : -1;

	while (rc == 0 && (rc = next_row(results, s, err)) == 1) {
		struct measured_trial *trial =
		    find_trial(measured, &at, sqlite3_column_int64(s, 0));

		rc = 0;
		for (unsigned i = 0; trial && i < PHASE_COUNT; i++)
			if (is_text(s, 1, results_phase_name(i)))
				trial->phases[i] = (struct measured_phase){
					.wall_ns = number_at(s, 2),
					.cpu_ns = number_at(s, 3),
					.calls = number_at(s, 4),
					.is_known = true,
				};
	}
	if (s)
		results_reset(s);
	return rc;
}

int measured_read(struct results *results, int64_t session,
    struct measured_session *measured, struct error *err)
{
	measured->id = session;
	if (read_session(results, measured, err) ||
	    read_trials(results, measured, err) ||
	    read_epochs(results, measured, err))
		return -1;
	return read_phases(results, measured, err);
}

void measured_release(struct measured_session *measured)
{
	free(measured->trials);
	free(measured->epochs);
	*measured = (struct measured_session)MEASURED_SESSION_INIT;
}
