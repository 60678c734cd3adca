/* arrays_files.c - see arrays_files.h. */
#include "lib/stores/arrays_files.h"

#include <string.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/media/medium.h"
#include "lib/stores/arrays.h"
#include "lib/stores/writer.h"

/* Returns the codec of a part's file: labels and keys have none. */
static const struct codec_ops *codec_of(
    const struct shard_writer *writer, unsigned part)
{
	const struct codec_ops *codec = writer->form->codec.ops;

	return part < writer->form->schema.count && codec->encode ? codec
	                                                          : NULL;
}

static int put(struct shard_writer *writer, struct array_file *file,
    struct span bytes, struct error *err)
{
	if (sink_write(&writer->sink, file->file, bytes, err))
		return -1;
	hash_update(file->hash, bytes.data, bytes.len);
	file->stored += bytes.len;
	return 0;
}

static int put_head(struct shard_writer *writer, const struct codec_ops *codec,
    struct array_file *file, struct error *err)
{
	file->sum = codec->sum_start;
	if (!codec->head)
		return 0;
	writer->packed.len = 0;
	if (codec->head(writer->form->codec.level, &writer->packed, err))
		return -1;
	return put(writer, file, buf_span(&writer->packed), err);
}

/* Writes a part at the end of its file, and describes it for the index. */
static int put_part(struct shard_writer *writer, unsigned i, struct span rows,
    struct index_part *part, struct error *err)
{
	const struct codec_ops *codec = codec_of(writer, i);
	struct array_file *file = &writer->arrays->files[i];

	part->unpacked = rows.len;
	file->unpacked += rows.len;
	if (codec) {
		if (file->stored == 0 && put_head(writer, codec, file, err))
			return -1;
		if (codec->sum)
			file->sum = codec->sum(file->sum, rows);
		writer->packed.len = 0;
		if (writer_encode(writer, rows, err))
			return -1;
		rows = buf_span(&writer->packed);
	}
	part->offset = file->stored;
	part->stored = rows.len;
	part->checksum = hash_bytes(rows.data, rows.len, 0);
	return put(writer, file, rows, err);
}

static int flush(struct shard_writer *writer, struct error *err)
{
	struct array_files *arrays = writer->arrays;
	const bool is_first = writer->index.count == 0;

	for (unsigned i = 0; i < arrays->count; i++) {
		struct array_file *file = &arrays->files[i];
		struct index_part part;

		if (put_part(writer, i, buf_span(&file->raw), &part, err) ||
		    shard_index_add_part(&writer->index, &part, err))
			return -1;
		if (is_first && i != arrays_keys(writer->form)) {
			file->first = file->raw;
			file->raw = (struct buf)BUF_INIT;
		}
		file->raw.len = 0;
	}
	if (shard_index_add(&writer->index, &writer->block, err))
		return -1;
	writer->block = (struct index_block){ .samples = 0 };
	return 0;
}

int arrays_flush(struct shard_writer *writer, struct error *err)
{
	if (flush(writer, err) == 0)
		return 0;
	writer->failed = true;
	return -1;
}

void arrays_set_header(struct shard_writer *writer, unsigned part,
    uint64_t samples, struct buf *rows)
{
	unsigned char header[NPY_HEADER_MAX];
	const size_t len = arrays_header(
	    writer->form, part, &writer->index.rows[part], samples, header);

	memcpy(rows->data, header, len);
}

/* ---- changing the number of samples ---- */

/* Copies the frame of a later part unchanged; its content is summed up. */
static int copy_part(struct shard_writer *writer, unsigned i,
    struct medium_file *from, struct index_part *part, struct error *err)
{
	const struct codec_ops *codec = codec_of(writer, i);
	struct array_file *file = &writer->arrays->files[i];
	struct buf *frame = &writer->packed, *rows = &file->raw;

	frame->len = 0;
	if (buf_reserve(frame, part->stored, err) ||
	    medium_read_full(
	        from, part->offset, frame->data, part->stored, err))
		return -1;
	frame->len = part->stored;
	part->offset = file->stored;
	file->unpacked += part->unpacked;
	if (put(writer, file, buf_span(frame), err))
		return -1;
	if (!codec->sum)
		return 0;
	rows->len = 0;
	if (codec->decode(
	        writer->codec, buf_span(frame), part->unpacked, rows, err))
		return -1;
	file->sum = codec->sum(file->sum, buf_span(rows));
	rows->len = 0;
	return 0;
}

/* Writes the file again, since its first part has another size. */
static int rewrite_file(struct shard_writer *writer, unsigned i,
    struct medium_file *from, struct error *err)
{
	struct array_file *file = &writer->arrays->files[i];
	struct shard_index *index = &writer->index;
	const unsigned count = writer->arrays->count;

	file->stored = 0;
	file->unpacked = 0;
	hash_free(file->hash);
	file->hash = hash_new();
	if (!file->hash)
		return error_set(err, ERROR_MEMORY, "out of memory");
	if (put_part(writer, i, buf_span(&file->first), &index->parts[i], err))
		return -1;
	for (size_t b = 1; b < index->count; b++)
		if (copy_part(
		        writer, i, from, &index->parts[b * count + i], err))
			return -1;
	return 0;
}

static int replace_file(
    struct shard_writer *writer, unsigned i, struct error *err)
{
	struct array_file *file = &writer->arrays->files[i];
	struct medium_file *from = file->file;
	int rc = -1;

	file->file = sink_begin(&writer->sink, file->path, err);
	if (file->file)
		rc = rewrite_file(writer, i, from, err);
	medium_close(from);
	return rc;
}

int arrays_say(struct shard_writer *writer, uint64_t samples, struct error *err)
{
	struct array_files *arrays = writer->arrays;

	for (unsigned i = 0; i < arrays_keys(writer->form); i++) {
		struct array_file *file = &arrays->files[i];
		struct index_part *part = &writer->index.parts[i];
		struct span head;

		arrays_set_header(writer, i, samples, &file->first);
		if (codec_of(writer, i)) {
			if (replace_file(writer, i, err))
				return -1;
			continue;
		}
		part->checksum =
		    hash_bytes(file->first.data, file->first.len, 0);
		head = buf_span(&file->first);
		if (head.len > NPY_HEADER_MAX)
			head.len = NPY_HEADER_MAX;
		if (sink_write_at(
		        &writer->sink, file->file, part->offset, head, err))
			return -1;
		file->is_changed = true;
	}
	arrays->said = samples;
	return 0;
}

static int list_file(struct shard_writer *writer, const struct array_file *file,
    struct error *err)
{
	struct file_sum sum = { file->stored, hash_digest(file->hash) };

	if (file->is_changed && file_sum_read_open(file->file, &sum, err))
		return -1;
	return writer_list_file(writer, file->path, &sum, err);
}

int arrays_end_file(struct shard_writer *writer, unsigned i, struct error *err)
{
	const struct codec_ops *codec = codec_of(writer, i);
	struct array_file *file = &writer->arrays->files[i];

	if (codec && codec->tail) {
		writer->packed.len = 0;
		if (codec->tail(
		        file->sum, file->unpacked, &writer->packed, err) ||
		    put(writer, file, buf_span(&writer->packed), err))
			return -1;
	}
	if (sink_sync(&writer->sink, file->file, err))
		return -1;
	return list_file(writer, file, err);
}
