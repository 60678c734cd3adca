/*
 * shard_writer.c - see store.h: one shard, from its first sample to its name.
 *
 * Records gather in a block of about 1 MiB, which becomes a frame when the
 * next sample comes: so the format's end, if it has one, goes with the last
 * records and not into a frame of its own.
 */
#include <stdlib.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/path.h"
#include "lib/media/medium.h"
#include "lib/sample/key.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/writer.h"

static int put(
    struct shard_writer *writer, struct span bytes, struct error *err)
{
	if (medium_write(writer->file, bytes.data, bytes.len, err))
		return -1;
	hash_update(writer->hash, bytes.data, bytes.len);
	writer->index.stored += bytes.len;
	return 0;
}

/* The block as it is stored. */
static int pack(
    struct shard_writer *writer, struct span *bytes, struct error *err)
{
	const struct codec_ops *codec = writer->form->codec.ops;

	*bytes = buf_span(&writer->raw);
	if (!codec->encode)
		return 0;
	if (codec->sum)
		writer->sum = codec->sum(writer->sum, *bytes);
	writer->packed.len = 0;
	if (codec->encode(writer->codec, *bytes, &writer->packed, err))
		return -1;
	*bytes = buf_span(&writer->packed);
	return 0;
}

static int write_block(struct shard_writer *writer, struct error *err)
{
	struct index_block *block = &writer->block;
	struct span bytes;

	if (pack(writer, &bytes, err))
		return -1;
	block->offset = writer->index.stored;
	block->stored = bytes.len;
	block->unpacked = writer->raw.len;
	block->checksum = hash_bytes(bytes.data, bytes.len, 0);
	if (put(writer, bytes, err) ||
	    shard_index_add(&writer->index, block, err))
		return -1;
	*block = (struct index_block){ .samples = 0 };
	writer->raw.len = 0;
	return 0;
}

static int flush_block(struct shard_writer *writer, struct error *err)
{
	if (writer->raw.len == 0)
		return 0;
	if (write_block(writer, err)) {
		writer->failed = true;
		return -1;
	}
	return 0;
}

static int begin_file(struct shard_writer *writer, struct error *err)
{
	const struct codec *codec = &writer->form->codec;

	writer->sum = codec->ops->sum_start;
	writer->file = medium_create(writer->medium, writer->temporary, err);
	if (!writer->file)
		return -1;
	if (!codec->ops->head)
		return 0;
	writer->packed.len = 0;
	if (codec->ops->head(codec->level, &writer->packed, err))
		return -1;
	return put(writer, buf_span(&writer->packed), err);
}

static int finish_file(struct shard_writer *writer, struct error *err)
{
	const struct codec_ops *codec = writer->form->codec.ops;

	if (writer->form->ops->end && writer->form->ops->end(&writer->raw, err))
		return -1;
	if (flush_block(writer, err))
		return -1;
	if (codec->tail) {
		writer->packed.len = 0;
		if (codec->tail(writer->sum, writer->index.unpacked,
		        &writer->packed, err) ||
		    put(writer, buf_span(&writer->packed), err))
			return -1;
	}
	if (medium_sync(writer->file, err))
		return -1;
	medium_close(writer->file);
	writer->file = NULL;
	return 0;
}

static int begin(struct shard_writer *writer, const char *dir, unsigned number,
    struct error *err)
{
	const struct store_form *form = writer->form;
	const struct codec *codec = &form->codec;

	if (form->ops->check && form->ops->check(&form->schema, err))
		return -1;
	writer->dir = path_join(dir, "", err);
	writer->path = shard_path(dir, form, number, "", err);
	writer->temporary = shard_path(dir, form, number, ".tmp", err);
	writer->index_path = shard_index_path(dir, number, err);
	if (!writer->dir || !writer->path || !writer->temporary ||
	    !writer->index_path)
		return -1;
	writer->hash = hash_new();
	if (!writer->hash)
		return error_set(err, ERROR_MEMORY, "out of memory");
	if (codec->ops->state_new) {
		writer->codec = codec->ops->state_new(codec->level, err);
		if (!writer->codec)
			return -1;
	}
	return form->ops->is_folder ? folder_begin(writer, err)
	                            : begin_file(writer, err);
}

struct shard_writer *shard_writer_new(struct medium *medium, const char *dir,
    const struct store_form *form, unsigned number, struct error *err)
{
	struct shard_writer *writer = calloc(1, sizeof(*writer));

	if (!writer) {
		error_memory(err, sizeof(*writer));
		return NULL;
	}
	writer->medium = medium;
	writer->form = form;
	if (begin(writer, dir, number, err)) {
		shard_writer_free(writer);
		return NULL;
	}
	return writer;
}

static int check_sample(
    const struct schema *schema, const struct sample *sample, struct error *err)
{
	if (sample->count != schema->count)
		return error_set(err, ERROR_DATA, "has %u fields, expected %u",
		    sample->count, schema->count);
	for (unsigned i = 0; i < schema->count; i++)
		if (tensor_check(
		        &sample->fields[i], &schema->fields[i].type, err))
			return error_prefix(
			    err, "field %s", schema->fields[i].name);
	return 0;
}

/* Adds the record to the block; none or all of it. */
static int add_record(
    struct shard_writer *writer, const struct sample *sample, struct error *err)
{
	const struct store_form *form = writer->form;
	const size_t before = writer->raw.len;

	if (form->ops->append(&form->schema, sample, &writer->raw, err)) {
		writer->raw.len = before;
		return -1;
	}
	writer->block.samples++;
	return 0;
}

int shard_writer_add(
    struct shard_writer *writer, const struct sample *sample, struct error *err)
{
	const struct store_form *form = writer->form;
	char key[KEY_TEXT];
	int rc;

	if (!form->ops->is_folder && writer->raw.len >= STORE_BLOCK &&
	    flush_block(writer, err))
		return -1;
	rc = check_sample(&form->schema, sample, err);
	if (rc == 0)
		rc = form->ops->is_folder ? folder_add(writer, sample, err)
		                          : add_record(writer, sample, err);
	if (rc)
		error_prefix(err, "sample %s", key_text(sample->key, key));
	return rc;
}

int shard_writer_commit(struct shard_writer *writer, struct error *err)
{
	const bool is_folder = writer->form->ops->is_folder;

	if (writer->failed)
		return error_set(err, ERROR_SYSTEM,
		    "%s: what was written is not whole", writer->temporary);
	if (is_folder ? folder_finish(writer, err) : finish_file(writer, err))
		return -1;
	writer->index.checksum = hash_digest(writer->hash);
	if (shard_index_write(&writer->index, writer->index_path, err))
		return -1;
	writer->has_index = true;
	if (path_rename(writer->temporary, writer->path, err))
		return -1;
	writer->committed = true;
	return path_sync_dir(writer->dir, err);
}

static void discard(struct shard_writer *writer)
{
	struct error ignored;

	if (!writer->temporary || writer->committed)
		return;
	if (writer->form->ops->is_folder)
		path_remove_tree(writer->temporary, &ignored);
	else
		unlink(writer->temporary);
	if (writer->has_index)
		unlink(writer->index_path);
}

void shard_writer_free(struct shard_writer *writer)
{
	const struct codec_ops *codec;

	if (!writer)
		return;
	codec = writer->form->codec.ops;
	medium_close(writer->file);
	discard(writer);
	if (codec->state_free)
		codec->state_free(writer->codec);
	hash_free(writer->hash);
	shard_index_release(&writer->index);
	buf_release(&writer->raw);
	buf_release(&writer->packed);
	buf_release(&writer->file_path);
	free(writer->last_dir);
	free(writer->index_path);
	free(writer->temporary);
	free(writer->path);
	free(writer->dir);
	free(writer);
}
