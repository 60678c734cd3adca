/*
 * zlib.c - RFC 1950: one stream over all frames.
 *
 * The head is the stream's header.  A frame is deflate blocks that refer to
 * nothing before them, ended at a byte by an empty stored block (a full
 * flush).  The tail is an empty final block and the Adler-32 of everything.
 * So a frame with a final block behind it is a deflate stream of its own,
 * which libdeflate inflates about twice as fast as zlib.
 */
#include <libdeflate.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>

#include "lib/base/error.h"
#include "lib/codecs/codec.h"

enum { RAW_WINDOW = -15, MEMORY_LEVEL = 8 };

static const unsigned char final_block[2] = { 0x03, 0x00 };

struct zlib {
	int level;
	bool can_deflate; /* `stream` was made, when first used */
	z_stream stream;
	struct libdeflate_decompressor *decompressor;
	struct buf frame; /* with the final block */
};

static void state_free(void *state)
{
	struct zlib *zlib = state;

	if (!zlib)
		return;
	if (zlib->can_deflate)
		deflateEnd(&zlib->stream);
	libdeflate_free_decompressor(zlib->decompressor);
	buf_release(&zlib->frame);
	free(zlib);
}

static void *state_new(int level, struct error *err)
{
	struct zlib *zlib = calloc(1, sizeof(*zlib));

	if (zlib) {
		zlib->level = level;
		zlib->decompressor = libdeflate_alloc_decompressor();
	}
	if (!zlib || !zlib->decompressor) {
		error_memory(err, sizeof(*zlib));
		state_free(zlib);
		return NULL;
	}
	return zlib;
}

/* zlib's bound for any settings, and the block of the flush. */
static size_t bound(size_t len)
{
	return deflateBound(NULL, len) + 16;
}

/* A fresh stream: what is compressed next refers to nothing before. */
static int restart(struct zlib *zlib, struct error *err)
{
	int rc;

	if (zlib->can_deflate) {
		rc = deflateReset(&zlib->stream);
	} else {
		rc = deflateInit2(&zlib->stream, zlib->level, Z_DEFLATED,
		    RAW_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
		zlib->can_deflate = rc == Z_OK;
	}
	if (rc != Z_OK)
		return error_set(err, ERROR_MEMORY,
		    "out of memory for zlib at level %d", zlib->level);
	return 0;
}

/* zlib counts in unsigned int: longer input goes in pieces. */
static int encode(
    void *state, struct span in, struct buf *out, struct error *err)
{
	struct zlib *zlib = state;
	z_stream *stream = &zlib->stream;
	size_t left = in.len;

	if (restart(zlib, err) ||
	    buf_reserve(out, out->len + bound(in.len), err))
		return -1;
	stream->next_in = in.data;
	do {
		const size_t room = out->cap - out->len;
		const uInt piece = left < UINT_MAX ? (uInt)left : UINT_MAX;
		int rc;

		stream->avail_in = piece;
		stream->next_out = out->data + out->len;
		stream->avail_out = room < UINT_MAX ? (uInt)room : UINT_MAX;
		rc = deflate(stream, piece == left ? Z_FULL_FLUSH : Z_NO_FLUSH);
		if (rc != Z_OK)
			return error_set(
			    err, ERROR_SYSTEM, "zlib did not compress");
		left -= piece - stream->avail_in;
		out->len = (size_t)(stream->next_out - out->data);
	} while (left > 0 || stream->avail_out == 0);
	return 0;
}

static int decode(void *state, struct span frame, size_t len, struct buf *out,
    struct error *err)
{
	struct zlib *zlib = state;
	struct buf *in = &zlib->frame;
	size_t used = 0, got = 0;

	in->len = 0;
	if (buf_reserve(in, frame.len + sizeof(final_block), err) ||
	    buf_append(in, frame.data, frame.len, err) ||
	    buf_append(in, final_block, sizeof(final_block), err) ||
	    buf_reserve(out, out->len + len + 1, err))
		return -1;
	if (libdeflate_deflate_decompress_ex(zlib->decompressor, in->data,
	        in->len, out->data + out->len, len, &used, &got) ||
	    used != in->len || got != len)
		return error_set(err, ERROR_DATA,
		    "damaged zlib data (%zu bytes for %zu)", frame.len, len);
	out->len += len;
	return 0;
}

/* 0x78: deflate with a window of 32 KiB; then how hard it was tried. */
static int head(int level, struct buf *out, struct error *err)
{
	const unsigned effort = level < 2    ? 0
	                        : level < 6  ? 1
	                        : level == 6 ? 2
	                                     : 3;
	unsigned char header[2] = { 0x78, (unsigned char)(effort << 6) };

	header[1] = (unsigned char)(header[1] + 31 - (0x7800 + header[1]) % 31);
	return buf_append(out, header, sizeof(header), err);
}

static int tail(uint32_t adler, struct buf *out, struct error *err)
{
	unsigned char trailer[6];

	memcpy(trailer, final_block, sizeof(final_block));
	for (unsigned i = 0; i < 4; i++)
		trailer[2 + i] = (unsigned char)(adler >> (24 - 8 * i));
	return buf_append(out, trailer, sizeof(trailer), err);
}

uint32_t codec_adler(uint32_t adler, struct span bytes)
{
	if (bytes.len == 0) /* the library would start anew */
		return adler;
	return libdeflate_adler32(adler, bytes.data, bytes.len);
}

const struct codec_ops codec_zlib = {
	.name = "zlib",
	.summary = "deflate as one stream, as TensorFlow's ZLIB",
	.suffix = ".zz",
	.level_min = 1,
	.level_max = 9,
	.level_default = 6,
	.state_new = state_new,
	.state_free = state_free,
	.bound = bound,
	.encode = encode,
	.decode = decode,
	.head = head,
	.tail = tail,
	.wants_adler = true,
};
