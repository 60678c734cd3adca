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
#include "lib/media/medium.h"
#include "lib/stores/frames.h"
#include "lib/stores/sidecar.h"
#include "lib/stores/writer.h"

enum { COPY_BYTES = 1 << 20 };

static int put(
    struct shard_writer *writer, struct span bytes, struct error *err)
{
	if (sink_write(&writer->sink, writer->file, bytes, err))
		return -1;
	hash_update(writer->hash, bytes.data, bytes.len);
	writer->index.stored += bytes.len;
	return 0;
}

/*
 * ---- the table in front of the records (store_ops.front) ----
 *
 * It is known when the last sample is. Without compression it is written into
 * room that was kept for it. If there is no room, or it was kept for another
 * number of samples, the blocks are copied behind the table into a new file. A
 * compressed table is a frame of its own.
 */

/* Makes the table in `packed`; without lengths, one of the same size. */
static int make_front(struct shard_writer *writer, uint64_t samples,
    const uint32_t *lengths, struct error *err)
{
	writer->packed.len = 0;
	return writer->form->ops->front(
	    writer->form, lengths, samples, &writer->packed, err);
}

/* Keeps room for the table in front, for as many samples as are expected. */
static int front_begin(struct shard_writer *writer, struct error *err)
{
	const struct store_form *form = writer->form;

	if (!form->ops->front || form->codec.ops->encode)
		return 0;
	if (make_front(writer, writer->expected, NULL, err))
		return -1;
	writer->front = writer->packed.len;
	return put(writer, buf_span(&writer->packed), err);
}

/* Notes the bytes of the next record. */
static int front_add(
    struct shard_writer *writer, size_t bytes, struct error *err)
{
	const uint32_t length = (uint32_t)bytes;

	if (!writer->form->ops->front)
		return 0;
	if (bytes > UINT32_MAX)
		return error_set(err, ERROR_LIMIT,
		    "a sample has %zu bytes, and %s takes less than 4 GiB",
		    bytes, writer->form->ops->name);
	return buf_append(&writer->lengths, &length, sizeof(length), err);
}

/* Puts the table at the start of the new file. */
static int put_front(struct shard_writer *writer, struct error *err)
{
	struct buf table;
	int rc;

	if (!writer->form->codec.ops->encode)
		return put(writer, buf_span(&writer->packed), err);
	/* The block is empty, so its memory can hold the table meanwhile. */
	table = writer->packed;
	writer->packed = writer->raw;
	writer->raw = table;
	writer->packed.len = 0;
	rc = writer_encode(writer, buf_span(&writer->raw), err);
	writer->raw.len = 0;
	return rc ? rc : put(writer, buf_span(&writer->packed), err);
}

/* Copies the blocks, which begin at `from` in the old file. */
static int copy_blocks(struct shard_writer *writer, struct medium_file *file,
    uint64_t from, uint64_t bytes, struct error *err)
{
	struct buf *piece = &writer->packed;

	if (buf_reserve(piece, COPY_BYTES, err))
		return -1;
	while (bytes > 0) {
		piece->len = bytes < COPY_BYTES ? (size_t)bytes : COPY_BYTES;
		if (medium_read_full(
		        file, from, piece->data, piece->len, err) ||
		    put(writer, buf_span(piece), err))
			return -1;
		from += piece->len;
		bytes -= piece->len;
	}
	return 0;
}

/* Writes the file again: the table in `packed`, then all blocks. */
static int rewrite(struct shard_writer *writer, struct error *err)
{
	struct shard_index *index = &writer->index;
	const uint64_t bytes = index->stored - writer->front;
	struct medium_file *from = writer->file;
	int rc = -1;

	index->stored = 0;
	hash_free(writer->hash);
	writer->hash = hash_new();
	writer->file = sink_begin(&writer->sink, writer->path, err);
	if (!writer->hash)
		error_set(err, ERROR_MEMORY, "out of memory");
	else if (writer->file && put_front(writer, err) == 0) {
		const uint64_t front = index->stored;

		for (size_t i = 0; i < index->count; i++)
			index->blocks[i].offset += front - writer->front;
		rc = copy_blocks(writer, from, writer->front, bytes, err);
		writer->front = (size_t)front;
	}
	medium_close(from);
	return rc;
}

/*
 * Writes the table behind the last block; the file is written again if its
 * room differs. Sets *is_changed if the hash does not fit the file any more.
 */
static int front_end(
    struct shard_writer *writer, bool *is_changed, struct error *err)
{
	const uint64_t samples = writer->index.samples;

	if (!writer->form->ops->front)
		return 0;
	if (make_front(writer, samples,
	        samples ? (const uint32_t *)writer->lengths.data : NULL, err))
		return -1;
	if (writer->front == 0 || writer->front != writer->packed.len)
		return rewrite(writer, err);
	*is_changed = true;
	return sink_write_at(
	    &writer->sink, writer->file, 0, buf_span(&writer->packed), err);
}

/* ---- blocks ---- */

/* Packs a block into the format's own form. */
static int pack_own(struct shard_writer *writer, struct error *err)
{
	struct store_packing packing = {
		.form = writer->form,
		.codec = writer->codec,
		.records = buf_span(&writer->raw),
		.samples = writer->block.samples,
		.out = &writer->packed,
		.notes = &writer->notes,
	};
	const uint64_t start = clock_now(&clock_monotonic);
	int rc;

	writer->packed.len = 0;
	rc = writer->form->ops->pack(&packing, err);
	writer->block.unpacked = packing.unpacked;
	writer->sink.times.compress_ns += clock_now(&clock_monotonic) - start;
	return rc;
}

/* Returns the bytes of the block as they are stored: compressed or not. */
static int pack(
    struct shard_writer *writer, struct span *bytes, struct error *err)
{
	const struct codec_ops *codec = writer->form->codec.ops;

	*bytes = buf_span(&writer->raw);
	writer->block.unpacked = bytes->len;
	if (writer->form->ops->pack) {
		if (pack_own(writer, err))
			return -1;
		*bytes = buf_span(&writer->packed);
		return 0;
	}
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

	if (writer->index.count == 0 && front_begin(writer, err))
		return -1;
	if (pack(writer, &bytes, err))
		return -1;
	block->offset = writer->index.stored;
	block->stored = bytes.len;
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
	if (writer->form->ops->magic)
		return put(writer, span_text(writer->form->ops->magic), err);
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

/* Writes what is behind the last block. */
static int put_end(struct shard_writer *writer, struct error *err)
{
	const struct store_form *form = writer->form;
	const struct codec_ops *codec = form->codec.ops;
	int rc = 0;

	writer->packed.len = 0;
	if (form->ops->foot)
		rc = form->ops->foot(form, &writer->index,
		    buf_span(&writer->notes), &writer->packed, err);
	else if (codec->tail)
		rc = codec->tail(
		    writer->sum, writer->index.unpacked, &writer->packed, err);
	return rc || writer->packed.len == 0
	           ? rc
	           : put(writer, buf_span(&writer->packed), err);
}

int file_finish(struct shard_writer *writer, struct error *err)
{
	struct file_sum sum = { .bytes = 0 };
	bool is_changed = false;

	if (end_records(writer, err) || front_end(writer, &is_changed, err) ||
	    put_end(writer, err) ||
	    sink_sync(&writer->sink, writer->file, err) ||
	    (is_changed && file_sum_read_open(writer->file, &sum, err)))
		return -1;
	writer->index.checksum =
	    is_changed ? sum.checksum : hash_digest(writer->hash);
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
	    note_idx(writer, before, err) ||
	    front_add(writer, writer->raw.len - before, err)) {
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
		rc = writer_put(writer, path, buf_span(&writer->idx),
		    &writer->owns_idx, err);
	free(path);
	return rc;
}

/* Renames the index first: a shard with its final name is complete. */
int file_rename(struct shard_writer *writer, struct error *err)
{
	if (sidecar_has_idx(writer->form) && write_idx(writer, err))
		return -1;
	return sink_publish(&writer->sink, writer->file, err);
}

void file_discard(struct shard_writer *writer)
{
	struct error ignored;
	char *path;

	if (!writer->owns_idx)
		return;
	path = sidecar_idx_path(writer->dir, writer->number, &ignored);
	if (path)
		writer_remove(writer, path);
	free(path);
}
