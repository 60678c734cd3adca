/* results_write.c - see results_write.h: stores sessions, strategies and
 * trials. */
#include <math.h>
#include <sqlite3.h>
#include <string.h>

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

static int set_order_costs(struct results *results, int64_t session,
    const char *costs, struct error *err)
{
	sqlite3_stmt *s = results->stmt[SET_ORDER_COSTS];

	if (!costs)
		return 0;
	sqlite3_bind_int64(s, 1, session);
	results_bind_text(s, 2, costs);
	return results_run(
	    results, SET_ORDER_COSTS, "store the costs of steps", err);
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
	sqlite3_bind_double(s, 34, info->limits.stream);
	sqlite3_bind_double(s, 35, info->limits.opens);
	results_bind_text(s, 27, info->machine.virtual);
	results_bind_if(s, 28, info->budget_ns > 0, (double)info->budget_ns);
	results_bind_if(
	    s, 29, info->source_bytes > 0, (double)info->source_bytes);
	results_bind_if(
	    s, 30, info->total_bytes > 0, (double)info->total_bytes);
	results_bind_if(
	    s, 36, info->cache_budget > 0, (double)info->cache_budget);
	if (info->dataset_given)
		results_bind_text(s, 31, info->dataset_given);
	if (info->work_dir_given)
		results_bind_text(s, 32, info->work_dir_given);
	if (info->code)
		results_bind_text(s, 33, info->code);
	if (results_run(results, ADD_SESSION, "begin a session", err))
		return -1;
	*session = sqlite3_last_insert_rowid(results->db);
	if (set_inventory(results, *session, info->inventory, err) ||
	    set_order_costs(results, *session, info->order_costs, err))
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

/* Only a journal of the newer kind is safe without waiting. */
static bool has_wal(struct results *results)
{
	sqlite3_stmt *s = NULL;
	bool is_wal = false;

	if (sqlite3_prepare_v2(results->db, "PRAGMA journal_mode", -1, &s,
	        NULL) == SQLITE_OK &&
	    sqlite3_step(s) == SQLITE_ROW)
		is_wal =
		    strcmp((const char *)sqlite3_column_text(s, 0), "wal") == 0;
	sqlite3_finalize(s);
	return is_wal;
}

void results_hurry(struct results *results, bool hurries)
{
	sqlite3_exec(results->db,
	    hurries && has_wal(results) ? "PRAGMA synchronous = NORMAL"
	                                : "PRAGMA synchronous = FULL",
	    NULL, NULL, NULL);
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
	results_bind_if(
	    s, 9, row->predicted_prep_s >= 0, row->predicted_prep_s);
	results_bind_if(s, 10, row->predicted_storage_bytes >= 0,
	    row->predicted_storage_bytes);
	results_bind_uint(s, 11, row->readable);
	results_bind_uint(s, 12, row->shards_asked);
	results_bind_uint(s, 13, row->samples);
	if (row->predicted_prep_high_s > 0) {
		sqlite3_bind_double(s, 14, row->predicted_prep_low_s);
		sqlite3_bind_double(s, 15, row->predicted_prep_high_s);
	}
	if (row->predicted_storage_high_bytes > 0) {
		sqlite3_bind_double(s, 16, row->predicted_storage_low_bytes);
		sqlite3_bind_double(s, 17, row->predicted_storage_high_bytes);
	}
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
	results_bind_uint(s, 17, row->filtered);
	if (row->has_difference) {
		sqlite3_bind_double(s, 18, row->difference_largest);
		sqlite3_bind_double(s, 19, row->difference_mean);
		results_bind_if(s, 20, isfinite(row->psnr_db), row->psnr_db);
	}
	return results_run(
	    results, SET_PREPARATION, "store a preparation", err);
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
		results_bind_if(s, i + (int)k, !isnan(figures[k]), figures[k]);
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
		results_bind_if(s, 6, row->run > 0, row->run);
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
	results_bind_if(s, 9, ceiling->latency_s > 0, 1e9 * ceiling->latency_s);
	results_bind_text(s, 10, ceiling->tool);
	results_bind_uint(s, 11, ceiling->cold);
	results_bind_uint(s, 12, ceiling->files);
	results_bind_uint(s, 13, ceiling->file_bytes);
	results_bind_text(s, 14, ceiling->measured);
	results_bind_if(
	    s, 15, ceiling->resident_percent >= 0, ceiling->resident_percent);
	results_bind_if(s, 16, ceiling->passes, ceiling->median_per_s);
	results_bind_if(s, 17, ceiling->passes, ceiling->low_per_s);
	results_bind_if(s, 18, ceiling->passes, ceiling->high_per_s);
	if (ceiling->passes)
		results_bind_uint(s, 19, ceiling->passes);
	return results_run(results, SET_CEILING, "store a ceiling", err);
}
