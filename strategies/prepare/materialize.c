/* materialize.c - see materialize.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/url.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/folder/made.h"
#include "lib/measure/memory.h"
#include "lib/media/folders.h"
#include "lib/media/medium.h"
#include "lib/pipeline/code_print.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/store.h"
#include "strategies/prepare/claim.h"
#include "strategies/prepare/damage.h"
#include "strategies/prepare/describe.h"
#include "strategies/prepare/fingerprint.h"
#include "strategies/prepare/finished.h"
#include "strategies/prepare/materialize.h"
#include "strategies/prepare/origin.h"
#include "strategies/prepare/read_back.h"
#include "strategies/prepare/standing.h"

int materialize_check_room(
    const char *dir, const struct materialize_needs *needs, struct error *err)
{
	const double need_bytes = needs->disk_bytes;
	uint64_t room, there = 0;
	char a[UNITS_TEXT], b[UNITS_TEXT];

	if (footprint_check(&needs->memory, memory_available(""), false, err))
		return error_prefix(err, "%s", dir);
	if (url_is(dir)) /* an object store tells no room */
		return 0;
	if (path_free_bytes(dir, &room, err) ||
	    (path_exists(dir) && path_bytes(dir, &there, err)))
		return -1;
	if (need_bytes - (double)there <= (double)room)
		return 0;
	return error_set(err, ERROR_LIMIT,
	    "%s: needs about %s more, there is room for %s", dir,
	    units_bytes(need_bytes - (double)there, a),
	    units_bytes((double)room, b));
}

/* Reads all samples back, with their checksums, and counts them. */
static int verify(const struct prepare_plan *plan, struct materialized *result,
    struct error *err)
{
	struct reader *reader = store_open(plan->medium, plan->folder.dir, err);

	return reader ? read_back_samples(plan, reader, &result->samples, err)
	              : -1;
}

/* False for folders of earlier versions, and if the description is damaged. */
static bool is_described(const struct prepare_plan *plan)
{
	struct description description = DESCRIPTION_INIT;
	struct error ignored;
	const bool is_whole = description_read(&description, plan->medium,
	                          plan->folder.dir, &ignored) == 0 &&
	                      description.is_whole;

	description_release(&description);
	return is_whole;
}

/* Parts of a job have no lock: one process must not write beside them. */
static int check_parts(const struct prepare_plan *plan, struct error *err)
{
	char *path = path_join(plan->folder.dir, MADE_JOB, err);
	int rc =
	    path ? store_is_written(plan->medium, plan->folder.dir, err) : -1;

	if (rc == 0 && medium_exists(plan->medium, path))
		rc = error_set(err, ERROR_USAGE,
		    "%s is being written in parts: give --part I/N, or "
		    "--finish to join them",
		    plan->folder.dir);
	free(path);
	return rc < 0 ? -1 : 0;
}

/* A folder that work begins in must be empty, except for the lock. */
static int check_empty(
    struct medium *medium, const char *dir, struct error *err)
{
	char name[MEDIUM_NAME];

	if (medium_find_any(medium, dir, MADE_PARTIAL, name, err))
		return -1;
	if (!name[0])
		return 0;
	return error_set(err, ERROR_USAGE,
	    "%s holds something else ('%s'): choose another folder", dir, name);
}

/* Compares a folder with its manifest; results are as of examine_folder. */
static int examine_complete(const struct prepare_plan *plan, bool check,
    struct standing *standing, struct materialized *result, struct error *err)
{
	const bool is_old = standing->truth.version < MANIFEST_FILES;
	const bool has_origin =
	    file_list_find(&standing->truth.files, ORIGIN_NAME);

	if (origin_check(plan, NULL, &standing->origin, err))
		return -1;
	if (standing_compare(standing, plan, check, &result->found, err))
		return -1;
	result->mended = (unsigned)result->found.damaged;
	result->samples = standing->truth.samples;
	if (!folder_check_is_sound(&result->found) || !is_described(plan) ||
	    (has_origin && standing->origin == ORIGIN_UNKNOWN))
		return 0;
	return !check || !is_old;
}

/* Without the manifest, no shard is known to be whole. */
static int examine_unfinished(const struct prepare_plan *plan,
    struct materialized *result, struct error *err)
{
	char *path;
	int rc;

	if (!description_is_of(
	        plan->medium, plan->folder.dir, plan->folder.fingerprint))
		return check_empty(plan->medium, plan->folder.dir, err);
	path = path_join(plan->folder.dir, MANIFEST_NAME, err);
	rc = path
	         ? folder_check_say(&result->found, FOLDER_DAMAGE, path,
	               "is missing, so that no shard is known to be whole", err)
	         : -1;
	free(path);
	return rc;
}

/*
 * The folder is of other work: is it so because code of the user's changed?
 * Returns -1.
 */
static int blame_code(const struct prepare_plan *plan, struct error *err)
{
	struct description then = DESCRIPTION_INIT;
	struct error ignored = ERROR_INIT;
	struct buf now = BUF_INIT;
	char change[CODE_PRINT_TEXT];

	if (code_print(plan->pipeline, plan->strategy->split, &now, &ignored) ==
	        0 &&
	    description_read(&then, plan->medium, plan->folder.dir, &ignored) ==
	        0 &&
	    code_print_differs(then.code, (const char *)now.data, change))
		error_set(err, ERROR_USAGE,
		    "%s: %s; choose another folder, or remove this one",
		    plan->folder.dir, change);
	description_release(&then);
	buf_release(&now);
	return -1;
}

/* 1: the folder is complete; 0: work to do; -1: it must not be touched. */
static int examine_folder(const struct prepare_plan *plan, bool check,
    struct standing *standing, struct materialized *result, struct error *err)
{
	char order[ORDER_TEXT], early[FINGERPRINT];
	const struct manifest_note wanted = {
		.strategy = plan->strategy->label,
		.fingerprint = plan->folder.fingerprint,
		.early_fingerprint = early,
		.shuffle = stored_order_text(&plan->order, plan->source, order),
	};
	int matches;

	if (!url_is(plan->folder.dir) && !path_exists(plan->folder.dir))
		return 0;
	if (check_parts(plan, err))
		return -1;
	fingerprint_set(plan, true, early);
	matches = manifest_matches(
	    plan->medium, plan->folder.dir, &wanted, plan->shards, err);
	if (matches < 0)
		return blame_code(plan, err);
	if (matches == 0)
		return examine_unfinished(plan, result, err);
	if (standing_read(standing, plan, err))
		return -1;
	return examine_complete(plan, check, standing, result, err);
}

/* Was the folder that this claim belongs to begun by the same work? */
static int check_begun(const struct prepare_plan *plan,
    const struct claim *claim, struct error *err)
{
	if (strcmp(claim->text, plan->folder.fingerprint) == 0)
		return 0;
	if (strncmp(claim->text, CLAIM_UPDATE, strlen(CLAIM_UPDATE)) == 0)
		return error_set(err, ERROR_USAGE,
		    "%s: an update was begun here; give --update to finish it",
		    claim->path);
	return error_set(err, ERROR_USAGE,
	    "%s: another strategy, number of shards, order of samples "
	    "(--shuffle), dataset or pipeline was begun here; choose "
	    "another folder, or remove this one",
	    claim->path);
}

/* Verifies the shards that were written, and those that stood before. */
static int read_back(const struct prepare_plan *plan,
    const struct standing *standing, struct materialized *result,
    struct error *err)
{
	struct standing now = STANDING_INIT;
	struct folder_check found = FOLDER_CHECK_INIT;
	int rc = verify(plan, result, err);

	if (rc == 0 && standing->count > 0 &&
	    (standing_read(&now, plan, err) ||
	        standing_compare(&now, plan, true, &found, err)))
		rc = -1;
	if (rc == 0 && !folder_check_is_sound(&found))
		rc = folder_check_blame(&found, err);
	folder_check_release(&found);
	standing_release(&now);
	return rc;
}

/* Finds shards that are damaged although they seemed whole. */
static int find_damage(const struct prepare_plan *plan,
    struct standing *standing, struct materialized *result, struct error *err)
{
	unsigned parsed = 0;

	if (standing_read(standing, plan, err) ||
	    standing_compare(standing, plan, true, &result->found, err) ||
	    (result->found.damaged == 0 &&
	        damage_find(plan->medium, plan->folder.dir, standing->stands,
	            &parsed, err)))
		return -1;
	result->mended += (unsigned)result->found.damaged + parsed;
	return 0;
}

/* Writes damaged shards again; `err` says how reading back failed. */
static int mend(const struct prepare_plan *plan, struct standing *standing,
    struct materialized *result, struct error *err)
{
	const unsigned before = result->mended;
	struct error why = ERROR_INIT;
	struct prepare_plan rest;
	struct prepared again;

	if (err->code != ERROR_DATA)
		return -1;
	if (find_damage(plan, standing, result, &why)) {
		*err = why;
		return -1;
	}
	rest = standing_plan(standing, plan);
	if (result->mended == before || prepare_run(&rest, &again, err))
		return -1;
	result->made.samples += again.samples;
	result->made.skipped += again.skipped;
	result->made.filtered += again.filtered;
	result->made.wall_ns += again.wall_ns;
	return 0;
}

/* Writes the shards that do not stand, and reads everything back. */
static int write_rest(const struct prepare_plan *plan,
    struct standing *standing, struct materialized *result, struct error *err)
{
	const struct prepare_plan rest = standing_plan(standing, plan);

	if (prepare_run(&rest, &result->made, err))
		return -1;
	if (read_back(plan, standing, result, err) == 0)
		return 0;
	if (mend(plan, standing, result, err))
		return -1;
	return read_back(plan, standing, result, err);
}

/*
 * Resumes a folder that was begun. It has a manifest if all shards were written
 * or damage was being mended; else it has notes.
 */
static int take_up(const struct prepare_plan *plan, bool check,
    struct standing *standing, struct materialized *result, struct error *err)
{
	const int written =
	    store_is_written(plan->medium, plan->folder.dir, err);

	if (written < 0)
		return -1;
	if (written)
		return examine_folder(plan, check, standing, result, err) < 0
		           ? -1
		           : 0;
	if (standing_resume(standing, plan, err) ||
	    origin_check(plan, standing->stands, &standing->origin, err))
		return -1;
	if (standing->origin == ORIGIN_UNKNOWN)
		standing_forget(standing, plan->shards);
	return 0;
}

/* Notes the files of the dataset before a shard is written. */
static int note_origin(const struct prepare_plan *plan,
    const struct standing *standing, struct error *err)
{
	if (!standing->has_truth)
		return origin_write(plan, err);
	return standing->origin == ORIGIN_UNKNOWN
	           ? origin_mend(plan, &standing->truth, err)
	           : 0;
}

/* Works with the lock held, so that the folder no longer changes. */
static int work_locked(const struct prepare_plan *plan, bool check,
    struct claim *claim, struct standing *standing, struct materialized *result,
    struct error *err)
{
	const struct finished_place notes = { plan->medium, plan->folder.dir,
		FINISHED_NAME };
	int rc;

	if (claim->text[0])
		rc = check_begun(plan, claim, err);
	else
		rc = examine_folder(plan, check, standing, result, err);
	result->was_complete = rc > 0 && !check;
	if (rc)
		return rc < 0 ? -1 : 0;
	if ((!claim->text[0] &&
	        claim_write(claim, plan->folder.fingerprint, err)) ||
	    claim_sweep(
	        plan->medium, plan->folder.dir, true, &result->swept, err))
		return -1;
	if (!standing->stands && take_up(plan, check, standing, result, err))
		return -1;
	if (note_origin(plan, standing, err) ||
	    write_rest(plan, standing, result, err) ||
	    finished_remove(&notes, err))
		return -1;
	return claim_remove(claim, err);
}

/*
 * The claim is the file that marks the folder as incomplete. Whoever finds it
 * asks for it, and examines the folder only then.
 */
static int work(const struct prepare_plan *plan,
    const struct materialize_needs *needs, bool check,
    struct materialized *result, struct error *err)
{
	const char *dir = plan->folder.dir;
	struct standing standing = STANDING_INIT;
	struct claim claim = CLAIM_INIT;
	struct error ignored = ERROR_INIT;
	int rc = claim_is_there(plan->medium, dir, err);

	if (rc < 0)
		return -1;
	rc = rc ? 0 : examine_folder(plan, check, &standing, result, err);
	if (rc < 0 && claim_is_there(plan->medium, dir, &ignored) > 0)
		rc = 0; /* another process has begun in the meantime */
	result->was_complete = rc > 0 && !check;
	standing_release(&standing);
	if (rc == 0) {
		rc = -1;
		/* the folder may change until it is locked */
		folder_check_release(&result->found);
		if (materialize_check_room(dir, needs, err) == 0 &&
		    medium_make_dirs(plan->medium, dir, err) == 0 &&
		    claim_take(&claim, plan->medium, dir, err) == 0)
			rc = work_locked(
			    plan, check, &claim, &standing, result, err);
		standing_release(&standing);
		claim_release(&claim);
	}
	return rc < 0 ? -1 : 0;
}

int materialize_run(const struct prepare_plan *plan,
    const struct materialize_needs *needs, bool check,
    struct materialized *result, struct error *err)
{
	struct prepare_plan own = *plan;
	char fingerprint[FINGERPRINT];

	fingerprint_set(plan, false, fingerprint);
	own.folder.fingerprint = fingerprint;
	own.folder.describe = describe_folder;
	*result = (struct materialized){ .was_complete = false };
	if (work(&own, needs, check, result, err) ||
	    claim_sweep(
	        plan->medium, plan->folder.dir, false, &result->swept, err) ||
	    (check && standing_foreign(&own, &result->found, err)))
		return -1;
	return medium_folder_bytes(
	    plan->medium, plan->folder.dir, &result->storage_bytes, err);
}

void materialized_release(struct materialized *result)
{
	folder_check_release(&result->found);
}
