/* stored.c - see stored.h: functions that the readers share. */
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/formats/index_parse.h"
#include "lib/media/medium.h"
#include "lib/stores/layout.h"
#include "lib/stores/shard_path.h"
#include "lib/stores/stored.h"

enum { RESERVE_STEP = 1 << 18 };

static char *path_of(
    const struct stored *stored, size_t shard, struct error *err)
{
	return shard_path(
	    stored->dir, &stored->manifest.form, (unsigned)shard, err);
}

/* Checks that the index is the one that the manifest lists. */
static int check_index(const struct shard_index *index, struct span text,
    const struct manifest *manifest, size_t shard, struct error *err)
{
	const struct manifest_shard is = { index->samples, index->stored,
		index->checksum, file_sum_of(text) };

	if (!manifest_has_shard(manifest, shard, &is))
		return error_set(err, ERROR_DATA,
		    "is not the index that the manifest was written from");
	return 0;
}

int stored_read_index(const struct stored *stored, size_t shard,
    struct shard_index *index, uint64_t *bytes, struct error *err)
{
	const struct store_form *form = &stored->manifest.form;
	const struct index_form wanted = store_index_form(form);
	char *path = shard_index_path(stored->dir, (unsigned)shard, err);
	struct buf text = BUF_INIT;
	int rc = -1;

	if (!path || medium_slurp(stored->medium, path, &text, err))
		goto done;
	*bytes = text.len;
	rc = shard_index_parse(index, buf_span(&text), &wanted, err);
	if (rc == 0)
		rc = check_index(
		    index, buf_span(&text), &stored->manifest, shard, err);
	if (rc)
		error_prefix(err, "%s", path);
done:
	buf_release(&text);
	free(path);
	return rc;
}

int stored_blame(
    const struct reader *reader, const struct chunk *chunk, struct error *err)
{
	struct error ignored;
	const struct stored *stored = reader->priv;
	char *path =
	    path_of(stored, stored_shard(stored, chunk->stream), &ignored);

	error_prefix(err, "%s: block at byte %zu", path ? path : "a shard",
	    chunk->parts[0].offset);
	free(path);
	return -1;
}

static struct verified *verified_of(
    const struct reader *reader, const struct chunk *chunk)
{
	const struct stored *stored = reader->priv;
	const size_t shard = stored_shard(stored, chunk->stream);
	struct verified *verified = atomic_load(&stored->verified[shard]);

	return verified && chunk->number < verified->count ? verified : NULL;
}

bool stored_is_verified(const struct reader *reader, const struct chunk *chunk)
{
	struct verified *verified = verified_of(reader, chunk);

	return verified && atomic_load(&verified->blocks[chunk->number]);
}

void stored_set_verified(const struct reader *reader, const struct chunk *chunk)
{
	struct verified *verified = verified_of(reader, chunk);

	if (verified)
		atomic_store(&verified->blocks[chunk->number], true);
}

/* Makes the list of a shard's blocks; the first thread that opens it wins. */
static int make_verified(
    const struct stored *stored, size_t shard, size_t blocks, struct error *err)
{
	struct verified *none = NULL, *made;
	size_t bytes;

	if (atomic_load(&stored->verified[shard]))
		return 0;
	if (size_mul(blocks, sizeof(made->blocks[0]), &bytes) ||
	    size_add(bytes, sizeof(*made), &bytes))
		return error_memory(err, blocks);
	made = calloc(1, bytes);
	if (!made)
		return error_memory(err, bytes);
	made->count = blocks;
	if (!atomic_compare_exchange_strong(
	        &stored->verified[shard], &none, made))
		free(made);
	return 0;
}

/* Returns the place in the shard of a block's first sample. */
static uint64_t place_of(const struct shard_index *index, size_t block)
{
	uint64_t place = 0;

	for (size_t i = 0; i < block; i++)
		place += index->blocks[i].samples;
	return place;
}

uint64_t stored_block_samples(const struct stored *stored, size_t shard,
    const struct shard_index *index, size_t block)
{
	const struct left_samples *left = &stored->manifest.left_out;
	const struct left_shard *of = left_samples_find(left, shard);
	const uint64_t samples = index->blocks[block].samples;

	return of ? samples - left_samples_between(
	                          left, of, place_of(index, block), samples)
	          : samples;
}

bool stored_pass(const struct stored *stored, struct chunk *chunk)
{
	const struct left_samples *left = &stored->manifest.left_out;

	return left_samples_has(left,
	    left_samples_find(left, stored_shard(stored, chunk->stream)),
	    chunk->place++);
}

bool stored_take_block(struct shard_stream *stream, uint64_t *number)
{
	*number = atomic_fetch_add(&stream->next, 1);
	return *number < stream->end;
}

const struct index_block *stored_block(struct shard_stream *stream,
    uint64_t number, struct chunk *chunk, struct error *err)
{
	const struct index_block *block;

	if (number >= stream->index.count) {
		error_set(err, ERROR_DATA,
		    "%s: has fewer blocks than when it was opened",
		    stream->path);
		return NULL;
	}
	block = &stream->index.blocks[number];
	chunk->stream = stream->number;
	chunk->number = number;
	chunk->samples = block->samples;
	chunk->left = stored_block_samples(
	    stream->stored, stream->shard, &stream->index, number);
	if (number + 1 == stream->end && stream->last < chunk->left)
		chunk->left = stream->last;
	if (stream->stored->manifest.left_out.count)
		chunk->place = place_of(&stream->index, number);
	chunk->unpacked_len = block->unpacked;
	return block;
}

struct shard_stream *stored_index_open(
    const struct stored *stored, size_t shard, struct error *err)
{
	struct shard_stream *stream = memory_zeroed(sizeof(*stream), err);
	uint64_t bytes;

	if (!stream)
		return NULL;
	stream->stored = stored;
	stream->number = shard;
	stream->shard = shard;
	atomic_init(&stream->next, 0);
	stream->path = path_of(stored, shard, err);
	if (!stream->path ||
	    stored_read_index(stored, shard, &stream->index, &bytes, err)) {
		stored_stream_close(stream);
		return NULL;
	}
	return stream;
}

/* Opens a shard for reading, from its first to its last block. */
static struct shard_stream *open_shard(
    const struct stored *stored, size_t shard, struct error *err)
{
	struct shard_stream *stream = stored_index_open(stored, shard, err);
	const struct shard_index *index;

	if (!stream)
		return NULL;
	index = &stream->index;
	if (make_verified(stored, shard, index->count, err)) {
		stored_stream_close(stream);
		return NULL;
	}
	stream->end = index->count;
	stream->last = UINT64_MAX; /* all of its last block */
	return stream;
}

struct shard_stream *stored_stream_open(
    const struct reader *reader, size_t number, struct error *err)
{
	const struct stored *stored = reader->priv;
	const struct store_run *run =
	    stored->runs ? &stored->runs[number] : NULL;
	struct shard_stream *stream =
	    open_shard(stored, stored_shard(stored, number), err);

	if (!stream || !run)
		return stream;
	if (run->first + run->count > stream->index.count ||
	    run->last >
	        stream->index.blocks[run->first + run->count - 1].samples) {
		error_set(err, ERROR_DATA,
		    "%s: has other blocks than when it was opened",
		    stream->path);
		stored_stream_close(stream);
		return NULL;
	}
	stream->number = number;
	atomic_init(&stream->next, run->first);
	stream->end = run->first + run->count;
	stream->last = run->last;
	return stream;
}

void stored_stream_close(void *arg)
{
	struct shard_stream *stream = arg;

	if (!stream)
		return;
	medium_close(stream->file);
	shard_index_release(&stream->index);
	buf_release(&stream->name);
	free(stream->path);
	free(stream);
}

int stored_measure_ends(
    const struct codec *codec, struct unpacker *unpacker, struct error *err)
{
	struct buf ends = BUF_INIT;
	int rc = 0;

	if (codec->ops->head)
		rc = codec->ops->head(codec->level, &ends, err);
	unpacker->head = ends.len;
	if (rc == 0 && codec->ops->tail)
		rc = codec->ops->tail(0, 0, &ends, err);
	unpacker->tail = ends.len - unpacker->head;
	buf_release(&ends);
	return rc;
}

void *stored_unpacker_new(const struct reader *reader, struct error *err)
{
	const struct codec *codec = &store_form(reader)->codec;
	struct unpacker *unpacker = memory_zeroed(sizeof(*unpacker), err);

	if (!unpacker)
		return NULL;
	unpacker->ops = codec->ops;
	if (stored_measure_ends(codec, unpacker, err) == 0) {
		if (!codec->ops->state_new)
			return unpacker;
		unpacker->codec = codec->ops->state_new(codec->level, err);
		if (unpacker->codec)
			return unpacker;
	}
	free(unpacker);
	return NULL;
}

void stored_unpacker_free(void *arg)
{
	struct unpacker *unpacker = arg;

	if (!unpacker)
		return;
	if (unpacker->ops->state_free)
		unpacker->ops->state_free(unpacker->codec);
	free(unpacker);
}

int stored_next(const struct reader *reader, struct chunk *chunk,
    struct sample *sample, struct error *err)
{
	const struct store_ops *ops = store_form(reader)->ops;
	int got;

	if (chunk->left == 0)
		return 0;
	do
		got = ops->next(&reader->schema, chunk, sample, err);
	while (got > 0 && stored_leaves_out(reader, chunk));
	chunk->left--;
	return got < 0 ? stored_blame(reader, chunk, err) : got;
}

uint64_t stored_stream_samples(const struct reader *reader, size_t stream)
{
	const struct stored *stored = reader->priv;

	return stored->runs ? stored->runs[stream].samples
	                    : manifest_shard_samples(&stored->manifest, stream);
}

size_t stored_shard(const struct stored *stored, size_t stream)
{
	return stored->runs ? stored->runs[stream].shard : stream;
}

int stored_reserve(struct buf *buf, size_t bytes, struct error *err)
{
	if (bytes > SIZE_MAX - RESERVE_STEP)
		return error_memory(err, bytes);
	if (bytes <= buf->cap)
		return 0;
	return buf_reserve(
	    buf, bytes + RESERVE_STEP - bytes % RESERVE_STEP, err);
}

int stored_fetch(struct medium_file *file, uint64_t offset, size_t len,
    struct chunk *chunk, struct error *err)
{
	unsigned char *data;

	chunk->fetched.len = len;
	if (chunk->reads_late &&
	    medium_note(file, offset, len, &chunk->late[0]))
		return 0;
	if (medium_map(file, offset, len, &chunk->mappings[0], &data)) {
		chunk->fetched.data = data;
		return 0;
	}
	if (stored_reserve(&chunk->stored, len, err) ||
	    medium_read_full(file, offset, chunk->stored.data, len, err))
		return -1;
	chunk->stored.len = len;
	chunk->fetched.data = chunk->stored.data;
	return 0;
}

int stored_decode_part(const struct unpacker *unpacker, struct span frame,
    struct chunk *chunk, struct chunk_part *part, struct error *err)
{
	const size_t at = chunk->unpacked.len, len = part->item;

	if (unpacker->ops->decode(
	        unpacker->codec, frame, len, &chunk->unpacked, err))
		return -1;
	part->offset = at;
	part->len = len;
	return 0;
}
