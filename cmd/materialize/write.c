/* write.c - see write.h. */
#include "cmd/materialize/write.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/materialize/watch.h"
#include "cmd/materialize/words.h"
#include "cmd/materialize/work.h"
#include "cmd/program/cmd.h"
#include "cmd/project/folder_words.h"
#include "cmd/project/project.h"
#include "cmd/project/skips.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/sample/reader.h"
#include "strategies/parts/job.h"
#include "strategies/parts/parts.h"
#include "strategies/prepare/materialize.h"

static struct prepare_plan plan_of(const struct materialize_args *args,
    const struct materialize_work *work, unsigned shards)
{
	const struct project *project = work->project;

	return (struct prepare_plan){
		.source = project->source,
		.pipeline =
		    strategy_pipeline(&work->strategy, &project->pipeline),
		.strategy = &work->strategy,
		.order = project->plan.strategies.order,
		.medium = project->medium,
		.folder.dir = args->out,
		.threads = work_threads(args, work),
		.shards = shards,
		.seed = project->plan.measure.seed,
		.skip_errors = project->dataset.skip_errors,
		.stop = work->stop,
	};
}

/* Lets the preparation tell of skipped samples and of its progress. */
static void watch_plan(
    struct prepare_plan *plan, struct watch *watch, struct skipped *skipped)
{
	plan->progress = watch_show;
	plan->arg = watch;
	plan->skipped = skipped;
}

static struct materialize_needs needs_of(
    const struct materialize_args *args, const struct materialize_work *work)
{
	return (struct materialize_needs){
		.disk_bytes = work_bytes(work),
		.memory =
		    work_footprint(work, work_threads(args, work), args->out),
	};
}

static void tell_kept(
    const struct materialize_args *args, int rc, const struct error *err)
{
	if (rc && err->code == ERROR_INTERRUPTED)
		cmd_warn("complete shards are kept in %s; the same command "
		         "continues",
		    args->out);
}

/* Writes the list of skipped samples, if any were read. */
static int write_skips(struct skipped *skipped, const char *path,
    bool nothing_read, int rc, struct error *err)
{
	if (rc || !nothing_read)
		return skips_write(skipped, path, rc, err);
	if (path)
		cmd_warn(
		    "%s is not written, since nothing was read: only a command "
		    "that reads the dataset knows the skipped samples",
		    path);
	return 0;
}

int write_dataset(const struct materialize_args *args,
    struct materialize_work *work, struct skipped *skipped, struct error *err)
{
	const struct materialize_needs needs = needs_of(args, work);
	struct prepare_plan plan = plan_of(args, work, work_shards(args, work));
	struct materialized done;
	struct watch watch;
	int rc;

	if (work_take_inventory(work, err))
		return -1;
	plan.folder.inventory = &work->project->inventory;
	watch_plan(&plan, &watch, skipped);
	watch_begin(&watch, plan.source->samples);
	rc = materialize_run(&plan, &needs, args->check, &done, err);
	watch_end(&watch);
	folder_tell_swept(&done.swept, args->out);
	folder_tell_findings(&done.found, rc == 0);
	materialized_release(&done);
	if (rc == 0)
		materialize_tell(args, work, &done, plan.shards);
	rc = write_skips(skipped, args->skipped, done.was_complete, rc, err);
	tell_kept(args, rc, err);
	return rc;
}

/* ---- parts ---- */

/* Looks only at files of its own samples, if the others are known. */
static int take_inventory(struct materialize_work *work,
    const struct prepare_plan *plan, const struct part *part,
    const struct job *job, struct error *err)
{
	struct inventory_known *known = &work->project->dataset.known;
	bool *files = NULL;
	int rc;

	if (known->inventory) {
		files = job_files_of(job, plan, part->index, err);
		if (!files)
			return -1;
	}
	known->looked_at = files;
	rc = work_take_inventory(work, err);
	known->looked_at = NULL;
	free(files);
	return rc;
}

static double sum_of(const struct footprint *footprint)
{
	return footprint->batches + footprint->blocks + footprint->threads +
	       footprint->cache + footprint->files;
}

/* Lets the other parts know what memory they need: they have no pilot. */
static void note_memory(
    struct job *job, const struct materialize_work *work, const char *dir)
{
	const struct footprint one = work_footprint(work, 1, dir);
	const struct footprint two = work_footprint(work, 2, dir);
	const double more = sum_of(&two) - sum_of(&one);

	job->memory = (uint64_t)sum_of(&one);
	job->thread_memory = more > 0 ? (uint64_t)more : 0;
}

/* The needs of a part; of the job that is there, which has space already. */
static struct materialize_needs part_needs(const struct materialize_args *args,
    const struct materialize_work *work, const struct job *job)
{
	const unsigned threads = work_threads(args, work);

	if (!job->parts)
		return needs_of(args, work);
	return (struct materialize_needs){
		.memory.threads = (double)job->memory +
		                  (double)job->thread_memory * (threads - 1),
	};
}

int write_part(const struct materialize_args *args,
    struct materialize_work *work, const struct part *part, struct job *job,
    struct skipped *skipped, struct error *err)
{
	const struct materialize_needs needs = part_needs(args, work, job);
	struct prepare_plan plan = plan_of(
	    args, work, job->shards ? job->shards : work_shards(args, work));
	struct part_result done;
	struct watch watch;
	int rc;

	if (take_inventory(work, &plan, part, job, err))
		return -1;
	if (!job->parts)
		note_memory(job, work, args->out);
	plan.folder.inventory = &work->project->inventory;
	watch_plan(&plan, &watch, skipped);
	watch_begin(&watch, plan.source->samples / part->count);
	rc = parts_run(&plan, &needs, part, job, &done, err);
	watch_end(&watch);
	folder_tell_swept(&done.swept, args->out);
	if (rc == 0)
		materialize_tell_part(args, work, part, &done, plan.shards);
	rc = write_skips(skipped, args->skipped, done.was_complete, rc, err);
	tell_kept(args, rc, err);
	return rc;
}

/* Ends an error about a missing part with the command that makes it. */
static int advise(const struct materialize_args *args, const char *pipeline,
    const struct joined *joined, struct error *err)
{
	struct error ignored = ERROR_INIT;
	struct buf text = BUF_INIT;

	if (buf_printf(&text, &ignored, "make it by: ") == 0 &&
	    materialize_part_command(&text, args, pipeline, &ignored) == 0 &&
	    buf_printf(&text, &ignored, " --part %u/%u", joined->missing,
	        joined->parts) == 0)
		error_advise(err, (const char *)text.data);
	buf_release(&text);
	return -1;
}

int write_joined(const struct materialize_args *args,
    const struct materialize_work *work, struct job *job, const char *pipeline,
    struct error *err)
{
	struct prepare_plan plan = plan_of(args, work, job->shards);
	struct joined joined;
	const int rc = parts_finish(&plan, true, job, &joined, err);

	folder_tell_swept(&joined.swept, args->out);
	if (rc && joined.missing < joined.parts)
		return advise(args, pipeline, &joined, err);
	if (rc == 0)
		materialize_tell_joined(args, work, &joined, plan.shards);
	return rc;
}
