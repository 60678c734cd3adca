/* layout.c - see layout.h: the table, and shards that are one file. */
#include <errno.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/folders.h"
#include "lib/media/medium.h"
#include "lib/stores/arrays.h"
#include "lib/stores/layout.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/sidecar.h"
#include "lib/stores/stored.h"
#include "lib/stores/writer.h"

struct index_form store_index_form(const struct store_form *form)
{
	struct index_form wanted = form->ops->layout->index_form(&form->schema);

	wanted.has_table = form->ops->front || form->ops->foot;
	return wanted;
}

static struct index_form blocks_only(const struct schema *schema)
{
	UNUSED(schema);
	return (struct index_form){ .files = 0 };
}

static struct index_form file_per_field(const struct schema *schema)
{
	return (struct index_form){ .files = schema->count };
}

static struct index_form array_per_field(const struct schema *schema)
{
	return (struct index_form){ .arrays = schema->count };
}

static int error_missing(const char *path, struct error *err)
{
	errno = ENOENT;
	return error_errno(err, "open", path);
}

int layout_check_file(
    struct medium *medium, const char *path, uint64_t bytes, struct error *err)
{
	struct medium_status status;

	if (medium_get_status(medium, path, &status, err))
		return -1;
	if (status.kind == MEDIUM_NOTHING)
		return error_missing(path, err);
	if (status.kind == MEDIUM_FILE && status.bytes == bytes)
		return 0;
	return error_set(err, ERROR_DATA, "%s: has %llu bytes, expected %llu",
	    path, (unsigned long long)status.bytes, (unsigned long long)bytes);
}

/* Checks that the .idx file exists: it has its name once it is complete. */
static int check_idx(const struct shard_place *place, struct error *err)
{
	struct medium_status status;
	char *path;
	int rc = -1;

	if (!sidecar_has_idx(place->form))
		return 0;
	path = sidecar_idx_path(place->dir, place->number, err);
	if (path)
		rc = medium_get_status(place->medium, path, &status, err);
	if (rc == 0 && status.kind == MEDIUM_NOTHING)
		rc = error_set(err, ERROR_DATA, "%s is not there", path);
	free(path);
	return rc;
}

static int check_file(const struct shard_place *place,
    const struct shard_index *index, bool all, struct error *err)
{
	char *path = shard_path(place->dir, place->form, place->number, err);
	int rc = -1;

	if (path)
		rc = layout_check_file(place->medium, path, index->stored, err);
	if (rc == 0 && all)
		rc = check_idx(place, err);
	free(path);
	return rc;
}

static int check_folder(const struct shard_place *place,
    const struct shard_index *index, bool all, struct error *err)
{
	char *path = shard_path(place->dir, place->form, place->number, err);
	uint64_t bytes = index->stored;
	struct medium_status status;
	int rc =
	    path ? medium_get_status(place->medium, path, &status, err) : -1;

	if (rc == 0 && status.kind == MEDIUM_NOTHING)
		rc = error_missing(path, err);
	else if (rc == 0 && status.kind != MEDIUM_FOLDER)
		rc = error_set(err, ERROR_DATA, "%s is not a folder", path);
	else if (rc == 0 && all)
		rc = medium_folder_bytes(place->medium, path, &bytes, err);
	if (rc == 0 && bytes != index->stored)
		rc = error_set(err, ERROR_DATA,
		    "%s: has %llu bytes, expected %llu", path,
		    (unsigned long long)bytes,
		    (unsigned long long)index->stored);
	free(path);
	return rc;
}

static int visit_file(const struct stored *stored, size_t shard,
    reader_visit *visit, void *arg, struct error *err)
{
	const struct manifest *manifest = &stored->manifest;
	char *path =
	    shard_path(stored->dir, &manifest->form, (unsigned)shard, err);
	int rc = -1;

	if (path)
		rc = visit(arg, path, manifest->shards[shard].stored, err);
	if (rc == 0)
		rc = sidecar_visit_idx(stored, shard, visit, arg, err);
	free(path);
	return rc;
}

const struct store_layout layout_file = {
	.reader = &shard_reader,
	.index_form = blocks_only,
	.begin = file_begin,
	.add = file_add,
	.finish = file_finish,
	.rename = file_rename,
	.discard = file_discard,
	.check = check_file,
	.each_file = visit_file,
};

const struct store_layout layout_folder = {
	.reader = &folder_reader,
	.index_form = file_per_field,
	.begin = folder_begin,
	.add = folder_add,
	.finish = folder_finish,
	.rename = folder_rename,
	.discard = folder_discard,
	.release = folder_release,
	.check = check_folder,
	.each_file = folder_each_file,
};

const struct store_layout layout_arrays = {
	.reader = &arrays_reader,
	.index_form = array_per_field,
	.begin = arrays_begin,
	.add = arrays_add,
	.finish = arrays_finish,
	.rename = arrays_rename,
	.discard = arrays_discard,
	.release = arrays_release,
	.check = arrays_check,
	.each_file = arrays_each_file,
};
