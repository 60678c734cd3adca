/* results_write.c - see results_write.h: stores sessions, strategies and
 * trials. */
#include <math.h>
#include <sqlite3.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/db/database.h"
#include "lib/db/results.h"
#include "lib/db/results_write.h"

static const char *const equivalences[] = {
	[EQUIVALENT_YES] = "yes",
	[EQUIVALENT_NO] = "no",
	[EQUIVALENT_LOSSY] = "lossy",
};

static const char *const phases[] = {
	[PHASE_OPEN] = "open",
	[PHASE_READ] = "read",
	[PHASE_DECOMPRESS] = "decompress",
	[PHASE_PARSE] = "parse",
	[PHASE_STEPS] = "steps",
	[PHASE_BATCH] = "batch",
	[PHASE_WAIT] = "wait",
};

const char *results_phase_name(enum phase phase)
{
	return phases[phase];
}

static const char *const levels[] = {
	[EXTENT_READ] = "read",
	[EXTENT_DECODE] = "decode",
	[EXTENT_ALL] = "all",
};

static const char *const trial_states[] = {
	[TRIAL_DONE] = "done",
	[TRIAL_FAILED] = "failed",
	[TRIAL_SKIPPED] = "skipped",
};

/* Binds a known number; a column that is not bound becomes NULL. */
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

static int set_inventory(struct results *results, int64_t session,
    struct span inventory, struct error *err)
{
	sqlite3_stmt *s = results->stmt[SET_INVENTORY];

	if (inventory.len == 0)
		return 0;
	sqlite3_bind_int64(s, 1, session);
	sqlite3_bind_blob64(
	    s, 2, inventory.data, inventory.len, SQLITE_TRANSIENT);
	return results_run(
	    results, SET_INVENTORY, "store the files of a session", err);
}

static int add_session(struct results *results, const struct session_info *info,
    int64_t *session, struct error *err)
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
	sqlite3_bind_double(s, 26, info->limits.open);
	results_bind_text(s, 27, info->machine.virtual);
	bind_if(s, 28, info->budget_ns > 0, (double)info->budget_ns);
	bind_if(s, 29, info->source_bytes > 0, (double)info->source_bytes);
	bind_if(s, 30, info->total_bytes > 0, (double)info->total_bytes);
	if (info->dataset_given)
		results_bind_text(s, 31, info->dataset_given);
	if (info->work_dir_given)
		results_bind_text(s, 32, info->work_dir_given);
	if (info->code)
		results_bind_text(s, 33, info->code);
	if (results_run(results, ADD_SESSION, "begin a session", err))
		return -1;
	*session = sqlite3_last_insert_rowid(results->db);
	if (set_inventory(results, *session, info->inventory, err))
		return -1;
	return info->ini ? results_add_ini(results, *session, info->ini, err)
	                 : 0;
}

int results_begin_session(struct results *results,
    const struct session_info *info, int64_t *session, struct error *err)
{
	struct error ignored = ERROR_INIT;

	if (results_run(results, BEGIN, "begin a session", err))
		return -1;
	if (add_session(results, info, session, err) == 0 &&
	    results_run(results, COMMIT, "begin a session", err) == 0)
		return 0;
	results_run(results, ROLLBACK, "undo it", &ignored);
	return -1;
}

int results_end_session(struct results *results, int64_t session,
    const char *state, struct error *err)
{
	sqlite3_stmt *s = results_writer(results, END_SESSION, err);
	char now[32];

	if (!s)
		return -1;
	clock_utc(now);
	sqlite3_bind_int64(s, 1, session);
	results_bind_text(s, 2, state);
	results_bind_text(s, 3, now);
	return results_run(results, END_SESSION, "end the session", err);
}

int results_add_strategy(struct results *results, int64_t session,
    const struct strategy_row *row, int64_t *strategy, struct error *err)
{
	sqlite3_stmt *s = results_writer(results, ADD_STRATEGY, err);
	int rc = 0;

	if (!s)
		return -1;
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
	results_bind_uint(s, 11, row->readable);
	if (sqlite3_step(s) == SQLITE_ROW)
		*strategy = sqlite3_column_int64(s, 0);
	else
		rc = results_error(results, "store a strategy", err);
	results_reset(s);
	return rc;
}

/* Binds the number of a strategy; 0 becomes NULL. */
static void bind_strategy(sqlite3_stmt *s, int i, int64_t id)
{
	if (id)
		sqlite3_bind_int64(s, i, id);
}

int results_set_preparation(struct results *results, int64_t strategy,
    const struct preparation_row *row, struct error *err)
{
	sqlite3_stmt *s = results_writer(results, SET_PREPARATION, err);

	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, strategy);
	results_bind_uint(s, 2, row->wall_ns);
	results_bind_uint(s, 3, row->cpu_ns);
	results_bind_uint(s, 4, row->bytes_read);
	results_bind_uint(s, 5, row->storage_bytes);
	results_bind_uint(s, 6, row->samples);
	results_bind_uint(s, 7, row->skipped);
	results_bind_text(s, 8, equivalences[row->equivalent]);
	if (row->read_ns || row->compute_ns || row->compress_ns ||
	    row->write_ns || row->sync_ns) {
		results_bind_uint(s, 9, row->read_ns);
		results_bind_uint(s, 10, row->compute_ns);
		results_bind_uint(s, 11, row->compress_ns);
		results_bind_uint(s, 12, row->write_ns);
		results_bind_uint(s, 13, row->sync_ns);
	}
	bind_strategy(s, 14, row->samples_from);
	bind_strategy(s, 15, row->frames_from);
	if (row->verified)
		results_bind_text(s, 16, row->verified);
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
	if (trial->evidence)
		results_bind_text(s, 9, trial->evidence);
	if (trial->ended)
		results_bind_text(s, 10, trial->ended);
	bind_if(
	    s, 11, trial->peak_rss_bytes > 0, (double)trial->peak_rss_bytes);
	if (trial->rounds_ns > 0)
		results_bind_uint(s, 12, trial->rounds_ns);
	if (trial->cold)
		results_bind_text(s, 13, trial->cold);
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
	results_bind_uint(s, 15, run->started_ns);
	sqlite3_bind_int64(s, 16, run->cores.others_ns);
	results_bind_uint(s, 17, run->cores.stolen_ns);
	results_bind_uint(s, 18, run->cores.waited_ns);
	if (run->reference_ns)
		results_bind_uint(s, 19, run->reference_ns);
	if (run->early_ns) {
		results_bind_uint(s, 20, run->early_bytes);
		results_bind_uint(s, 21, run->early_ns);
	}
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
	if (step->calls) {
		results_bind_uint(s, 7, step->calls);
		results_bind_uint(s, 8, step->bytes_in);
		results_bind_uint(s, 9, step->bytes_out);
	}
	return results_run(results, ADD_STEP, "store a step", err);
}

static int add_phase(struct results *results, int64_t trial, enum phase phase,
    const struct phase_row *row, struct error *err)
{
	sqlite3_stmt *s = results->stmt[ADD_PHASE];

	if (!row->calls)
		return 0;
	sqlite3_bind_int64(s, 1, trial);
	results_bind_text(s, 2, phases[phase]);
	results_bind_uint(s, 3, row->wall_ns);
	results_bind_uint(s, 4, row->cpu_ns);
	results_bind_uint(s, 5, row->calls);
	results_bind_uint(s, 6, row->bytes);
	return results_run(results, ADD_PHASE, "store a phase", err);
}

static int add_level(struct results *results, int64_t trial,
    enum epoch_extent extent, const struct partial_row *row, struct error *err)
{
	sqlite3_stmt *s = results->stmt[ADD_LEVEL];

	if (!row->wall_ns)
		return 0;
	sqlite3_bind_int64(s, 1, trial);
	results_bind_text(s, 2, levels[extent]);
	results_bind_uint(s, 3, row->wall_ns);
	results_bind_uint(s, 4, row->cpu_ns);
	results_bind_uint(s, 5, row->samples);
	results_bind_uint(s, 6, row->bytes);
	return results_run(results, ADD_LEVEL, "store a level", err);
}

static int add_traced(struct results *results, int64_t trial,
    const struct trial_row *row, struct error *err)
{
	for (size_t i = 0; i < row->step_count; i++)
		if (add_step(results, trial, i + 1, &row->steps[i], err))
			return -1;
	for (unsigned i = 0; i < PHASE_COUNT; i++)
		if (add_phase(results, trial, i, &row->phases[i], err))
			return -1;
	for (unsigned i = 0; i < EXTENT_COUNT; i++)
		if (add_level(results, trial, i, &row->levels[i], err))
			return -1;
	return 0;
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
	if (add_traced(results, id, trial, err))
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

int results_add_warning(struct results *results, int64_t session,
    const char *text, struct error *err)
{
	sqlite3_stmt *s = results_writer(results, ADD_WARNING, err);

	if (!s)
		return -1;
	sqlite3_bind_int64(s, 1, session);
	results_bind_text(s, 2, text);
	return results_run(results, ADD_WARNING, "store a warning", err);
}

static void bind_rates(sqlite3_stmt *s, int i, const struct system_rates *r)
{
	const double figures[] = { r->user_percent, r->system_percent,
		r->idle_percent, r->wait_percent, r->stolen_percent,
		r->disk_read, r->disk_write, r->network_read, r->network_write,
		r->memory_free, r->memory_cached, r->memory_used,
		r->major_faults, r->minor_faults, r->context_switches,
		r->interrupts, r->pressure_cpu, r->pressure_io,
		r->pressure_memory };

	for (size_t k = 0; k < ARRAY_LEN(figures); k++)
		bind_if(s, i + (int)k, !isnan(figures[k]), figures[k]);
}

static int add_system(struct results *results, int64_t session,
    const struct system_row *row, struct error *err)
{
	sqlite3_stmt *s = results->stmt[ADD_SYSTEM];

	sqlite3_bind_int64(s, 1, session);
	results_bind_text(s, 2, row->activity);
	results_bind_text(s, 3, row->label);
	if (row->threads) {
		results_bind_uint(s, 4, row->threads);
		results_bind_text(s, 5, cache_name(row->cache));
		bind_if(s, 6, row->run > 0, row->run);
	}
	results_bind_uint(s, 7, row->at_ns);
	results_bind_uint(s, 8, row->rates.interval_ns);
	bind_rates(s, 9, &row->rates);
	return results_run(results, ADD_SYSTEM, "store system figures", err);
}

int results_add_system(struct results *results, int64_t session,
    const struct system_row *rows, size_t count, struct error *err)
{
	struct error ignored = ERROR_INIT;
	int rc = results_run(results, BEGIN, "store system figures", err);

	if (rc)
		return -1;
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = add_system(results, session, &rows[i], err);
	if (rc == 0)
		rc = results_run(results, COMMIT, "store system figures", err);
	if (rc)
		results_run(results, ROLLBACK, "undo them", &ignored);
	return rc;
}

static const char *origin_name(enum ceiling_origin origin)
{
	return origin == CEILING_OF_TRIAL ? "trial" : "probe";
}

int results_set_ceiling(struct results *results,
    const struct ceiling_place *place, const struct ceiling *ceiling,
    struct error *err)
{
	sqlite3_stmt *s = results_writer(results, SET_CEILING, err);

	if (!s)
		return -1;
	results_bind_text(s, 1, place->device);
	results_bind_text(s, 2, place->boot);
	results_bind_text(s, 3, ceiling_name(ceiling->pattern));
	results_bind_uint(s, 4, ceiling->threads);
	results_bind_text(s, 5, origin_name(ceiling->origin));
	results_bind_uint(s, 6, ceiling->brief);
	sqlite3_bind_double(s, 7, ceiling->bytes_per_s);
	sqlite3_bind_double(s, 8, ceiling->requests_per_s);
	bind_if(s, 9, ceiling->latency_s > 0, 1e9 * ceiling->latency_s);
	results_bind_text(s, 10, ceiling->tool);
	results_bind_uint(s, 11, ceiling->cold);
	results_bind_uint(s, 12, ceiling->files);
	results_bind_uint(s, 13, ceiling->file_bytes);
	results_bind_text(s, 14, ceiling->measured);
	bind_if(
	    s, 15, ceiling->resident_percent >= 0, ceiling->resident_percent);
	bind_if(s, 16, ceiling->passes, ceiling->median_per_s);
	bind_if(s, 17, ceiling->passes, ceiling->low_per_s);
	bind_if(s, 18, ceiling->passes, ceiling->high_per_s);
	if (ceiling->passes)
		results_bind_uint(s, 19, ceiling->passes);
	return results_run(results, SET_CEILING, "store a ceiling", err);
}
