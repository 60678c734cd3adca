/* sidecar.c - see sidecar.h. */
#include "lib/stores/sidecar.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "lib/formats/index_parse.h"
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
	const struct store_list *list = form->ops->list;

	return list && (list->is_packed || !form->codec.ops->encode);
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

/* ---- the list of all shards ---- */

/* Gets the bytes of a shard's records, unpacked, from its index. */
static int get_unpacked(
    const struct shard_place *place, uint64_t *bytes, struct error *err)
{
	const struct index_form wanted = store_index_form(place->form);
	char *path = shard_index_path(place->dir, place->number, err);
	struct shard_index index = SHARD_INDEX_INIT;
	struct buf text = BUF_INIT;
	int rc = -1;

	if (path && medium_slurp(place->medium, path, &text, err) == 0)
		rc = shard_index_parse(&index, buf_span(&text), &wanted, err);
	*bytes = index.unpacked;
	shard_index_release(&index);
	buf_release(&text);
	free(path);
	return rc;
}

/* Adds a shard to the text of the list. */
static int print_listed(const struct manifest *manifest,
    const struct shard_place *place, struct buf *text, struct error *err)
{
	const struct store_form *form = &manifest->form;
	const struct manifest_shard *shard = &manifest->shards[place->number];
	struct store_listed listed = {
		.number = place->number,
		.samples = shard->samples,
		.stored = shard->stored,
	};
	char *path = shard_path("", form, place->number, err);
	int rc = path ? 0 : -1;

	if (path && form->codec.ops->encode)
		rc = get_unpacked(place, &listed.unpacked, err);
	if (rc == 0) {
		listed.file = path_base(path);
		rc = form->ops->list->add(form, &listed, text, err);
	}
	free(path);
	return rc;
}

int sidecar_print_list(const struct manifest *manifest, struct medium *medium,
    const char *dir, struct buf *text, struct error *err)
{
	const struct store_list *list = manifest->form.ops->list;

	if (list->begin(text, err))
		return -1;
	for (size_t i = 0; i < manifest->count; i++) {
		const struct shard_place place = { medium, dir, &manifest->form,
			(unsigned)i };

		if (print_listed(manifest, &place, text, err))
			return -1;
	}
	return list->end(text, err);
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
	history_name(stored->manifest.form.ops->list->name,
	    history_version(history), name);
	return visit_path(
	    stored, path_join(stored->dir, name, err), visit, arg, err);
}
