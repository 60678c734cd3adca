/* far_versions.c - see far_versions.h. */
#include "lib/folder/far_versions.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/arena.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/names.h"
#include "lib/folder/inventory_take.h"
#include "lib/media/medium.h"
#include "lib/sample/reader.h"

/*
 * Most files that are asked for one by one; those of a part are (inventory.h,
 * struct inventory_known), since others list the rest.
 */
enum { FEW_FILES = 32 };

struct far_versions {
	const struct inventory_plan *plan;
	const char *root;
	struct arena arena; /* owns the names */
	struct names names; /* files of the reader, as it names them */
	uint64_t *versions; /* by number; 0: not listed */
};

/*
 * A date of a moment ago is marked as weak, and the same date is not a minute
 * later (lib/media/http/answer.h): the version is the date in both cases.
 */
static uint64_t hash_version(const char *version)
{
	if (strncmp(version, "W/", 2) == 0 && version[2] != '"')
		version += 2;
	return hash_bytes(version, strlen(version), 0);
}

/* Notes a file of the reader. */
static int add_file(
    void *arg, const char *path, uint64_t bytes, struct error *err)
{
	struct far_versions *it = arg;
	const size_t len = strlen(path);
	unsigned char *copy = arena_take(&it->arena, len + 1, 1, err);

	UNUSED(bytes);
	if (!copy)
		return -1;
	memcpy(copy, path, len + 1);
	return names_number(&it->names, (struct span){ copy, len }, err) < 0
	           ? -1
	           : 0;
}

/* Keeps the version of a listed file, if the reader has that file. */
static int keep_version(void *arg, const char *name,
    const struct medium_status *status, struct error *err)
{
	struct far_versions *it = arg;
	struct buf path = BUF_INIT;
	int32_t number;

	if (buf_printf(&path, err, "%s/%s", it->root, name))
		return -1;
	number = names_find(&it->names, (struct span){ path.data, path.len });
	if (number >= 0 && status->version[0])
		it->versions[number] = hash_version(status->version);
	buf_release(&path);
	return 0;
}

static int list(struct far_versions *it, struct error *err)
{
	const struct inventory_plan *plan = it->plan;

	if (plan->reader->ops->each_file(plan->reader, add_file, it, err))
		return -1;
	it->versions = calloc(it->names.count + 1, sizeof(*it->versions));
	if (!it->versions)
		return error_memory(err, it->names.count * sizeof(uint64_t));
	if (it->names.count <= FEW_FILES || it->root[0] == 'h' ||
	    plan->known.looked_at)
		return 0;
	return medium_list(plan->medium, it->root, keep_version, it, err);
}

struct far_versions *far_versions_new(
    const struct inventory_plan *plan, const char *root, struct error *err)
{
	struct far_versions *it = memory_zeroed(sizeof(*it), err);

	if (!it)
		return NULL;
	it->plan = plan;
	it->root = root;
	it->names = (struct names)NAMES_INIT;
	if (list(it, err) == 0)
		return it;
	far_versions_free(it);
	return NULL;
}

int far_versions_get(struct far_versions *it, const char *path, bool *has,
    uint64_t *version, struct error *err)
{
	struct medium_status status;
	int32_t number;

	*has = false;
	*version = 0;
	if (!it)
		return 0;
	number = names_find(&it->names, span_text(path));
	if (number >= 0 && it->versions[number]) {
		*has = true;
		*version = it->versions[number];
		return 0;
	}
	if (medium_get_status(it->plan->medium, path, &status, err))
		return -1;
	*has = status.version[0] != '\0';
	*version = hash_version(status.version);
	return 0;
}

void far_versions_free(struct far_versions *it)
{
	if (!it)
		return;
	names_release(&it->names);
	arena_release(&it->arena);
	free(it->versions);
	free(it);
}
