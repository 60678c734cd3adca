/* dataset.c - presto_open, and what it says of a dataset. */
#include <stdlib.h>
#include <string.h>

#include "api/presto.h"
#include "api/private.h"
#include "api/project.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/sample/classes.h"
#include "strategies/planfile/plan_file.h"

const char *presto_version(void)
{
	return PRESTO_VERSION;
}

/* Was the folder that a plan names made by the strategy of the plan? */
static int check_folder(
    const struct plan_file *plan, const char *dir, struct error *err)
{
	struct description description = DESCRIPTION_INIT;
	struct medium *medium = medium_new_local(err);
	int rc = medium ? description_read(&description, medium, dir, err) : -1;

	medium_free(medium);
	if (rc == 0 &&
	    strcmp(description.manifest.strategy, plan->strategy) != 0)
		rc = error_set(err, ERROR_USAGE,
		    "%s holds %s, and the plan is %s: materialize the plan "
		    "to another folder, or change its key data",
		    dir, description.manifest.strategy, plan->strategy);
	description_release(&description);
	return rc ? error_prefix(err, "%s", plan->whole.path) : 0;
}

/* Reads the folder in place of the pipeline part that was read already. */
static int read_planned_folder(struct project *project,
    const struct project_settings *settings, struct error *err)
{
	const struct plan_file *plan = project->planned;
	char *home = path_dir(plan->whole.path, err);
	char *dir = home ? path_join(home, plan->data, err) : NULL;
	int rc = dir ? check_folder(plan, dir, err) : -1;

	ini_release(&project->ini);
	if (rc == 0)
		rc = project_read_folder(project, dir, settings, err);
	free(dir);
	free(home);
	return rc;
}

static int open_project(struct project *project, const char *path,
    const struct project_settings *settings, struct error *err)
{
	const struct plan_file *plan;
	int rc;

	if (url_is(path) || path_is_folder(path))
		return project_read_folder(project, path, settings, err) ||
		               project_open(project, 0, true, err)
		           ? -1
		           : 0;
	if (project_load(project, path, err))
		return -1;
	plan = project->planned;
	rc = plan && plan->data ? read_planned_folder(project, settings, err)
	                        : project_read_ini(project, settings, err);
	if (rc || project_open(project, 0, true, err))
		return -1;
	return plan && !plan->data ? project_check_plan(project, false, err)
	                           : 0;
}

/* A program may change its folder while a loader reads: paths are absolute. */
static int open_here(struct project *project, const char *path,
    const struct presto_open_options *options, struct error *err)
{
	char *here = path_absolute("", err);
	char *absolute = here ? path_join(here, path, err) : NULL;
	struct project_settings settings = {
		.texts = options->settings,
		.setter = "settings",
		.folder = here,
		.steps = options->steps,
		.python = options->python,
	};
	int rc = -1;

	while (settings.texts && settings.texts[settings.count])
		settings.count++;
	if (absolute)
		rc = open_project(project, absolute, &settings, err);
	free(absolute);
	free(here);
	return rc;
}

static struct presto_dataset *open_dataset(const char *path,
    const struct presto_open_options *options, struct error *err)
{
	struct presto_dataset *dataset = memory_zeroed(sizeof(*dataset), err);

	if (dataset)
		dataset->project = project_new(err);
	if (dataset && dataset->project &&
	    open_here(dataset->project, path, options, err) == 0)
		return dataset;
	presto_close(dataset);
	return NULL;
}

struct presto_dataset *presto_open(const char *path,
    const struct presto_open_options *options, struct presto_error *out)
{
	struct presto_open_options own = PRESTO_OPEN_OPTIONS_INIT;
	struct presto_dataset *dataset = NULL;
	struct error err = ERROR_INIT;

	if (!path || !*path)
		error_set(&err, ERROR_USAGE,
		    "no path: give a pipeline file, a plan, or a folder that "
		    "presto materialize wrote");
	else if (!options || sized_take(&own, sizeof(own), options,
	                         "presto_open_options", &err) == 0)
		dataset = open_dataset(path, &own, &err);
	if (!dataset)
		error_tell(&err, out);
	return dataset;
}

void presto_close(struct presto_dataset *dataset)
{
	if (dataset)
		project_free(dataset->project);
	free(dataset);
}

const struct schema *dataset_schema(const struct presto_dataset *dataset)
{
	const struct pipeline *pipeline = &dataset->project->pipeline;

	return &pipeline->schemas[pipeline->count];
}

uint64_t presto_samples(const struct presto_dataset *dataset)
{
	const struct project *project = dataset->project;
	const struct pipeline *pipeline = &project->pipeline;

	if (pipeline_makes_many(pipeline, pipeline->from, pipeline->count))
		return 0;
	return project->source->samples;
}

uint64_t presto_seed(const struct presto_dataset *dataset)
{
	return dataset->project->plan.measure.seed;
}

unsigned presto_field_count(const struct presto_dataset *dataset)
{
	return dataset_schema(dataset)->count;
}

int presto_field(const struct presto_dataset *dataset, unsigned field,
    const char **name, struct presto_type *type)
{
	const struct schema *schema = dataset_schema(dataset);

	if (field >= schema->count)
		return -1;
	*name = schema->fields[field].name;
	type_give(&schema->fields[field].type, type);
	return 0;
}

const char *presto_class_name(
    const struct presto_dataset *dataset, int64_t label)
{
	const struct classes *classes = dataset->project->source->classes;

	if (!classes || label < 0 || (uint64_t)label >= classes->count)
		return NULL;
	return classes->names[label];
}
