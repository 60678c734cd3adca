/* materialize.c - presto materialize: writes the whole dataset, for training.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/cmd.h"
#include "cmd/interrupt.h"
#include "cmd/progress.h"
#include "cmd/project.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/measure/system.h"
#include "lib/stores/store.h"
#include "strategies/materialize.h"
#include "strategies/predict.h"

struct args {
	const char *out, *seed, *strategy;
	uint64_t shards, threads;
	struct option_texts sets;
	bool check;
};

static const struct option options[] = {
	OPTION(FLAG, "check", 0, struct args, check, NULL,
	    "read a complete folder back too; mend what is damaged"),
	OPTION(TEXT, "out", 'o', struct args, out, "DIR",
	    "folder to write: new, empty, or begun by the same command"),
	OPTION(TEXT, "seed", 0, struct args, seed, "N", "of random steps"),
	OPTION(REPEAT, "set", 0, struct args, sets, "SECTION.KEY=VALUE",
	    "change any key of the file; may be repeated"),
	OPTION_RANGE(UINT, "shards", struct args, shards, 0, 65536,
	    "files to divide the data into (default: by its size)"),
	OPTION(TEXT, "strategy", 's', struct args, strategy, "NAME",
	    "what to write, such as resized/tar/none"),
	{ .name = "threads",
	    .letter = 't',
	    .type = OPTION_UINT,
	    .offset = offsetof(struct args, threads),
	    .arg = "N",
	    .help = "workers (default: the cores)",
	    .min = 1,
	    .max = 1024 },
	OPTION_TABLE_END,
};

struct watch {
	struct progress progress;
	pthread_mutex_t lock;
	uint64_t done, all;
};

static void show(void *arg, uint64_t samples)
{
	struct watch *watch = arg;

	pthread_mutex_lock(&watch->lock);
	watch->done += samples;
	progress_show(&watch->progress, (double)watch->done, (double)watch->all,
	    "writing");
	pthread_mutex_unlock(&watch->lock);
}

static void skipped(void *arg, const char *why)
{
	struct watch *watch = arg;

	pthread_mutex_lock(&watch->lock);
	progress_clear(&watch->progress);
	cmd_warn("skipped %s", why);
	pthread_mutex_unlock(&watch->lock);
}

static int read_project(struct project *project, const struct args *args,
    const char *path, struct strategy *strategy, struct error *err)
{
	const struct override overrides[] = {
		{ "measure", "seed", args->seed },
		{ NULL, NULL, NULL },
	};

	if (!args->out)
		return error_set(err, ERROR_USAGE, "--out DIR is missing");
	if (!args->strategy)
		return error_set(err, ERROR_USAGE,
		    "--strategy NAME is missing; presto recommend names one");
	if (project_read(project, path, &args->sets, overrides, err) ||
	    project_open(project, 0, false, err) ||
	    strategy_parse(strategy, args->strategy, &project->pipeline, err))
		return -1;
	if (strategy->unprocessed)
		return error_set(err, ERROR_USAGE,
		    "unprocessed stores nothing: train on the dataset as "
		    "it is");
	/* Sizes are estimated for this strategy only. */
	project->plan.stores[0] = strategy->store;
	project->plan.codecs[0] = strategy->codec;
	project->plan.store_count = project->plan.codec_count = 1;
	return 0;
}

/* About how many bytes will be written: it depends on the data only. */
static int estimate(const struct project *project,
    const struct strategy *strategy, double *bytes, struct error *err)
{
	struct model *model = calloc(1, sizeof(*model));
	const struct model_plan how = {
		.source = project->source,
		.pipeline = &project->pipeline,
		.plan = &project->plan,
		.skip_errors = project->dataset.skip_errors,
		.stop = interrupt_watch(),
	};
	int rc;

	if (!model)
		return error_memory(err, sizeof(*model));
	rc = model_measure(model, &how, err);
	if (rc)
		project_hint(project->dataset.skip_errors, err);
	else if (model_check(model, strategy, err))
		rc = error_prefix(err, "strategy '%s'", strategy->label);
	if (rc == 0)
		*bytes = model_predict(model, strategy,
		    &(struct load){
		        .samples = project->source->samples, .threads = 1 })
		             .storage_bytes;
	free(model);
	return rc;
}

static void tell(const struct args *args, const struct strategy *strategy,
    const struct materialized *done, unsigned shards)
{
	char size[UNITS_TEXT], time[UNITS_TEXT];

	units_bytes((double)done->storage_bytes, size);
	if (done->was_complete) {
		printf("%s: complete already, %s; nothing was written\n",
		    args->out, size);
		return;
	}
	printf("%s: %llu sample%s as %s in %u shard%s, %s, read back and "
	       "checked; %llu written in %s\n",
	    args->out, (unsigned long long)done->samples,
	    done->samples == 1 ? "" : "s", strategy->label, shards,
	    shards == 1 ? "" : "s", size,
	    (unsigned long long)done->made.samples,
	    units_time((double)done->made.wall_ns / 1e9, time));
	if (done->mended)
		cmd_warn("%u shard%s damaged, and written again", done->mended,
		    done->mended == 1 ? " was" : "s were");
	if (done->made.skipped)
		cmd_warn("%llu sample%s skipped",
		    (unsigned long long)done->made.skipped,
		    done->made.skipped == 1 ? " was" : "s were");
}

static int write_dataset(const struct args *args, struct project *project,
    const struct strategy *strategy, struct error *err)
{
	struct watch watch = { .all = project->source->samples };
	struct machine machine;
	struct materialized done;
	double bytes = 0;
	struct prepare_plan plan = {
		.source = project->source,
		.pipeline = &project->pipeline,
		.strategy = strategy,
		.medium = project->medium,
		.dir = args->out,
		.threads = (unsigned)args->threads,
		.seed = project->plan.seed,
		.skip_errors = project->dataset.skip_errors,
		.stop = interrupt_watch(),
		.progress = show,
		.skipped = skipped,
		.arg = &watch,
	};
	int rc;

	if (estimate(project, strategy, &bytes, err))
		return -1;
	machine_read(&machine);
	if (plan.threads == 0)
		plan.threads = machine.cores;
	plan.shards = prepare_shards(project->source,
	    args->shards ? args->shards : project->plan.shards, bytes);
	pthread_mutex_init(&watch.lock, NULL);
	progress_begin(&watch.progress);
	rc = materialize_run(&plan, bytes, args->check, &done, err);
	progress_clear(&watch.progress);
	pthread_mutex_destroy(&watch.lock);
	if (rc == 0)
		tell(args, strategy, &done, plan.shards);
	else if (err->code == ERROR_INTERRUPTED)
		cmd_warn("what is complete is kept in %s; the same command "
		         "goes on",
		    args->out);
	return rc;
}

static int materialize(
    const void *values, char **operands, int count, struct error *err)
{
	const struct args *args = values;
	struct project *project = project_new(err);
	struct strategy strategy;
	int rc = -1;

	UNUSED(count);
	if (project &&
	    read_project(project, args, operands[0], &strategy, err) == 0)
		rc = write_dataset(args, project, &strategy, err);
	project_free(project);
	return rc;
}

const struct cmd cmd_materialize = {
	.name = "materialize",
	.summary = "write the whole dataset in the chosen strategy",
	.usage = "PIPELINE.conf",
	.options = options,
	.args_size = sizeof(struct args),
	.operands_min = 1,
	.operands_max = 1,
	.run = materialize,
};
