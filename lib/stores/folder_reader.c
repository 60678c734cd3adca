/*
 * folder_reader.c - see stored.h and files.h: reads shards that are folders. A
 * chunk is a group of samples; the fetcher opens their files one by one.
 */
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/formats/index_parse.h"
#include "lib/formats/name.h"
#include "lib/media/medium.h"
#include "lib/stores/files.h"
#include "lib/stores/stored.h"

static size_t align(size_t at)
{
	return (at + FILES_ALIGN - 1) & ~(size_t)(FILES_ALIGN - 1);
}

static void *stream_open(
    const struct reader *reader, size_t shard, struct error *err)
{
	return stored_stream_open(reader, shard, err);
}

/* Sets stream->name to the path of a file, terminated. */
static int set_name(struct shard_stream *stream, struct span stem,
    struct span ext, struct error *err)
{
	const struct codec *codec = &stream->stored->manifest.form.codec;
	const size_t start = strlen(stream->path) + 1;
	struct buf *name = &stream->name;
	struct span below;

	name->len = 0;
	if (buf_printf(name, err, "%s/", stream->path) ||
	    buf_append(name, stem.data, stem.len, err) ||
	    buf_printf(name, err, ".") ||
	    buf_append(name, ext.data, ext.len, err) ||
	    buf_printf(name, err, "%s", codec->ops->suffix))
		return -1;
	below.data = name->data + start;
	below.len = name->len - start;
	if (name_check_path(below, err))
		return error_prefix(err, "%s", (const char *)name->data);
	return 0;
}

/* Reads a file into chunk->stored, aligned, and adds its part. */
static int fetch_file(struct shard_stream *stream,
    const struct index_file *entry, struct chunk *chunk, struct error *err)
{
	const char *path = (const char *)stream->name.data;
	const size_t at = align(chunk->stored.len);
	struct medium_file *file =
	    medium_open(stream->stored->medium, path, err);
	int rc = -1;

	if (!file)
		return -1;
	if (medium_size(file) != entry->stored)
		error_set(err, ERROR_DATA, "%s: has %llu bytes, expected %llu",
		    path, (unsigned long long)medium_size(file),
		    (unsigned long long)entry->stored);
	else if (buf_reserve(&chunk->stored, at + entry->stored, err) == 0 &&
	         medium_read_full(
	             file, 0, chunk->stored.data + at, entry->stored, err) == 0)
		rc = chunk_add_part(
		    chunk, at, entry->stored, entry->unpacked, err);
	if (rc == 0)
		chunk->stored.len = at + entry->stored;
	medium_close(file);
	return rc;
}

/* Fetches the files of the sample with its line at `line`. */
static int fetch_sample(struct shard_stream *stream, struct span *lines,
    size_t line, struct chunk *chunk, struct error *err)
{
	const unsigned fields = stream->stored->manifest.form.schema.count;
	const unsigned char *start = lines->data;
	struct index_sample sample;

	if (index_sample_next(lines, fields, &sample, err) <= 0)
		return -1;
	if (chunk_add_part(chunk, line, (size_t)(lines->data - start), 0, err))
		return -1;
	for (unsigned i = 0; i < fields; i++)
		if (set_name(stream, sample.stem, sample.files[i].ext, err) ||
		    fetch_file(stream, &sample.files[i], chunk, err))
			return -1;
	return 0;
}

/* Returns the bytes that a block needs for lines, files and alignment. */
static size_t room_for(const struct index_block *block, unsigned fields)
{
	return block->lines_len + block->stored +
	       (block->samples * fields + 1) * FILES_ALIGN;
}

static int chunk_fetch(
    void *arg, uint64_t number, struct chunk *chunk, struct error *err)
{
	struct shard_stream *stream = arg;
	const unsigned fields = stream->stored->manifest.form.schema.count;
	const struct index_block *block =
	    stored_block(stream, number, chunk, err);
	struct span lines;
	size_t line = 0;

	if (!block)
		return -1;
	lines.data = stream->index.lines.data + block->lines;
	lines.len = block->lines_len;
	if (stored_reserve(&chunk->stored, room_for(block, fields), err) ||
	    chunk_add_part(
	        chunk, block->offset, block->stored, block->checksum, err) ||
	    buf_append(&chunk->stored, lines.data, lines.len, err))
		return -1;
	for (uint64_t s = 0; s < block->samples; s++) {
		if (fetch_sample(stream, &lines, line, chunk, err))
			return -1;
		line = block->lines_len - lines.len;
	}
	return 1;
}

static int stream_fetch(void *arg, struct chunk *chunk, struct error *err)
{
	uint64_t number;

	return stored_take_block(arg, &number)
	           ? chunk_fetch(arg, number, chunk, err)
	           : 0;
}

/* Is this part a file, rather than the block or a line? */
static bool is_file(const struct reader *reader, size_t part)
{
	return part > 0 && (part - 1) % (reader->schema.count + 1) != 0;
}

static int check(
    const struct reader *reader, const struct chunk *chunk, struct error *err)
{
	uint64_t hash = 0;

	if (stored_is_verified(reader, chunk))
		return 0;
	for (size_t i = 0; i < chunk->part_count; i++)
		if (is_file(reader, i))
			hash = hash_bytes(
			    chunk->stored.data + chunk->parts[i].offset,
			    chunk->parts[i].len, hash);
	if (hash != chunk->parts[0].item)
		return error_set(
		    err, ERROR_DATA, "its checksum differs: damaged");
	stored_set_verified(reader, chunk);
	return 0;
}

/* Decompresses a file into chunk->unpacked; its part moves there. */
static int decode_file(const struct unpacker *unpacker, struct chunk *chunk,
    struct chunk_part *part, struct error *err)
{
	const size_t ends = unpacker->head + unpacker->tail;
	struct span frame = { .len = part->len - ends };

	if (part->len < ends)
		return error_set(err, ERROR_DATA,
		    "a file of %zu bytes is not compressed", part->len);
	frame.data = chunk->stored.data + part->offset + unpacker->head;
	chunk->unpacked.len = align(chunk->unpacked.len);
	return stored_decode_part(unpacker, frame, chunk, part, err);
}

static int decode(const struct reader *reader, const struct unpacker *unpacker,
    struct chunk *chunk, struct error *err)
{
	chunk->unpacked.len = 0;
	if (stored_reserve(&chunk->unpacked,
	        chunk->unpacked_len + chunk->part_count * FILES_ALIGN, err))
		return -1;
	for (size_t i = 0; i < chunk->part_count; i++)
		if (is_file(reader, i) &&
		    decode_file(unpacker, chunk, &chunk->parts[i], err))
			return -1;
	return 0;
}

static int unpack(const struct reader *reader, void *arg, struct chunk *chunk,
    struct error *err)
{
	const struct unpacker *unpacker = arg;

	chunk->at = 0;
	chunk->bytes = buf_span(&chunk->stored);
	if (check(reader, chunk, err))
		return stored_blame(reader, chunk, err);
	if (!unpacker->ops->decode)
		return 0;
	if (decode(reader, unpacker, chunk, err))
		return stored_blame(reader, chunk, err);
	chunk->bytes = buf_span(&chunk->unpacked);
	return 0;
}

static int visit_block(struct shard_stream *stream,
    const struct index_block *block, reader_visit *visit, void *arg,
    struct error *err)
{
	const unsigned fields = stream->stored->manifest.form.schema.count;
	struct index_sample sample;
	struct span lines = {
		.data = stream->index.lines.data + block->lines,
		.len = block->lines_len,
	};
	int got;

	while ((got = index_sample_next(&lines, fields, &sample, err)) > 0)
		for (unsigned i = 0; i < fields; i++) {
			const struct index_file *file = &sample.files[i];

			if (set_name(stream, sample.stem, file->ext, err) ||
			    visit(arg, (const char *)stream->name.data,
			        file->stored, err))
				return -1;
		}
	return got;
}

int folder_each_file(const struct stored *stored, size_t shard,
    reader_visit *visit, void *arg, struct error *err)
{
	struct shard_stream *stream = stored_index_open(stored, shard, err);
	int rc = 0;

	if (!stream)
		return -1;
	for (size_t i = 0; rc == 0 && i < stream->index.count; i++)
		rc = visit_block(
		    stream, &stream->index.blocks[i], visit, arg, err);
	stored_stream_close(stream);
	return rc;
}

const struct reader_ops folder_reader = {
	.stream_open = stream_open,
	.stream_fetch = stream_fetch,
	.stream_close = stored_stream_close,
	.each_chunk = stored_each_chunk,
	.chunk_fetch = chunk_fetch,
	.unpacker_new = stored_unpacker_new,
	.unpacker_free = stored_unpacker_free,
	.unpack = unpack,
	.next = stored_next,
	.stream_samples = stored_stream_samples,
	.each_file = stored_each_file,
	.free = stored_free,
};
