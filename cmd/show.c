/* show.c - presto show: what a pipeline file means; measures nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "cmd/forecast.h"
#include "cmd/project.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/chain.h"
#include "lib/steps/step.h"
#include "strategies/predict.h"
#include "strategies/strategy.h"

struct args {
	struct option_texts sets;
};

static const struct option options[] = {
	OPTION(REPEAT, "set", 0, struct args, sets, "SECTION.KEY=VALUE",
	    "change any key of the file; may be repeated"),
	OPTION_TABLE_END,
};

static const char *s_of(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static uint64_t full_samples(const struct project *project)
{
	return project->dataset.full_samples ? project->dataset.full_samples
	                                     : project->source->total_samples;
}

/* "no: random", "no: after a random step", "yes". */
static const char *storable(const struct pipeline *pipeline, unsigned rep)
{
	if (rep <= pipeline_last_split(pipeline))
		return "yes";
	return pipeline->steps[rep - 1].random ? "no: random"
	                                       : "no: after random";
}

static void print_representation(const struct project *project,
    const struct model *model, unsigned rep, unsigned field)
{
	const struct pipeline *pipeline = &project->pipeline;
	const struct field *f = &pipeline->schemas[rep].fields[field];
	const double bytes = model->field_bytes[rep];
	const double many = model->many[rep];
	char type[SHAPE_TEXT], each[UNITS_TEXT], all[UNITS_TEXT];

	if (field > 0) {
		printf("  %-16s %-16s %-9s %-20s\n", "", "", f->name,
		    type_text(&f->type, type));
		return;
	}
	printf("  %-16s %-16s %-9s %-20s %10s %10s  %s\n",
	    pipeline_name(pipeline, rep),
	    rep ? pipeline->steps[rep - 1].ops->name : "(the source)", f->name,
	    type_text(&f->type, type),
	    units_bytes(many > 0 ? bytes / many : 0, each),
	    units_bytes(bytes * (double)full_samples(project), all),
	    storable(pipeline, rep));
}

/* Which step makes how many samples of one. */
static void print_many(const struct project *project, const struct model *model)
{
	const struct pipeline *pipeline = &project->pipeline;
	char number[UNITS_TEXT];

	for (unsigned i = 0; i < pipeline->count; i++)
		if (pipeline_makes_many(pipeline, i, i + 1))
			printf("many:   %s: %s of one sample of the source\n",
			    pipeline_name(pipeline, i + 1),
			    units_number(model->many[i + 1], number));
}

static void print_splits(const struct pipeline *pipeline)
{
	const unsigned last = pipeline_last_split(pipeline);

	printf("\nsplits: unprocessed");
	for (unsigned i = 0; i <= last; i++)
		printf(", %s", pipeline_name(pipeline, i));
	printf("\norder:  as given");
	for (unsigned i = 0; i < pipeline->count; i++)
		printf("%s %s", i ? "," : ":", pipeline->steps[i].name);
	printf("\n");
}

/* Which steps run as one when all of them are online. */
static int print_fused(const struct project *project, struct error *err)
{
	const struct pipeline *pipeline = &project->pipeline;
	const struct chain_plan plan = {
		.pipeline = pipeline,
		.to = pipeline->count,
		.unfused = !project->plan.fuse,
	};
	struct chain *chain = chain_new(&plan, err);
	struct chain_group group;

	if (!chain)
		return -1;
	for (unsigned i = 0; chain_get_group(chain, i, &group); i++) {
		printf("%s", i ? "        " : "fused:  ");
		for (unsigned s = 0; s < group.count; s++)
			printf("%s%s", s ? ", " : "",
			    pipeline->steps[group.steps[s]].name);
		if (pipeline->schemas[0].count > 1)
			printf(" of %s",
			    pipeline->schemas[0].fields[group.field].name);
		puts(group.crops     ? ": only what is kept is made"
		     : group.is_pair ? ": nothing is stored in between"
		                     : ": in one pass over the rows");
	}
	chain_free(chain);
	return 0;
}

/* What cache application would keep. */
static void print_cache(
    const struct project *project, const struct model *model)
{
	const struct pipeline *pipeline = &project->pipeline;
	const unsigned kept = pipeline_last_split(pipeline);
	char bytes[UNITS_TEXT];

	printf("cached: %s, %s of memory for all (cache application)\n",
	    pipeline_name(pipeline, kept),
	    units_bytes(
	        model_cache_bytes(model, full_samples(project)), bytes));
}

static int print_all(const struct project *project, const struct model *model,
    const struct strategies *strategies, struct error *err)
{
	const struct reader *source = project->source;
	char bytes[UNITS_TEXT];

	printf("%s: source %s%s%s\n", project->ini.path,
	    project->dataset.source->name, project->dataset.path ? ", " : "",
	    project->dataset.path ? project->dataset.path : "");
	printf("%llu sample%s, %s; full dataset: %llu sample%s\n\n",
	    (unsigned long long)source->samples, s_of(source->samples),
	    units_bytes((double)source->bytes, bytes),
	    (unsigned long long)full_samples(project),
	    s_of(full_samples(project)));
	printf("  %-16s %-16s %-9s %-20s %10s %10s  %s\n", "REPRESENTATION",
	    "STEP", "FIELD", "TYPE", "A SAMPLE", "ALL", "STORABLE");
	for (unsigned i = 0; i <= project->pipeline.count; i++)
		for (unsigned f = 0; f < project->pipeline.schemas[i].count;
		     f++)
			print_representation(project, model, i, f);
	print_splits(&project->pipeline);
	print_many(project, model);
	if (print_fused(project, err))
		return -1;
	print_cache(project, model);
	printf("strategies to measure: %zu\n", strategies->count);
	printf("bytes are the mean of %u sample%s, before any codec%s\n",
	    model->samples, s_of(model->samples),
	    model->raw_known ? "; of raw those of all" : "");
	return 0;
}

static int show_project(
    struct project *project, struct strategies *strategies, struct error *err)
{
	struct model *model = calloc(1, sizeof(*model));
	const struct model_plan how = {
		.source = project->source,
		.pipeline = &project->pipeline,
		.plan = &project->plan,
		.skip_errors = project->dataset.skip_errors,
	};
	int rc;

	if (!model)
		return error_memory(err, sizeof(*model));
	rc = strategies_enumerate(
	    strategies, &project->plan, &project->pipeline, err);
	project->plan.codec_count = 0; /* nothing is compressed to be shown */
	if (rc == 0 && model_measure(model, &how, err))
		rc = project_hint(project->dataset.skip_errors, err);
	if (rc == 0)
		rc = model_leave_out(model, strategies, err);
	if (rc == 0)
		rc = print_all(project, model, strategies, err);
	if (rc == 0)
		forecast_warn(model);
	free(model);
	return rc;
}

static int show(
    const void *values, char **operands, int count, struct error *err)
{
	const struct args *args = values;
	struct project *project = project_new(err);
	struct strategies strategies = STRATEGIES_INIT;
	int rc = -1;

	UNUSED(count);
	if (project &&
	    project_read(project, operands[0], &args->sets, NULL, err) == 0 &&
	    project_open(project, 0, false, err) == 0)
		rc = show_project(project, &strategies, err);
	strategies_release(&strategies);
	project_free(project);
	return rc;
}

const struct cmd cmd_show = {
	.name = "show",
	.summary = "representations, splits and sizes of a pipeline",
	.usage = "PIPELINE.conf",
	.options = options,
	.args_size = sizeof(struct args),
	.operands_min = 1,
	.operands_max = 1,
	.run = show,
};
