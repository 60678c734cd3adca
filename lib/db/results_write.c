/* results_write.c - see results.h: what profile stores. */
#include <sqlite3.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/db/database.h"
#include "lib/db/results.h"

static const char *const equivalences[] = {
	[EQUIVALENT_YES] = "yes",
	[EQUIVALENT_NO] = "no",
	[EQUIVALENT_LOSSY] = "lossy",
};

static const char *const trial_states[] = {
	[TRIAL_DONE] = "done",
	[TRIAL_FAILED] = "failed",
	[TRIAL_SKIPPED] = "skipped",
};

/* Nothing is bound, and so NULL stored, where there is no figure. */
static void bind_if(sqlite3_stmt *s, int i, bool known, double number)
{
	if (known)
		sqlite3_bind_double(s, i, number);
}

static void bind_machine(sqlite3_stmt *s, int i, const struct machine *machine)
{
	results_bind_text(s, i, machine->cpu);
	results_bind_uint(s, i + 1, machine->cores);
	results_bind_uint(s, i + 2, machine->memory_bytes);
	results_bind_uint(s, i + 3, machine->memory_limit);
	results_bind_text(s, i + 4, machine->kernel);
	results_bind_text(s, i + 5, machine->compiler);
	results_bind_text(s, i + 6, machine->libraries);
}

int results_begin_session(struct results *results,
    const struct session_info *info, int64_t *session, struct error *err)
{
	sqlite3_stmt *s = results->stmt[ADD_SESSION];
	char now[32];

	clock_utc(now);
	results_bind_text(s, 1, info->pipeline);
	results_bind_text(s, 2, info->path);
	results_bind_text(s, 3, info->text);
	results_bind_text(s, 4, info->fingerprint);
	results_bind_text(s, 5, info->dataset);
	results_bind_text(s, 6, info->work_dir);
	results_bind_uint(s, 7, info->samples);
	results_bind_uint(s, 8, info->total_samples);
	results_bind_uint(s, 9, info->full_samples);
	sqlite3_bind_int64(s, 10, (sqlite3_int64)info->seed);
	results_bind_uint(s, 11, info->batch);
	sqlite3_bind_double(s, 12, info->limits.bandwidth);
	sqlite3_bind_double(s, 13, info->limits.latency);
	sqlite3_bind_double(s, 14, info->limits.iops);
	bind_machine(s, 15, &info->machine);
	results_bind_text(s, 22, info->source_fs);
	results_bind_text(s, 23, info->work_fs);
	results_bind_text(s, 24, PRESTO_VERSION);
	results_bind_text(s, 25, now);
	if (results_run(results, ADD_SESSION, "begin a session", err))
		return -1;
	*session = sqlite3_last_insert_rowid(results->db);
	return 0;
}

int results_end_session(struct results *results, int64_t session,
    const char *state, struct error *err)
{
	sqlite3_stmt *s = results->stmt[END_SESSION];
	char now[32];

	clock_utc(now);
	sqlite3_bind_int64(s, 1, session);
	results_bind_text(s, 2, state);
	results_bind_text(s, 3, now);
	return results_run(results, END_SESSION, "end the session", err);
}

int results_add_strategy(struct results *results, int64_t session,
    const struct strategy_row *row, int64_t *strategy, struct error *err)
{
	sqlite3_stmt *s = results->stmt[ADD_STRATEGY];
	int rc = 0;

	sqlite3_bind_int64(s, 1, session);
	results_bind_text(s, 2, row->label);
	results_bind_text(s, 3, row->order);
	results_bind_text(s, 4, row->split);
	results_bind_text(s, 5, row->store);
	results_bind_text(s, 6, row->codec);
	results_bind_uint(s, 7, row->shards);
	results_bind_uint(s, 8, row->portable);
	bind_if(s, 9, row->predicted_prep_s >= 0, row->predicted_prep_s);
	bind_if(s, 10, row->predicted_storage_bytes >= 0,
	    row->predicted_storage_bytes);
	if (sqlite3_step(s) == SQLITE_ROW)
		*strategy = sqlite3_column_int64(s, 0);
	else
		rc = results_error(results, "store a strategy", err);
	results_reset(s);
	return rc;
}

int results_set_preparation(struct results *results, int64_t strategy,
    const struct preparation_row *row, struct error *err)
{
	sqlite3_stmt *s = results->stmt[SET_PREPARATION];

	sqlite3_bind_int64(s, 1, strategy);
	results_bind_uint(s, 2, row->wall_ns);
	results_bind_uint(s, 3, row->cpu_ns);
	results_bind_uint(s, 4, row->bytes_read);
	results_bind_uint(s, 5, row->storage_bytes);
	results_bind_uint(s, 6, row->samples);
	results_bind_uint(s, 7, row->skipped);
	results_bind_text(s, 8, equivalences[row->equivalent]);
	return results_run(
	    results, SET_PREPARATION, "store a preparation", err);
}

static int drop_trial(struct results *results, int64_t strategy,
    const struct trial_row *trial, struct error *err)
{
	sqlite3_stmt *s = results->stmt[DROP_TRIAL];

	sqlite3_bind_int64(s, 1, strategy);
	results_bind_uint(s, 2, trial->threads);
	results_bind_text(s, 3, cache_name(trial->cache));
	return results_run(results, DROP_TRIAL, "replace a trial", err);
}

static int add_trial(struct results *results, int64_t strategy,
    const struct trial_row *trial, struct error *err)
{
	sqlite3_stmt *s = results->stmt[ADD_TRIAL];

	sqlite3_bind_int64(s, 1, strategy);
	results_bind_uint(s, 2, trial->threads);
	results_bind_text(s, 3, cache_name(trial->cache));
	results_bind_text(s, 4, trial_states[trial->state]);
	results_bind_text(s, 5, trial->message);
	results_bind_text(s, 6, trial->bottleneck);
	bind_if(s, 7, trial->predicted_samples_per_s > 0,
	    trial->predicted_samples_per_s);
	bind_if(s, 8, trial->cache_bytes > 0, (double)trial->cache_bytes);
	return results_run(results, ADD_TRIAL, "store a trial", err);
}

static int add_run(struct results *results, int64_t trial,
    const struct run_row *run, struct error *err)
{
	sqlite3_stmt *s = results->stmt[ADD_RUN];

	sqlite3_bind_int64(s, 1, trial);
	results_bind_uint(s, 2, run->warmup);
	results_bind_uint(s, 3, run->run);
	results_bind_uint(s, 4, run->epoch);
	results_bind_uint(s, 5, run->wall_ns);
	results_bind_uint(s, 6, run->first_batch_ns);
	results_bind_uint(s, 7, run->samples);
	results_bind_uint(s, 8, run->skipped);
	results_bind_uint(s, 9, run->user_ns);
	results_bind_uint(s, 10, run->system_ns);
	results_bind_uint(s, 11, run->bytes_fetched);
	if (run->bytes_from_storage >= 0)
		sqlite3_bind_int64(s, 12, run->bytes_from_storage);
	bind_if(s, 13, run->resident_percent >= 0, run->resident_percent);
	results_bind_uint(s, 14, run->peak_rss_bytes);
	return results_run(results, ADD_RUN, "store a run", err);
}

static int add_step(struct results *results, int64_t trial, size_t position,
    const struct step_row *step, struct error *err)
{
	sqlite3_stmt *s = results->stmt[ADD_STEP];

	sqlite3_bind_int64(s, 1, trial);
	results_bind_uint(s, 2, position);
	results_bind_text(s, 3, step->name);
	results_bind_text(s, 4, step->step);
	results_bind_uint(s, 5, step->cpu_ns);
	results_bind_uint(s, 6, step->samples);
	return results_run(results, ADD_STEP, "store a step", err);
}

static int add_parts(struct results *results, int64_t strategy,
    const struct trial_row *trial, struct error *err)
{
	int64_t id;

	if (drop_trial(results, strategy, trial, err) ||
	    add_trial(results, strategy, trial, err))
		return -1;
	id = sqlite3_last_insert_rowid(results->db);
	for (size_t i = 0; i < trial->run_count; i++)
		if (add_run(results, id, &trial->runs[i], err))
			return -1;
	for (size_t i = 0; i < trial->step_count; i++)
		if (add_step(results, id, i + 1, &trial->steps[i], err))
			return -1;
	return results_run(results, COMMIT, "store a trial", err);
}

int results_add_trial(struct results *results, int64_t strategy,
    const struct trial_row *trial, struct error *err)
{
	struct error ignored = ERROR_INIT;

	if (results_run(results, BEGIN, "store a trial", err))
		return -1;
	if (add_parts(results, strategy, trial, err) == 0)
		return 0;
	results_run(results, ROLLBACK, "undo a trial", &ignored);
	return -1;
}
