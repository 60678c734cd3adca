/*
 * file_writer.c - see writer.h: writes shards that are one file.
 *
 * Records gather in a block of about 1 MiB.  It becomes a frame when the next
 * sample comes, so that the format's end shares a frame with the last records.
 */
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/stores/frames.h"
#include "lib/stores/sidecar.h"
#include "lib/stores/writer.h"

static int put(
    struct shard_writer *writer, struct span bytes, struct error *err)
{
	if (sink_write(&writer->sink, writer->file, bytes, err))
		return -1;
	hash_update(writer->hash, bytes.data, bytes.len);
	writer->index.stored += bytes.len;
	return 0;
}

/* Returns the bytes of the block as they are stored: compressed or not. */
static int pack(
    struct shard_writer *writer, struct span *bytes, struct error *err)
{
	const struct codec_ops *codec = writer->form->codec.ops;

	*bytes = buf_span(&writer->raw);
	if (!codec->encode)
		return 0;
	if (writer->sums) {
		frame_sums_add(writer->sums, codec, *bytes);
		writer->sum = frame_sums_get(writer->sums, codec);
	} else if (codec->sum) {
		writer->sum = codec->sum(writer->sum, *bytes);
	}
	writer->packed.len = 0;
	if (writer_encode(writer, *bytes, err))
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

int file_begin(struct shard_writer *writer, struct error *err)
{
	const struct codec *codec = &writer->form->codec;

	writer->sum = codec->ops->sum_start;
	writer->file = sink_begin(&writer->sink, writer->path, err);
	if (!writer->file)
		return -1;
	if (!codec->ops->head)
		return 0;
	writer->packed.len = 0;
	if (codec->ops->head(codec->level, &writer->packed, err))
		return -1;
	return put(writer, buf_span(&writer->packed), err);
}

/* Takes the next frame of another shard: 1, 0 at the end, or -1. */
static int take_frame(struct shard_writer *writer, struct frames *frames,
    struct index_block *block, struct error *err)
{
	const uint64_t start = clock_now(&clock_monotonic);
	int got;

	writer->packed.len = 0;
	got = frames_take(frames, &writer->packed, block, err);
	writer->sink.times.frames_ns += clock_now(&clock_monotonic) - start;
	return got;
}

int file_copy(struct shard_writer *writer, struct frames *frames,
    const struct frame_sums *sums, struct error *err)
{
	const struct codec_ops *codec = writer->form->codec.ops;
	struct index_block block;
	int got;

	writer->failed = true;
	while ((got = take_frame(writer, frames, &block, err)) > 0) {
		block.offset = writer->index.stored;
		if (put(writer, buf_span(&writer->packed), err) ||
		    shard_index_add(&writer->index, &block, err))
			return -1;
	}
	if (got < 0 || frames_end(frames, sums, err))
		return -1;
	if (codec->sum)
		writer->sum = frame_sums_get(sums, codec);
	if (writer->sums)
		*writer->sums = *sums;
	writer->failed = false;
	writer->is_copied = true;
	return 0;
}

/* Adds the end of the format and writes the last block. */
static int end_records(struct shard_writer *writer, struct error *err)
{
	const struct store_ops *ops = writer->form->ops;

	if (writer->is_copied)
		return 0; /* the last frame contains it */
	if (ops->end && ops->end(&writer->raw, err))
		return -1;
	return flush_block(writer, err);
}

/* Completes the text of the .idx file and lists the file in the index. */
static int list_idx(struct shard_writer *writer, struct error *err)
{
	char *path = sidecar_idx_path(writer->dir, writer->number, err);
	struct file_sum sum;
	int rc = -1;

	if (path && sidecar_end(writer->form, writer->index.samples,
	                &writer->idx, err) == 0) {
		sum = file_sum_of(buf_span(&writer->idx));
		rc = writer_list_file(writer, path, &sum, err);
	}
	free(path);
	return rc;
}

/* Lists the shard and its .idx file in the index. */
static int list_files(struct shard_writer *writer, struct error *err)
{
	const struct shard_index *index = &writer->index;
	const struct file_sum sum = { index->stored, index->checksum };

	if (writer_list_file(writer, writer->path, &sum, err))
		return -1;
	return sidecar_has_idx(writer->form) ? list_idx(writer, err) : 0;
}

int file_finish(struct shard_writer *writer, struct error *err)
{
	const struct codec_ops *codec = writer->form->codec.ops;

	if (end_records(writer, err))
		return -1;
	if (codec->tail) {
		writer->packed.len = 0;
		if (codec->tail(writer->sum, writer->index.unpacked,
		        &writer->packed, err) ||
		    put(writer, buf_span(&writer->packed), err))
			return -1;
	}
	if (sink_sync(&writer->sink, writer->file, err))
		return -1;
	writer->index.checksum = hash_digest(writer->hash);
	return list_files(writer, err);
}

/* Adds the .idx line of the record at `start` of the block. */
static int note_idx(
    struct shard_writer *writer, size_t start, struct error *err)
{
	const size_t before = writer->idx.len;
	const struct span record = { writer->raw.data + start,
		writer->raw.len - start };

	if (!sidecar_has_idx(writer->form))
		return 0;
	if (sidecar_add(writer->form, record, writer->index.stored + start,
	        &writer->idx, err) == 0)
		return 0;
	writer->idx.len = before;
	return -1;
}

/* Adds a sample's record to the block: all of it or nothing. */
int file_add(
    struct shard_writer *writer, const struct sample *sample, struct error *err)
{
	const struct store_form *form = writer->form;
	size_t before;

	if (writer->raw.len >= store_block(&writer->form->codec) &&
	    flush_block(writer, err))
		return -1;
	before = writer->raw.len;
	if (form->ops->append(&form->schema, sample, &writer->raw, err) ||
	    note_idx(writer, before, err)) {
		writer->raw.len = before;
		return -1;
	}
	writer->block.samples++;
	return 0;
}

static int write_idx(struct shard_writer *writer, struct error *err)
{
	char *path = sidecar_idx_path(writer->dir, writer->number, err);
	int rc = -1;

	if (path)
		rc =
		    sink_file(&writer->sink, path, buf_span(&writer->idx), err);
	free(path);
	return rc;
}

/* Renames the index first: a shard with its final name is complete. */
int file_rename(struct shard_writer *writer, struct error *err)
{
	if (sidecar_has_idx(writer->form)) {
		if (write_idx(writer, err))
			return -1;
		writer->has_idx = true;
	}
	return sink_publish(&writer->sink, writer->file, err);
}

void file_discard(struct shard_writer *writer)
{
	struct error ignored;
	char *path;

	if (!writer->has_idx)
		return;
	path = sidecar_idx_path(writer->dir, writer->number, &ignored);
	if (path)
		writer_remove(writer, path);
	free(path);
}
