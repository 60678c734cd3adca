/* json.c - see report.h: a session with all its measurements. */
#include <string.h>

#include "cmd/report/report.h"
#include "cmd/writers/json.h"
#include "lib/base/array.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"

/* Views that belong to a trial, and their names in its object. */
static const struct {
	enum results_view view;
	const char *name;
} of_trials[] = {
	{ RESULTS_RUNS, "repetitions" },
	{ RESULTS_STEPS, "steps" },
	{ RESULTS_PHASES, "phases" },
	{ RESULTS_LEVELS, "levels" },
};

struct tables {
	struct grid trials, warnings, system;
	struct grid parts[ARRAY_LEN(of_trials)];
};

/* Adds a number unless it is 0, which means unknown. */
static void add_known(
    struct json_doc *doc, struct json_t *at, const char *key, uint64_t number)
{
	if (number)
		json_add_uint(doc, at, key, number);
	else
		json_add_text(doc, at, key, NULL);
}

/* Adds a text; null for "": private, or not kept by an older presto. */
static void add_told(
    struct json_doc *doc, struct json_t *at, const char *key, const char *text)
{
	json_add_text(doc, at, key, *text ? text : NULL);
}

static void add_session(
    struct json_doc *doc, struct json_t *at, const struct session_record *r)
{
	const struct session_info *info = &r->info;
	struct json_t *session = json_add_object(doc, at, "session");

	json_add_uint(doc, session, "id", (uint64_t)r->id);
	json_add_text(doc, session, "pipeline", info->pipeline);
	add_told(doc, session, "path", info->path);
	json_add_text(doc, session, "text", info->text);
	add_told(doc, session, "fingerprint", info->fingerprint);
	add_told(doc, session, "dataset", info->dataset);
	add_told(doc, session, "work_dir", info->work_dir);
	json_add_uint(doc, session, "samples", info->samples);
	json_add_uint(doc, session, "total_samples", info->total_samples);
	json_add_uint(doc, session, "full_samples", info->full_samples);
	add_known(doc, session, "source_bytes", info->source_bytes);
	add_known(doc, session, "total_bytes", info->total_bytes);
	json_add_uint(doc, session, "seed", info->seed);
	json_add_uint(doc, session, "batch", info->batch);
	json_add_text(doc, session, "started", r->started);
	json_add_text(doc, session, "ended", *r->ended ? r->ended : NULL);
	json_add_text(doc, session, "state", r->state);
}

static void add_limit(
    struct json_doc *doc, struct json_t *at, const char *key, double limit)
{
	if (limit > 0)
		json_add_number(doc, at, key, limit);
	else
		json_add_text(doc, at, key, NULL);
}

static void add_machine(
    struct json_doc *doc, struct json_t *at, const struct session_info *info)
{
	const struct machine *machine = &info->machine;
	struct json_t *object = json_add_object(doc, at, "machine");

	json_add_text(doc, object, "cpu", machine->cpu);
	json_add_uint(doc, object, "cores", machine->cores);
	json_add_uint(doc, object, "memory_bytes", machine->memory_bytes);
	json_add_uint(doc, object, "memory_limit", machine->memory_limit);
	add_told(doc, object, "kernel", machine->kernel);
	json_add_text(doc, object, "virtual",
	    *machine->virtual ? machine->virtual : NULL);
	json_add_text(doc, object, "source_fs", info->source_fs);
	json_add_text(doc, object, "work_fs", info->work_fs);
	object = json_add_object(doc, at, "storage");
	add_limit(doc, object, "bandwidth_bytes_per_s", info->limits.bandwidth);
	add_limit(doc, object, "latency_s", info->limits.latency);
	add_limit(doc, object, "iops", info->limits.iops);
	add_limit(doc, object, "open_s", info->limits.open);
	add_limit(doc, object, "stream_bytes_per_s", info->limits.stream);
	add_limit(doc, object, "opens", info->limits.opens);
}

static void add_versions(
    struct json_doc *doc, struct json_t *at, const struct session_record *r)
{
	struct json_t *object = json_add_object(doc, at, "versions");

	json_add_text(doc, object, "presto", r->version);
	json_add_text(doc, object, "compiler", r->info.machine.compiler);
	json_add_text(doc, object, "libraries", r->info.machine.libraries);
}

/*
 * Adds the rows of `from` that belong to this trial, without the columns that
 * identify it: the first four, and those from "cache_place" on.  Rows are in
 * the order of the trials; *row is the first that was not added yet.  Rows of
 * preparations belong to no trial.
 */
static void add_rows(struct json_doc *doc, struct json_t *array,
    const struct grid *from, size_t *row, int64_t trial)
{
	enum { FIRST = 4 }; /* session, strategy, threads, cache */
	const int end = grid_column(from, "cache_place");

	for (; *row < from->row_count; (*row)++) {
		const int64_t of = grid_integer(from, *row, "trial");

		if (of && of != trial)
			break;
		if (of)
			json_add_columns(doc, json_add_object(doc, array, NULL),
			    from, *row,
			    (struct json_columns){ FIRST, (size_t)end });
	}
}

static void add_trials(
    struct json_doc *doc, struct json_t *at, const struct tables *tables)
{
	struct json_t *array = json_add_array(doc, at, "trials");
	size_t next[ARRAY_LEN(of_trials)] = { 0 };

	for (size_t row = 0; row < tables->trials.row_count; row++) {
		struct json_t *trial = json_add_object(doc, array, NULL);

		json_add_row(doc, trial, &tables->trials, row, 0);
		for (size_t i = 0; i < ARRAY_LEN(of_trials); i++)
			add_rows(doc,
			    json_add_array(doc, trial, of_trials[i].name),
			    &tables->parts[i], &next[i],
			    grid_integer(&tables->trials, row, "trial"));
	}
}

static void add_warnings(
    struct json_doc *doc, struct json_t *at, const struct grid *warnings)
{
	struct json_t *array = json_add_array(doc, at, "warnings");

	for (size_t row = 0; row < warnings->row_count; row++)
		json_add_text(
		    doc, array, NULL, grid_text(warnings, row, "text"));
}

/* Adds the rows without the column of the session. */
static void add_system(
    struct json_doc *doc, struct json_t *at, const struct grid *system)
{
	struct json_t *array = json_add_array(doc, at, "system");

	for (size_t row = 0; row < system->row_count; row++)
		json_add_row(
		    doc, json_add_object(doc, array, NULL), system, row, 1);
}

static int read_tables(struct tables *tables, struct results *results,
    int64_t session, struct error *err)
{
	if (results_read(
	        results, RESULTS_TRIALS, session, &tables->trials, err) ||
	    results_read(
	        results, RESULTS_WARNINGS, session, &tables->warnings, err) ||
	    results_read(
	        results, RESULTS_SYSTEM, session, &tables->system, err))
		return -1;
	for (size_t i = 0; i < ARRAY_LEN(of_trials); i++)
		if (results_read(results, of_trials[i].view, session,
		        &tables->parts[i], err))
			return -1;
	return 0;
}

static void release_tables(struct tables *tables)
{
	grid_release(&tables->trials);
	grid_release(&tables->warnings);
	grid_release(&tables->system);
	for (size_t i = 0; i < ARRAY_LEN(of_trials); i++)
		grid_release(&tables->parts[i]);
}

static int add_document(struct json_doc *doc, struct json_t *at,
    struct results *results, int64_t session, struct error *err)
{
	struct session_record record = SESSION_RECORD_INIT;
	struct tables tables = { .trials = GRID_INIT };
	int rc = -1;

	if (results_read_session(results, session, &record, err) ||
	    read_tables(&tables, results, session, err))
		goto done;
	json_add_uint(doc, at, "schema_version", REPORT_SCHEMA);
	add_session(doc, at, &record);
	add_machine(doc, at, &record.info);
	add_versions(doc, at, &record);
	add_warnings(doc, at, &tables.warnings);
	add_trials(doc, at, &tables);
	add_system(doc, at, &tables.system);
	rc = 0;
done:
	release_tables(&tables);
	session_record_release(&record);
	return rc;
}

static int add_all(
    struct json_doc *doc, struct results *results, struct error *err)
{
	struct grid report = GRID_INIT;
	int64_t last = 0;
	int rc = results_read(results, RESULTS_REPORT, 0, &report, err);

	for (size_t i = 0; rc == 0 && i < report.row_count; i++) {
		const int64_t session = grid_integer(&report, i, "session");

		if (session <= last) /* sessions are in ascending order */
			continue;
		last = session;
		rc = add_document(doc, json_add_object(doc, doc->root, NULL),
		    results, session, err);
	}
	grid_release(&report);
	return rc;
}

int report_print_json(
    struct results *results, int64_t session, FILE *out, struct error *err)
{
	struct json_doc doc = session ? json_doc_object() : json_doc_array();
	int rc = session ? add_document(&doc, doc.root, results, session, err)
	                 : add_all(&doc, results, err);

	if (rc == 0)
		rc = json_doc_write(&doc, out, err);
	json_doc_release(&doc);
	return rc;
}
