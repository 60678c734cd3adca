/*
 * shard_reader.c - see stored.h: reads shards that are files. A chunk is a
 * block; the fetcher reads it, the worker verifies and decompresses it.
 */
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/media/medium.h"
#include "lib/stores/stored.h"

static void *stream_open(
    const struct reader *reader, size_t shard, struct error *err)
{
	struct shard_stream *stream = stored_stream_open(reader, shard, err);

	if (!stream)
		return NULL;
	stream->file = medium_open(stream->stored->medium, stream->path, err);
	if (stream->file && medium_size(stream->file) != stream->index.stored)
		error_set(err, ERROR_DATA, "%s: has %llu bytes, expected %llu",
		    stream->path, (unsigned long long)medium_size(stream->file),
		    (unsigned long long)stream->index.stored);
	else if (stream->file)
		return stream;
	stored_stream_close(stream);
	return NULL;
}

static int chunk_fetch(
    void *arg, uint64_t number, struct chunk *chunk, struct error *err)
{
	struct shard_stream *stream = arg;
	const struct index_block *block =
	    stored_block(stream, number, chunk, err);

	if (!block)
		return -1;
	if (chunk_add_part(
	        chunk, block->offset, block->stored, block->checksum, err) ||
	    stored_fetch(
	        stream->file, block->offset, block->stored, chunk, err))
		return -1;
	return 1;
}

static int stream_fetch(void *arg, struct chunk *chunk, struct error *err)
{
	uint64_t number;

	return stored_take_block(arg, &number)
	           ? chunk_fetch(arg, number, chunk, err)
	           : 0;
}

static int check(
    const struct reader *reader, const struct chunk *chunk, struct error *err)
{
	const struct span fetched = chunk->fetched;

	if (stored_is_verified(reader, chunk))
		return 0;
	if (hash_bytes(fetched.data, fetched.len, 0) != chunk->parts[0].item) {
		error_set(err, ERROR_DATA, "its checksum differs: damaged");
		return stored_blame(reader, chunk, err);
	}
	stored_set_verified(reader, chunk);
	return 0;
}

static int decode(const struct reader *reader, const struct unpacker *unpacker,
    struct chunk *chunk, struct error *err)
{
	const struct store_form *form = store_form(reader);

	chunk->unpacked.len = 0;
	if (stored_reserve(&chunk->unpacked, chunk->unpacked_len, err))
		return -1;
	if (form->ops->unpack)
		return form->ops->unpack(form, unpacker->codec, chunk->fetched,
		    &chunk->unpacked, err);
	return unpacker->ops->decode(unpacker->codec, chunk->fetched,
	    chunk->unpacked_len, &chunk->unpacked, err);
}

/* Reads what was only noted. */
static int read_late(struct chunk *chunk, struct error *err)
{
	const size_t len = chunk->late[0].bytes;

	chunk->unpacked.len = 0;
	if (stored_reserve(&chunk->unpacked, len, err) ||
	    late_read_finish(&chunk->late[0], chunk->unpacked.data, err))
		return -1;
	chunk->unpacked.len = len;
	chunk->fetched.data = chunk->unpacked.data;
	return 0;
}

static int unpack(const struct reader *reader, void *arg, struct chunk *chunk,
    struct error *err)
{
	const struct unpacker *unpacker = arg;

	chunk->at = 0;
	if (chunk->late[0].bytes > 0 && read_late(chunk, err))
		return stored_blame(reader, chunk, err);
	chunk->bytes = chunk->fetched;
	if (check(reader, chunk, err))
		return -1;
	if (!unpacker->ops->decode)
		return 0;
	if (decode(reader, unpacker, chunk, err))
		return stored_blame(reader, chunk, err);
	chunk->bytes = buf_span(&chunk->unpacked);
	return 0;
}

const struct reader_ops shard_reader = {
	.shared_streams = true,
	.stream_open = stream_open,
	.stream_fetch = stream_fetch,
	.stream_close = stored_stream_close,
	.each_chunk = stored_each_chunk,
	.chunk_fetch = chunk_fetch,
	.unpacker_new = stored_unpacker_new,
	.unpacker_free = stored_unpacker_free,
	.check = check,
	.unpack = unpack,
	.next = stored_next,
	.stream_samples = stored_stream_samples,
	.each_file = stored_each_file,
	.free = stored_free,
};
