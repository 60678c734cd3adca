/* project_path.c - opens whatever loaders read, and how many threads read it.
 */
#include <stdlib.h>
#include <string.h>

#include "api/project.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/measure/system.h"
#include "strategies/planfile/plan_file.h"

enum { FAR_FETCHERS = 16 };

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

/* Do they choose other data than that of the plan? */
static bool sets_data(const struct project_settings *settings)
{
	static const char of_dataset[] = "dataset.";
	static const char same[] = "dataset.fingerprint";

	for (size_t i = 0; i < settings->count; i++)
		if (strncmp(settings->texts[i], of_dataset,
		        sizeof(of_dataset) - 1) == 0 &&
		    strncmp(settings->texts[i], same, sizeof(same) - 1) != 0)
			return true;
	return false;
}

int project_open_path(struct project *project, const char *path,
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
	return plan && !plan->data
	           ? project_check_plan(project, sets_data(settings), err)
	           : 0;
}

static unsigned usable_cores(void)
{
	struct machine machine;

	machine_read(&machine);
	return machine.cores < PLAN_THREADS ? machine.cores : PLAN_THREADS;
}

unsigned project_threads(const struct project *project, unsigned asked)
{
	if (asked)
		return asked;
	if (project->planned && project->planned->threads &&
	    project->planned->threads <= PLAN_THREADS)
		return (unsigned)project->planned->threads;
	return usable_cores();
}

unsigned project_fetchers(
    const struct project *project, unsigned asked, unsigned threads)
{
	if (!asked && project->planned &&
	    project->planned->fetchers <= PLAN_THREADS)
		asked = (unsigned)project->planned->fetchers;
	/* Fetchers of a server's data wait by turns. */
	if (!asked && project->source->is_far)
		return threads < FAR_FETCHERS ? FAR_FETCHERS : threads;
	return asked;
}
