/* folder_check_shard.c - see folder_check_shard.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/names.h"
#include "lib/files/path.h"
#include "lib/media/folders.h"
#include "lib/media/medium.h"
#include "lib/sample/key.h"
#include "lib/stores/folder_check_shard.h"
#include "lib/stores/layout.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/stored.h"

static const char by_manifest[] = "the manifest";

/* The shard that is being checked. */
struct shard_check {
	const struct folder_check_plan *plan;
	const struct stored *stored;
	size_t shard;
	struct buf *lines;
	struct hash_state *hash; /* hash of the files; NULL: quick */
	uint64_t bytes;
	struct buf names; /* names of these files, each terminated */
	bool is_damaged;
};

int folder_say(struct buf *lines, enum folder_finding_kind kind,
    const char *path, const char *text, struct error *err)
{
	char clean[KEY_TEXT];

	return buf_printf(lines, err, "%c%s: %s\n", FOLDER_KIND + (int)kind,
	    key_text(span_text(path), clean), text);
}

int folder_compare(const struct folder_check_plan *plan, const char *path,
    const struct file_sum *wanted, bool is_whole, struct error *err)
{
	struct file_sum sum = { .checksum = wanted->checksum };
	struct medium_status status;

	if (medium_get_status(plan->medium, path, &status, err))
		return -1;
	if (status.kind == MEDIUM_NOTHING)
		return error_set(err, ERROR_DATA, "is missing");
	if (status.kind != MEDIUM_FILE)
		return error_set(err, ERROR_DATA, "is not a regular file");
	sum.bytes = status.bytes;
	if (is_whole && sum.bytes == wanted->bytes &&
	    file_sum_read(plan->medium, path, &sum, err))
		return -1;
	return file_sum_check(&sum, wanted, by_manifest, err);
}

/* Turns ERROR_DATA into a line; other errors are passed on. */
static int note(struct shard_check *at, const char *path,
    const struct error *why, struct error *err)
{
	if (why->code != ERROR_DATA) {
		*err = *why;
		return -1;
	}
	at->is_damaged = true;
	return folder_say(at->lines, FOLDER_DAMAGE, path, why->text, err);
}

static int check_file(struct shard_check *at, const char *path,
    const struct file_sum *wanted, bool is_whole, struct error *err)
{
	struct error why = ERROR_INIT;

	if (folder_compare(at->plan, path, wanted, is_whole, &why) == 0)
		return 0;
	return note(at, path, &why, err);
}

/* ---- a shard ---- */

/* Finds the first name with this prefix in a sorted list. */
static size_t first_of(const struct file_list *list, const char *prefix)
{
	size_t low = 0, high = list->count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (strcmp(list->files[middle].name, prefix) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Checks the files of a shard that the manifest lists, with its index. */
static int check_listed(struct shard_check *at, struct error *err)
{
	const struct folder_check_plan *plan = at->plan;
	const struct file_list *list = &plan->manifest->files;
	char prefix[SHARD_NAME + 1], index[SHARD_NAME + 8], shard[SHARD_NAME];
	int rc = 0;

	shard_name((unsigned)at->shard, shard);
	snprintf(prefix, sizeof(prefix), "%s.", shard);
	snprintf(index, sizeof(index), "%s.index", shard);
	for (size_t i = first_of(list, prefix);
	     rc == 0 && i < list->count &&
	     strncmp(list->files[i].name, prefix, strlen(prefix)) == 0;
	     i++) {
		const struct listed_file *file = &list->files[i];
		char *path = path_join(plan->dir, file->name, err);

		rc = path
		         ? check_file(at, path, &file->sum,
		               plan->is_whole || strcmp(file->name, index) == 0,
		               err)
		         : -1;
		free(path);
	}
	return rc;
}

/* Checks the index of an earlier version, and the sizes in it. */
static int check_old(struct shard_check *at, struct error *err)
{
	const struct stored *stored = at->stored;
	const struct store_form *form = &stored->manifest.form;
	const struct shard_place place = { stored->medium, stored->dir, form,
		(unsigned)at->shard };
	struct error why = ERROR_INIT;
	struct shard_stream *stream =
	    stored_index_open(stored, at->shard, &why);
	char *path = shard_path(stored->dir, form, place.number, err);
	int rc = path ? 0 : -1;

	if (rc == 0 && (!stream || form->ops->layout->check(
	                               &place, &stream->index, true, &why))) {
		why.code = ERROR_DATA;
		rc = note(at, path, &why, err);
	}
	stored_stream_close(stream);
	free(path);
	return rc;
}

/* Checks a file of a shard that is a folder. */
static int check_sample_file(
    void *arg, const char *path, uint64_t bytes, struct error *err)
{
	struct shard_check *at = arg;
	const struct file_sum wanted = { .bytes = bytes };
	struct medium_file *file;
	int rc = -1;

	if (buf_append(&at->names, path, strlen(path) + 1, err) ||
	    check_file(at, path, &wanted, false, err))
		return -1;
	if (!at->hash || at->is_damaged)
		return 0;
	file = medium_open(at->plan->medium, path, err);
	if (file)
		rc = file_hash(file, at->hash, &at->bytes, err);
	medium_close(file);
	return rc;
}

struct foreign_files {
	struct shard_check *at;
	const char *folder;
	struct names known;
};

static int check_name(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	struct foreign_files *foreign = arg;
	char *path = path_join(foreign->folder, name, err);
	int rc = path ? 0 : -1;

	UNUSED(bytes);
	if (path && names_find(&foreign->known, span_text(path)) < 0)
		rc = folder_say(foreign->at->lines, FOLDER_LEFT, path,
		    "is not in the index of its shard; it is left as it is",
		    err);
	free(path);
	return rc;
}

/* Reports other files in the folder of a shard. */
static int find_foreign(
    struct shard_check *at, const char *folder, struct error *err)
{
	struct foreign_files foreign = { at, folder, NAMES_INIT };
	const char *names = (const char *)at->names.data;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < at->names.len;
	     i += strlen(names + i) + 1)
		if (names_number(&foreign.known, span_text(names + i), err) < 0)
			rc = -1;
	if (rc == 0)
		rc = medium_each_file(
		    at->plan->medium, folder, check_name, &foreign, err);
	names_release(&foreign.known);
	return rc;
}

/* Checks a shard that is a folder: all its files have one checksum. */
static int check_folder(struct shard_check *at, struct error *err)
{
	const struct stored *stored = at->stored;
	const struct manifest_shard *shard =
	    &stored->manifest.shards[at->shard];
	const struct file_sum wanted = { shard->stored, shard->checksum };
	struct error why = ERROR_INIT;
	char *path = shard_path(
	    stored->dir, &stored->manifest.form, (unsigned)at->shard, err);
	int rc = -1;

	if (at->plan->is_whole)
		at->hash = hash_new();
	if (!path || (at->plan->is_whole && !at->hash))
		error_set(err, ERROR_MEMORY, "out of memory");
	else
		rc = folder_each_file(
		    stored, at->shard, check_sample_file, at, err);
	if (rc == 0 && at->hash && !at->is_damaged) {
		const struct file_sum sum = { at->bytes,
			hash_digest(at->hash) };

		if (file_sum_check(&sum, &wanted, by_manifest, &why))
			rc = note(at, path, &why, err);
	}
	if (rc == 0 && at->hash && !at->is_damaged)
		rc = find_foreign(at, path, err);
	hash_free(at->hash);
	buf_release(&at->names);
	free(path);
	return rc;
}

int folder_check_shard(const struct folder_check_plan *plan,
    const struct stored *stored, size_t shard, struct buf *lines,
    bool *is_damaged, struct error *err)
{
	const struct manifest *manifest = plan->manifest;
	struct shard_check at = {
		.plan = plan,
		.stored = stored,
		.shard = shard,
		.lines = lines,
	};
	int rc = manifest->version >= MANIFEST_FILES ? check_listed(&at, err)
	                                             : check_old(&at, err);

	if (rc == 0 && !at.is_damaged &&
	    manifest->form.ops->layout == &layout_folder)
		rc = check_folder(&at, err);
	*is_damaged = at.is_damaged;
	return rc;
}
