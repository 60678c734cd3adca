/* additions.c - see additions.h. */
#include "strategies/update/additions.h"

#include <stdlib.h>

#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/formats/history.h"
#include "lib/media/medium.h"
#include "lib/stores/manifest.h"
#include "strategies/prepare/origin.h"

static int read_files(struct inventory *files, struct medium *medium,
    const char *path, struct error *err)
{
	struct buf bytes = BUF_INIT;
	int rc = -1;

	if (!medium_exists(medium, path))
		error_set(err, ERROR_DATA,
		    "%s is missing: what has changed since cannot be known; "
		    "materialize to another folder",
		    path);
	else if (medium_slurp(medium, path, &bytes, err) == 0)
		rc = inventory_parse(files, buf_span(&bytes), err);
	if (rc && bytes.len)
		error_prefix(err, "%s", path);
	buf_release(&bytes);
	return rc;
}

/* Adds those of version `version`, whose last shard is before `end`. */
static int add(struct additions *additions, struct medium *medium,
    const char *dir, const struct manifest *manifest, uint64_t version,
    size_t end, struct error *err)
{
	struct addition *addition = &additions->items[additions->count];
	const size_t first = additions->count ? addition[-1].end_shard : 0;
	char name[HISTORY_NAME], *path;
	int rc;

	if (end == first && additions->count)
		return 0;
	addition->files = (struct inventory)INVENTORY_INIT;
	addition->first_shard = first;
	addition->end_shard = end;
	addition->stored = 0;
	for (size_t i = first; i < end; i++)
		addition->stored += manifest->shards[i].samples;
	path = path_join(dir, history_name(ORIGIN_NAME, version, name), err);
	rc = path ? read_files(&addition->files, medium, path, err) : -1;
	free(path);
	additions->count++;
	return rc;
}

int additions_read(struct additions *additions, struct medium *medium,
    const char *dir, const struct manifest *manifest, struct error *err)
{
	const struct history *history = &manifest->history;
	const uint64_t versions = history_version(history);
	int rc = 0;

	additions->items = calloc(versions, sizeof(*additions->items));
	if (!additions->items)
		return error_memory(err, versions);
	for (uint64_t v = 1; rc == 0 && v <= versions; v++)
		rc = add(additions, medium, dir, manifest, v,
		    history->count ? history->rows[v - 1].shards
		                   : manifest->count,
		    err);
	return rc;
}

void additions_release(struct additions *additions)
{
	for (size_t i = 0; i < additions->count; i++)
		inventory_release(&additions->items[i].files);
	free(additions->items);
	*additions = (struct additions)ADDITIONS_INIT;
}
