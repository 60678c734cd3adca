/* inventory_take.c - see inventory_take.h: lists the files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/error.h"
#include "lib/files/braces.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/files/url.h"
#include "lib/folder/far_versions.h"
#include "lib/folder/inventory_take.h"
#include "lib/formats/file_list.h"
#include "lib/media/medium.h"
#include "lib/sample/reader.h"

struct take {
	struct inventory *inventory;
	const struct inventory_plan *plan;
	const char *folder;             /* an extra folder; or NULL */
	struct far_versions *far;       /* of a far dataset; else NULL */
	struct inventory_cursor *known; /* its next file; NULL: not used */
};

/* Tells what lies at the path: a missing one is MEDIUM_NOTHING. */
static int find_kind(const struct inventory_plan *plan, enum medium_kind *kind,
    struct error *err)
{
	struct medium_status far;
	struct stat status;

	*kind = MEDIUM_NOTHING;
	if (url_is(plan->path) && braces_any(plan->path))
		return 0;
	if (url_is(plan->path)) {
		const int rc =
		    medium_get_status(plan->medium, plan->path, &far, err);

		*kind = far.kind;
		return rc;
	}
	if (stat(plan->path, &status) == 0)
		*kind = S_ISDIR(status.st_mode) ? MEDIUM_FOLDER : MEDIUM_FILE;
	return 0;
}

/*
 * Returns the folder that names are relative to: the dataset's folder, or the
 * one that holds its file, pattern or list.
 */
static char *find_root(const struct inventory_plan *plan, struct error *err)
{
	const char *path = plan->path;
	const size_t least = url_root(path);
	size_t len = strlen(path);
	enum medium_kind kind;
	char *root;

	if (find_kind(plan, &kind, err))
		return NULL;
	if (kind != MEDIUM_FOLDER) {
		if (kind == MEDIUM_NOTHING)
			len = strcspn(path, "*?[{");
		while (len > least && path[len - 1] != '/')
			len--;
	}
	while (len > (least ? least : 1) && path[len - 1] == '/')
		len--;
	root = len ? strndup(path, len) : strdup(".");
	if (!root)
		error_memory(err, len);
	return root;
}

/* Returns the part of the path below the root; the whole path elsewhere. */
static const char *below(const char *root, const char *path)
{
	const size_t len = strlen(root);

	if (strncmp(path, root, len) == 0 && path[len] == '/')
		path += len;
	else if (strcmp(root, ".") != 0 && strcmp(root, "/") != 0)
		return path;
	while (*path == '/' || strncmp(path, "./", 2) == 0)
		path++;
	return path;
}

/*
 * Sets the time of a local file, and its size if the reader has that from a
 * known listing. A missing file is reported by the one that reads it.
 */
static int take_time(const struct take *it, const char *path,
    struct inventory_file *file, struct error *err)
{
	struct stat status;

	if (stat(path, &status) == 0) {
		file->mtime_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 +
		                 status.st_mtim.tv_nsec;
		if (it->known)
			file->bytes = (uint64_t)status.st_size;
	} else if (errno != ENOENT)
		return error_errno(err, "look at", path);
	return 0;
}

/* 1: the known inventory has this file next, and it is trusted; 0; -1. */
static int take_known(const struct take *it, const char *name,
    struct inventory_file *file, struct error *err)
{
	const struct inventory_known *known = &it->plan->known;
	const uint64_t number = it->inventory->count;
	int rc;

	if (!it->known || !known->looked_at ||
	    number >= known->inventory->count)
		return 0;
	rc = inventory_cursor_next(it->known, file, err);
	if (rc <= 0)
		return rc;
	return strcmp(file->name, name) == 0 && !known->looked_at[number];
}

static int take(const struct take *it, const char *path, const char *name,
    uint64_t bytes, struct error *err)
{
	const struct inventory_plan *plan = it->plan;
	struct inventory_file file = { .bytes = bytes };
	struct file_sum sum;
	int rc;

	if (plan->stop && atomic_load(plan->stop))
		return error_set(err, ERROR_INTERRUPTED, "interrupted");
	rc = take_known(it, name, &file, err);
	if (rc)
		return rc < 0 ? -1 : inventory_add(it->inventory, &file, err);
	file = (struct inventory_file){ .bytes = bytes };
	if (url_is(path) ? far_versions_get(it->far, path, &file.has_version,
	                       &file.version, err)
	                 : take_time(it, path, &file, err))
		return -1;
	if (plan->mode == INVENTORY_CONTENTS) {
		if (file_sum_read(plan->medium, path, &sum, err))
			return -1;
		file.has_hash = true;
		file.hash = sum.checksum;
	}
	file.name = name;
	return inventory_add(it->inventory, &file, err);
}

static int visit(void *arg, const char *path, uint64_t bytes, struct error *err)
{
	const struct take *it = arg;
	const char *root = it->inventory->root;

	return take(it, path, root ? below(root, path) : path, bytes, err);
}

int inventory_take(struct inventory *inventory,
    const struct inventory_plan *plan, struct error *err)
{
	struct inventory_cursor cursor = INVENTORY_CURSOR_INIT;
	struct take it = { .inventory = inventory, .plan = plan };
	int rc = 0;

	if (plan->known.inventory) {
		inventory_cursor_begin(&cursor, plan->known.inventory);
		it.known = &cursor;
	}
	inventory->mode = plan->mode;
	if (plan->path) {
		inventory->root = find_root(plan, err);
		if (!inventory->root)
			return -1;
	}
	if (plan->path && url_is(plan->path)) {
		it.far = far_versions_new(plan, inventory->root, err);
		rc = it.far ? 0 : -1;
	}
	if (rc == 0)
		rc =
		    plan->reader->ops->each_file(plan->reader, visit, &it, err);
	far_versions_free(it.far);
	inventory_cursor_release(&cursor);
	return rc;
}

/* Adds a file of an extra folder. */
static int visit_besides(
    void *arg, const char *name, uint64_t bytes, struct error *err)
{
	const struct take *it = arg;
	char *path = path_join(it->folder, name, err);
	int rc = path ? take(it, path, name, bytes, err) : -1;

	free(path);
	return rc;
}

int inventory_take_besides(struct inventory *inventory,
    const struct inventory_plan *plan, const char *path, struct error *err)
{
	struct take it = {
		.inventory = inventory,
		.plan = plan,
		.folder = path,
	};
	struct stat status;

	if (stat(path, &status))
		return errno == ENOENT ? 0 /* reported by whoever reads it */
		                       : error_errno(err, "look at", path);
	if (S_ISDIR(status.st_mode))
		return path_each(path, visit_besides, &it, err);
	return take(&it, path, path_base(path), (uint64_t)status.st_size, err);
}
