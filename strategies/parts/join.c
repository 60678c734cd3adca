/* join.c - see join.h. */
#include "strategies/parts/join.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/host.h"
#include "lib/files/lock.h"
#include "lib/files/path.h"
#include "lib/folder/made.h"
#include "lib/media/folders.h"
#include "lib/media/medium.h"
#include "lib/stores/manifest.h"
#include "lib/stores/sink.h"
#include "lib/stores/store.h"
#include "strategies/parts/job.h"
#include "strategies/parts/part_file.h"
#include "strategies/parts/place.h"
#include "strategies/prepare/claim.h"
#include "strategies/prepare/describe.h"
#include "strategies/prepare/finished.h"
#include "strategies/prepare/made_shards.h"
#include "strategies/prepare/origin.h"
#include "strategies/prepare/prepare.h"

enum { CLAIM_TRIES = 3 };

/* ---- shards of a part ---- */

bool *join_shards_of(const struct job *job, unsigned part, struct error *err)
{
	bool *which = calloc((size_t)job->shards + 1, sizeof(*which));
	unsigned first, end;

	if (!which) {
		error_memory(err, job->shards);
		return NULL;
	}
	job_range(job, part, &first, &end);
	for (unsigned i = first; i < end; i++)
		which[i] = true;
	return which;
}

/* ---- the claim ---- */

struct join_claim {
	struct lock lock; /* held, if the folder is local */
	bool is_file;     /* an object at S3 is the claim */
};

/* 1: this process joins; 0: another one does. */
static int join_claim_file(const struct join_plan *plan, struct error *err)
{
	const struct prepare_plan *of = plan->plan;
	char host[HOST_NAME];
	int rc;

	host_name(host);
	rc = place_write_new(
	    of->medium, of->folder.dir, MADE_PARTIAL, span_text(host), err);
	return rc == 0 && (plan->is_asked || plan->takes_over) ? 1 : rc;
}

/* The one that held it may end before it is asked whether it is held. */
static int join_claim_lock(struct join_claim *claim, const char *path,
    bool is_asked, struct error *err)
{
	struct error why = ERROR_INIT;

	for (int i = 0; i < CLAIM_TRIES; i++) {
		if (lock_take(&claim->lock, path, &why) == 0)
			return 1;
		if (is_asked)
			break;
		if (lock_is_held(path))
			return 0;
	}
	*err = why;
	return -1;
}

static int join_claim_take(
    const struct join_plan *plan, struct join_claim *claim, struct error *err)
{
	const char *dir = plan->plan->folder.dir;
	char *path;
	int rc;

	claim->lock = (struct lock)LOCK_INIT;
	claim->is_file = medium_is_far(plan->plan->medium, dir);
	if (claim->is_file)
		return join_claim_file(plan, err);
	path = path_join(dir, MADE_PARTIAL, err);
	if (!path)
		return -1;
	rc = join_claim_lock(claim, path, plan->is_asked, err);
	free(path);
	return rc;
}

static int join_claim_end(
    const struct join_plan *plan, struct join_claim *claim, struct error *err)
{
	if (!claim->is_file)
		return lock_remove(&claim->lock, err);
	return place_remove(
	    plan->plan->medium, plan->plan->folder.dir, MADE_PARTIAL, err);
}

/* Another process may claim it after an error. */
static void join_claim_drop(
    const struct join_plan *plan, struct join_claim *claim)
{
	struct error ignored = ERROR_INIT;

	if (claim->is_file)
		join_claim_end(plan, claim, &ignored);
	else
		lock_release(&claim->lock);
}

/* ---- manifests of the parts ---- */

/* Reads those that are there, and finds the first that is missing. */
static int read_parts(const struct join_plan *plan, struct part_file *files,
    struct joined *joined, struct error *err)
{
	const struct prepare_plan *of = plan->plan;

	joined->parts = joined->missing = plan->job->parts;
	joined->complete = 0;
	joined->samples = joined->skipped = joined->filtered = 0;
	for (unsigned i = 0; i < plan->job->parts; i++) {
		const int got = part_file_read(
		    &files[i], plan->job, i, of->medium, of->folder.dir, err);

		if (got < 0)
			return -1;
		if (got == 0 && joined->missing == joined->parts)
			joined->missing = i;
		if (got == 0)
			continue;
		joined->complete++;
		joined->samples += files[i].samples;
		joined->skipped += files[i].skipped;
		joined->filtered += files[i].filtered;
	}
	return 0;
}

static int error_missing(const struct join_plan *plan,
    const struct joined *joined, struct error *err)
{
	const unsigned others = joined->parts - joined->complete - 1;
	char more[64] = "";

	if (others)
		snprintf(more, sizeof(more), " (and %u other%s)", others,
		    others == 1 ? "" : "s");
	return error_set(err, ERROR_DATA,
	    "%s: part %u/%u%s is missing, or not complete",
	    plan->plan->folder.dir, joined->missing, joined->parts, more);
}

/* The part must be made again: what it says is not so. */
static int drop_part(
    const struct join_plan *plan, unsigned part, struct joined *joined)
{
	const struct prepare_plan *of = plan->plan;
	struct error ignored = ERROR_INIT;
	char name[PART_FILE_NAME];

	joined->missing = part;
	part_file_name(part, name);
	place_remove(of->medium, of->folder.dir, name, &ignored);
	return -1;
}

/* Compares sizes and indexes of a part's shards with its manifest. */
static int check_part(const struct join_plan *plan,
    const struct store_form *form, const struct part_file *file,
    struct joined *joined, struct error *err)
{
	const char *dir = plan->plan->folder.dir;

	for (unsigned i = file->first; i < file->end; i++) {
		const struct shard_place place = { plan->plan->medium, dir,
			form, i };

		if (shard_is_complete(&place, &file->indexes[i - file->first]))
			continue;
		error_set(err, ERROR_DATA,
		    "%s: shard %06u of part %u/%u is missing or damaged", dir,
		    i, file->part, file->parts);
		return drop_part(plan, file->part, joined);
	}
	return 0;
}

static int read_part_back(const struct join_plan *plan, unsigned part,
    struct joined *joined, struct error *err)
{
	bool *which = join_shards_of(plan->job, part, err);
	uint64_t samples = 0;
	int rc =
	    which ? made_shards_read(plan->plan, which, &samples, err) : -1;

	free(which);
	if (rc == 0 || !which || err->code != ERROR_DATA)
		return rc;
	return drop_part(plan, part, joined);
}

static int check_parts(const struct join_plan *plan,
    const struct part_file *files, const struct store_form *form,
    struct joined *joined, struct error *err)
{
	for (unsigned i = 0; i < plan->job->parts; i++)
		if (check_part(plan, form, &files[i], joined, err) ||
		    (plan->is_whole && read_part_back(plan, i, joined, err)))
			return -1;
	return 0;
}

/* ---- the whole ---- */

/* prepare_folder.describe, with the plan as `arg`. */
static int describe(
    void *arg, struct sink *sink, struct manifest *manifest, struct error *err)
{
	const struct prepare_plan *plan = arg;

	return describe_folder(plan, sink, manifest, err);
}

static int write_manifest(const struct join_plan *plan,
    const struct store_form *form, struct error *err)
{
	struct prepare_plan of = *plan->plan;
	const struct job *job = plan->job;
	char order[ORDER_TEXT];
	const struct manifest_note note = {
		.strategy = of.strategy->label,
		.fingerprint = of.folder.fingerprint,
		.describe = describe,
		.arg = &of,
		.shuffle = stored_order_text(&of.order, of.source, order),
	};
	struct sink sink = { .medium = of.medium };

	if (job->listing.len && place_write(of.medium, of.folder.dir,
	                            ORIGIN_NAME, buf_span(&job->listing), err))
		return -1;
	return manifest_write(
	    &sink, of.folder.dir, form, of.shards, &note, err);
}

/* Removes the files of the parts; the folder is complete. */
static int clean(
    const struct join_plan *plan, struct joined *joined, struct error *err)
{
	const struct prepare_plan *of = plan->plan;
	const char *dir = of->folder.dir;

	for (unsigned i = 0; i < plan->job->parts; i++) {
		char name[PART_FILE_NAME];
		const struct finished_place notes = { of->medium, dir, name };

		part_file_name(i, name);
		if (place_remove(of->medium, dir, name, err))
			return -1;
		part_file_notes_name(i, name);
		if (finished_remove(&notes, err))
			return -1;
	}
	return claim_sweep(of->medium, dir, true, &joined->swept, err);
}

/*
 * 1: another process has joined the parts meanwhile, which happens at S3 alone,
 * where a claim is taken over. Its manifest must not be replaced: an update may
 * have begun.
 */
static int is_joined(
    const struct join_plan *plan, struct joined *joined, struct error *err)
{
	const int rc =
	    store_is_written(plan->plan->medium, plan->plan->folder.dir, err);

	if (rc > 0)
		joined->state = JOIN_COMPLETE;
	return rc;
}

static int join_files(const struct join_plan *plan, struct part_file *files,
    struct joined *joined, struct error *err)
{
	struct store_form form;
	int rc = read_parts(plan, files, joined, err);

	if (rc)
		return -1;
	if (joined->missing < joined->parts) {
		rc = is_joined(plan, joined, err);
		if (rc)
			return rc < 0 ? -1 : 0;
		joined->state = JOIN_WAITS;
		return plan->is_asked ? error_missing(plan, joined, err) : 0;
	}
	if (made_shards_form(plan->plan, &form, err) ||
	    check_parts(plan, files, &form, joined, err))
		return -1;
	rc = is_joined(plan, joined, err);
	if (rc)
		return rc < 0 ? -1 : 0;
	if (write_manifest(plan, &form, err))
		return -1;
	joined->state = JOIN_DONE;
	return 0;
}

/* Works with the claim held. */
static int join_claimed(
    const struct join_plan *plan, struct joined *joined, struct error *err)
{
	const unsigned parts = plan->job->parts;
	struct part_file *files = calloc((size_t)parts + 1, sizeof(*files));
	int rc;

	if (!files)
		return error_memory(err, parts * sizeof(*files));
	rc = is_joined(plan, joined, err);
	rc = rc ? (rc < 0 ? -1 : 0) : join_files(plan, files, joined, err);
	for (unsigned i = 0; i < parts; i++)
		part_file_release(&files[i]);
	free(files);
	if (rc || joined->state == JOIN_WAITS)
		return rc;
	return clean(plan, joined, err);
}

/*
 * Are all manifests there? Asked before the claim. Each of many parts asks at
 * its end: then the first that is missing is enough.
 */
static int count_parts(
    const struct join_plan *plan, struct joined *joined, struct error *err)
{
	const struct prepare_plan *of = plan->plan;

	joined->parts = joined->missing = plan->job->parts;
	for (unsigned i = 0; i < joined->parts; i++) {
		struct medium_status status;
		char name[PART_FILE_NAME], *path;
		int rc;

		part_file_name(i, name);
		path = path_join(of->folder.dir, name, err);
		rc = path ? medium_get_status(of->medium, path, &status, err)
		          : -1;
		free(path);
		if (rc)
			return -1;
		if (status.kind == MEDIUM_FILE)
			joined->complete++;
		else if (joined->missing == joined->parts)
			joined->missing = i;
		if (joined->missing < joined->parts && !plan->is_asked &&
		    joined->parts > JOIN_COUNTED)
			break;
	}
	return 0;
}

int join_run(
    const struct join_plan *plan, struct joined *joined, struct error *err)
{
	const struct prepare_plan *of = plan->plan;
	struct join_claim claim;
	int rc;

	*joined = (struct joined){ .state = JOIN_WAITS };
	if (count_parts(plan, joined, err))
		return -1;
	rc = joined->missing < joined->parts ? is_joined(plan, joined, err) : 1;
	if (rc < 0)
		return -1;
	if (rc == 0)
		return plan->is_asked ? error_missing(plan, joined, err) : 0;
	rc = join_claim_take(plan, &claim, err);
	if (rc == 0)
		joined->state = JOIN_ANOTHER;
	if (rc <= 0)
		return rc;
	rc = join_claimed(plan, joined, err);
	if (rc || joined->state == JOIN_WAITS) {
		join_claim_drop(plan, &claim);
		return rc;
	}
	/* The job goes last: a part that is run again finds by it what is left.
	 */
	if (join_claim_end(plan, &claim, err) ||
	    place_remove(of->medium, of->folder.dir, MADE_JOB, err))
		return -1;
	return medium_folder_bytes(
	    of->medium, of->folder.dir, &joined->storage_bytes, err);
}
