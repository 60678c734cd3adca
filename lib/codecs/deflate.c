/* deflate.c - see deflate.h. */
#include <libdeflate.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#define ZLIB_CONST
#include <zlib.h>

#include "lib/base/error.h"
#include "lib/codecs/deflate.h"

enum { RAW_WINDOW = -15, MEMORY_LEVEL = 8, FLUSH_MAX = 16 };

const unsigned char deflate_final[DEFLATE_FINAL_LEN] = { 0x03, 0x00 };

struct state {
	int level;
	bool can_encode; /* `stream` was made, when first used */
	z_stream stream;
	struct libdeflate_decompressor *decompressor;
	struct buf frame; /* with the final block */
};

void deflate_free(void *arg)
{
	struct state *state = arg;

	if (!state)
		return;
	if (state->can_encode)
		deflateEnd(&state->stream);
	libdeflate_free_decompressor(state->decompressor);
	buf_release(&state->frame);
	free(state);
}

void *deflate_new(int level, struct error *err)
{
	struct state *state = calloc(1, sizeof(*state));

	if (state) {
		state->level = level;
		state->decompressor = libdeflate_alloc_decompressor();
	}
	if (!state || !state->decompressor) {
		error_memory(err, sizeof(*state));
		free(state);
		return NULL;
	}
	return state;
}

/* zlib's bound for any settings, and the block of the flush. */
size_t deflate_bound(size_t len)
{
	return deflateBound(NULL, len) + FLUSH_MAX;
}

/* A fresh stream: what is compressed next refers to nothing before. */
static int restart(struct state *state, struct error *err)
{
	int rc;

	if (state->can_encode) {
		rc = deflateReset(&state->stream);
	} else {
		rc = deflateInit2(&state->stream, state->level, Z_DEFLATED,
		    RAW_WINDOW, MEMORY_LEVEL, Z_DEFAULT_STRATEGY);
		state->can_encode = rc == Z_OK;
	}
	if (rc != Z_OK)
		return error_set(err, ERROR_MEMORY,
		    "out of memory for deflate at level %d", state->level);
	return 0;
}

static uInt at_most(size_t len)
{
	return len < UINT_MAX ? (uInt)len : UINT_MAX;
}

/* zlib counts in unsigned int: longer input goes in pieces. */
int deflate_encode(
    void *arg, struct span in, struct buf *out, struct error *err)
{
	struct state *state = arg;
	z_stream *stream = &state->stream;
	size_t left = in.len;

	if (restart(state, err) ||
	    buf_reserve(out, out->len + deflate_bound(in.len), err))
		return -1;
	stream->next_in = in.data;
	do {
		const uInt piece = at_most(left);
		int rc;

		stream->avail_in = piece;
		stream->next_out = out->data + out->len;
		stream->avail_out = at_most(out->cap - out->len);
		rc = deflate(stream, piece == left ? Z_FULL_FLUSH : Z_NO_FLUSH);
		if (rc != Z_OK)
			return error_set(
			    err, ERROR_SYSTEM, "zlib did not compress");
		left -= piece - stream->avail_in;
		out->len = (size_t)(stream->next_out - out->data);
	} while (left > 0 || stream->avail_out == 0);
	return 0;
}

int deflate_decode(void *arg, struct span frame, size_t len, struct buf *out,
    struct error *err)
{
	struct state *state = arg;
	struct buf *in = &state->frame;
	size_t used = 0, got = 0;

	in->len = 0;
	/* A byte more in `out`: the library wants a place, also for nothing. */
	if (buf_append(in, frame.data, frame.len, err) ||
	    buf_append(in, deflate_final, DEFLATE_FINAL_LEN, err) ||
	    buf_reserve(out, out->len + len + 1, err))
		return -1;
	if (libdeflate_deflate_decompress_ex(state->decompressor, in->data,
	        in->len, out->data + out->len, len, &used, &got) ||
	    used != in->len || got != len)
		return error_set(err, ERROR_DATA,
		    "damaged deflate data (%zu bytes for %zu)", frame.len, len);
	out->len += len;
	return 0;
}

uint32_t deflate_adler32(uint32_t sum, struct span bytes)
{
	/* The library starts anew when it is given nothing. */
	return bytes.len ? libdeflate_adler32(sum, bytes.data, bytes.len) : sum;
}

uint32_t deflate_crc32(uint32_t sum, struct span bytes)
{
	return bytes.len ? libdeflate_crc32(sum, bytes.data, bytes.len) : sum;
}
