/* session_data.c - see session_data.h. */
#define _XOPEN_SOURCE 700 /* strptime */
#include "cmd/report/session_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/program/private.h"
#include "cmd/report/next.h"
#include "cmd/report/read.h"
#include "cmd/writers/json.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/private.h"
#include "lib/db/results_ini.h"
#include "lib/db/results_read.h"
#include "lib/files/path.h"
#include "lib/stores/readable.h"
#include "lib/syntax/ini.h"
#include "strategies/decide/asked.h"
#include "strategies/plan/plan.h"
#include "strategies/search/searched.h"

enum { REPORT_MAX_BYTES = 256 << 20 };

static const char unknown_pipeline[] = "PIPELINE.conf";

static int copy(char **to, const char *text, struct error *err)
{
	*to = strdup(text);
	return *to ? 0 : error_memory(err, strlen(text) + 1);
}

/* ---- split and reader of the pipeline file ---- */

static bool has_split(const struct grid *trials, const char *split)
{
	for (size_t i = 0; i < trials->row_count; i++)
		if (strcmp(grid_text(trials, i, "split"), split) == 0)
			return true;
	return false;
}

/* The last representation of the pipeline that some trial stored. */
static const char *split_of_pipeline(
    const struct ini *ini, const struct grid *trials)
{
	const struct ini_section *steps = ini_section(ini, "pipeline");

	for (size_t i = steps ? steps->count : 0; i > 0; i--)
		if (has_split(trials, steps->entries[i - 1].key))
			return steps->entries[i - 1].key;
	return NULL;
}

/* Without a pipeline file: rows are in its order. */
static const char *split_of_rows(const struct grid *trials)
{
	for (size_t i = trials->row_count; i > 0; i--) {
		const char *split = grid_text(trials, i - 1, "split");

		if (strcmp(split, "unprocessed") != 0)
			return split;
	}
	return "";
}

static const struct stock_reader *reader_of_pipeline(const struct ini *ini)
{
	const struct ini_section *section = ini_section(ini, "decision");
	const struct ini_entry *entry =
	    section ? ini_entry(section, "readable_by") : NULL;

	return entry ? stock_reader_find(entry->value) : NULL;
}

/* A decision with mistakes counts as none. */
static struct request decision_of_pipeline(const struct ini *ini)
{
	struct request request = request_default();
	struct error ignored = ERROR_INIT;
	struct plan_decision decision;

	if (plan_read_decision(&decision, ini, &ignored) ||
	    request_ask(&request, &decision, "", &ignored))
		return request_default();
	return request;
}

static int read_pipeline(
    struct session_data *data, const char *text, struct error *err)
{
	struct error ignored = ERROR_INIT;
	struct ini ini = INI_INIT;
	const char *split = NULL;
	int rc;

	data->decision = request_default();
	/* A text with mistakes counts as none: nothing reports them here. */
	if (ini_parse_text(&ini, "pipeline", text, strlen(text), &ignored) ==
	    0) {
		split = split_of_pipeline(&ini, &data->trials);
		data->reader = reader_of_pipeline(&ini);
		data->tolerance_db = asked_tolerance_db(&ini);
		data->decision = decision_of_pipeline(&ini);
	}
	if (!split)
		split = split_of_rows(&data->trials);
	rc = copy(&data->last_split, split, err);
	ini_release(&ini);
	if (rc == 0 && *data->last_split)
		data->surroundings.last_split = data->last_split;
	return rc;
}

static double usable_memory(double bytes, double limit)
{
	if (!(bytes > 0))
		return NAN;
	return limit > 0 && limit < bytes ? limit : bytes;
}

static bool is_interrupted(const char *state)
{
	return strcmp(state, "interrupted") == 0;
}

/* Both times are as clock_utc writes them. */
static double seconds_between(const char *from, const char *to)
{
	struct tm begin = { .tm_isdst = 0 }, end = { .tm_isdst = 0 };

	if (!strptime(from, "%Y-%m-%dT%H:%M:%S", &begin) ||
	    !strptime(to, "%Y-%m-%dT%H:%M:%S", &end))
		return NAN;
	return difftime(mktime(&end), mktime(&begin));
}

/* ---- the database ---- */

/* Takes over the text if `rc` is 0. */
static int take_options(
    struct session_data *data, struct buf *options, int rc, struct error *err)
{
	if (rc == 0)
		rc = buf_append(options, "", 1, err);
	if (rc)
		buf_release(options);
	data->options = (char *)options->data;
	data->surroundings.options = data->options;
	return rc;
}

/* Finds the options that name the session to other commands. */
static int find_options(
    struct session_data *data, struct results *results, struct error *err)
{
	struct error ignored = ERROR_INIT;
	struct buf options = BUF_INIT;
	struct ini ini = INI_INIT;

	data->is_kept =
	    results_read_ini(results, data->session, &ini, &ignored) == 1;
	ini_release(&ini);
	return take_options(data, &options,
	    next_options(&options, results, data->session, err), err);
}

int session_data_from_results(struct session_data *data,
    struct results *results, int64_t session, struct error *err)
{
	struct session_record record = SESSION_RECORD_INIT;
	const struct machine *machine = &record.info.machine;
	int rc = -1;

	data->session = session;
	if (results_read(
	        results, RESULTS_TRIALS, session, &data->trials, err) ||
	    figures_read(&data->figures, &data->trials, err) ||
	    results_read(
	        results, RESULTS_WARNINGS, session, &data->warnings, err) ||
	    session_work_read(&data->work, results, session, err) ||
	    results_read_session(results, session, &record, err) ||
	    copy(&data->pipeline,
	        *record.info.path ? record.info.path : unknown_pipeline, err) ||
	    find_options(data, results, err))
		goto done;
	data->surroundings.memory_bytes = usable_memory(
	    (double)machine->memory_bytes, (double)machine->memory_limit);
	data->surroundings.interrupted = is_interrupted(record.state);
	data->surroundings.in_database = true;
	data->elapsed_s = seconds_between(record.started, record.ended);
	rc = read_pipeline(data, record.info.text, err);
done:
	session_record_release(&record);
	return rc;
}

/* ---- a file ---- */

/* CSV has the name of the pipeline, but not where its file is. */
static int find_pipeline(
    struct session_data *data, const struct grid *session, struct error *err)
{
	const char *path =
	    session->row_count ? grid_text(session, 0, "path") : "";

	return copy(&data->pipeline,
	    *path && !data->hides ? path : unknown_pipeline, err);
}

/* Hides what results_hide would hide in a database. */
static int hide(struct session_data *data, const struct grid *session,
    const char *path, struct error *err)
{
	static const char *const places[] = { "path", "dataset", "work_dir" };
	struct private names = PRIVATE_INIT;
	int rc = private_know_host(&names, err);

	if (rc == 0)
		rc = private_know(&names, path, err);
	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(places); i++)
		if (session->row_count)
			rc = private_know(
			    &names, grid_text(session, 0, places[i]), err);
	if (rc == 0)
		rc = private_rows(&names, &data->trials, err) ||
		             private_rows(&names, &data->warnings, err)
		         ? -1
		         : 0;
	private_release(&names);
	return rc;
}

int session_data_from_file(struct session_data *data, const char *path,
    int64_t session, struct error *err)
{
	struct buf text = BUF_INIT, options = BUF_INIT;
	struct grid about = GRID_INIT;
	const struct json_report report = { .trials = &data->trials,
		.session = &about,
		.warnings = &data->warnings,
		.wanted = session };
	bool is_pipe;
	int rc = -1;

	if (path_read_text(path, REPORT_MAX_BYTES, &text, &is_pipe, err) ||
	    report_read(&report, path, &text, err) ||
	    (data->hides && hide(data, &about, path, err)) ||
	    figures_read(&data->figures, &data->trials, err) ||
	    find_pipeline(data, &about, err) ||
	    take_options(data, &options,
	        next_options_from(
	            &options, data->hides ? PRIVATE_FILE : path, session, err),
	        err))
		goto done;
	data->session =
	    session ? session : figures_newest_session(&data->figures);
	data->surroundings.memory_bytes = NAN;
	data->elapsed_s = NAN;
	if (about.row_count) {
		data->surroundings.memory_bytes =
		    usable_memory(grid_number(&about, 0, "memory_bytes"),
		        grid_number(&about, 0, "memory_limit"));
		data->surroundings.interrupted =
		    is_interrupted(grid_text(&about, 0, "state"));
	}
	rc = read_pipeline(
	    data, about.row_count ? grid_text(&about, 0, "text") : "", err);
done:
	grid_release(&about);
	buf_release(&text);
	return rc;
}

void session_data_complete(
    const struct session_data *data, struct request *request)
{
	const struct request none = request_default();

	request->memory_bytes = data->surroundings.memory_bytes;
	if (!request->reader)
		request->reader = data->reader;
	if (!(request->tolerance_db > 0))
		request->tolerance_db = data->tolerance_db;
	if (request->is_decided || !data->decision.objective ||
	    !searched_for(request, &none))
		return;
	request->lossy = data->decision.lossy;
	request->objective = data->decision.objective;
	request->weights = data->decision.weights;
	request->epochs = data->decision.epochs;
	request->min_throughput = data->decision.min_throughput;
	request->max_storage_bytes = data->decision.max_storage_bytes;
	request->max_prep_s = data->decision.max_prep_s;
}

void session_data_release(struct session_data *data)
{
	figures_release(&data->figures);
	grid_release(&data->trials);
	session_work_release(&data->work);
	grid_release(&data->warnings);
	free(data->pipeline);
	free(data->options);
	free(data->last_split);
	*data = (struct session_data)SESSION_DATA_INIT;
}
