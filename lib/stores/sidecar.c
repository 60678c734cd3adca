/* sidecar.c - see sidecar.h. */
#include "lib/stores/sidecar.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/media/medium.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/stored.h"

enum { NAME_BYTES = 64 };

bool sidecar_has_idx(const struct store_form *form)
{
	return form->ops->idx_line && !form->codec.ops->encode;
}

bool sidecar_has_list(const struct store_form *form)
{
	return form->ops->is_webdataset && !form->codec.ops->encode;
}

char *sidecar_idx_path(const char *dir, unsigned number, struct error *err)
{
	char name[NAME_BYTES], shard[SHARD_NAME];

	snprintf(name, sizeof(name), "%s.idx", shard_name(number, shard));
	return path_join(dir, name, err);
}

int sidecar_add(const struct store_form *form, struct span record,
    uint64_t offset, struct buf *lines, struct error *err)
{
	return form->ops->idx_line(record, offset, lines, err);
}

int sidecar_end(const struct store_form *form, uint64_t samples,
    struct buf *lines, struct error *err)
{
	struct buf text = BUF_INIT;

	if (!form->ops->idx_head)
		return 0;
	if (form->ops->idx_head(samples, &text, err) ||
	    buf_append(&text, lines->data, lines->len, err)) {
		buf_release(&text);
		return -1;
	}
	buf_release(lines);
	*lines = text;
	return 0;
}

int sidecar_list_begin(struct buf *text, struct error *err)
{
	return buf_printf(text, err,
	    "{\n  \"__kind__\": \"wids-shard-index-v1\",\n"
	    "  \"wids_version\": 1,\n  \"shardlist\": [");
}

/* The url is just a name, since all files are in one folder. */
int sidecar_list_add(const struct manifest *manifest, size_t shard,
    struct buf *text, struct error *err)
{
	const struct manifest_shard *listed = &manifest->shards[shard];
	char *path = shard_path("", &manifest->form, (unsigned)shard, err);
	int rc = -1;

	if (path)
		rc = buf_printf(text, err,
		    "%s\n    { \"url\": \"%s\", \"nsamples\": %" PRIu64
		    ", \"filesize\": %" PRIu64 " }",
		    shard ? "," : "", path_base(path), listed->samples,
		    listed->stored);
	free(path);
	return rc;
}

int sidecar_list_end(struct buf *text, struct error *err)
{
	return buf_printf(text, err, "\n  ]\n}\n");
}

/* Returns 1 and the size of the file; 0: it is not there, or in memory. */
static int find_bytes(const struct stored *stored, const char *path,
    uint64_t *bytes, struct error *err)
{
	const struct listed_file *listed;
	struct medium_status status;

	if (medium_is_memory(stored->medium))
		return 0;
	if (url_is(path)) {
		listed =
		    file_list_find(&stored->manifest.files, path_base(path));
		*bytes = listed ? listed->sum.bytes : 0;
		return listed != NULL;
	}
	if (medium_get_status(stored->medium, path, &status, err))
		return -1;
	*bytes = status.bytes;
	return status.kind == MEDIUM_FILE;
}

/* A missing file is no error: only other readers need it. */
static int visit_path(const struct stored *stored, char *path,
    reader_visit *visit, void *arg, struct error *err)
{
	uint64_t bytes;
	int rc = path ? find_bytes(stored, path, &bytes, err) : -1;

	if (rc > 0)
		rc = visit(arg, path, bytes, err);
	free(path);
	return rc;
}

int sidecar_visit_idx(const struct stored *stored, size_t shard,
    reader_visit *visit, void *arg, struct error *err)
{
	if (!sidecar_has_idx(&stored->manifest.form))
		return 0;
	return visit_path(stored,
	    sidecar_idx_path(stored->dir, (unsigned)shard, err), visit, arg,
	    err);
}

int sidecar_visit_list(const struct stored *stored, reader_visit *visit,
    void *arg, struct error *err)
{
	const struct history *history = &stored->manifest.history;
	char name[HISTORY_NAME];

	if (!sidecar_has_list(&stored->manifest.form))
		return 0;
	history_name(SIDECAR_LIST_NAME, history_version(history), name);
	return visit_path(
	    stored, path_join(stored->dir, name, err), visit, arg, err);
}
