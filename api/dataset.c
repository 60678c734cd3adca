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
#include "lib/sample/classes.h"
#include "lib/service/address.h"
#include "lib/service/remote.h"

const char *presto_version(void)
{
	return PRESTO_VERSION;
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
	project->keeps_far = true;
	if (absolute)
		rc = project_open_path(project, absolute, &settings, err);
	free(absolute);
	free(here);
	return rc;
}

/* The worker has the steps, and their settings. */
static struct service *open_service(const char *url,
    const struct presto_open_options *options, struct error *err)
{
	if ((options->settings && options->settings[0]) || options->steps) {
		error_set(err, ERROR_USAGE,
		    "%s: settings and steps are those of the worker: give them "
		    "to presto serve",
		    url);
		return NULL;
	}
	return service_open(url, err);
}

static struct presto_dataset *open_dataset(const char *path,
    const struct presto_open_options *options, struct error *err)
{
	struct presto_dataset *dataset = memory_zeroed(sizeof(*dataset), err);

	if (!dataset)
		return NULL;
	if (address_is(path)) {
		dataset->service = open_service(path, options, err);
		if (dataset->service)
			return dataset;
	} else {
		dataset->project = project_new(err);
		if (dataset->project &&
		    open_here(dataset->project, path, options, err) == 0)
			return dataset;
	}
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
	if (!dataset)
		return;
	project_free(dataset->project);
	service_free(dataset->service);
	free(dataset);
}

const struct schema *dataset_schema(const struct presto_dataset *dataset)
{
	const struct pipeline *pipeline;

	if (dataset->service)
		return &service_facts(dataset->service)->schema;
	pipeline = &dataset->project->pipeline;
	return &pipeline->schemas[pipeline->count];
}

bool dataset_skips_errors(const struct presto_dataset *dataset)
{
	return dataset->service ? service_facts(dataset->service)->skip_errors
	                        : dataset->project->dataset.skip_errors;
}

const char *dataset_name(const struct presto_dataset *dataset)
{
	const struct dataset *from;

	if (dataset->service)
		return service_facts(dataset->service)->name;
	from = &dataset->project->dataset;
	return from->path ? from->path : from->source->name;
}

uint64_t presto_samples(const struct presto_dataset *dataset)
{
	return dataset->service ? service_facts(dataset->service)->samples
	                        : project_samples(dataset->project);
}

uint64_t presto_seed(const struct presto_dataset *dataset)
{
	return dataset->service ? service_facts(dataset->service)->seed
	                        : dataset->project->plan.measure.seed;
}

uint64_t presto_dataset_version(const struct presto_dataset *dataset)
{
	return dataset->service ? 0 : dataset->project->version;
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
	const struct classes *classes =
	    dataset->service ? &service_facts(dataset->service)->classes
	                     : dataset->project->source->classes;

	if (!classes || label < 0 || (uint64_t)label >= classes->count)
		return NULL;
	return classes->names[label];
}
