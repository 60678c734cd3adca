/*
 * deflate.c - see deflate.h.
 *
 * libdeflate compresses two to three times as fast as zlib, but it only makes
 * whole streams, whose last block is marked as final. So this code finds the
 * last block and its end (deflate_walk.h), clears the final bit and appends an
 * empty block.
 *
 * Level 4 of libdeflate has a greedy parser, levels 5 and 6 a lazy one. The
 * greedy parser is faster, and compresses some data better, such as arrays of
 * numbers. So the first bytes of a frame are compressed by both, and the
 * smaller result decides. A parser that won twice in a row takes the next few
 * frames without a test: a test takes a tenth of the time.
 *
 * Data that is already compressed, such as photographs, would gain half a
 * percent, and take long to compress and to inflate. Like zlib, this code puts
 * it into stored blocks. A frame is tested for that when the frame before it
 * did not become much smaller either.
 */
#include <libdeflate.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/deflate/deflate.h"
#include "lib/codecs/deflate/deflate_walk.h"

enum {
	PIECE = 64 << 20, /* bytes compressed by one call */
	FLUSH_LEN = 5,    /* largest size of an empty stored block */
	GREEDY_LEVEL = 4,
	LAZY_LEVEL = 6,       /* last level with the lazy parser */
	TRIED_LEN = 32 << 10, /* bytes that both parsers compress */
	TRIED_PARTS = 8,
	TRUSTED = 7,      /* frames without a test */
	SAVES_LEAST = 50, /* a frame is stored unless it loses 1/50 */
	FASTEST_LEVEL = 1,
};

const unsigned char deflate_final[DEFLATE_FINAL_LEN] = { 0x03, 0x00 };

struct state {
	int level;
	struct libdeflate_compressor *compressor; /* made at first use */
	struct libdeflate_compressor *greedy;     /* levels 5 and 6 only */
	/* The parser that won the last test; NULL: no test so far. */
	struct libdeflate_compressor *chosen;
	unsigned trusted; /* frames that it may still take untested */
	/*
	 * The last frame did not become smaller. The compressors below are made
	 * when that happens first.
	 */
	bool is_incompressible;
	struct libdeflate_compressor *fast, *store;
	struct libdeflate_decompressor *decompressor;
	struct deflate_walk *walk; /* made at first use */
	struct buf frame;          /* a frame with its final block */
};

void deflate_free(void *arg)
{
	struct state *state = arg;

	if (!state)
		return;
	free(state->walk);
	libdeflate_free_compressor(state->compressor);
	libdeflate_free_compressor(state->greedy);
	libdeflate_free_compressor(state->fast);
	libdeflate_free_compressor(state->store);
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

size_t deflate_bound(size_t len)
{
	return libdeflate_deflate_compress_bound(NULL, len) +
	       (len / PIECE + 1) * FLUSH_LEN;
}

static bool is_lazy(int level)
{
	return level > GREEDY_LEVEL && level <= LAZY_LEVEL;
}

static int make_tools(struct state *state, struct error *err)
{
	const bool tries = is_lazy(state->level);

	if (!state->compressor)
		state->compressor = libdeflate_alloc_compressor(state->level);
	if (!state->walk)
		state->walk = malloc(sizeof(*state->walk));
	if (tries && !state->greedy)
		state->greedy = libdeflate_alloc_compressor(GREEDY_LEVEL);
	if (!state->compressor || !state->walk || (tries && !state->greedy))
		return error_set(err, ERROR_MEMORY,
		    "out of memory for deflate at level %d", state->level);
	return 0;
}

/*
 * Clears the final bit of the last block of a stream that holds `raw`. Sets
 * *unused to the number of unused bits in the last byte.
 */
static int reopen(const struct state *state, unsigned char *stream, size_t len,
    struct span raw, unsigned *unused)
{
	const struct span bytes = { .data = stream, .len = len };
	struct walked walked;

	if (deflate_find_last(state->walk, bytes, raw, &walked) ||
	    (walked.end + 7) / 8 != len)
		return -1;
	stream[walked.last / 8] &= (unsigned char)~(1u << walked.last % 8);
	*unused = (unsigned)(8 * (uint64_t)len - walked.end);
	return 0;
}

/* Compresses the first bytes of a frame; returns the size. `to` has room. */
static size_t try(struct libdeflate_compressor *by, struct span in,
    unsigned char *to, size_t room)
{
	return libdeflate_deflate_compress(by, in.data, TRIED_LEN, to, room);
}

/* Returns the parser that compresses the first bytes better. `out` has room. */
static struct libdeflate_compressor *choose_parser(
    const struct state *state, struct span in, const struct buf *out)
{
	unsigned char *to = out->data + out->len;
	const size_t room = out->cap - out->len;

	return try(state->greedy, in, to, room) <=
	               try(state->compressor, in, to, room)
	           ? state->greedy
	           : state->compressor;
}

/* Returns the parser for this frame, with or without a test. `out` has room. */
static struct libdeflate_compressor *take_parser(
    struct state *state, struct span in, const struct buf *out)
{
	struct libdeflate_compressor *by;

	if (!state->greedy || in.len < TRIED_LEN)
		return state->compressor;
	if (state->trusted > 0) {
		state->trusted--;
		return state->chosen;
	}
	by = choose_parser(state, in, out);
	if (by == state->chosen)
		state->trusted = TRUSTED;
	state->chosen = by;
	return by;
}

static bool saves_little(size_t len, size_t packed)
{
	return packed > len - len / SAVES_LEAST;
}

/*
 * Is this frame as hard to compress as the one before? Compresses parts from
 * all over it to find out. `out` has room.
 */
static bool is_hopeless(
    struct state *state, struct span in, const struct buf *out)
{
	const size_t part = TRIED_LEN / TRIED_PARTS;
	const struct span tried = { .data = out->data + out->len,
		.len = TRIED_LEN };
	unsigned char *to = out->data + out->len;

	if (!state->is_incompressible || state->level > LAZY_LEVEL ||
	    in.len < 4 * TRIED_LEN)
		return false;
	if (!state->fast)
		state->fast = libdeflate_alloc_compressor(FASTEST_LEVEL);
	if (!state->store)
		state->store = libdeflate_alloc_compressor(0);
	if (!state->fast || !state->store)
		return false;
	for (size_t i = 0; i < TRIED_PARTS; i++)
		memcpy(to + i * part,
		    in.data + i * (in.len - part) / (TRIED_PARTS - 1), part);
	return saves_little(TRIED_LEN, try(state->fast, tried, to + TRIED_LEN,
	                                   out->cap - out->len - TRIED_LEN));
}

/* Compresses with the library, then makes its last block an ordinary one. */
static int encode_by(struct libdeflate_compressor *by, struct state *state,
    struct span in, struct buf *out)
{
	static const unsigned char empty[FLUSH_LEN] = { 0, 0, 0, 0xff, 0xff };
	unsigned char *stream = out->data + out->len;
	const size_t len = libdeflate_deflate_compress(
	    by, in.data, in.len, stream, out->cap - out->len);
	unsigned unused = 0, skip;

	if (len == 0 || reopen(state, stream, len, in, &unused))
		return -1;
	/* The three bits that begin a stored block may fit in the last byte. */
	skip = unused >= 3 ? 1 : 0;
	memcpy(stream + len, empty + skip, FLUSH_LEN - skip);
	out->len += len + FLUSH_LEN - skip;
	state->is_incompressible = saves_little(in.len, len);
	return 0;
}

/* Compresses one piece. `out` has room. */
static int encode_piece(
    struct state *state, struct span in, struct buf *out, struct error *err)
{
	struct libdeflate_compressor *by = is_hopeless(state, in, out)
	                                       ? state->store
	                                       : take_parser(state, in, out);

	if (encode_by(by, state, in, out))
		return error_set(err, ERROR_SYSTEM, "deflate did not compress");
	return 0;
}

int deflate_encode(
    void *arg, struct span in, struct buf *out, struct error *err)
{
	struct state *state = arg;
	struct span piece = { .data = in.data };

	if (make_tools(state, err) ||
	    buf_reserve(out, out->len + deflate_bound(in.len), err))
		return -1;
	for (;;) {
		piece.len = in.len < PIECE ? in.len : PIECE;
		if (encode_piece(state, piece, out, err))
			return -1;
		if (piece.len == in.len)
			return 0;
		in.len -= piece.len;
		piece.data += piece.len;
	}
}

int deflate_decode(void *arg, struct span frame, size_t len, struct buf *out,
    struct error *err)
{
	struct state *state = arg;
	struct buf *in = &state->frame;
	size_t used = 0, got = 0;

	in->len = 0;
	/* One byte more: even an empty result needs a valid address. */
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

int deflate_unzlib(void *arg, struct span stream, void *out, size_t len)
{
	struct state *state = arg;
	size_t used = 0, got = 0;

	if (libdeflate_zlib_decompress_ex(state->decompressor, stream.data,
	        stream.len, out, len, &used, &got) ||
	    used != stream.len || got != len)
		return -1;
	return 0;
}

int deflate_ungzip(void *arg, struct span stream, void *out, size_t len)
{
	struct state *state = arg;
	size_t used = 0, got = 0;

	if (libdeflate_gzip_decompress_ex(state->decompressor, stream.data,
	        stream.len, out, len, &used, &got) ||
	    used != stream.len || got != len)
		return -1;
	return 0;
}

uint32_t deflate_adler32(uint32_t sum, struct span bytes)
{
	/* libdeflate starts a new checksum when it gets no bytes. */
	return bytes.len ? libdeflate_adler32(sum, bytes.data, bytes.len) : sum;
}

uint32_t deflate_crc32(uint32_t sum, struct span bytes)
{
	return bytes.len ? libdeflate_crc32(sum, bytes.data, bytes.len) : sum;
}

/* 0x78: deflate, window of 32 KiB. Next: how hard the encoder tried. */
int deflate_zlib_head(int level, struct buf *out, struct error *err)
{
	const unsigned effort = level < 2    ? 0
	                        : level < 6  ? 1
	                        : level == 6 ? 2
	                                     : 3;
	unsigned char header[2] = { 0x78, (unsigned char)(effort << 6) };

	header[1] = (unsigned char)(header[1] + 31 - (0x7800 + header[1]) % 31);
	return buf_append(out, header, sizeof(header), err);
}

int deflate_zlib_tail(
    uint32_t sum, uint64_t len, struct buf *out, struct error *err)
{
	unsigned char big_endian[4];

	UNUSED(len);
	for (unsigned i = 0; i < 4; i++)
		big_endian[i] = (unsigned char)(sum >> (24 - 8 * i));
	if (buf_append(out, deflate_final, DEFLATE_FINAL_LEN, err))
		return -1;
	return buf_append(out, big_endian, sizeof(big_endian), err);
}
