/* materialize.c - presto materialize: writes the whole dataset for training. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/materialize/words.h"
#include "cmd/materialize/work.h"
#include "cmd/program/cmd.h"
#include "cmd/program/interrupt.h"
#include "cmd/program/progress.h"
#include "cmd/project/folder_words.h"
#include "cmd/project/project.h"
#include "cmd/project/skips.h"
#include "lib/base/error.h"
#include "lib/files/url.h"
#include "lib/sample/skipped.h"
#include "lib/stores/store.h"
#include "strategies/plan/plan.h"
#include "strategies/prepare/materialize.h"

static const struct option options[] = {
	OPTION(FLAG, "check", 0, struct materialize_args, check, NULL,
	    "compare a complete folder with its manifest, and repair it"),
	OPTION_DB(struct materialize_args, "read the session from"),
	OPTION(FLAG, "dry-run", 'n', struct materialize_args, dry_run, NULL,
	    "print what would be written, with time and space; write nothing"),
	OPTION(TEXT, "out", 'o', struct materialize_args, out, "DIR",
	    "write to the folder DIR: new, empty, or begun by the same "
	    "command"),
	OPTION(TEXT, "plan", 0, struct materialize_args, plan, "FILE",
	    "take the pipeline and the strategy from the plan FILE, which "
	    "presto recommend --plan wrote"),
	OPTION(TEXT, "seed", 0, struct materialize_args, seed, "N",
	    "seed of random steps"),
	OPTION_ABOVE_0(UINT, "session", struct materialize_args, session, "N",
	    "take the pipeline and the strategy from session N (default "
	    "without a pipeline file: the newest)"),
	OPTION(REPEAT, "set", 0, struct materialize_args, sets,
	    "SECTION.KEY=VALUE", "change any key of the file; may be repeated"),
	OPTION_RANGE(UINT, "shards", struct materialize_args, shards, 0, 65536,
	    "divide the data into N files (default: by its size)"),
	OPTION(TEXT, "shuffle", 0, struct materialize_args, shuffle, "SEED|no",
	    "store in a random order drawn from SEED, or in the order of the "
	    "dataset (default: SEED is measure.seed)"),
	OPTION(TEXT, "skipped", 0, struct materialize_args, skipped, "FILE",
	    SKIPS_HELP),
	OPTION(TEXT, "strategy", 's', struct materialize_args, strategy, "NAME",
	    "strategy to write, such as resized/tar/none (default with a "
	    "session: the one that presto recommend names)"),
	{ .name = "threads",
	    .letter = 't',
	    .type = OPTION_UINT,
	    .offset = offsetof(struct materialize_args, threads),
	    .arg = "N",
	    .help = "number of worker threads (default: the cores; with a "
	            "session: as measured)",
	    .min = 1,
	    .max = PLAN_THREADS },
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

static int write_dataset(const struct materialize_args *args,
    const struct materialize_work *work, struct skipped *skipped,
    struct error *err)
{
	const struct project *project = work->project;
	const struct materialize_needs needs = {
		.disk_bytes = work_bytes(work),
		.memory = work_footprint(args, work),
	};
	struct watch watch = { .all = project->source->samples };
	struct materialized done;
	const struct prepare_plan plan = {
		.source = project->source,
		.pipeline =
		    strategy_pipeline(&work->strategy, &project->pipeline),
		.strategy = &work->strategy,
		.order = project->plan.strategies.order,
		.medium = project->medium,
		.folder.dir = args->out,
		.threads = work_threads(args, work),
		.shards = work_shards(args, work),
		.seed = project->plan.measure.seed,
		.folder.inventory = &work->project->inventory,
		.skip_errors = project->dataset.skip_errors,
		.stop = work->stop,
		.progress = show,
		.skipped = skipped,
		.arg = &watch,
	};
	int rc;

	pthread_mutex_init(&watch.lock, NULL);
	progress_begin(&watch.progress);
	rc = materialize_run(&plan, &needs, args->check, &done, err);
	progress_clear(&watch.progress);
	pthread_mutex_destroy(&watch.lock);
	folder_tell_swept(&done.swept, args->out);
	folder_tell_findings(&done.found, rc == 0);
	materialized_release(&done);
	if (rc == 0)
		materialize_tell(args, work, &done, plan.shards);
	if (rc || !done.was_complete)
		rc = skips_write(skipped, args->skipped, rc, err);
	else if (args->skipped)
		cmd_warn(
		    "%s is not written, since nothing was read: only a command "
		    "that reads the dataset knows the skipped samples",
		    args->skipped);
	if (rc && err->code == ERROR_INTERRUPTED)
		cmd_warn("complete shards are kept in %s; the same command "
		         "continues",
		    args->out);
	return rc;
}

static const char last_words[] =
    "presto: ended at once; complete shards stay, and the same "
    "command writes the others\n";

/* A web server takes no files: says so before anything is read. */
static int check_out(const char *out, struct error *err)
{
	char text[URL_TEXT];

	if (!url_is(out) || *out != 'h')
		return 0;
	return error_set(err, ERROR_USAGE,
	    "--out %s: nothing can be written over HTTP; give a folder, or "
	    "s3://BUCKET/PREFIX",
	    url_text(out, text));
}

static int materialize(
    const void *values, char **operands, int count, struct error *err)
{
	const struct materialize_args *args = values;
	struct materialize_work work = { .project = project_new(err) };
	struct skipped *skipped =
	    skips_new(args->dry_run ? NULL : args->skipped, err);
	int rc = -1;

	if (!args->out && !args->dry_run)
		error_set(err, ERROR_USAGE, "--out DIR is missing");
	else if (args->out && check_out(args->out, err))
		rc = -1;
	else if (work.project && skipped)
		rc = count || args->plan ? work_read_file(&work, args,
		                               count ? operands[0] : NULL, err)
		                         : work_read_session(&work, args, err);
	work.stop = interrupt_watch(last_words);
	if (rc == 0)
		rc = work_estimate(&work, args->dry_run, err);
	if (rc == 0 && args->dry_run)
		materialize_foresee(args, &work);
	else if (rc == 0)
		rc = work_take_inventory(&work, err);
	if (rc == 0 && !args->dry_run)
		rc = write_dataset(args, &work, skipped, err);
	skips_tell(skipped, args->skipped);
	skipped_free(skipped);
	work_release(&work);
	return rc;
}

const struct cmd cmd_materialize = {
	.name = "materialize",
	.summary = "write the whole dataset in the chosen strategy",
	.usage = "[PIPELINE.conf]",
	.options = options,
	.args_size = sizeof(struct materialize_args),
	.operands_max = 1,
	.run = materialize,
};
