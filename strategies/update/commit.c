/* commit.c - see commit.h. */
#include "strategies/update/commit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/folder/description.h"
#include "lib/folder/description_write.h"
#include "lib/folder/inventory.h"
#include "lib/media/medium.h"
#include "lib/media/whole.h"
#include "lib/snippets/readme.h"
#include "lib/stores/manifest.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/sink.h"
#include "strategies/prepare/claim.h"
#include "strategies/prepare/origin.h"
#include "strategies/prepare/prepare.h"
#include "strategies/update/difference.h"

/* ---- history ---- */

/* Writes the time of a local file; "-": not known. */
static void find_time(const char *path, char text[HISTORY_TIME])
{
	char date[CLOCK_TEXT];
	struct stat status;

	snprintf(text, HISTORY_TIME, "-");
	if (stat(path, &status))
		return;
	clock_date(status.st_mtim.tv_sec, date);
	date[strcspn(date, " ")] = 'T';
	snprintf(text, HISTORY_TIME, "%.30sZ", date);
}

/* Adds the row of version 1, which had no history, and that of the next. */
static int add_rows(struct commit *commit, const char *path,
    uint64_t shards_before, uint64_t samples_before, struct error *err)
{
	struct manifest *manifest = commit->manifest;
	struct history_row first = {
		.shards = shards_before,
		.samples = samples_before,
		.added = samples_before,
	};

	find_time(path, first.time);
	if (manifest->history.count == 0 &&
	    history_add(&manifest->history, &first, err))
		return -1;
	clock_utc(commit->row.time);
	commit->row.shards = manifest->count;
	commit->row.samples = manifest->samples;
	return history_add(&manifest->history, &commit->row, err);
}

/* ---- samples that are left out ---- */

static int compare_gone(const void *a, const void *b)
{
	const struct gone_sample *x = a, *y = b;

	if (x->shard != y->shard)
		return x->shard < y->shard ? -1 : 1;
	return (x->place > y->place) - (x->place < y->place);
}

/* Adds the runs of `from` that are before a place. */
static int add_runs(struct left_samples *to, const struct left_samples *from,
    size_t *at_shard, size_t *at_run, const struct gone_sample *before,
    struct error *err)
{
	for (; *at_shard < from->count; (*at_shard)++, *at_run = 0) {
		const struct left_shard *entry = &from->shards[*at_shard];

		if (before && entry->shard > before->shard)
			return 0;
		for (; *at_run < entry->runs; (*at_run)++) {
			const struct left_run *run =
			    &from->runs[entry->first_run + *at_run];

			if (before && entry->shard == before->shard &&
			    run->first > before->place)
				return 0;
			if (left_samples_add(to, entry->shard, run, err))
				return -1;
		}
	}
	return 0;
}

/* Joins what was left out before with what is gone now; they are disjoint. */
static int leave_out(struct commit *commit, struct error *err)
{
	const struct difference *difference = commit->difference;
	struct left_samples *before = &commit->manifest->left_out;
	struct left_samples joined = LEFT_SAMPLES_INIT;
	struct gone_sample *gone = difference->gone;
	size_t at_shard = 0, at_run = 0;
	int rc = 0;

	if (difference->gone_count == 0)
		return 0;
	qsort(gone, difference->gone_count, sizeof(*gone), compare_gone);
	for (size_t i = 0; rc == 0 && i < difference->gone_count; i++) {
		const struct left_run run = { gone[i].place, gone[i].place };

		rc = add_runs(
		    &joined, before, &at_shard, &at_run, &gone[i], err);
		if (rc == 0)
			rc =
			    left_samples_add(&joined, gone[i].shard, &run, err);
	}
	if (rc == 0)
		rc = add_runs(&joined, before, &at_shard, &at_run, NULL, err);
	left_samples_release(before);
	*before = joined;
	commit->manifest->samples -= difference->gone_count;
	return rc;
}

/* ---- files ---- */

/* Describes the next version as far as its manifest is known. */
static int describe(
    struct commit *commit, struct description *description, struct error *err)
{
	const struct prepare_plan *plan = commit->plan;
	const struct description_parts parts = {
		.pipeline = plan->pipeline,
		.split = plan->strategy->split,
		.classes = commit->classes,
		.seed = plan->seed,
	};

	return description_make(description, &parts, commit->manifest, err);
}

/* Keeps the manifest that is replaced, under the name of its version. */
static int keep_manifest(struct commit *commit, struct sink *sink,
    const char *path, uint64_t version, struct error *err)
{
	const struct prepare_plan *plan = commit->plan;
	char name[HISTORY_NAME];
	struct buf text = BUF_INIT;
	int rc = medium_slurp(plan->medium, path, &text, err);

	if (rc == 0)
		rc = manifest_put_file(commit->manifest, sink, plan->folder.dir,
		    history_kept_name(MANIFEST_NAME, version, name),
		    buf_span(&text), err);
	buf_release(&text);
	return rc;
}

static int put_inventory(
    struct commit *commit, struct sink *sink, struct error *err)
{
	const uint64_t version = history_version(&commit->manifest->history);
	struct buf text = BUF_INIT;
	char name[HISTORY_NAME];
	int rc = 0;

	if (!commit->files)
		return 0;
	rc = inventory_print(commit->files, &text, err);
	if (rc == 0)
		rc = manifest_put_file(commit->manifest, sink,
		    commit->plan->folder.dir,
		    history_name(ORIGIN_NAME, version, name), buf_span(&text),
		    err);
	buf_release(&text);
	return rc;
}

/* Writes dataset.json of the next version. */
static int put_description(
    struct commit *commit, struct sink *sink, struct error *err)
{
	struct description description = DESCRIPTION_INIT;
	int rc = describe(commit, &description, err);

	if (rc == 0)
		rc = description_write(&description, sink,
		    commit->plan->folder.dir, commit->manifest, err);
	description_release(&description);
	return rc;
}

/* Writes what README.md of the next version has, and lists it. */
static int list_readme(
    struct commit *commit, struct buf *text, struct error *err)
{
	struct description description = DESCRIPTION_INIT;
	int rc = describe(commit, &description, err);

	if (rc == 0)
		rc = readme_list(&description, commit->manifest, text, err);
	description_release(&description);
	return rc;
}

/* ---- README.md ---- */

/*
 * Is the README.md of the folder as presto wrote it?  An update that was killed
 * has left that of the version before.
 */
static bool owns_readme(
    const struct manifest *newest, struct medium *medium, const char *dir)
{
	const uint64_t version = history_version(&newest->history);
	struct manifest before = MANIFEST_INIT;
	struct error ignored = ERROR_INIT;
	bool is = readme_is_listed(medium, dir, newest);

	if (!is && version > 1)
		is = manifest_read_version(
		         &before, medium, dir, version - 1, &ignored) == 0 &&
		     readme_is_listed(medium, dir, &before);
	manifest_release(&before);
	return is;
}

int commit_mend_readme(const struct description *then, struct medium *medium,
    const char *dir, struct error *err)
{
	const struct listed_file *listed =
	    file_list_find(&then->manifest.files, README_NAME);
	struct sink sink = { .medium = medium };
	struct buf text = BUF_INIT;
	struct file_sum sum;
	int rc;

	if (!listed || readme_is_listed(medium, dir, &then->manifest) ||
	    !owns_readme(&then->manifest, medium, dir))
		return 0;
	rc = readme_print(then, &text, err);
	sum = file_sum_of(buf_span(&text));
	/* Another version of presto may have written it in other words. */
	if (rc == 0 && file_sum_equal(&sum, &listed->sum))
		rc = readme_put(&sink, dir, buf_span(&text), true, err);
	buf_release(&text);
	return rc;
}

/* ---- the version ---- */

static int put_files(struct commit *commit, struct sink *sink, const char *path,
    uint64_t before, struct error *err)
{
	return keep_manifest(commit, sink, path, before, err) ||
	               put_inventory(commit, sink, err) ||
	               manifest_put_list(commit->manifest, sink,
	                   commit->plan->folder.dir, err) ||
	               put_description(commit, sink, err)
	           ? -1
	           : 0;
}

static int error_changed(
    const char *dir, const struct history *now, struct error *err)
{
	return error_set(err, ERROR_SYSTEM,
	    "%s: another presto has changed it meanwhile: it holds version "
	    "%" PRIu64 " now; give the same command again",
	    dir, history_version(now));
}

/* Replaces the manifest, which makes the version. */
static int put_manifest(struct commit *commit, struct sink *sink,
    const char *path, struct error *err)
{
	const struct prepare_plan *plan = commit->plan;
	struct buf text = BUF_INIT;
	int rc = manifest_print(commit->manifest, &text, err);

	if (rc == 0 && !*commit->version) {
		rc = sink_file(sink, path, buf_span(&text), err);
	} else if (rc == 0) {
		rc = medium_write_over(
		    plan->medium, path, buf_span(&text), commit->version, err);
		if (rc == 0)
			error_changed(
			    plan->folder.dir, &commit->manifest->history, err);
		rc = rc > 0 ? 0 : -1;
	}
	buf_release(&text);
	return rc;
}

static int write_version(
    struct commit *commit, const char *path, struct error *err)
{
	const struct prepare_plan *plan = commit->plan;
	struct manifest *manifest = commit->manifest;
	const uint64_t before = history_version(&manifest->history);
	const uint64_t samples = manifest->samples;
	const size_t first = manifest->count;
	struct sink sink = { .medium = plan->medium };
	struct buf readme = BUF_INIT;
	int rc = -1;

	manifest->version = MANIFEST_UPDATED;
	commit->owns_readme =
	    owns_readme(manifest, plan->medium, plan->folder.dir);
	file_list_drop(&manifest->files, README_NAME);
	if (manifest_add_shards(manifest, plan->medium, plan->folder.dir,
	        first + plan->shards, err) == 0 &&
	    leave_out(commit, err) == 0 &&
	    add_rows(commit, path, first, samples, err) == 0 &&
	    claim_check(commit->claim, err) == 0 &&
	    put_files(commit, &sink, path, before, err) == 0 &&
	    list_readme(commit, &readme, err) == 0 &&
	    put_manifest(commit, &sink, path, err) == 0)
		rc = readme_put(&sink, plan->folder.dir, buf_span(&readme),
		    commit->owns_readme, err);
	buf_release(&readme);
	return rc;
}

int commit_check_newest(const struct manifest *then, struct medium *medium,
    const char *dir, char version[MEDIUM_VERSION_TEXT], struct error *err)
{
	struct medium_status status = { .kind = MEDIUM_NOTHING };
	struct manifest now = MANIFEST_INIT;
	char *path = path_join(dir, MANIFEST_NAME, err);
	int rc = path ? 0 : -1;

	if (rc == 0 && url_is(dir))
		rc = medium_status_now(medium, path, &status, err);
	memcpy(version, status.version, sizeof(status.version));
	if (rc == 0)
		rc = manifest_read(&now, medium, dir, err);
	if (rc == 0 && (strcmp(now.fingerprint, then->fingerprint) != 0 ||
	                   history_version(&now.history) !=
	                       history_version(&then->history)))
		rc = error_changed(dir, &now.history, err);
	manifest_release(&now);
	free(path);
	return rc;
}

int commit_version(struct commit *commit, struct error *err)
{
	char *path = path_join(commit->plan->folder.dir, MANIFEST_NAME, err);
	const int rc = path ? write_version(commit, path, err) : -1;

	free(path);
	return rc;
}
