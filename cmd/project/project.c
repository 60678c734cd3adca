/* project.c - see project.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/project/project.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/results.h"
#include "lib/db/results_ini.h"
#include "lib/db/results_read.h"
#include "lib/files/path.h"
#include "lib/folder/inventory_take.h"
#include "strategies/prepare/origin.h"

struct project *project_new(struct error *err)
{
	struct project *project = memory_zeroed(sizeof(*project), err);

	return project;
}

void project_free(struct project *project)
{
	if (!project)
		return;
	inventory_release(&project->inventory);
	reader_free(project->source);
	medium_free(project->medium);
	pipeline_release(&project->pipeline);
	dataset_release(&project->dataset);
	ini_release(&project->ini);
	free(project);
}

static int apply(struct ini *ini, const struct option_texts *sets,
    const struct override *overrides, struct error *err)
{
	for (unsigned i = 0; i < sets->count; i++)
		if (ini_set(ini, sets->text[i], err))
			return -1;
	for (; overrides && overrides->key; overrides++)
		if (overrides->value &&
		    ini_put(ini, overrides->section, overrides->key,
		        overrides->value, err))
			return -1;
	return 0;
}

/* Reads the file and applies all settings. */
static int read_ini(struct project *project, const struct option_texts *sets,
    const struct override *overrides, struct error *err)
{
	struct ini *ini = &project->ini;

	if (apply(ini, sets, overrides, err) ||
	    plan_read(&project->plan, ini, err) ||
	    dataset_read(&project->dataset, ini, err))
		return -1;
	return pipeline_read(&project->pipeline, ini, err);
}

int project_read(struct project *project, const char *path,
    const struct option_texts *sets, const struct override *overrides,
    struct error *err)
{
	if (ini_read(&project->ini, path, err))
		return -1;
	return read_ini(project, sets, overrides, err);
}

int project_recall(struct project *project, struct results *results,
    int64_t session, const struct option_texts *sets,
    const struct override *overrides, struct error *err)
{
	const int found =
	    results_read_ini(results, session, &project->ini, err);

	if (found == 0)
		error_set(err, ERROR_USAGE,
		    "an older presto measured it, and did not keep the "
		    "pipeline file; name the file, and the strategy with "
		    "--strategy");
	if (found == 1 && read_ini(project, sets, overrides, err) == 0)
		return 0;
	return error_prefix(err, "session %lld", (long long)session);
}

/* Was it set by this call, and not when the session began? */
static bool is_chosen_anew(const struct ini_section *dataset)
{
	for (size_t i = 0; dataset && i < dataset->count; i++)
		if (!dataset->entries[i].line && !dataset->entries[i].folder &&
		    strcmp(dataset->entries[i].key, "fingerprint") != 0)
			return true;
	return false;
}

/* Prints each line as a note. */
static void tell_notes(const struct reader *source)
{
	const char *line = (const char *)source->notes.data;

	while (source->notes.len && *line) {
		const size_t len = strcspn(line, "\n");

		cmd_warn("%.*s", (int)len, line);
		line += len + (line[len] == '\n');
	}
}

int project_open(
    struct project *project, uint64_t limit, bool emulate, struct error *err)
{
	project->medium = emulate && plan_emulates(&project->plan)
	                      ? medium_new_emulated(&project->plan.limits, err)
	                      : medium_new_local(err);
	if (!project->medium)
		return -1;
	/* Listing the dataset is not slowed down by the emulated storage. */
	medium_set_warm(project->medium, true);
	project->source =
	    dataset_open(&project->dataset, limit, project->medium, err);
	medium_set_warm(project->medium, false);
	if (!project->source)
		return -1;
	tell_notes(project->source);
	return pipeline_bind(
	    &project->pipeline, reader_decoded(project->source), err);
}

int project_inventory(const struct project *project, unsigned steps,
    const atomic_bool *stop, struct inventory *inventory, struct error *err)
{
	const struct pipeline *pipeline = &project->pipeline;
	const struct inventory_plan how = {
		.reader = project->source,
		.path = project->dataset.path,
		.mode = project->dataset.fingerprint,
		.medium = project->medium,
		.stop = stop,
	};
	int rc;

	medium_set_warm(project->medium, true);
	rc = inventory_take(inventory, &how, err);
	for (unsigned i = 0; rc == 0 && i < steps; i++)
		for (unsigned k = 0; rc == 0 && k < PIPELINE_PATHS; k++) {
			const char *path = pipeline->steps[i].paths[k];

			if (path)
				rc = inventory_take_besides(
				    inventory, &how, path, err);
		}
	medium_set_warm(project->medium, false);
	return rc;
}

#define ANOTHER_NOW                                                           \
	"profile it again, or give --set dataset.path=PATH to write what is " \
	"there now"

static int check_totals(const struct project *project,
    const struct session_record *record, struct error *err)
{
	const struct reader *now = project->source;
	const struct session_info *then = &record->info;
	char old_bytes[UNITS_TEXT], new_bytes[UNITS_TEXT];
	const bool has_bytes = then->total_bytes && now->total_bytes;

	if (now->total_samples == then->total_samples &&
	    (!has_bytes || now->total_bytes == then->total_bytes))
		return 0;
	units_bytes((double)then->total_bytes, old_bytes);
	units_bytes((double)now->total_bytes, new_bytes);
	return error_set(err, ERROR_DATA,
	    "%s has changed since session %lld: it had %llu samples%s%s, and "
	    "has %llu%s%s now; " ANOTHER_NOW,
	    then->dataset, (long long)record->id,
	    (unsigned long long)then->total_samples, has_bytes ? " of " : "",
	    has_bytes ? old_bytes : "", (unsigned long long)now->total_samples,
	    has_bytes ? " of " : "", has_bytes ? new_bytes : "");
}

int project_check_dataset(const struct project *project,
    struct results *results, const struct session_record *record,
    struct error *err)
{
	struct inventory now = INVENTORY_INIT;
	int rc;

	if (is_chosen_anew(ini_section(&project->ini, "dataset")))
		return 0;
	rc = project_inventory(
	    project, project->pipeline.count, NULL, &now, err);
	if (rc == 0)
		rc = origin_check_session(
		    results, record->id, &now, true, project->medium, err);
	inventory_release(&now);
	if (rc == 0)
		return check_totals(project, record, err);
	error_prefix(err, "%s", record->info.dataset);
	return error_advise(err, ANOTHER_NOW);
}

char *project_warning(const struct project *project)
{
	struct error ignored = ERROR_INIT;
	struct buf text = BUF_INIT;

	if (!project->dataset.other_full_samples)
		return NULL;
	if (buf_printf(&text, &ignored,
	        "%s: full_samples = %llu is not used, since another dataset "
	        "was chosen with dataset.path; give its number with --set "
	        "dataset.full_samples=N",
	        project->ini.path,
	        (unsigned long long)project->dataset.other_full_samples))
		buf_release(&text);
	return (char *)text.data;
}

char *project_place(const struct project *project)
{
	const char *path = project->dataset.path;
	char *folder, *place = path ? realpath(path, NULL) : NULL;
	size_t len;

	if (!path || place)
		return place;
	len = strcspn(path, "*?[{");
	while (len && path[len - 1] != '/')
		len--;
	folder = len ? strndup(path, len) : strdup(".");
	place = folder ? realpath(folder, NULL) : NULL;
	free(folder);
	return place;
}

int project_hint(bool skip_errors, struct error *err)
{
	const size_t used = strlen(err->text);

	/* on_error = skip helps only with samples that a step refuses. */
	if (err->code == ERROR_DATA && !skip_errors &&
	    strstr(err->text, "sample "))
		snprintf(err->text + used, sizeof(err->text) - used,
		    "; dataset.on_error = skip leaves such samples out");
	return -1;
}

char *project_name(const char *path, struct error *err)
{
	char *name = strdup(path_base(path));

	if (!name) {
		error_memory(err, strlen(path));
		return NULL;
	}
	if (span_ends_with(span_text(name), ".conf"))
		name[strlen(name) - strlen(".conf")] = '\0';
	return name;
}
