/* predict.c - presto predict: the forecast, for this machine or another one. */
#include <stdlib.h>

#include "cmd/program/cmd.h"
#include "cmd/program/interrupt.h"
#include "cmd/program/private.h"
#include "cmd/project/forecast.h"
#include "cmd/project/measuring.h"
#include "cmd/project/project.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/private.h"
#include "strategies/forecast/machine_file.h"
#include "strategies/session/session.h"

struct args {
	bool private;
	const char *db, *machine, *samples, *threads;
	struct option_texts sets;
};

static const struct option options[] = {
	OPTION_DB(struct args, "read ceilings and errors of forecasts from"),
	OPTION(TEXT, "machine", 0, struct args, machine, "FILE",
	    "predict for the machine of FILE, which presto probe --export "
	    "writes (default: this machine)"),
	OPTION_PRIVATE(struct args),
	OPTION(TEXT, "samples", 's', struct args, samples, "N",
	    "number of samples to take from the source"),
	OPTION(REPEAT, "set", 0, struct args, sets, "SECTION.KEY=VALUE",
	    "change any key of the file; may be repeated"),
	OPTION(TEXT, "threads", 't', struct args, threads, "N",
	    "number of worker threads"),
	OPTION_TABLE_END,
};

static int foresee(
    void *values, const struct session_plan *plan, struct error *err)
{
	const struct args *args = values;
	struct machine_file file = { .cores = 0 };
	int rc;

	if (args->machine && machine_file_read(&file, args->machine, err))
		return -1;
	if (plan->warning)
		cmd_warn("%s", plan->warning);
	if (forecast_read_known(plan, cmd_database(args->db), err))
		return -1;
	if (args->machine)
		plan->model->machine.others =
		    0; /* used here, not on that machine */
	if (args->machine && machine_file_apply(&file, plan->model, err))
		return -1;
	if (args->private) {
		private_filesystem(plan->model->source_ceilings.place.device);
		private_filesystem(plan->model->stored_ceilings.place.device);
	}
	rc = forecast_print_rates(
	    plan, args->machine ? &file : NULL, stdout, err);
	for (struct model *of = plan->model; of; of = of->next)
		of->machine.storage = NULL; /* it was in `file` */
	return rc;
}

static int read_project(struct project *project, const struct args *args,
    const char *path, struct error *err)
{
	const struct override overrides[] = {
		{ "load", "threads", args->threads },
		{ "measure", "samples", args->samples },
		{ NULL, NULL, NULL },
	};
	const struct project_settings settings =
	    project_settings_of(&args->sets, overrides);

	if (project_read(project, path, &settings, err))
		return -1;
	/* Another machine has another memory. */
	if (!args->machine)
		project->plan.load.cache_budget =
		    plan_cache_budget(&project->plan);
	return project_open_noted(
	    project, sweep_most(&project->plan.measure.samples), true, err);
}

static int predict(
    const void *values, char **operands, int count, struct error *err)
{
	struct args args = *(const struct args *)values;
	struct project *project = project_new(err);
	struct strategies strategies = STRATEGIES_INIT;
	char *name = NULL;
	int rc = -1;

	UNUSED(count);
	if (project && read_project(project, &args, operands[0], err) == 0 &&
	    strategies_enumerate(
	        &strategies, &project->plan, &project->pipeline, err) == 0)
		name = project_name(operands[0], err);
	if (name)
		rc = measuring_run(
		    &(struct measuring){
		        .project = project,
		        .strategies = &strategies,
		        .name = name,
		        .work_dir = ".",
		        .dry_run = true,
		        .stop = interrupt_watch("presto: ended at once\n"),
		        .run = foresee,
		        .arg = &args,
		    },
		    err);
	strategies_release(&strategies);
	project_free(project);
	free(name);
	return rc;
}

const struct cmd cmd_predict = {
	.name = "predict",
	.summary = "forecast the strategies of a pipeline, for any machine",
	.usage = "PIPELINE.conf",
	.options = options,
	.args_size = sizeof(struct args),
	.operands_min = 1,
	.operands_max = 1,
	.run = predict,
};
