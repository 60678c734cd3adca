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
#include "lib/files/url.h"
#include "lib/folder/inventory_take.h"
#include "lib/sample/reader.h"
#include "strategies/planfile/plan_file.h"
#include "strategies/prepare/origin.h"

struct project_settings project_settings_of(
    const struct option_texts *sets, const struct override *overrides)
{
	return (struct project_settings){
		.texts = sets->text,
		.count = sets->count,
		.overrides = overrides,
	};
}

int project_recall(struct project *project, struct results *results,
    int64_t session, const struct project_settings *settings, struct error *err)
{
	const int found =
	    results_read_ini(results, session, &project->ini, err);

	if (found == 0)
		error_set(err, ERROR_USAGE,
		    "an older presto measured it, and did not keep the "
		    "pipeline file; name the file, and the strategy with "
		    "--strategy");
	if (found == 1 && project_read_ini(project, settings, err) == 0)
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

void project_tell_notes(const struct reader *source)
{
	const char *line = (const char *)source->notes.data;

	while (source->notes.len && *line) {
		const size_t len = strcspn(line, "\n");

		cmd_warn("%.*s", (int)len, line);
		line += len + (line[len] == '\n');
	}
}

int project_open_noted(
    struct project *project, uint64_t limit, bool emulate, struct error *err)
{
	const int rc = project_open(project, limit, emulate, err);

	if (project->source)
		project_tell_notes(project->source);
	return rc;
}

/* Lists the files of a reader, and those that the steps read besides. */
static int list_files(const struct project *project,
    const struct reader *reader, uint64_t steps, const atomic_bool *stop,
    struct inventory *inventory, struct error *err)
{
	const struct pipeline *pipeline = &project->pipeline;
	const struct inventory_plan how = {
		.reader = reader,
		.path = project->dataset.path,
		.mode = project->dataset.fingerprint,
		.medium = project->medium,
		.stop = stop,
		.known = project->dataset.known,
	};
	int rc;

	medium_set_warm(project->medium, true);
	rc = inventory_take(inventory, &how, err);
	for (unsigned i = 0; rc == 0 && i < pipeline->count; i++)
		for (unsigned k = 0; rc == 0 && k < PIPELINE_PATHS; k++) {
			const char *path = pipeline->steps[i].paths[k];

			if (path && (steps >> i & 1))
				rc = inventory_take_besides(
				    inventory, &how, path, err);
		}
	medium_set_warm(project->medium, false);
	return rc;
}

int project_inventory(const struct project *project, uint64_t steps,
    const atomic_bool *stop, struct inventory *inventory, struct error *err)
{
	return list_files(
	    project, project->source, steps, stop, inventory, err);
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
	rc = project_inventory(project, PROJECT_STEPS, NULL, &now, err);
	if (rc == 0)
		rc = origin_check_session(
		    results, record->id, &now, true, project->medium, err);
	inventory_release(&now);
	if (rc == 0)
		return check_totals(project, record, err);
	error_prefix(err, "%s", record->info.dataset);
	return error_advise(err, ANOTHER_NOW);
}

/* ---- plans ---- */

int project_check_planned(
    const struct project *project, const atomic_bool *stop, struct error *err)
{
	const bool other_data =
	    is_chosen_anew(ini_section(&project->ini, "dataset"));
	struct inventory now = INVENTORY_INIT;
	struct reader *profiled;
	int rc = -1;

	if (project_check_plan(project, other_data, err))
		return -1;
	if (!project->planned || other_data)
		return 0;
	/* The session profiled a part of the samples that are open now. */
	medium_set_warm(project->medium, true);
	profiled = dataset_open(&project->dataset,
	    project->planned->fingerprint.samples, project->medium, err);
	medium_set_warm(project->medium, false);
	if (profiled)
		rc = list_files(
		    project, profiled, PROJECT_STEPS, stop, &now, err);
	if (rc == 0)
		rc = plan_file_check_files(project->planned, &now, err);
	inventory_release(&now);
	reader_free(profiled);
	return rc;
}

int project_check_pipeline(
    const struct project *project, const char *path, struct error *err)
{
	static const char *const of_dataset[] = { "fingerprint", "full_samples",
		"path", NULL };
	static const struct {
		const char *section;
		const char *const *without;
	} parts[] = { { "pipeline", NULL }, { "dataset", of_dataset } };
	struct ini ini = INI_INIT;
	int rc = ini_read(&ini, path, err);

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(parts); i++) {
		const char *name = parts[i].section;

		if (ini_hash(ini_section(&ini, name), parts[i].without, 0) !=
		    ini_hash(
		        ini_section(&project->ini, name), parts[i].without, 0))
			rc = error_set(err, ERROR_USAGE,
			    "[%s] of %s is not that of the plan %s: profile "
			    "it again for a new plan, or give the plan alone",
			    name, path, project->ini.path);
	}
	ini_release(&ini);
	return rc;
}

int project_read_planned(struct project *project, const char *path,
    const char *plan, const struct project_settings *settings,
    struct error *err)
{
	if (!plan)
		return project_read(project, path, settings, err);
	if (project_read(project, plan, settings, err))
		return -1;
	if (!project->planned)
		return error_set(err, ERROR_USAGE,
		    "%s is no plan: presto recommend --plan writes one", plan);
	return path ? project_check_pipeline(project, path, err) : 0;
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
	char *folder, *place, url[URL_TEXT];
	size_t len;

	if (path && url_is(path))
		return strdup(url_text(path, url));
	place = path ? realpath(path, NULL) : NULL;
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
