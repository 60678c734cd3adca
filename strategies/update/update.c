/* update.c - see update.h. */
#include "strategies/update/update.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/pipeline/pipeline.h"
#include "lib/sample/reader.h"
#include "lib/snippets/readme.h"
#include "strategies/plan/shard_count.h"
#include "strategies/prepare/claim.h"
#include "strategies/prepare/fingerprint.h"
#include "strategies/prepare/finished.h"
#include "strategies/prepare/made_shards.h"
#include "strategies/prepare/standing.h"
#include "strategies/update/abandoned.h"
#include "strategies/update/additions.h"
#include "strategies/update/commit.h"
#include "strategies/update/difference.h"
#include "strategies/update/new_samples.h"
#include "strategies/update/same_work.h"

enum { CLAIM_WORDS = sizeof(CLAIM_UPDATE) + FINGERPRINT };

/* The running update. */
struct update {
	const struct update_plan *plan;
	struct updated *result;
	struct description then; /* with the manifest */
	struct difference difference;
	struct prepare_plan rest; /* makes the new shards */
	struct new_samples added;
	struct claim claim;
	char fingerprint[FINGERPRINT];
	char version[MEDIUM_VERSION_TEXT]; /* of a far manifest */
};

/* ---- planning ---- */

/* Counts the files of the source, without those that steps read besides. */
static int count_file(
    void *arg, const char *path, uint64_t bytes, struct error *err)
{
	uint64_t *count = arg;

	UNUSED(path);
	UNUSED(bytes);
	UNUSED(err);
	++*count;
	return 0;
}

static int find_difference(struct update *update, struct error *err)
{
	const struct prepare_plan *plan = &update->plan->prepare;
	const struct reader *source = plan->source;
	struct additions additions = ADDITIONS_INIT;
	struct difference_plan how = {
		.dir = plan->folder.dir,
		.manifest = &update->then.manifest,
		.additions = &additions,
		.now = plan->folder.inventory,
		.samples = source->samples,
		.files_each = source->files_each,
		.order = &plan->order,
		.are_places_known =
		    stored_order_way(&plan->order, source) != ORDER_WINDOWS &&
		    !pipeline_makes_many(
		        plan->pipeline, 0, plan->strategy->split),
		.medium = plan->medium,
	};
	int rc = source->ops->each_file(source, count_file, &how.own, err);

	if (rc == 0 && how.own == 0)
		rc = error_set(err, ERROR_USAGE,
		    "%s: the source has no files, so what has changed cannot "
		    "be known",
		    plan->folder.dir);
	if (rc == 0)
		rc = additions_read(&additions, plan->medium, plan->folder.dir,
		    &update->then.manifest, err);
	if (rc == 0)
		rc = difference_find(&update->difference, &how, err);
	additions_release(&additions);
	return rc;
}

/* New shards are as large as those of version 1, by their samples. */
static unsigned count_shards(const struct update *update)
{
	const struct reader *added = update->added.reader;
	const struct manifest *manifest = &update->then.manifest;
	const size_t first = manifest->history.count
	                         ? manifest->history.rows[0].shards
	                         : manifest->count;
	const uint64_t most =
	    stored_order_way(&update->plan->prepare.order, added) == ORDER_WHOLE
	        ? added->samples
	        : added->streams;
	uint64_t stored = 0;
	double shards = SHARDS_MOST;

	for (size_t i = 0; i < first; i++)
		stored += manifest->shards[i].samples;
	if (most < SHARDS_MOST)
		shards = (double)most;
	if (stored)
		shards = fmin(shards,
		    (double)added->samples * (double)first / (double)stored);
	return stored && shards >= 1 ? (unsigned)shards : 1;
}

/* Tells apart updates that were begun: by version and by the new files. */
static void set_fingerprint(struct update *update)
{
	const struct manifest *manifest = &update->then.manifest;
	const struct buf *entries = &update->added.files.entries;
	const uint64_t numbers[] = { history_version(&manifest->history),
		update->rest.shards };
	uint64_t hash =
	    hash_bytes(manifest->fingerprint, strlen(manifest->fingerprint), 0);

	hash = hash_bytes(numbers, sizeof(numbers), hash);
	hash = hash_bytes(entries->data, entries->len, hash);
	snprintf(update->fingerprint, FINGERPRINT, "%016llx",
	    (unsigned long long)hash);
}

/* ---- writing ---- */

/* Makes the shards that do not stand yet, and reads all new ones back. */
static int write_shards(struct update *update, struct error *err)
{
	struct prepare_plan *rest = &update->rest;
	struct updated *result = update->result;
	struct standing standing = STANDING_INIT;
	struct made_shards made = { .samples = 0 };
	struct prepare_plan left;
	int rc = standing_resume(&standing, rest, err);

	if (rc == 0) {
		left = standing_plan(&standing, rest);
		rc = made_shards_run(&left, standing.stands, NULL, &made, err);
	}
	result->made = made.made;
	result->mended = made.mended;
	standing_release(&standing);
	return rc;
}

/* Opens the new samples, and plans their shards. */
static int plan_shards(struct update *update, struct error *err)
{
	struct prepare_plan *rest = &update->rest;

	if (new_samples_open(&update->added, update->plan, &update->then,
	        &update->difference, err))
		return -1;
	rest->source = update->added.reader;
	if (update->plan->total)
		*update->plan->total = rest->source->samples;
	rest->shards = count_shards(update);
	set_fingerprint(update);
	rest->folder.fingerprint = update->fingerprint;
	return 0;
}

static bool same_type(const struct type *a, const struct type *b)
{
	bool same = a->dtype == b->dtype && a->layout == b->layout &&
	            a->shape.count == b->shape.count;

	for (unsigned i = 0; same && i < a->shape.count; i++)
		same = a->shape.dims[i] == b->shape.dims[i];
	return same;
}

static bool same_fields(const struct schema *a, const struct schema *b)
{
	bool same = a->count == b->count;

	for (unsigned i = 0; same && i < a->count; i++)
		same = strcmp(a->fields[i].name, b->fields[i].name) == 0 &&
		       same_type(&a->fields[i].type, &b->fields[i].type);
	return same;
}

static int check_fields(const struct update *update, struct error *err)
{
	const struct prepare_plan *plan = &update->plan->prepare;
	const struct schema *now =
	    &plan->pipeline->schemas[plan->strategy->split];

	if (same_fields(now, &update->then.manifest.form.decoded))
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s: the samples have other fields or types than those that were "
	    "stored; materialize to another folder",
	    plan->folder.dir);
}

/* Makes the new shards, and then the version. */
static int write_version(struct update *update, struct error *err)
{
	const struct difference *difference = &update->difference;
	struct updated *result = update->result;
	struct commit commit = {
		.plan = &update->rest,
		.claim = &update->claim,
		.version = update->version,
		.manifest = &update->then.manifest,
		.difference = difference,
		.classes = &update->then.classes,
		.row = { .added = difference->added,
		    .changed = difference->changed,
		    .removed = difference->removed },
	};

	const bool adds = difference->chosen_count > 0;

	if ((adds && plan_shards(update, err)) ||
	    abandoned_sweep(&update->rest, commit.manifest,
	        adds ? update->fingerprint : NULL, err) ||
	    (adds && write_shards(update, err)))
		return -1;
	if (adds) {
		const struct classes *classes = update->added.reader->classes;

		commit.files = &update->added.files;
		if (classes && classes->count)
			commit.classes = classes;
	}
	result->shards = update->rest.shards;
	if (commit_version(&commit, err))
		return -1;
	result->samples = update->then.manifest.samples;
	return 0;
}

/*
 * Takes the claim; only an update, or nothing, may have begun here. The folder
 * was examined before: until now another update may have ended.
 */
static int take_claim(struct update *update, struct error *err)
{
	const struct prepare_plan *plan = &update->plan->prepare;
	struct claim *claim = &update->claim;
	struct error ignored = ERROR_INIT;
	char text[CLAIM_WORDS];
	bool was_begun;

	snprintf(text, sizeof(text), CLAIM_UPDATE "%s",
	    update->then.manifest.fingerprint);
	if (claim_take(claim, plan->medium, plan->folder.dir, err))
		return -1;
	was_begun = claim->text[0];
	if (was_begun && strcmp(claim->text, text) != 0)
		return error_set(err, ERROR_USAGE,
		    "%s: other work was begun here and is not finished: run "
		    "presto materialize without --update first",
		    claim->path);
	if (claim_hold(claim, text, err))
		return -1;
	if (commit_check_newest(&update->then.manifest, plan->medium,
	        plan->folder.dir, update->version, err) == 0)
		return 0;
	if (!was_begun)
		claim_remove(claim, &ignored);
	return -1;
}

/* Ends the work: nothing is left to be finished. */
static int end_claim(struct update *update, struct error *err)
{
	const struct prepare_plan *plan = &update->plan->prepare;
	const struct finished_place notes = { plan->medium, plan->folder.dir,
		FINISHED_NAME };

	return finished_remove(&notes, err) || claim_remove(&update->claim, err)
	           ? -1
	           : 0;
}

static int work(struct update *update, struct error *err)
{
	const struct prepare_plan *plan = &update->plan->prepare;

	return take_claim(update, err) ||
	               claim_sweep(plan->medium, plan->folder.dir, true,
	                   &update->result->swept, err) ||
	               write_version(update, err) || end_claim(update, err)
	           ? -1
	           : 0;
}

/*
 * Nothing is to be stored: takes away what an update left that was killed when
 * it was complete, or whose samples have gone again.
 */
static int clean_up(struct update *update, struct error *err)
{
	const struct prepare_plan *plan = &update->plan->prepare;
	const struct description *then = &update->then;
	const int rc = claim_is_there(plan->medium, plan->folder.dir, err);

	if (rc <= 0)
		return rc;
	return take_claim(update, err) ||
	               abandoned_sweep(plan, &then->manifest, NULL, err) ||
	               commit_mend_readme(
	                   then, plan->medium, plan->folder.dir, err) ||
	               end_claim(update, err)
	           ? -1
	           : 0;
}

/* ---- examination ---- */

/* Compares every byte of the newest version with its manifest. */
static int check_bytes(struct update *update, struct error *err)
{
	const struct prepare_plan *plan = &update->plan->prepare;
	const struct folder_check_plan how = {
		.medium = plan->medium,
		.dir = plan->folder.dir,
		.manifest = &update->then.manifest,
		.threads = plan->threads,
		.is_whole = true,
		.for_people = README_NAME,
	};
	struct folder_check *found = &update->result->found;

	if (folder_check_run(found, &how, err))
		return -1;
	return folder_check_is_sound(found) ? 0
	                                    : folder_check_blame(found, err);
}

static int examine(struct update *update, struct error *err)
{
	const struct prepare_plan *plan = &update->plan->prepare;
	struct description *then = &update->then;

	if (description_read(then, plan->medium, plan->folder.dir, err))
		return -1;
	if (!then->is_whole || then->manifest.version < MANIFEST_FILES)
		return error_set(err, ERROR_USAGE,
		    "%s: an earlier presto wrote it, and it does not say all "
		    "that an update needs; materialize to another folder",
		    plan->folder.dir);
	if (same_work_check(plan, then, err) || check_fields(update, err) ||
	    (update->plan->check && check_bytes(update, err)))
		return -1;
	update->rest.folder.first_shard = (unsigned)then->manifest.count;
	return find_difference(update, err);
}

static int run(struct update *update, struct error *err)
{
	struct updated *result = update->result;
	const struct difference *difference = &update->difference;
	uint64_t version;

	if (examine(update, err))
		return -1;
	version = history_version(&update->then.manifest.history);
	result->counts_files = update->plan->prepare.source->files_each == 0;
	result->added = difference->added;
	result->changed = difference->changed;
	result->removed = difference->removed;
	result->samples = update->then.manifest.samples;
	result->was_current =
	    difference->chosen_count == 0 && difference->gone_count == 0;
	result->version = result->was_current ? version : version + 1;
	if (update->plan->dry_run)
		return 0;
	return result->was_current ? clean_up(update, err) : work(update, err);
}

int update_run(
    const struct update_plan *plan, struct updated *updated, struct error *err)
{
	struct update update = {
		.plan = plan,
		.result = updated,
		.then = DESCRIPTION_INIT,
		.difference = DIFFERENCE_INIT,
		.rest = plan->prepare,
		.added = NEW_SAMPLES_INIT,
		.claim = CLAIM_INIT,
	};
	int rc;

	*updated = (struct updated){ .was_current = false };
	update.rest.shards = 0;
	update.rest.folder.is_part = true;
	update.rest.folder.inventory = NULL;
	update.rest.folder.describe = NULL;
	update.rest.folder.claim = &update.claim;
	rc = run(&update, err);
	claim_release(&update.claim);
	new_samples_release(&update.added);
	difference_release(&update.difference);
	description_release(&update.then);
	return rc;
}

void updated_release(struct updated *updated)
{
	folder_check_release(&updated->found);
}
