/* project.c - see project.h. */
#include "api/project.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/pipeline/code_print.h"
#include "lib/stores/store.h"
#include "lib/syntax/ini_options.h"
#include "strategies/plan/cache_list.h"
#include "strategies/planfile/plan_file.h"

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
	far_cache_release(&project->far_cache);
	pipeline_release(&project->pipeline);
	dataset_release(&project->dataset);
	ini_release(&project->ini);
	if (project->planned)
		plan_file_release(project->planned);
	free(project->planned);
	free(project->fingerprint);
	free(project);
}

/* ---- reading ---- */

/* Lets the paths of all settings begin in this folder. */
static int fix_folders(struct ini *ini, const char *folder, struct error *err)
{
	for (size_t s = 0; s < ini->count; s++)
		for (size_t i = 0; i < ini->sections[s].count; i++) {
			struct ini_entry *entry = &ini->sections[s].entries[i];

			if (entry->line || entry->folder)
				continue;
			entry->folder = strdup(folder);
			if (!entry->folder)
				return error_memory(err, strlen(folder));
		}
	return 0;
}

static int apply(
    struct ini *ini, const struct project_settings *settings, struct error *err)
{
	const struct override *set = settings->overrides;

	ini->setter = settings->setter;
	for (size_t i = 0; i < settings->count; i++)
		if (ini_set(ini, settings->texts[i], err))
			return -1;
	for (; set && set->key; set++)
		if (set->value &&
		    ini_put(ini, set->section, set->key, set->value, err))
			return -1;
	if (settings->python &&
	    !ini_entry(ini_section(ini, "python"), "interpreter") &&
	    ini_put(ini, "python", "interpreter", settings->python, err))
		return -1;
	return settings->folder ? fix_folders(ini, settings->folder, err) : 0;
}

/* Reads all sections of the file; `split`: the stored representation. */
static int read_sections(struct project *project, const char *split,
    const char *order, const struct presto_step *steps, struct error *err)
{
	struct ini *ini = &project->ini;

	far_cache_release(&project->far_cache);
	if (plan_read(&project->plan, ini, err) ||
	    far_cache_read(&project->far_cache, ini, err) ||
	    dataset_read(&project->dataset, ini, err))
		return -1;
	return pipeline_read_behind(
	    &project->pipeline, ini, split, order, steps, err);
}

int project_read_ini(struct project *project,
    const struct project_settings *settings, struct error *err)
{
	if (apply(&project->ini, settings, err))
		return -1;
	return read_sections(project, "raw", NULL, settings->steps, err);
}

int project_load(struct project *project, const char *path, struct error *err)
{
	if (ini_read(&project->ini, path, err))
		return -1;
	if (!plan_file_is(&project->ini))
		return 0;
	project->planned = memory_zeroed(sizeof(*project->planned), err);
	if (!project->planned)
		return -1;
	return plan_file_take(project->planned, &project->ini, err);
}

int project_read(struct project *project, const char *path,
    const struct project_settings *settings, struct error *err)
{
	if (project_load(project, path, err))
		return -1;
	return project_read_ini(project, settings, err);
}

/* ---- a materialised folder ---- */

/* Refuses settings of the dataset, which is the folder. */
static int check_dataset(const struct ini *ini, struct error *err)
{
	const struct ini_section *section = ini_section(ini, "dataset");

	for (size_t i = 0; section && i < section->count; i++) {
		const struct ini_entry *entry = &section->entries[i];

		if (entry->line || strcmp(entry->key, "on_error") == 0 ||
		    strcmp(entry->key, "version") == 0)
			continue;
		error_set(err, ERROR_USAGE,
		    "the dataset is the folder: on_error and version are the "
		    "only keys of [dataset] that can be set");
		return ini_error_at(ini, entry, err);
	}
	return 0;
}

/* Refuses settings of steps that ran before the data was stored. */
static int check_steps(const struct ini *ini,
    const struct description *description, struct error *err)
{
	const struct ini_section *section = ini_section(ini, "pipeline");

	for (size_t i = 0; section && i < section->count; i++) {
		const struct ini_entry *entry = &section->entries[i];

		if (entry->line || !pipeline_entry_ran(ini, entry,
		                       description->split, description->order))
			continue;
		error_set(err, ERROR_USAGE,
		    "this step ran before the data was stored; materialize "
		    "again to change it");
		return ini_error_at(ini, entry, err);
	}
	return 0;
}

/* Puts the folder in the place of the dataset that it was made from. */
static int replace_dataset(struct ini *ini, const char *dir, struct error *err)
{
	const struct ini_entry *entry =
	    ini_entry(ini_section(ini, "dataset"), "on_error");
	char *on_error = NULL;
	int rc = -1;

	if (entry && !(on_error = strdup(entry->value)))
		return error_memory(err, strlen(entry->value));
	if (ini_forget(ini, "dataset", err) == 0 &&
	    ini_put(ini, "dataset", "source", "presto", err) == 0 &&
	    ini_put(ini, "dataset", "path", dir, err) == 0 &&
	    (!on_error ||
	        ini_put(ini, "dataset", "on_error", on_error, err) == 0))
		rc = 0;
	free(on_error);
	return rc;
}

/* Lets the paths of the steps that remain begin where they did. */
static int set_folders(
    struct ini *ini, const struct description *description, struct error *err)
{
	const struct ini_section *section = ini_section(ini, "pipeline");

	for (size_t i = 0; i < description->step_count; i++) {
		const struct described_step *step = &description->steps[i];
		struct ini_entry *entry = ini_entry(section, step->name);

		if (!entry || !step->folder)
			continue;
		entry->folder = strdup(step->folder);
		if (!entry->folder)
			return error_memory(err, strlen(step->folder));
	}
	return 0;
}

/* Takes the text of the pipeline file. */
static int take_text(struct project *project,
    const struct description *description, const char *dir, struct error *err)
{
	struct ini *ini = &project->ini;
	const char *text = description->pipeline;
	char *path = path_join(dir, DESCRIPTION_NAME ": pipeline", err);
	int rc = -1;

	if (path && ini_parse_text(ini, path, text, strlen(text), err) == 0)
		rc = set_folders(ini, description, err);
	free(path);
	return rc;
}

static int read_description(struct project *project,
    const struct description *description, const char *dir,
    const struct project_settings *settings, struct error *err)
{
	struct ini *ini = &project->ini;

	if (!description->is_whole)
		return error_set(err, ERROR_DATA,
		    "%s: has no " DESCRIPTION_NAME ", which says what steps "
		    "remain: run presto materialize again to add it, or write "
		    "a pipeline file with 'source = presto'",
		    dir);
	project->fingerprint = strdup(description->manifest.fingerprint);
	if (!project->fingerprint)
		return error_memory(err, 1);
	if (take_text(project, description, dir, err) ||
	    apply(ini, settings, err) || check_dataset(ini, err) ||
	    check_steps(ini, description, err) ||
	    replace_dataset(ini, dir, err) || ini_forget(ini, "storage", err) ||
	    read_sections(project, description->split, description->order,
	        settings->steps, err))
		return -1;
	if (!ini_entry(ini_section(ini, "measure"), "seed"))
		project->plan.measure.seed = description->seed;
	return 0;
}

int project_read_folder(struct project *project, const char *dir,
    const struct project_settings *settings, struct error *err)
{
	struct description description = DESCRIPTION_INIT;
	struct medium *medium = medium_new_local(err);
	int rc = medium ? description_read(&description, medium, dir, err) : -1;

	medium_free(medium);
	if (rc == 0)
		rc =
		    read_description(project, &description, dir, settings, err);
	description_release(&description);
	return rc;
}

/* ---- opening ---- */

/*
 * The samples and their order.  Where the dataset lies does not matter; its
 * steps do where they make several samples of one.
 */
static uint64_t find_identity(const struct project *project)
{
	static const char *const no_matter[] = { "fingerprint", "full_samples",
		"on_error", "path", "version", NULL };
	const struct pipeline *pipeline = &project->pipeline;
	const struct reader *source = project->source;
	const uint64_t totals[] = { source->samples, source->bytes,
		source->streams, pipeline->from };
	const struct ini_section *dataset =
	    ini_section(&project->ini, "dataset");
	uint64_t hash = hash_bytes(totals, sizeof(totals), 0);

	if (project->fingerprint)
		hash = hash_bytes(
		    project->fingerprint, strlen(project->fingerprint), hash);
	hash = ini_hash(dataset, no_matter, hash);
	if (project->version > 1)
		hash = hash_bytes(
		    &project->version, sizeof(project->version), hash);
	if (pipeline_makes_many(pipeline, pipeline->from, pipeline->count))
		hash = ini_hash(
		    ini_section(&project->ini, "pipeline"), NULL, hash);
	return hash;
}

uint64_t project_samples(const struct project *project)
{
	const struct pipeline *pipeline = &project->pipeline;

	if (pipeline_makes_many(pipeline, pipeline->from, pipeline->count))
		return 0;
	return project->source->samples;
}

int project_open(
    struct project *project, uint64_t limit, bool emulate, struct error *err)
{
	int rc;

	project->medium = emulate && plan_emulates(&project->plan)
	                      ? medium_new_emulated(&project->plan.limits, err)
	                      : medium_new_local(err);
	if (!project->medium ||
	    far_cache_check(&project->plan.load, &project->far_cache,
	        project->dataset.path && url_is(project->dataset.path), err))
		return -1;
	project->plan.far_cache = &project->far_cache;
	if (project->keeps_far &&
	    far_cache_use(&project->far_cache, project->medium, err))
		return -1;
	/* The emulated storage slows down neither listing nor trying steps. */
	medium_set_warm(project->medium, true);
	project->source =
	    dataset_open(&project->dataset, limit, project->medium, err);
	medium_set_warm(project->medium, false);
	if (!project->source)
		return -1;
	if (strcmp(project->dataset.source->name, "presto") == 0)
		project->version = store_version(project->source);
	project->identity = find_identity(project);
	medium_set_warm(project->medium, true);
	rc = pipeline_bind_reader(&project->pipeline, project->source,
	    project->dataset.skip_errors, err);
	medium_set_warm(project->medium, false);
	/* A folder is not profiled; its order may put a place behind a draw. */
	if (rc || project->fingerprint)
		return rc;
	return cache_list_find_places(&project->plan, &project->pipeline, err);
}

int project_check_plan(
    const struct project *project, bool other_data, struct error *err)
{
	const struct pipeline *pipeline = &project->pipeline;
	struct buf code = BUF_INIT;
	int rc = 0;

	if (!project->planned)
		return 0;
	if (!other_data)
		rc = plan_file_check_totals(
		    project->planned, project->source, err);
	if (rc == 0)
		rc = code_print(pipeline, pipeline->count, &code, err);
	if (rc == 0)
		rc = plan_file_check_code(
		    project->planned, (const char *)code.data, err);
	buf_release(&code);
	return rc;
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
