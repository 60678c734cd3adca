/* results_trial.c - see results_write.h: stores trials with their runs. */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/cache_mode.h"
#include "lib/db/database.h"
#include "lib/db/results.h"
#include "lib/db/results_write.h"

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

void results_bind_load(
    sqlite3_stmt *s, int64_t strategy, const struct trial_row *load)
{
	sqlite3_bind_int64(s, 1, strategy);
	results_bind_uint(s, 2, load->threads);
	results_bind_text(s, 3, cache_name(load->cache));
	results_bind_text(s, 4, load->place);
	results_bind_uint(s, 5, load->fetchers);
	results_bind_uint(s, 6, load->read_ahead);
	results_bind_uint(s, 7, load->shuffle);
	results_bind_uint(s, 8, load->batch);
	results_bind_uint(s, 9, load->chosen);
}

static int drop_trial(struct results *results, int64_t strategy,
    const struct trial_row *trial, struct error *err)
{
	sqlite3_stmt *s = results->stmt[DROP_TRIAL];

	results_bind_load(s, strategy, trial);
	return results_run(results, DROP_TRIAL, "replace a trial", err);
}

static int add_trial(struct results *results, int64_t strategy,
    const struct trial_row *trial, struct error *err)
{
	sqlite3_stmt *s = results->stmt[ADD_TRIAL];

	results_bind_load(s, strategy, trial);
	results_bind_text(s, 10, trial_states[trial->state]);
	results_bind_text(s, 11, trial->message);
	results_bind_text(s, 12, trial->bottleneck);
	results_bind_if(s, 13, trial->predicted_samples_per_s > 0,
	    trial->predicted_samples_per_s);
	results_bind_if(
	    s, 14, trial->cache_bytes > 0, (double)trial->cache_bytes);
	if (trial->evidence)
		results_bind_text(s, 15, trial->evidence);
	if (trial->ended)
		results_bind_text(s, 16, trial->ended);
	results_bind_if(
	    s, 17, trial->peak_rss_bytes > 0, (double)trial->peak_rss_bytes);
	if (trial->rounds_ns > 0)
		results_bind_uint(s, 18, trial->rounds_ns);
	if (trial->cold)
		results_bind_text(s, 19, trial->cold);
	results_bind_if(s, 20, trial->predicted_high > 0, trial->predicted_low);
	results_bind_if(
	    s, 21, trial->predicted_high > 0, trial->predicted_high);
	results_bind_uint(s, 22, trial->predicted);
	results_bind_if(
	    s, 23, trial->bound_samples_per_s > 0, trial->bound_samples_per_s);
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
	results_bind_if(
	    s, 13, run->resident_percent >= 0, run->resident_percent);
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
	results_bind_uint(s, 22, run->filtered);
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

static int add_event(struct results *results, int64_t trial, size_t position,
    const struct trace_event *row, struct error *err)
{
	static const char *const kinds[] = { [TRACE_STEP] = "step",
		[TRACE_WAIT] = "wait",
		[TRACE_QUEUE] = "queue" };
	sqlite3_stmt *s = results->stmt[ADD_TRACE];

	sqlite3_bind_int64(s, 1, trial);
	results_bind_uint(s, 2, position);
	results_bind_uint(s, 3, row->thread);
	results_bind_text(s, 4, row->thread_name);
	results_bind_text(s, 5, kinds[row->kind]);
	results_bind_text(s, 6, row->name);
	results_bind_uint(s, 7, row->begin_ns);
	results_bind_uint(s, 8, row->end_ns);
	results_bind_if(s, 9, row->kind == TRACE_QUEUE, (double)row->value);
	return results_run(results, ADD_TRACE, "store a traced event", err);
}

static int add_host(struct results *results, int64_t trial,
    const struct host_row *row, struct error *err)
{
	sqlite3_stmt *s = results->stmt[ADD_HOST];

	sqlite3_bind_int64(s, 1, trial);
	results_bind_uint(s, 2, row->hosts);
	results_bind_uint(s, 3, row->run);
	results_bind_uint(s, 4, row->epoch);
	results_bind_uint(s, 5, row->rank);
	results_bind_text(s, 6, row->host);
	results_bind_uint(s, 7, row->samples);
	results_bind_uint(s, 8, row->wall_ns);
	results_bind_uint(s, 9, row->bytes);
	return results_run(results, ADD_HOST, "store a host's epoch", err);
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
	for (size_t i = 0; i < row->events.count; i++)
		if (add_event(results, trial, i + 1, &row->events.list[i], err))
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
	for (size_t i = 0; i < trial->host_count; i++)
		if (add_host(results, id, &trial->hosts[i], err))
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

/* ---- traced events ---- */

/* A trial that has events, in its session. */
struct traced_trial {
	int64_t id;
	enum cache_mode cache;
	bool is_unprocessed;
	double throughput; /* samples/ns of all steady epochs; -1: not known */
};

struct traced_list {
	struct traced_trial *trials; /* owned */
	size_t count, capacity;
};

static int take_traced(
    struct traced_list *list, sqlite3_stmt *s, struct error *err)
{
	const double samples = sqlite3_column_double(s, 3);
	const double wall_ns = sqlite3_column_double(s, 4); /* NULL: 0 */
	struct traced_trial *trials = array_grow(list->trials, &list->capacity,
	    list->count + 1, sizeof(*trials), err);
	struct traced_trial *trial;

	if (!trials)
		return -1;
	list->trials = trials;
	trial = &trials[list->count++];
	*trial = (struct traced_trial){
		.id = sqlite3_column_int64(s, 0),
		.is_unprocessed = sqlite3_column_int(s, 2) != 0,
		.throughput = wall_ns > 0 ? samples / wall_ns : -1,
	};
	if (cache_parse((const char *)sqlite3_column_text(s, 1), &trial->cache))
		return error_set(err, ERROR_DATA,
		    "trial %lld has no cache mode", (long long)trial->id);
	return 0;
}

static int read_traced(struct results *results, int64_t session,
    struct traced_list *list, struct error *err)
{
	sqlite3_stmt *s = results->stmt[TRACED_TRIALS];
	int rc = 0, got = SQLITE_DONE;

	sqlite3_bind_int64(s, 1, session);
	while (rc == 0 && (got = sqlite3_step(s)) == SQLITE_ROW)
		rc = take_traced(list, s, err);
	if (rc == 0 && got != SQLITE_DONE)
		rc = results_error(results, "look for traced trials", err);
	results_reset(s);
	return rc;
}

/* Is it one of the two fastest of its cache mode, or the best unprocessed? */
static bool is_among_best(const struct traced_list *list, size_t at)
{
	const struct traced_trial *own = &list->trials[at];
	size_t before = 0; /* of two that are equally fast, the first is */

	for (size_t i = 0; i < list->count; i++) {
		const struct traced_trial *other = &list->trials[i];

		if (other->cache == own->cache &&
		    other->is_unprocessed == own->is_unprocessed)
			before += i < at ? other->throughput >= own->throughput
			                 : other->throughput > own->throughput;
	}
	return before < (own->is_unprocessed ? 1 : 2);
}

static int drop_others(struct results *results, int64_t session,
    struct traced_list *list, struct error *err)
{
	static const char dropping[] = "drop traced events";

	if (read_traced(results, session, list, err))
		return -1;
	for (size_t i = 0; i < list->count; i++) {
		if (is_among_best(list, i))
			continue;
		sqlite3_bind_int64(
		    results->stmt[DROP_EVENTS], 1, list->trials[i].id);
		if (results_run(results, DROP_EVENTS, dropping, err))
			return -1;
	}
	return results_run(results, COMMIT, dropping, err);
}

int results_keep_best_events(
    struct results *results, int64_t session, struct error *err)
{
	struct traced_list list = { .count = 0 };
	struct error ignored = ERROR_INIT;
	int rc;

	if (results_run(results, BEGIN, "drop traced events", err))
		return -1;
	rc = drop_others(results, session, &list, err);
	if (rc)
		results_run(results, ROLLBACK, "keep them", &ignored);
	free(list.trials);
	return rc;
}
