/* project.c - see project.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/project.h"
#include "lib/base/error.h"
#include "lib/base/path.h"

struct project *project_new(struct error *err)
{
	struct project *project = calloc(1, sizeof(*project));

	if (!project)
		error_memory(err, sizeof(*project));
	return project;
}

void project_free(struct project *project)
{
	if (!project)
		return;
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

int project_read(struct project *project, const char *path,
    const struct option_texts *sets, const struct override *overrides,
    struct error *err)
{
	struct ini *ini = &project->ini;

	if (ini_read(ini, path, err) || apply(ini, sets, overrides, err) ||
	    plan_read(&project->plan, ini, err) ||
	    dataset_read(&project->dataset, ini, err))
		return -1;
	return pipeline_read(&project->pipeline, ini, err);
}

int project_open(
    struct project *project, uint64_t limit, bool emulate, struct error *err)
{
	project->medium = emulate && plan_emulates(&project->plan)
	                      ? medium_new_emulated(&project->plan.limits, err)
	                      : medium_new_local(err);
	if (!project->medium)
		return -1;
	/* Looking at the dataset is no part of what is emulated. */
	medium_set_warm(project->medium, true);
	project->source =
	    dataset_open(&project->dataset, limit, project->medium, err);
	medium_set_warm(project->medium, false);
	if (!project->source)
		return -1;
	return pipeline_bind(&project->pipeline, &project->source->schema, err);
}

int project_hint(bool skip_errors, struct error *err)
{
	const size_t used = strlen(err->text);

	/* What a source refuses to read is no sample that can be left out. */
	if (err->code == ERROR_DATA && !skip_errors &&
	    strstr(err->text, "sample "))
		snprintf(err->text + used, sizeof(err->text) - used,
		    "; dataset.on_error = skip leaves such samples out");
	return -1;
}

char *project_name(const char *path, struct error *err)
{
	char *name = strdup(path_base(path));
	size_t len;

	if (!name) {
		error_memory(err, strlen(path));
		return NULL;
	}
	len = strlen(name);
	if (len > 5 && strcmp(name + len - 5, ".conf") == 0)
		name[len - 5] = '\0';
	return name;
}
