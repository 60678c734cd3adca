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

/* The session while its rows are read. */
struct reading {
	struct measured_session *measured;
	size_t trial_capacity, epoch_count, epoch_capacity;
	size_t at; /* trial: rows of trials come in the order of their ids */
};

/* NULL: a damaged database has rows of no trial. */
static struct measured_trial *find_trial(struct reading *reading, int64_t id)
{
	const struct measured_session *m = reading->measured;

	while (reading->at < m->trial_count && m->trials[reading->at].id < id)
		reading->at++;
	return reading->at < m->trial_count && m->trials[reading->at].id == id
	           ? &m->trials[reading->at]
	           : NULL;
}

static int take_session(
    struct reading *reading, sqlite3_stmt *s, struct error *err)
{
	struct measured_session *measured = reading->measured;
	const double memory = sqlite3_column_double(s, 5);
	const double limit = sqlite3_column_double(s, 6);

	UNUSED(err);
	measured->samples = number_at(s, 0);
	measured->total_samples = number_at(s, 1);
	measured->full_samples = number_at(s, 2);
	measured->source_bytes = number_at(s, 3);
	measured->total_bytes = number_at(s, 4);
	measured->memory_bytes = limit > 0 && limit < memory ? limit
	                         : memory > 0                ? memory
	                                                     : NAN;
	measured->is_emulated = sqlite3_column_int(s, 7) != 0;
	return 0;
}

static int take_trial(
    struct reading *reading, sqlite3_stmt *s, struct error *err)
{
	struct measured_session *measured = reading->measured;
	const bool is_unprocessed = is_text(s, 2, "unprocessed");
	struct measured_trial *trials =
	    array_grow(measured->trials, &reading->trial_capacity,
	        measured->trial_count + 1, sizeof(*trials), err);
	struct measured_trial *trial;

	if (!trials)
		return -1;
	measured->trials = trials;
	trial = &trials[measured->trial_count++];
	*trial = (struct measured_trial){
		.id = sqlite3_column_int64(s, 0),
		.strategy = sqlite3_column_int64(s, 1),
		.threads = (unsigned)sqlite3_column_int64(s, 4),
		.is_done = is_text(s, 6, "done"),
		.is_unprocessed = is_unprocessed,
		.is_as_it_came =
		    is_text(s, 3, "unprocessed") || is_text(s, 3, "raw"),
		.has_same_data = !is_text(s, 2, "yours") &&
		                 (sqlite3_column_type(s, 10) == SQLITE_NULL ||
		                     is_text(s, 10, "yes")),
		.is_readable = sqlite3_column_int(s, 7) != 0,
		.prep_s =
		    is_text(s, 3, "unprocessed") ? 0 : number_at(s, 8) / 1e9,
		.storage_bytes = number_at(s, 9),
		.cache_bytes = number_at(s, 11),
		.rounds_ns = (uint64_t)sqlite3_column_int64(s, 12),
		.steps_cpu_ns = number_at(s, 13),
		.fetchers = (unsigned)sqlite3_column_int64(s, 15),
		.read_ahead = (unsigned)sqlite3_column_int64(s, 16),
		.shuffle = (unsigned)sqlite3_column_int64(s, 17),
		.batch = (unsigned)sqlite3_column_int64(s, 18),
		.chosen = (unsigned)sqlite3_column_int64(s, 19),
		.source_samples = sqlite3_column_type(s, 14) == SQLITE_NULL
		                      ? measured->samples
		                      : sqlite3_column_double(s, 14),
	};
	if (cache_parse((const char *)sqlite3_column_text(s, 5), &trial->cache))
		return error_set(err, ERROR_DATA,
		    "trial %lld has no cache mode", (long long)trial->id);
	return 0;
}

static int take_epoch(
    struct reading *reading, sqlite3_stmt *s, struct error *err)
{
	struct measured_session *measured = reading->measured;
	const double from_storage = number_at(s, 8);
	struct measured_trial *trial =
	    find_trial(reading, sqlite3_column_int64(s, 0));
	struct measured_epoch *epochs =
	    array_grow(measured->epochs, &reading->epoch_capacity,
	        reading->epoch_count + 1, sizeof(*epochs), err);

	if (!epochs)
		return -1;
	measured->epochs = epochs;
	if (!trial)
		return 0;
	trial->epoch_count++;
	epochs[reading->epoch_count++] = (struct measured_epoch){
		.is_warmup = sqlite3_column_int(s, 1) != 0,
		.run = (unsigned)sqlite3_column_int64(s, 2),
		.epoch = (unsigned)sqlite3_column_int64(s, 3),
		.wall_ns = number_at(s, 4),
		.first_batch_ns = number_at(s, 5),
		.samples = number_at(s, 6),
		.bytes_read = measured->is_emulated || isnan(from_storage)
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
	return 0;
}

static int take_phase(
    struct reading *reading, sqlite3_stmt *s, struct error *err)
{
	struct measured_trial *trial =
	    find_trial(reading, sqlite3_column_int64(s, 0));

	UNUSED(err);
	for (unsigned i = 0; trial && i < PHASE_COUNT; i++)
		if (is_text(s, 1, results_phase_name(i)))
			trial->phases[i] = (struct measured_phase){
				.wall_ns = number_at(s, 2),
				.cpu_ns = number_at(s, 3),
				.calls = number_at(s, 4),
				.is_known = true,
			};
	return 0;
}

/* Each row goes to the function of its statement. */
static int read_rows(
    struct results *results, struct reading *reading, struct error *err)
{
	static const struct {
		enum statement which;
		int (*take)(struct reading *reading, sqlite3_stmt *s,
		    struct error *err);
	} tables[] = { { MEASURED_SESSION, take_session },
		{ MEASURED_TRIALS, take_trial },
		{ MEASURED_EPOCHS, take_epoch },
		{ MEASURED_PHASES, take_phase } };
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(tables); i++) {
		sqlite3_stmt *s = results_late(results, tables[i].which, err);
		int got = SQLITE_DONE;

		if (!s)
			return -1;
		reading->at = 0;
		sqlite3_bind_int64(s, 1, reading->measured->id);
		while (rc == 0 && (got = sqlite3_step(s)) == SQLITE_ROW)
			rc = tables[i].take(reading, s, err);
		if (rc == 0 && got != SQLITE_DONE)
			rc = results_error(
			    results, "read what was measured", err);
		results_reset(s);
	}
	return rc;
}

int measured_read(struct results *results, int64_t session,
    struct measured_session *measured, struct error *err)
{
	struct reading reading = { .measured = measured };
	const struct measured_epoch *epochs;
	int rc;

	measured->id = session;
	rc = read_rows(results, &reading, err);
	/* The array moved while it grew: now each trial gets its epochs. */
	epochs = measured->epochs;
	for (size_t i = 0; rc == 0 && i < measured->trial_count; i++) {
		measured->trials[i].epochs = epochs;
		if (epochs)
			epochs += measured->trials[i].epoch_count;
	}
	return rc;
}

void measured_release(struct measured_session *measured)
{
	free(measured->trials);
	free(measured->epochs);
	*measured = (struct measured_session)MEASURED_SESSION_INIT;
}
