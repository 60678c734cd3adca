/* materialize.c - presto materialize: writes the whole dataset for training. */
#include <stddef.h>

#include "cmd/materialize/adopt.h"
#include "cmd/materialize/update.h"
#include "cmd/materialize/words.h"
#include "cmd/materialize/work.h"
#include "cmd/materialize/write.h"
#include "cmd/program/cmd.h"
#include "cmd/program/interrupt.h"
#include "cmd/project/project.h"
#include "cmd/project/skips.h"
#include "lib/base/error.h"
#include "lib/files/url.h"
#include "lib/process/part.h"
#include "lib/sample/skipped.h"
#include "strategies/plan/plan.h"
#include "strategies/plan/shard_count.h"

static const struct option options[] = {
	OPTION(TEXT, "at", 0, struct materialize_args, at, "VERSION",
	    "read this version of a dataset that presto wrote and updated "
	    "(source = presto; default: the newest)"),
	OPTION(FLAG, "check", 0, struct materialize_args, check, NULL,
	    "compare a complete folder with its manifest, and repair it"),
	OPTION_DB(struct materialize_args, "read the session from"),
	OPTION(FLAG, "dry-run", 'n', struct materialize_args, dry_run, NULL,
	    "print what would be written, with time and space; write nothing"),
	OPTION(FLAG, "finish", 0, struct materialize_args, finish, NULL,
	    "join the parts that --part has written, and check all samples"),
	OPTION(TEXT, "out", 'o', struct materialize_args, out, "DIR",
	    "write to the folder DIR: new, empty, or begun by the same "
	    "command"),
	OPTION(TEXT, "part", 0, struct materialize_args, part, "I/N",
	    "write part I of N, from 0; others write the rest (default: as "
	    "Slurm, MPI, Kubernetes or torchrun says, else 0/1: all)"),
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
	OPTION_RANGE(UINT, "shards", struct materialize_args, shards, 0,
	    SHARDS_MOST, "divide the data into N files (default: by its size)"),
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
	OPTION(FLAG, "update", 0, struct materialize_args, update, NULL,
	    "bring the folder up to its dataset: add new and changed samples, "
	    "leave out removed ones, as its next version"),
	OPTION_TABLE_END,
};

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

/* Checks which options go together. */
static int check_options(const struct materialize_args *args, struct error *err)
{
	if (!args->out && (!args->dry_run || args->finish))
		return error_set(err, ERROR_USAGE, "--out DIR is missing");
	if (args->finish && (args->part || args->dry_run))
		return error_set(err, ERROR_USAGE,
		    "give --finish or --%s, not both: --finish joins all parts",
		    args->part ? "part" : "dry-run");
	if (args->part && args->check)
		return error_set(err, ERROR_USAGE,
		    "give --part or --check, not both: --check compares a "
		    "complete folder, and each part reads its shards back");
	return args->out ? check_out(args->out, err) : 0;
}

/* Finds the part that this process makes, and what its folder says. */
static int find_part(struct materialize_args *args, struct part *part,
    struct adopted *adopted, struct error *err)
{
	char words[PART_WORDS];

	if (check_options(args, err))
		return -1;
	if (!args->finish && part_find(args->part, part, err))
		return -1;
	if (part->engine)
		cmd_note("%s", part_words(part, words));
	if (part->count > 1 && adopt_skipped(adopted, args, part, err))
		return -1;
	if ((part->count > 1 || args->finish) && args->out)
		return adopt_folder(adopted, args, part, err);
	return 0;
}

static int read_work(struct materialize_work *work,
    const struct materialize_args *args, const char *pipeline,
    struct error *err)
{
	return pipeline || args->plan
	           ? work_read_file(work, args, pipeline, err)
	           : work_read_session(work, args, err);
}

/* Writes all of it, or a part; or tells what that would be. */
static int write_shards(const struct materialize_args *args,
    struct materialize_work *work, const struct part *part, struct job *job,
    struct skipped *skipped, struct error *err)
{
	/* a part takes the sizes from the job that another one has begun */
	if ((!job->parts || args->dry_run) &&
	    work_estimate(work, args->dry_run, err))
		return -1;
	if (args->dry_run) {
		materialize_foresee(args, work, part);
		return 0;
	}
	return part->count > 1 ? write_part(args, work, part, job, skipped, err)
	                       : write_dataset(args, work, skipped, err);
}

/* Writes a new folder: all of it, a part, or what joins the parts. */
static int write_new(struct materialize_args *args, const char *pipeline,
    struct materialize_work *work, struct skipped *skipped, struct error *err)
{
	struct adopted adopted = ADOPTED_INIT;
	struct part part = PART_ALL;
	int rc = find_part(args, &part, &adopted, err);

	if (adopted.job.listing.len)
		work->known = (struct inventory_known){ &adopted.job.inventory,
			adopted.job.samples, NULL };
	if (rc == 0)
		rc = read_work(work, args, pipeline, err);
	work->stop = interrupt_watch(last_words);
	if (rc == 0 && args->finish && adopted.has_job)
		rc = write_joined(args, work, &adopted.job, pipeline, err);
	else if (rc == 0)
		rc =
		    write_shards(args, work, &part, &adopted.job, skipped, err);
	adopted_release(&adopted);
	return rc;
}

static int write_next(const struct materialize_args *args, const char *pipeline,
    struct materialize_work *work, struct skipped *skipped, struct error *err)
{
	if (args->out && check_out(args->out, err))
		return -1;
	work->stop = interrupt_watch(last_words);
	return materialize_update(args, pipeline, work, skipped, err);
}

static int materialize(
    const void *values, char **operands, int count, struct error *err)
{
	struct materialize_args args = *(const struct materialize_args *)values;
	const char *pipeline = count ? operands[0] : NULL;
	struct materialize_work work = { .project = project_new(err) };
	struct skipped *skipped =
	    skips_new(args.dry_run ? NULL : args.skipped, err);
	int rc = -1;

	if (work.project && skipped)
		rc = args.update
		         ? write_next(&args, pipeline, &work, skipped, err)
		         : write_new(&args, pipeline, &work, skipped, err);
	skips_tell(skipped, args.skipped);
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
