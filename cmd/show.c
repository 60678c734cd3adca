/* show.c - presto show: describes a pipeline or a materialised folder. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/program/cmd.h"
#include "cmd/program/private.h"
#include "cmd/program/terminal.h"
#include "cmd/project/forecast.h"
#include "cmd/project/project.h"
#include "cmd/show/folder.h"
#include "cmd/show/orders.h"
#include "cmd/writers/table.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/pipeline/chain.h"
#include "lib/steps/step.h"
#include "strategies/forecast/cache_place.h"
#include "strategies/forecast/order_models.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/predict.h"
#include "strategies/plan/strategies.h"

struct args {
	uint64_t at;
	bool private;
	struct option_texts sets;
};

static const struct option options[] = {
	OPTION(UINT, "at", 0, struct args, at, "VERSION",
	    "show this version of a folder that was updated (default: the "
	    "newest)"),
	OPTION_PRIVATE(struct args),
	OPTION(REPEAT, "set", 0, struct args, sets, "SECTION.KEY=VALUE",
	    "change any key of the file; may be repeated"),
	OPTION_TABLE_END,
};

enum { NAMES = 900 };

static const char *s_of(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static uint64_t full_samples(const struct project *project)
{
	return project->dataset.full_samples ? project->dataset.full_samples
	                                     : project->source->total_samples;
}

/* Says "yes", "no: random" or "no: after a random step". */
static const char *storable(const struct pipeline *pipeline, unsigned rep)
{
	if (rep <= pipeline_last_split(pipeline))
		return "yes";
	return pipeline->steps[rep - 1].random ? "no: random"
	                                       : "no: after random";
}

enum { NAME, STEP, FIELD, TYPE, EACH, ALL, STORABLE };

static int add_field(const struct project *project, const struct model *model,
    unsigned rep, unsigned field, struct grid *table, struct error *err)
{
	const struct pipeline *pipeline = &project->pipeline;
	const struct field *f = &pipeline->schemas[rep].fields[field];
	const double bytes = model->field_bytes[rep];
	const double many = model->many[rep];
	char type[SHAPE_TEXT], each[UNITS_TEXT], all[UNITS_TEXT];

	if (grid_add_row(table, err) ||
	    grid_set_text(table, FIELD, f->name, err) ||
	    grid_set_text(table, TYPE, type_text(&f->type, type), err))
		return -1;
	if (field > 0)
		return 0;
	units_bytes(many > 0 ? bytes / many : 0, each);
	units_bytes(bytes * (double)full_samples(project), all);
	return grid_set_text(table, NAME, pipeline_name(pipeline, rep), err) ||
	               grid_set_text(table, STEP,
	                   rep ? pipeline->steps[rep - 1].ops->name
	                       : "(the source)",
	                   err) ||
	               grid_set_text(table, EACH, each, err) ||
	               grid_set_text(table, ALL, all, err) ||
	               grid_set_text(
	                   table, STORABLE, storable(pipeline, rep), err)
	           ? -1
	           : 0;
}

/* Prints a row for each field; the first describes the representation, too. */
static int print_representations(
    const struct project *project, const struct model *model, struct error *err)
{
	static const char *const titles[] = { "representation", "step", "field",
		"type", "a sample", "all", "storable" };
	static const struct table_column columns[] = { [NAME] = { 0, 16 },
		[STEP] = { 3, 0 },
		[FIELD] = { 4, 0 },
		[TYPE] = { 0, 16 },
		[EACH] = { 0, 0 },
		[ALL] = { 2, 0 },
		[STORABLE] = { 1, 0 } };
	const struct table_page page = { .width = terminal_columns(stdout),
		.columns = columns,
		.indent = 2 };
	struct grid table = GRID_INIT;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(titles); i++)
		rc = grid_add_column(&table, titles[i], err);
	for (unsigned i = 0; i <= project->pipeline.count; i++)
		for (unsigned f = 0;
		     rc == 0 && f < project->pipeline.schemas[i].count; f++)
			rc = add_field(project, model, i, f, &table, err);
	if (rc == 0)
		table_write_page(&table, &page, stdout);
	grid_release(&table);
	return rc;
}

/* Lists "NAME, NAME" of representations, or of the steps that make them. */
static const char *list_names(const struct pipeline *pipeline, unsigned from,
    unsigned to, char text[NAMES])
{
	size_t used = 0;

	*text = '\0';
	for (unsigned i = from; i <= to && used < NAMES; i++)
		used += (size_t)snprintf(text + used, NAMES - used, "%s%s",
		    i > from ? ", " : "", pipeline_name(pipeline, i));
	return text;
}

/* Prints how many samples a step makes of one, or keeps. */
static void print_many(const struct project *project, const struct model *model)
{
	const struct pipeline *pipeline = &project->pipeline;
	char number[UNITS_TEXT];

	for (unsigned i = 0; i < pipeline->count; i++) {
		if (pipeline_drops(pipeline, i, i + 1) && model->many[i] > 0)
			terminal_print(stdout,
			    "filter: ", "%s: keeps %.0f %% of %u samples",
			    pipeline_name(pipeline, i + 1),
			    100 * model->many[i + 1] / model->many[i],
			    model->samples);
		if (pipeline_makes_many(pipeline, i, i + 1))
			terminal_print(stdout,
			    "many:   ", "%s: %s of one sample of the source",
			    pipeline_name(pipeline, i + 1),
			    units_number(model->many[i + 1], number));
	}
}

static void print_splits(const struct pipeline *pipeline)
{
	const unsigned last = pipeline_last_split(pipeline);
	char names[NAMES];

	putchar('\n');
	terminal_print(stdout, "splits: ", "unprocessed, %s",
	    list_names(pipeline, 0, last, names));
	terminal_print(stdout, "order:  ", "as given: %s",
	    list_names(pipeline, 1, pipeline->count, names));
}

/* Prints "fused: decoded, resized: only the pixels that are kept are made". */
static void print_group(const struct pipeline *pipeline,
    const struct fused_steps *group, bool first)
{
	char names[NAMES] = "";
	size_t used = 0;

	for (unsigned s = 0; s < group->count && used < NAMES; s++)
		used += (size_t)snprintf(names + used, NAMES - used, "%s%s",
		    s ? ", " : "", pipeline->steps[group->steps[s]].name);
	terminal_print(stdout, first ? "fused:  " : "        ", "%s%s%s: %s",
	    names, pipeline->schemas[0].count > 1 ? " of " : "",
	    pipeline->schemas[0].count > 1
	        ? pipeline->schemas[0].fields[group->field].name
	        : "",
	    group->crops           ? "only the pixels that are kept are made"
	    : group->is_fused_pair ? "nothing is kept in between"
	                           : "in one pass over the rows");
}

/* Prints which steps run as one when all of them are online. */
static int print_fused(const struct project *project, struct error *err)
{
	const struct pipeline *pipeline = &project->pipeline;
	const struct chain_plan plan = {
		.pipeline = pipeline,
		.to = pipeline->count,
		.unfused = !project->plan.load.fuse,
	};
	struct chain *chain = chain_new(&plan, err);
	struct fused_steps group;

	if (!chain)
		return -1;
	for (unsigned i = 0; chain_get_fused(chain, i, &group); i++)
		print_group(pipeline, &group, i == 0);
	chain_free(chain);
	return 0;
}

/* Prints where the application cache may be, and the memory that it needs. */
static void print_cache(
    const struct project *project, const struct model *model)
{
	const struct pipeline *pipeline = &project->pipeline;
	const double budget = (double)project->plan.load.cache_budget;
	char bytes[UNITS_TEXT];

	terminal_print(stdout, "cache:  ",
	    "application can keep one of these; the full dataset needs");
	for (unsigned i = 0; i <= pipeline_last_split(pipeline); i++) {
		const double need =
		    cache_place_bytes(model, i, full_samples(project));

		terminal_line(stdout, "        %-16s  %s%s",
		    pipeline_name(pipeline, i), units_bytes(need, bytes),
		    budget > 0 && need > budget ? ", more than is allowed"
		                                : "");
	}
}

/* Prints the limits that the file sets. */
static void print_limits(const struct project *project)
{
	const uint64_t most = project->pipeline.limits.sample;
	char bytes[UNITS_TEXT];

	if (!ini_section(&project->ini, "limits"))
		return;
	terminal_print(stdout, "limits: ", "a sample may take %s",
	    most ? units_bytes((double)most, bytes) : "any size");
}

/* Says what the cache modes mean for a far dataset. */
static void print_far(const struct project *project)
{
	if (project->source->is_far)
		terminal_print(stdout, "far:    ",
		    "no page cache here has the bytes of a server: "
		    "unprocessed reads them anew in every epoch, with cache "
		    "none and with system alike");
}

static void print_source(const struct args *args, const struct project *project)
{
	const char *name = project->dataset.source->name;
	const char *path = project->dataset.path;

	if (args->private)
		terminal_print(stdout, "", "source %s", name);
	else
		terminal_print(stdout, "", "%s: source %s%s%s",
		    project->ini.path, name, path ? ", " : "",
		    path ? path : "");
}

static int print_all(const struct args *args, const struct project *project,
    const struct model *model, const struct strategies *strategies,
    struct error *err)
{
	const struct reader *source = project->source;
	char bytes[UNITS_TEXT];

	print_source(args, project);
	terminal_print(stdout, "",
	    "%llu sample%s, %s; full dataset: %llu sample%s",
	    (unsigned long long)source->samples, s_of(source->samples),
	    units_bytes((double)source->bytes, bytes),
	    (unsigned long long)full_samples(project),
	    s_of(full_samples(project)));
	putchar('\n');
	if (print_representations(project, model, err))
		return -1;
	print_splits(&project->pipeline);
	if (show_orders(&project->pipeline, model, err))
		return -1;
	print_many(project, model);
	if (print_fused(project, err))
		return -1;
	print_cache(project, model);
	print_limits(project);
	print_far(project);
	terminal_print(
	    stdout, "", "strategies to measure: %zu", strategies->count);
	terminal_print(stdout, "",
	    "bytes are the mean of %u sample%s, before any codec%s",
	    model->samples, s_of(model->samples),
	    model->correction.raw_known ? "; of all samples for raw" : "");
	return 0;
}

/* Warnings come last, so that they are seen. */
static void warn_all(const struct project *project, const struct model *model)
{
	char *warning = project_warning(project);

	if (warning)
		cmd_warn("%s", warning);
	free(warning);
	forecast_warn(model);
}

/* Runs pilot samples, without codecs, since nothing is stored. */
static int look(struct model *model, struct project *project,
    struct strategies *strategies, struct error *err)
{
	struct plan bare = project->plan;
	struct order_costs costs;
	const struct pilot_plan how = {
		.source = project->source,
		.pipeline = &project->pipeline,
		.plan = &bare,
		.skip_errors = project->dataset.skip_errors,
	};

	bare.strategies.codec_count = 0;
	if (pilot_run(model, &how, err))
		return project_hint(project->dataset.skip_errors, err);
	order_costs_of(model, &costs);
	if (strategies_add_orders(
	        strategies, &project->plan, &project->pipeline, &costs, err) ||
	    order_models_make(model, strategies, &how, err) ||
	    model_leave_out(model, strategies, err))
		return -1;
	for (struct model *of = model; of; of = of->next)
		of->plan = &project->plan; /* `bare` ends here */
	return 0;
}

static int show_project(const struct args *args, struct project *project,
    struct strategies *strategies, struct error *err)
{
	struct model *model = calloc(1, sizeof(*model));
	int rc;

	if (!model)
		return error_memory(err, sizeof(*model));
	rc = strategies_enumerate(
	    strategies, &project->plan, &project->pipeline, err);
	if (rc == 0)
		rc = look(model, project, strategies, err);
	if (rc == 0)
		rc = print_all(args, project, model, strategies, err);
	if (rc == 0)
		warn_all(project, model);
	order_models_release(model);
	model_release(model);
	free(model);
	return rc;
}

static int show_pipeline(
    const struct args *args, const char *path, struct error *err)
{
	struct project *project = project_new(err);
	struct strategies strategies = STRATEGIES_INIT;
	const struct project_settings settings =
	    project_settings_of(&args->sets, NULL);
	int rc = -1;

	if (project)
		project->keeps_far = true;
	if (project && project_read(project, path, &settings, err) == 0 &&
	    project_open_noted(project, 0, false, err) == 0)
		rc = show_project(args, project, &strategies, err);
	strategies_release(&strategies);
	project_free(project);
	return rc;
}

static int show(
    const void *values, char **operands, int count, struct error *err)
{
	const struct args *args = values;

	UNUSED(count);
	if (!url_is(operands[0]) && !path_is_folder(operands[0]))
		return show_pipeline(args, operands[0], err);
	if (args->sets.count)
		return error_set(err, ERROR_USAGE,
		    "--set changes a pipeline file; %s is a folder",
		    operands[0]);
	return show_folder(operands[0], args->at, args->private, err);
}

const struct cmd cmd_show = {
	.name = "show",
	.summary = "describe a pipeline, or a materialised folder",
	.usage = "PIPELINE.conf|DIR",
	.options = options,
	.args_size = sizeof(struct args),
	.operands_min = 1,
	.operands_max = 1,
	.run = show,
};
