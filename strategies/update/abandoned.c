/* abandoned.c - see abandoned.h. */
#include "strategies/update/abandoned.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/folder/description.h"
#include "lib/formats/history.h"
#include "lib/media/medium.h"
#include "lib/media/whole.h"
#include "lib/stores/manifest.h"
#include "lib/stores/shard_path.h"
#include "strategies/prepare/finished.h"
#include "strategies/prepare/origin.h"
#include "strategies/prepare/prepare.h"
#include "strategies/prepare/shard_remove.h"

enum { INDEX_LIMIT = 1 << 30, MANIFEST_LIMIT = 1 << 30 };

/* Shards that are to be removed, counted from the first behind the newest. */
struct sweep {
	const struct prepare_plan *plan;
	const char *fingerprint;
	unsigned first;
	bool *which; /* [count]; owned */
	size_t count, capacity;
};

/*
 * Is the index of the shard the one that was noted? 1, 0, or -1. One of another
 * size is not read: anybody may have put it there.
 */
static int is_noted(const struct sweep *sweep, unsigned shard,
    const struct file_sum *noted, struct error *err)
{
	const struct prepare_plan *plan = sweep->plan;
	struct medium_status status;
	struct buf text = BUF_INIT;
	struct file_sum sum;
	char *path =
	    shard_index_path(plan->folder.dir, sweep->first + shard, err);
	int rc =
	    path ? medium_get_status(plan->medium, path, &status, err) : -1;

	if (rc == 0 && status.kind == MEDIUM_FILE &&
	    status.bytes == noted->bytes && noted->bytes <= INDEX_LIMIT)
		rc = medium_read_any(
		    plan->medium, path, INDEX_LIMIT, &text, err);
	if (rc > 0) {
		sum = file_sum_of(buf_span(&text));
		rc = file_sum_equal(&sum, noted);
	}
	buf_release(&text);
	free(path);
	return rc;
}

static int mark(struct sweep *sweep, unsigned shard, struct error *err)
{
	bool *which = array_grow(sweep->which, &sweep->capacity,
	    (size_t)shard + 1, sizeof(*which), err);

	if (!which)
		return -1;
	sweep->which = which;
	for (; sweep->count <= shard; sweep->count++)
		which[sweep->count] = false;
	which[shard] = true;
	return 0;
}

/* Implements finished_visit. */
static int take_note(void *arg, const char *fingerprint, unsigned shard,
    const struct file_sum *index, struct error *err)
{
	struct sweep *sweep = arg;
	int rc;

	if (sweep->fingerprint && strcmp(fingerprint, sweep->fingerprint) == 0)
		return 0;
	rc = is_noted(sweep, shard, index, err);
	return rc > 0 ? mark(sweep, shard, err) : rc;
}

static int remove_shards(const struct prepare_plan *plan,
    const struct manifest *newest, const char *fingerprint, struct error *err)
{
	const struct finished_place notes = { plan->medium, plan->folder.dir,
		FINISHED_NAME };
	struct sweep sweep = { .plan = plan,
		.fingerprint = fingerprint,
		.first = (unsigned)newest->count };
	int rc = finished_each(&notes, take_note, &sweep, err);

	if (rc == 0 && sweep.count)
		rc = shards_remove(plan->medium, plan->folder.dir, sweep.first,
		    sweep.which, (unsigned)sweep.count, err);
	free(sweep.which);
	return rc;
}

/* ---- files of the next version ---- */

static int remove_file(
    const struct prepare_plan *plan, const char *name, struct error *err)
{
	char *path = path_join(plan->folder.dir, name, err);
	const int rc = path ? medium_remove(plan->medium, path, err) : -1;

	free(path);
	return rc;
}

/* Appends a file of the folder: 1; 0: there is none. */
static int read_file(const struct prepare_plan *plan, const char *name,
    struct buf *text, struct error *err)
{
	char *path = path_join(plan->folder.dir, name, err);
	const int rc = path ? medium_read_any(
	                          plan->medium, path, MANIFEST_LIMIT, text, err)
	                    : -1;

	free(path);
	return rc;
}

/*
 * 1: the update kept the newest manifest, under the name `kept`, which it does
 * before it writes other files of its version.
 */
static int was_committing(
    const struct prepare_plan *plan, const char *kept, struct error *err)
{
	struct buf then = BUF_INIT, now = BUF_INIT;
	int rc = read_file(plan, kept, &then, err);

	if (rc > 0)
		rc = read_file(plan, MANIFEST_NAME, &now, err);
	if (rc > 0)
		rc = span_equal(buf_span(&then), buf_span(&now));
	buf_release(&then);
	buf_release(&now);
	return rc;
}

/* The kept manifest goes last: the others are found by it. */
static int remove_version(const struct prepare_plan *plan,
    const struct manifest *newest, struct error *err)
{
	const struct store_list *list = newest->form.ops->list;
	const char *const names[] = { ORIGIN_NAME, DESCRIPTION_NAME,
		list ? list->name : NULL };
	const uint64_t version = history_version(&newest->history);
	char kept[HISTORY_NAME], name[HISTORY_NAME];
	int rc;

	history_kept_name(MANIFEST_NAME, version, kept);
	rc = was_committing(plan, kept, err);
	if (rc <= 0)
		return rc;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (names[i] &&
		    remove_file(
		        plan, history_name(names[i], version + 1, name), err))
			return -1;
	return remove_file(plan, kept, err);
}

int abandoned_sweep(const struct prepare_plan *plan,
    const struct manifest *newest, const char *fingerprint, struct error *err)
{
	return remove_shards(plan, newest, fingerprint, err) ||
	               remove_version(plan, newest, err)
	           ? -1
	           : 0;
}
