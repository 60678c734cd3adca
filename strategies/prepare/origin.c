/* origin.c - see origin.h. */
#include "strategies/prepare/origin.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/db/results_read.h"
#include "lib/files/path.h"
#include "lib/folder/inventory_compare.h"
#include "lib/formats/file_list.h"
#include "lib/media/whole.h"
#include "lib/sample/permutation.h"
#include "lib/sample/reader.h"
#include "lib/stores/manifest.h"
#include "strategies/prepare/prepare.h"

enum { FILE_LIMIT = 1 << 30 };

/* ---- inventory of the folder ---- */

/* 1: there is one; 0: there is none. */
static int read_bytes(
    const struct prepare_plan *plan, struct buf *bytes, struct error *err)
{
	char *path = path_join(plan->folder.dir, ORIGIN_NAME, err);
	const int rc =
	    path ? medium_read_any(plan->medium, path, FILE_LIMIT, bytes, err)
	         : -1;

	free(path);
	return rc;
}

/* 1: it was read; 0: there is none, or it is damaged. */
static int read_inventory(const struct prepare_plan *plan,
    struct inventory *inventory, struct error *err)
{
	struct error damage = ERROR_INIT;
	struct buf bytes = BUF_INIT;
	int rc = read_bytes(plan, &bytes, err);

	if (rc > 0 && inventory_parse(inventory, buf_span(&bytes), &damage))
		rc = 0;
	buf_release(&bytes);
	return rc;
}

static void add_to_hash(void *arg, unsigned shard, uint64_t sample)
{
	const uint64_t numbers[] = { shard, sample };

	hash_update(arg, numbers, sizeof(numbers));
}

/* Hashes which samples go to which shard. */
static int hash_division(
    const struct prepare_plan *plan, uint64_t *division, struct error *err)
{
	struct hash_state *hash = hash_new();
	int rc;

	if (!hash)
		return error_memory(err, 1);
	rc = prepare_each_sample(plan, add_to_hash, hash, err);
	*division = hash_digest(hash);
	hash_free(hash);
	return rc;
}

int origin_print(
    const struct prepare_plan *plan, struct buf *bytes, struct error *err)
{
	struct inventory with_division = *plan->folder.inventory;

	/* nobody needs it where a file has many samples: see find_matters */
	if ((plan->source->files_each ||
	        plan->source->samples <= PERMUTATION_HELD) &&
	    hash_division(plan, &with_division.division, err))
		return -1;
	return inventory_print(&with_division, bytes, err);
}

static int write_bytes(
    const struct prepare_plan *plan, struct span bytes, struct error *err)
{
	char *path = path_join(plan->folder.dir, ORIGIN_NAME, err);
	const int rc =
	    path ? medium_write_whole(plan->medium, path, bytes, err) : -1;

	free(path);
	return rc;
}

int origin_write(const struct prepare_plan *plan, struct error *err)
{
	struct buf bytes = BUF_INIT;
	int rc;

	if (!plan->folder.inventory)
		return 0;
	rc = origin_print(plan, &bytes, err);
	if (rc == 0)
		rc = write_bytes(plan, buf_span(&bytes), err);
	buf_release(&bytes);
	return rc;
}

int origin_mend(const struct prepare_plan *plan,
    const struct manifest *manifest, struct error *err)
{
	const struct listed_file *wanted =
	    file_list_find(&manifest->files, ORIGIN_NAME);
	struct buf bytes = BUF_INIT;
	struct file_sum sum;
	int rc;

	if (!wanted)
		return 0;
	rc = origin_print(plan, &bytes, err);
	sum = file_sum_of(buf_span(&bytes));
	if (rc == 0 && file_sum_equal(&sum, &wanted->sum))
		rc = write_bytes(plan, buf_span(&bytes), err);
	else if (rc == 0)
		rc = error_set(err, ERROR_DATA,
		    "%s/%s is missing or damaged, and the files of the "
		    "dataset are not those that it listed; check with the "
		    "same files and dataset.fingerprint, or materialize to "
		    "another folder",
		    plan->folder.dir, ORIGIN_NAME);
	buf_release(&bytes);
	return rc;
}

int origin_list(const struct prepare_plan *plan, struct manifest *manifest,
    struct error *err)
{
	struct buf bytes = BUF_INIT;
	int rc = read_bytes(plan, &bytes, err);

	if (rc > 0)
		rc = manifest_list_file(
		    manifest, ORIGIN_NAME, buf_span(&bytes), err);
	buf_release(&bytes);
	return rc;
}

/* ---- comparison ---- */

/* Finds the files of the shards that stand, or the shard of a file. */
struct search {
	const bool *stands;
	unsigned files_each;
	bool *matters;  /* [files] */
	uint64_t files; /* in the inventory */
	uint64_t file;  /* the file to look for */
	bool is_found;
	unsigned shard;
};

static void mark(void *arg, unsigned shard, uint64_t sample)
{
	struct search *search = arg;

	for (unsigned f = 0; search->stands[shard] && f < search->files_each;
	     f++) {
		const uint64_t file = sample * search->files_each + f;

		if (file < search->files)
			search->matters[file] = true;
	}
}

static void find_shard(void *arg, unsigned shard, uint64_t sample)
{
	struct search *search = arg;

	if (search->is_found || (search->stands && !search->stands[shard]) ||
	    (search->files_each && search->file / search->files_each != sample))
		return;
	search->is_found = true;
	search->shard = shard;
}

/*
 * Marks files that matter: those of standing shards, and those of no sample. It
 * stays NULL if all matter, since any shard may come from any file.
 */
static int find_matters(const struct prepare_plan *plan,
    const struct inventory *then, struct search *search, struct error *err)
{
	const uint64_t own = plan->source->samples * plan->source->files_each;
	uint64_t division = 0;

	if (!search->stands || !search->files_each ||
	    then->count != plan->folder.inventory->count || own > then->count)
		return 0;
	if (hash_division(plan, &division, err))
		return -1;
	if (division != then->division)
		return 0;
	search->files = then->count;
	search->matters = calloc(then->count + 1, sizeof(bool));
	if (!search->matters)
		return error_memory(err, then->count + 1);
	for (uint64_t i = own; i < then->count; i++)
		search->matters[i] = true;
	return prepare_each_sample(plan, mark, search, err);
}

static int error_changed(const struct prepare_plan *plan, struct search *search,
    const struct inventory_change *change, struct error *err)
{
	search->file = change->file;
	if (change->is_listing ||
	    prepare_each_sample(plan, find_shard, search, err) ||
	    !search->is_found)
		error_set(err, ERROR_DATA,
		    "%s: the dataset has changed since shards of it were "
		    "written: %s",
		    plan->folder.dir, change->text);
	else
		error_set(err, ERROR_DATA,
		    "%s: the dataset has changed since shard %06u of it was "
		    "written: %s",
		    plan->folder.dir, search->shard, change->text);
	if (change->only_time)
		error_advise(err, INVENTORY_ONLY_TIME);
	/* all shards stand: the folder is complete */
	return error_advise(err,
	    search->stands
	        ? "undo the change, or begin anew in another folder, by --out"
	        : "undo the change, or give --update, which makes the folder's "
	          "next version");
}

static bool stands_any(const struct prepare_plan *plan, const bool *stands)
{
	for (unsigned i = 0; stands && i < plan->shards; i++)
		if (stands[i])
			return true;
	return !stands;
}

static int compare(const struct prepare_plan *plan,
    const struct inventory *then, struct search *search, struct error *err)
{
	struct inventory_comparison comparison = {
		.then = then,
		.now = plan->folder.inventory,
		.medium = plan->medium,
	};
	struct inventory_change change;
	int rc;

	if (find_matters(plan, then, search, err))
		return -1;
	comparison.matters = search->matters;
	rc = inventory_compare(&comparison, &change, err);
	return rc > 0 ? error_changed(plan, search, &change, err) : rc;
}

int origin_compare(const struct prepare_plan *plan,
    const struct inventory *then, const bool *stands, struct error *err)
{
	struct search search = {
		.stands = stands,
		.files_each = plan->source->files_each,
	};
	const int rc = compare(plan, then, &search, err);

	free(search.matters);
	return rc;
}

int origin_check(const struct prepare_plan *plan, const bool *stands,
    enum origin *origin, struct error *err)
{
	struct inventory then = INVENTORY_INIT;
	int rc;

	*origin = ORIGIN_SAME;
	if (!plan->folder.inventory)
		return 0;
	rc = read_inventory(plan, &then, err);
	*origin = rc > 0 ? ORIGIN_SAME : ORIGIN_UNKNOWN;
	if (rc > 0 && stands_any(plan, stands))
		rc = origin_compare(plan, &then, stands, err);
	inventory_release(&then);
	return rc < 0 ? -1 : 0;
}

/* ---- sessions ---- */

static int error_session(
    int64_t session, const struct inventory_change *change, struct error *err)
{
	error_set(err, ERROR_DATA,
	    "the dataset has changed since session %lld: %s",
	    (long long)session, change->text);
	return change->only_time ? error_advise(err, INVENTORY_ONLY_TIME) : -1;
}

int origin_check_session(struct results *results, int64_t session,
    const struct inventory *now, bool is_all, struct medium *medium,
    struct error *err)
{
	struct inventory then = INVENTORY_INIT;
	const struct inventory_comparison comparison = {
		.then = &then,
		.now = now,
		.medium = medium,
		.is_part = is_all,
	};
	struct inventory_change change;
	struct buf bytes = BUF_INIT;
	int rc = 0;

	if (now)
		rc = results_read_inventory(results, session, &bytes, err);
	if (rc > 0 && inventory_parse(&then, buf_span(&bytes), err))
		rc = error_prefix(err, "the list of files of session %lld",
		    (long long)session);
	if (rc > 0)
		rc = inventory_compare(&comparison, &change, err);
	if (rc > 0)
		rc = error_session(session, &change, err);
	inventory_release(&then);
	buf_release(&bytes);
	return rc;
}
