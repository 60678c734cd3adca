/* parts.c - see parts.h. */
#include "strategies/parts/parts.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/measure/memory.h"
#include "lib/media/folders.h"
#include "lib/media/medium.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/store.h"
#include "strategies/parts/job.h"
#include "strategies/parts/part_file.h"
#include "strategies/prepare/claim.h"
#include "strategies/prepare/describe.h"
#include "strategies/prepare/fingerprint.h"
#include "strategies/prepare/finished.h"
#include "strategies/prepare/made_shards.h"
#include "strategies/prepare/materialize.h"
#include "strategies/prepare/origin.h"

/* A part that is being made. */
struct run {
	struct prepare_plan plan; /* with what is known of the folder */
	struct job job;
	struct part_file file;    /* its manifest */
	struct finished finished; /* its notes */
	bool *owned;              /* [shards] */
	bool *stands;             /* [shards]: all but those to make */
	unsigned missing;         /* shards to make, when it was resumed */
	/*
	 * A claim that another process has on joining the parts is older than
	 * this run: at S3 it may be that of a dead one.
	 */
	bool takes_over;
};

static void run_release(struct run *run)
{
	finished_close(&run->finished);
	part_file_release(&run->file);
	job_release(&run->job);
	free(run->owned);
	free(run->stands);
}

/* Finds which of its shards stand. */
static int find_standing(struct run *run, struct error *err)
{
	const struct prepare_plan *plan = &run->plan;
	struct store_form form;

	run->missing = 0;
	if (made_shards_form(plan, &form, err))
		return -1;
	for (unsigned i = 0; i < plan->shards; i++) {
		const struct file_sum *index = &run->finished.indexes[i];
		const struct shard_place place = { plan->medium,
			plan->folder.dir, &form, i };

		run->stands[i] =
		    !run->owned[i] ||
		    (index->bytes > 0 && shard_is_complete(&place, index));
		run->missing += !run->stands[i];
	}
	return 0;
}

/* Opens its notes, and finds what they say. */
static int resume(struct run *run, unsigned part, struct error *err)
{
	struct prepare_plan *plan = &run->plan;
	char name[PART_FILE_NAME];
	const struct finished_place notes = { plan->medium, plan->folder.dir,
		name };

	part_file_notes_name(part, name);
	run->owned = join_shards_of(&run->job, part, err);
	run->stands = calloc((size_t)plan->shards + 1, sizeof(bool));
	if (!run->owned || !run->stands)
		return error_memory(err, plan->shards);
	if (finished_open(&run->finished, &notes, plan->folder.fingerprint,
	        plan->shards, err))
		return -1;
	plan->folder.finished = &run->finished;
	plan->folder.stands = run->stands;
	return find_standing(run, err);
}

/* Was the part complete before, so that its manifest and its shards agree? */
static int is_complete(struct run *run, unsigned part,
    struct part_result *result, struct error *err)
{
	struct part_file before;
	int got = part_file_read(&before, &run->job, part, run->plan.medium,
	    run->plan.folder.dir, err);

	if (got < 0 && err->code == ERROR_DATA)
		got = 0; /* it is written again */
	for (unsigned i = before.first; got > 0 && i < before.end; i++)
		if (!file_sum_equal(&before.indexes[i - before.first],
		        &run->finished.indexes[i]))
			got = 0;
	if (got > 0 && run->missing == 0) {
		result->was_complete = true;
		result->samples = before.samples;
	}
	part_file_release(&before);
	return got < 0 ? -1 : result->was_complete;
}

/* Takes the sums of the indexes, which were read back. */
static int take_indexes(struct run *run, struct error *err)
{
	struct prepare_plan *plan = &run->plan;

	for (unsigned i = run->file.first; i < run->file.end; i++) {
		char *path = shard_index_path(plan->folder.dir, i, err);
		const int rc =
		    path ? file_sum_read(plan->medium, path,
		               &run->file.indexes[i - run->file.first], err)
		         : -1;

		free(path);
		if (rc)
			return -1;
	}
	return 0;
}

static int make_part(
    struct run *run, struct part_result *result, struct error *err)
{
	struct made_shards made;
	int rc =
	    made_shards_run(&run->plan, run->stands, run->owned, &made, err);

	result->made = made.made;
	result->mended = made.mended;
	result->samples = made.samples;
	if (rc || take_indexes(run, err))
		return -1;
	run->file.samples = result->samples;
	run->file.skipped = result->made.skipped;
	run->file.filtered = result->made.filtered;
	return part_file_write(
	    &run->file, run->plan.medium, run->plan.folder.dir, err);
}

/* Takes the job that is there, or begins it. */
static int take_job(struct run *run, const struct materialize_needs *needs,
    unsigned parts, struct error *err)
{
	if (run->job.parts) /* memory is needed on each machine */
		return footprint_check(
		           &needs->memory, memory_available(""), false, err)
		           ? -1
		           : job_check(&run->job, &run->plan, parts, err);
	if (materialize_check_room(run->plan.folder.dir, needs, err))
		return -1;
	return job_begin(&run->job, &run->plan, parts, err);
}

/*
 * Parts are joined once all are complete. So one that is not complete, and
 * finds a claim, is run again after a join that failed.
 */
static int look_for_claim(struct run *run, struct error *err)
{
	const struct prepare_plan *plan = &run->plan;
	int rc = 0;

	if (medium_is_far(plan->medium, plan->folder.dir))
		rc = claim_is_there(plan->medium, plan->folder.dir, err);
	run->takes_over = rc > 0;
	return rc < 0 ? -1 : 0;
}

static int run_part(struct run *run, const struct materialize_needs *needs,
    const struct part *part, struct part_result *result, struct error *err)
{
	const char *dir = run->plan.folder.dir;

	if (take_job(run, needs, part->count, err) ||
	    part_file_begin(&run->file, &run->job, part->index, err))
		return -1;
	result->first = run->file.first;
	result->end = run->file.end;
	if (!medium_is_far(run->plan.medium, dir) &&
	    temporary_sweep(dir, false, &result->swept, err))
		return -1;
	if (resume(run, part->index, err))
		return -1;
	if (run->plan.folder.inventory && run->job.listing.len &&
	    origin_compare(&run->plan, &run->job.inventory, run->owned, err))
		return -1;
	if (look_for_claim(run, err))
		return -1;
	if (is_complete(run, part->index, result, err)) {
		run->takes_over = true;
		return result->was_complete ? 0 : -1;
	}
	return make_part(run, result, err);
}

/* 1: the folder is complete, of this plan; 0: it is not; -1. */
static int is_whole(
    const struct prepare_plan *plan, struct joined *joined, struct error *err)
{
	char order[ORDER_TEXT], early[FINGERPRINT];
	const struct manifest_note wanted = {
		.strategy = plan->strategy->label,
		.fingerprint = plan->folder.fingerprint,
		.early_fingerprint = early,
		.shuffle = stored_order_text(&plan->order, plan->source, order),
	};
	int rc;

	fingerprint_set(plan, true, early);
	rc = manifest_matches(
	    plan->medium, plan->folder.dir, &wanted, plan->shards, err);
	if (rc <= 0)
		return rc;
	*joined = (struct joined){ .state = JOIN_COMPLETE };
	return medium_folder_bytes(
	           plan->medium, plan->folder.dir, &joined->storage_bytes, err)
	           ? -1
	           : 1;
}

/* Joins, if this was the last part, and the folder has a job. */
static int join(const struct run *run, bool is_asked, bool whole,
    struct joined *joined, struct error *err)
{
	const struct join_plan plan = {
		.plan = &run->plan,
		.job = &run->job,
		.is_asked = is_asked,
		.is_whole = whole,
		.takes_over = run->takes_over,
	};

	return join_run(&plan, joined, err);
}

/* Takes over the job that is known. */
static void begin(struct run *run, const struct prepare_plan *plan,
    struct job *known, char fingerprint[FINGERPRINT])
{
	fingerprint_set(plan, false, fingerprint);
	*run = (struct run){
		.plan = *plan,
		.job = *known,
		.finished = FINISHED_INIT,
	};
	*known = (struct job)JOB_INIT;
	run->plan.folder.fingerprint = fingerprint;
	run->plan.folder.describe = describe_folder;
	run->plan.folder.is_part = true;
}

/*
 * After an error: 1 if the folder is complete, since another process has joined
 * the parts and removed the job meanwhile. What this one left is removed.
 */
static int was_joined(struct run *run, struct part_result *result)
{
	struct error ignored = ERROR_INIT;

	if (is_whole(&run->plan, &result->joined, &ignored) <= 0)
		return 0;
	result->was_complete = true;
	return run->job.parts == 0 ||
	       join(run, false, false, &result->joined, &ignored) == 0;
}

/*
 * Removes the files of the job from the complete folder: the process that
 * joined the parts was killed before it had removed them.
 */
static int tidy(struct run *run, struct part_result *result, struct error *err)
{
	struct joined joined;

	if (run->job.parts == 0)
		return 0;
	run->takes_over = true;
	if (join(run, false, false, &joined, err))
		return -1;
	if (joined.state == JOIN_COMPLETE)
		result->joined = joined;
	return 0;
}

int parts_run(const struct prepare_plan *plan,
    const struct materialize_needs *needs, const struct part *part,
    struct job *known, struct part_result *result, struct error *err)
{
	char fingerprint[FINGERPRINT];
	struct run run;
	int rc;

	*result = (struct part_result){ .was_complete = false };
	begin(&run, plan, known, fingerprint);
	rc = is_whole(&run.plan, &result->joined, err);
	result->was_complete = rc > 0;
	if (rc > 0 && tidy(&run, result, err))
		rc = -1;
	if (rc == 0) {
		rc = run_part(&run, needs, part, result, err);
		if (rc == 0)
			rc = join(&run, false, false, &result->joined, err);
		if (rc < 0 && was_joined(&run, result))
			rc = 0;
	}
	run_release(&run);
	return rc < 0 ? -1 : 0;
}

int parts_finish(const struct prepare_plan *plan, bool whole, struct job *known,
    struct joined *joined, struct error *err)
{
	char fingerprint[FINGERPRINT];
	struct run run;
	int rc;

	*joined = (struct joined){ .state = JOIN_WAITS };
	begin(&run, plan, known, fingerprint);
	rc = job_check(&run.job, &run.plan, run.job.parts, err);
	if (rc == 0)
		rc = join(&run, true, whole, joined, err);
	run_release(&run);
	return rc;
}
