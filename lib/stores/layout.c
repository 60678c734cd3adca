/* layout.c - see layout.h: the table, and shards that are one file. */
#include <stdlib.h>
#include <sys/stat.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/stores/arrays.h"
#include "lib/stores/layout.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/sidecar.h"
#include "lib/stores/stored.h"
#include "lib/stores/writer.h"

struct index_form store_index_form(const struct store_form *form)
{
	return form->ops->layout->index_form(&form->schema);
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

int layout_check_file(const char *path, uint64_t bytes, struct error *err)
{
	struct stat status;

	if (stat(path, &status))
		return error_errno(err, "open", path);
	if (S_ISREG(status.st_mode) && (uint64_t)status.st_size == bytes)
		return 0;
	return error_set(err, ERROR_DATA, "%s: has %llu bytes, expected %llu",
	    path, (unsigned long long)status.st_size,
	    (unsigned long long)bytes);
}

/* Checks that the .idx file exists: it has its name once it is complete. */
static int check_idx(const struct shard_place *place, struct error *err)
{
	char *path;
	int rc = -1;

	if (!sidecar_has_idx(place->form))
		return 0;
	path = sidecar_idx_path(place->dir, place->number, err);
	if (path)
		rc = path_exists(path)
		         ? 0
		         : error_set(err, ERROR_DATA, "%s is not there", path);
	free(path);
	return rc;
}

static int check_file(const struct shard_place *place,
    const struct shard_index *index, bool all, struct error *err)
{
	char *path = shard_path(place->dir, place->form, place->number, err);
	int rc = -1;

	if (path)
		rc = layout_check_file(path, index->stored, err);
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
	struct stat status;
	int rc = -1;

	if (!path)
		return -1;
	if (stat(path, &status))
		error_errno(err, "open", path);
	else if (!S_ISDIR(status.st_mode))
		error_set(err, ERROR_DATA, "%s is not a folder", path);
	else
		rc = all ? path_bytes(path, &bytes, err) : 0;
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
	const struct shard_place place = { stored->dir, &manifest->form,
		(unsigned)shard };
	char *path =
	    shard_path(stored->dir, &manifest->form, (unsigned)shard, err);
	int rc = -1;

	if (path)
		rc = visit(arg, path, manifest->shards[shard].stored, err);
	if (rc == 0)
		rc = sidecar_visit_idx(&place, visit, arg, err);
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
