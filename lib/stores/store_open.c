/* store_open.c - see store.h: opening a stored dataset, and looking at it. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/error.h"
#include "lib/base/path.h"
#include "lib/media/medium.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/stored.h"

enum { INDEX_LIMIT = 1 << 30 };

const struct store_form *store_form(const struct reader *reader)
{
	const struct stored *stored = reader->priv;

	return &stored->manifest.form;
}

void stored_free(struct reader *reader)
{
	struct stored *stored = reader->priv;

	for (size_t i = 0; stored->verified && i < stored->manifest.count; i++)
		free(atomic_load(&stored->verified[i]));
	free(stored->verified);
	manifest_release(&stored->manifest);
	free(stored->index_bytes);
	free(stored->dir);
	free(stored);
}

static int read_manifest(struct stored *stored, struct error *err)
{
	char *path = path_join(stored->dir, MANIFEST_NAME, err);
	struct buf text = BUF_INIT;
	int rc = -1;

	if (!path)
		return -1;
	if (!path_exists(path))
		error_set(err, ERROR_DATA,
		    "%s is not there: the folder holds no complete dataset",
		    path);
	else if (medium_slurp(stored->medium, path, &text, err) == 0)
		rc = manifest_parse(
		    &stored->manifest, path, buf_span(&text), err);
	stored->manifest_bytes = text.len;
	buf_release(&text);
	free(path);
	return rc;
}

/* The shard is there, with its size. */
static int check_file(
    const struct stored *stored, size_t shard, struct error *err)
{
	const struct store_form *form = &stored->manifest.form;
	const uint64_t wanted = stored->manifest.shards[shard].stored;
	char *path = shard_path(stored->dir, form, (unsigned)shard, "", err);
	struct stat status;
	int rc = 0;

	if (!path)
		return -1;
	if (stat(path, &status))
		rc = error_errno(err, "open", path);
	else if (!form->ops->is_folder && (uint64_t)status.st_size != wanted)
		rc = error_set(err, ERROR_DATA,
		    "%s: has %llu bytes, expected %llu", path,
		    (unsigned long long)status.st_size,
		    (unsigned long long)wanted);
	free(path);
	return rc;
}

static int read_shards(struct stored *stored, struct error *err)
{
	const size_t count = stored->manifest.count;

	stored->index_bytes = calloc(count + 1, sizeof(uint64_t));
	stored->verified = calloc(count + 1, sizeof(*stored->verified));
	if (!stored->index_bytes || !stored->verified)
		return error_memory(err, count * sizeof(uint64_t));
	for (size_t i = 0; i < count; i++) {
		struct shard_index index = SHARD_INDEX_INIT;
		const int rc = stored_read_index(
		    stored, i, &index, &stored->index_bytes[i], err);

		shard_index_release(&index);
		if (rc || check_file(stored, i, err))
			return -1;
	}
	return 0;
}

static void describe(struct stored *stored)
{
	const struct manifest *manifest = &stored->manifest;
	const struct codec *codec = &manifest->form.codec;
	struct reader *reader = &stored->reader;

	reader->ops =
	    manifest->form.ops->is_folder ? &folder_reader : &shard_reader;
	reader->schema = manifest->form.schema;
	reader->streams = manifest->count;
	reader->samples = manifest->samples;
	reader->total_samples = manifest->samples;
	reader->bytes = stored->manifest_bytes;
	for (size_t i = 0; i < manifest->count; i++)
		reader->bytes +=
		    stored->index_bytes[i] + manifest->shards[i].stored;
	if (codec->transform)
		reader->decode = codec;
	if (codec->transform || codec->ops->decode)
		codec_name(codec, reader->codec);
}

struct reader *store_open(
    struct medium *medium, const char *dir, struct error *err)
{
	struct stored *stored = calloc(1, sizeof(*stored));

	if (!stored) {
		error_memory(err, sizeof(*stored));
		return NULL;
	}
	stored->medium = medium;
	stored->reader.priv = stored;
	stored->dir = path_join(dir, "", err);
	if (!stored->dir || read_manifest(stored, err) ||
	    read_shards(stored, err)) {
		stored_free(&stored->reader);
		return NULL;
	}
	describe(stored);
	return &stored->reader;
}

/* The index of a shard, then the shard. */
static int visit_shard(const struct stored *stored, size_t shard,
    reader_visit *visit, void *arg, struct error *err)
{
	const struct store_form *form = &stored->manifest.form;
	const unsigned number = (unsigned)shard;
	char *index = shard_index_path(stored->dir, number, err);
	char *path = shard_path(stored->dir, form, number, "", err);
	int rc = -1;

	if (index && path)
		rc = visit(arg, index, stored->index_bytes[shard], err);
	if (rc == 0 && form->ops->is_folder)
		rc = folder_each_file(stored, shard, visit, arg, err);
	else if (rc == 0)
		rc = visit(
		    arg, path, stored->manifest.shards[shard].stored, err);
	free(path);
	free(index);
	return rc;
}

int stored_each_file(const struct reader *reader, reader_visit *visit,
    void *arg, struct error *err)
{
	const struct stored *stored = reader->priv;
	char *path = path_join(stored->dir, MANIFEST_NAME, err);
	int rc;

	if (!path)
		return -1;
	rc = visit(arg, path, stored->manifest_bytes, err);
	for (size_t i = 0; rc == 0 && i < stored->manifest.count; i++)
		rc = visit_shard(stored, i, visit, arg, err);
	free(path);
	return rc;
}

/* Does the index at `path` say that the shard has so many bytes? */
static bool index_says(const char *path, const struct store_form *form,
    uint64_t bytes, struct error *err)
{
	const unsigned fields = form->ops->is_folder ? form->schema.count : 0;
	struct shard_index index = SHARD_INDEX_INIT;
	struct buf text = BUF_INIT;
	const bool says =
	    path_read(path, INDEX_LIMIT, &text, err) == 0 &&
	    shard_index_parse(&index, buf_span(&text), fields, err) == 0 &&
	    index.stored == bytes;

	shard_index_release(&index);
	buf_release(&text);
	return says;
}

bool shard_is_complete(
    const char *dir, const struct store_form *form, unsigned number)
{
	struct error ignored;
	char *path = shard_path(dir, form, number, "", &ignored);
	char *index = shard_index_path(dir, number, &ignored);
	uint64_t bytes = 0;
	struct stat status;
	bool complete = false;

	if (path && index && stat(path, &status) == 0 &&
	    (S_ISDIR(status.st_mode) != 0) == form->ops->is_folder) {
		bytes = (uint64_t)status.st_size;
		complete = !form->ops->is_folder ||
		           path_bytes(path, &bytes, &ignored) == 0;
		complete = complete && index_says(index, form, bytes, &ignored);
	}
	free(index);
	free(path);
	return complete;
}
