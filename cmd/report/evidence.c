/* evidence.c - see evidence.h. */
#define _XOPEN_SOURCE 700 /* strptime */
#include "cmd/report/evidence.h"

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
#include "lib/db/results.h"
#include "lib/files/path.h"
#include "lib/stores/readable.h"
#include "lib/syntax/ini.h"

enum { REPORT_MAX_BYTES = 256 << 20 };

static const char unknown_pipeline[] = "PIPELINE.conf";

static int copy(char **to, const char *text, struct error *err)
{
	*to = strdup(text);
	return *to ? 0 : error_memory(err, strlen(text) + 1);
}

/* ---- what the trials do not say ---- */

static bool has_split(const struct grid *trials, const char *split)
{
	for (size_t i = 0; i < trials->row_count; i++)
		if (strcmp(grid_text(trials, i, "split"), split) == 0)
			return true;
	return false;
}

/* The last representation of the pipeline that was stored by some trial. */
static const char *split_of_pipeline(
    const struct ini *ini, const struct grid *trials)
{
	const struct ini_section *steps = ini_section(ini, "pipeline");

	for (size_t i = steps ? steps->count : 0; i > 0; i--)
		if (has_split(trials, steps->entries[i - 1].key))
			return steps->entries[i - 1].key;
	return NULL;
}

/* Without a pipeline: rows are in its order. */
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

static int read_pipeline(
    struct evidence *evidence, const char *text, struct error *err)
{
	struct error ignored = ERROR_INIT;
	struct ini ini = INI_INIT;
	const char *split = NULL;
	int rc;

	/* A text that cannot be read is none: it is not judged here. */
	if (ini_parse_text(&ini, "pipeline", text, strlen(text), &ignored) ==
	    0) {
		split = split_of_pipeline(&ini, &evidence->trials);
		evidence->reader = reader_of_pipeline(&ini);
	}
	if (!split)
		split = split_of_rows(&evidence->trials);
	rc = copy(&evidence->last_split, split, err);
	ini_release(&ini);
	if (rc == 0 && *evidence->last_split)
		evidence->surroundings.last_split = evidence->last_split;
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

/* Both are of clock_utc. */
static double seconds_between(const char *from, const char *to)
{
	struct tm begin = { .tm_isdst = 0 }, end = { .tm_isdst = 0 };

	if (!strptime(from, "%Y-%m-%dT%H:%M:%S", &begin) ||
	    !strptime(to, "%Y-%m-%dT%H:%M:%S", &end))
		return NAN;
	return difftime(mktime(&end), mktime(&begin));
}

/* ---- the database ---- */

/* Takes over the text, with `rc` 0. */
static int take_options(
    struct evidence *evidence, struct buf *options, int rc, struct error *err)
{
	if (rc == 0)
		rc = buf_append(options, "", 1, err);
	if (rc)
		buf_release(options);
	evidence->options = (char *)options->data;
	evidence->surroundings.options = evidence->options;
	return rc;
}

/* How other commands get at the session. */
static int find_options(
    struct evidence *evidence, struct results *results, struct error *err)
{
	struct error ignored = ERROR_INIT;
	struct buf options = BUF_INIT;
	struct ini ini = INI_INIT;

	evidence->is_kept =
	    results_read_ini(results, evidence->session, &ini, &ignored) == 1;
	ini_release(&ini);
	return take_options(evidence, &options,
	    next_options(&options, results, evidence->session, err), err);
}

int evidence_from_results(struct evidence *evidence, struct results *results,
    int64_t session, struct error *err)
{
	struct session_record record = SESSION_RECORD_INIT;
	const struct machine *machine = &record.info.machine;
	int rc = -1;

	evidence->session = session;
	if (results_read(
	        results, RESULTS_TRIALS, session, &evidence->trials, err) ||
	    figures_read(&evidence->figures, &evidence->trials, err) ||
	    results_read(
	        results, RESULTS_WARNINGS, session, &evidence->warnings, err) ||
	    session_work_read(&evidence->work, results, session, err) ||
	    results_read_session(results, session, &record, err) ||
	    copy(&evidence->pipeline,
	        *record.info.path ? record.info.path : unknown_pipeline, err) ||
	    find_options(evidence, results, err))
		goto done;
	evidence->surroundings.memory_bytes = usable_memory(
	    (double)machine->memory_bytes, (double)machine->memory_limit);
	evidence->surroundings.interrupted = is_interrupted(record.state);
	evidence->surroundings.in_database = true;
	evidence->elapsed_s = seconds_between(record.started, record.ended);
	rc = read_pipeline(evidence, record.info.text, err);
done:
	session_record_release(&record);
	return rc;
}

/* ---- a file ---- */

/* CSV has the name of the pipeline, but not where its file is. */
static int find_pipeline(
    struct evidence *evidence, const struct grid *session, struct error *err)
{
	const char *path =
	    session->row_count ? grid_text(session, 0, "path") : "";

	return copy(&evidence->pipeline,
	    *path && !evidence->hides ? path : unknown_pipeline, err);
}

/* As results_hide does with what comes from a database. */
static int hide(struct evidence *evidence, const struct grid *session,
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
		rc = private_rows(&names, &evidence->trials, err) ||
		             private_rows(&names, &evidence->warnings, err)
		         ? -1
		         : 0;
	private_release(&names);
	return rc;
}

int evidence_from_file(struct evidence *evidence, const char *path,
    int64_t session, struct error *err)
{
	struct buf text = BUF_INIT, options = BUF_INIT;
	struct grid about = GRID_INIT;
	const struct json_report report = { .trials = &evidence->trials,
		.session = &about,
		.warnings = &evidence->warnings,
		.wanted = session };
	bool is_pipe;
	int rc = -1;

	if (path_read_text(path, REPORT_MAX_BYTES, &text, &is_pipe, err) ||
	    report_read(&report, path, &text, err) ||
	    (evidence->hides && hide(evidence, &about, path, err)) ||
	    figures_read(&evidence->figures, &evidence->trials, err) ||
	    find_pipeline(evidence, &about, err) ||
	    take_options(evidence, &options,
	        next_options_from(&options,
	            evidence->hides ? PRIVATE_FILE : path, session, err),
	        err))
		goto done;
	evidence->session =
	    session ? session : figures_newest_session(&evidence->figures);
	evidence->surroundings.memory_bytes = NAN;
	evidence->elapsed_s = NAN;
	if (about.row_count) {
		evidence->surroundings.memory_bytes =
		    usable_memory(grid_number(&about, 0, "memory_bytes"),
		        grid_number(&about, 0, "memory_limit"));
		evidence->surroundings.interrupted =
		    is_interrupted(grid_text(&about, 0, "state"));
	}
	rc = read_pipeline(
	    evidence, about.row_count ? grid_text(&about, 0, "text") : "", err);
done:
	grid_release(&about);
	buf_release(&text);
	return rc;
}

void evidence_complete(const struct evidence *evidence, struct request *request)
{
	request->memory_bytes = evidence->surroundings.memory_bytes;
	if (!request->reader)
		request->reader = evidence->reader;
}

void evidence_release(struct evidence *evidence)
{
	figures_release(&evidence->figures);
	grid_release(&evidence->trials);
	session_work_release(&evidence->work);
	grid_release(&evidence->warnings);
	free(evidence->pipeline);
	free(evidence->options);
	free(evidence->last_split);
	*evidence = (struct evidence)EVIDENCE_INIT;
}
