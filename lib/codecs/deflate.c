/*
 * deflate.c - see deflate.h.
 *
 * libdeflate compresses two to three times as fast as zlib but makes only
 * whole streams, whose last block says so.  So the last block of what it made
 * is found (deflate_walk.h), and where it ends; the bit that says so is cleared
 * and an empty block put behind.
 *
 * The greedy parser of level 4 makes some data smaller than the lazy parser of
 * levels 5 and 6 does, in less time; arrays of numbers are such data.  So the
 * first bytes of a frame are compressed both ways, and the smaller result wins.
 * A parser that won twice in a row takes the next few frames untried: a trial
 * takes a tenth of the time.
 *
 * What is compressed already, such as photographs, would take long to become
 * smaller by half a percent, and to be inflated again: it goes into stored
 * blocks, as zlib does, too.  It is tried when the frame before did not become
 * much smaller either.
 */
#include <libdeflate.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/codecs/deflate.h"
#include "lib/codecs/deflate_walk.h"

enum {
	PIECE = 64 << 20, /* that is compressed at once */
	FLUSH_LEN = 5,    /* of an empty stored block, at most */
	GREEDY_LEVEL = 4,
	LAZY_LEVEL = 6,       /* the last; above, more is tried */
	TRIED_LEN = 32 << 10, /* compressed both ways */
	TRIED_PARTS = 8,
	TRUSTED = 7,      /* frames that are not tried */
	SAVES_LEAST = 50, /* a fiftieth, or it is stored */
	FASTEST_LEVEL = 1,
};

const unsigned char deflate_final[DEFLATE_FINAL_LEN] = { 0x03, 0x00 };

struct state {
	int level;
	struct libdeflate_compressor *compressor; /* made when first used */
	struct libdeflate_compressor *greedy;     /* the same; of levels 5, 6 */
	/* The winner of the last frame tried; NULL: none was. */
	struct libdeflate_compressor *chosen;
	unsigned trusted; /* frames that it is taken for untried */
	/* The last frame did not become smaller: made when that happens. */
	bool in_vain;
	struct libdeflate_compressor *fast, *store;
	struct libdeflate_decompressor *decompressor;
	struct deflate_walk *walk; /* the same */
	struct buf frame;          /* with the final block */
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
 * Clears the bit by which the last block of a stream, which holds `raw`, is
 * the last, and sets how many bits behind its end are not used.
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

/* What the first bytes become.  There is room. */
static size_t try(struct libdeflate_compressor *by, struct span in,
    unsigned char *to, size_t room)
{
	return libdeflate_deflate_compress(by, in.data, TRIED_LEN, to, room);
}

/* The parser that makes less of the first bytes.  There is room. */
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

/* The same, or the parser that won the last times.  There is room. */
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
 * Is it as hard to compress as the frame before?  What is tried is from all
 * over it.  There is room.
 */
static bool is_hopeless(
    struct state *state, struct span in, const struct buf *out)
{
	const size_t part = TRIED_LEN / TRIED_PARTS;
	const struct span tried = { .data = out->data + out->len,
		.len = TRIED_LEN };
	unsigned char *to = out->data + out->len;

	if (!state->in_vain || state->level > LAZY_LEVEL ||
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

/* By the library, whose last block is then one like the others. */
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
	state->in_vain = saves_little(in.len, len);
	return 0;
}

/* One piece: there is room. */
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

uint32_t deflate_adler32(uint32_t sum, struct span bytes)
{
	/* The library starts anew when it is given nothing. */
	return bytes.len ? libdeflate_adler32(sum, bytes.data, bytes.len) : sum;
}

uint32_t deflate_crc32(uint32_t sum, struct span bytes)
{
	return bytes.len ? libdeflate_crc32(sum, bytes.data, bytes.len) : sum;
}
