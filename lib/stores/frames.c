/* frames.c - see frames.h. */
#include "lib/stores/frames.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/media/medium.h"
#include "lib/stores/layout.h"
#include "lib/stores/store.h"
#include "lib/stores/stored.h"

struct frames {
	const struct reader *reader;
	struct shard_stream *stream;
	size_t next; /* number of the next block */
};

static const struct codec *codec_of(const struct frames *frames)
{
	return &store_form(frames->reader)->codec;
}

bool frames_are_shared(const struct store_form *a, const struct store_form *b)
{
	return a->ops == b->ops && a->ops->layout == &layout_file &&
	       !a->ops->front && !a->ops->pack &&
	       codec_shares_frames(&a->codec, &b->codec);
}

void frame_sums_begin(struct frame_sums *sums)
{
	const struct codec_ops *codec;

	*sums = (struct frame_sums){ .of = { 0 } };
	for (size_t i = 0; i < FRAME_SUMS && (codec = codec_at(i)); i++)
		sums->of[i] = codec->sum_start;
}

void frame_sums_add(
    struct frame_sums *sums, const struct codec_ops *codec, struct span bytes)
{
	const struct codec_ops *other;

	for (size_t i = 0; i < FRAME_SUMS && (other = codec_at(i)); i++)
		if (other->sum && other->encode == codec->encode)
			sums->of[i] = other->sum(sums->of[i], bytes);
}

uint32_t frame_sums_get(
    const struct frame_sums *sums, const struct codec_ops *codec)
{
	const struct codec_ops *other;

	for (size_t i = 0; i < FRAME_SUMS && (other = codec_at(i)); i++)
		if (other == codec)
			return sums->of[i];
	return codec->sum_start;
}

struct frames *frames_open(
    const struct reader *stored, unsigned shard, struct error *err)
{
	struct frames *frames = memory_zeroed(sizeof(*frames), err);

	if (!frames)
		return NULL;
	frames->reader = stored;
	frames->stream = stored->ops->stream_open(stored, shard, err);
	if (!frames->stream) {
		free(frames);
		return NULL;
	}
	return frames;
}

void frames_close(struct frames *frames)
{
	if (!frames)
		return;
	frames->reader->ops->stream_close(frames->stream);
	free(frames);
}

static int differs(
    const struct frames *frames, const char *how, struct error *err)
{
	return error_set(err, ERROR_DATA, "%s: %s", frames->stream->path, how);
}

int frames_take(struct frames *frames, struct buf *out,
    struct index_block *block, struct error *err)
{
	const struct shard_index *index = &frames->stream->index;
	unsigned char *to;

	if (frames->next == index->count)
		return 0;
	*block = index->blocks[frames->next];
	if (buf_reserve(out, out->len + block->stored, err))
		return -1;
	to = out->data + out->len;
	if (medium_read_full(
	        frames->stream->file, block->offset, to, block->stored, err))
		return -1;
	if (hash_bytes(to, block->stored, 0) != block->checksum)
		return differs(frames, "the checksum of a frame differs", err);
	out->len += block->stored;
	frames->next++;
	return 1;
}

/* Checks the bytes behind the last frame. */
static int check_tail(
    const struct frames *frames, struct span tail, struct error *err)
{
	const struct shard_index *index = &frames->stream->index;
	struct buf is = BUF_INIT;
	int rc = -1;

	if (tail.len > index->stored)
		return differs(frames, "has no end", err);
	if (buf_reserve(&is, tail.len + 1, err) ||
	    medium_read_full(frames->stream->file, index->stored - tail.len,
	        is.data, tail.len, err))
		goto done;
	is.len = tail.len;
	rc = span_equal(buf_span(&is), tail)
	         ? 0
	         : differs(frames, "its frames are not of these bytes", err);
done:
	buf_release(&is);
	return rc;
}

int frames_end(
    struct frames *frames, const struct frame_sums *sums, struct error *err)
{
	const struct shard_index *index = &frames->stream->index;
	const struct codec_ops *codec = codec_of(frames)->ops;
	struct buf tail = BUF_INIT;
	int rc;

	if (!codec->tail)
		return 0;
	rc = codec->tail(
	    frame_sums_get(sums, codec), index->unpacked, &tail, err);
	if (rc == 0)
		rc = check_tail(frames, buf_span(&tail), err);
	buf_release(&tail);
	return rc;
}

/* ---- two datasets ---- */

/* Takes a frame of each until one ends or they differ. */
static int compare_frames(struct frames *const both[2], struct buf bytes[2],
    bool *equal, struct error *err)
{
	struct index_block blocks[2];
	int got[2] = { 1, 1 };

	*equal = true;
	while (*equal && got[0] > 0) {
		for (unsigned i = 0; i < 2; i++) {
			bytes[i].len = 0;
			got[i] =
			    frames_take(both[i], &bytes[i], &blocks[i], err);
			if (got[i] < 0)
				return -1;
		}
		*equal = got[0] == got[1] &&
		         (got[0] == 0 ||
		             (blocks[0].samples == blocks[1].samples &&
		                 blocks[0].unpacked == blocks[1].unpacked &&
		                 span_equal(buf_span(&bytes[0]),
		                     buf_span(&bytes[1]))));
	}
	return 0;
}

static int compare_shard(const struct reader *const readers[2], unsigned shard,
    struct buf bytes[2], bool *equal, struct error *err)
{
	struct frames *both[2] = { NULL, NULL };
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < 2; i++) {
		both[i] = frames_open(readers[i], shard, err);
		rc = both[i] ? 0 : -1;
	}
	if (rc == 0)
		rc = compare_frames(both, bytes, equal, err);
	for (unsigned i = 0; i < 2; i++)
		frames_close(both[i]);
	return rc;
}

int frames_compare(const struct reader *a, const struct reader *b, bool *equal,
    struct error *err)
{
	const struct reader *readers[] = { a, b };
	struct buf bytes[2] = { BUF_INIT, BUF_INIT };
	int rc = 0;

	*equal = a->streams == b->streams;
	for (unsigned i = 0; rc == 0 && *equal && i < a->streams; i++)
		rc = compare_shard(readers, i, bytes, equal, err);
	buf_release(&bytes[0]);
	buf_release(&bytes[1]);
	return rc;
}
