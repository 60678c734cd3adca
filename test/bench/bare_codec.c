/*
 * bare_codec.c - see bare_codec.h.
 *
 * The frames of gzip and zlib are pieces of one deflate stream, which zlib can
 * make, by a flush, and libdeflate cannot: zlib is the limit of making them.
 * libdeflate reads them, and is the limit of that; what it would need to make
 * streams of their own, which shards cannot hold, is told beside.
 */
#include <libdeflate.h>
#define LZ4F_STATIC_LINKING_ONLY /* for LZ4F_compressFrame_usingCDict */
#include <lz4frame.h>
#include <stdlib.h>
#include <string.h>
#define ZLIB_CONST
#include <zlib.h>
#define ZSTD_STATIC_LINKING_ONLY /* for ZSTD_d_forceIgnoreChecksum */
#include <zstd.h>

#include "lib/base/array.h"
#include "lib/codecs/deflate/deflate.h"
#include "test/bench/bare_codec.h"
#include "test/bench/bench.h"

/* ---- deflate ---- */

enum { RAW_WINDOW = -15, MEMORY_LEVEL = 8 };

struct deflate {
	struct libdeflate_compressor *compressor;
	struct libdeflate_decompressor *decompressor;
	z_stream stream;
};

static void *deflate_state_new(int level)
{
	struct deflate *state = bench_alloc(sizeof(*state));

	memset(state, 0, sizeof(*state));
	state->compressor = libdeflate_alloc_compressor(level);
	state->decompressor = libdeflate_alloc_decompressor();
	if (!state->compressor || !state->decompressor ||
	    deflateInit2(&state->stream, level, Z_DEFLATED, RAW_WINDOW,
	        MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	return state;
}

static void deflate_state_free(void *arg)
{
	struct deflate *state = arg;

	libdeflate_free_compressor(state->compressor);
	libdeflate_free_decompressor(state->decompressor);
	deflateEnd(&state->stream);
	free(state);
}

static size_t zlib_encode(void *arg, struct span in, struct buf *out)
{
	z_stream *stream = &((struct deflate *)arg)->stream;

	deflateReset(stream);
	stream->next_in = in.data;
	stream->avail_in = (uInt)in.len;
	stream->next_out = out->data;
	stream->avail_out = (uInt)out->cap;
	if (deflate(stream, Z_FULL_FLUSH) != Z_OK || stream->avail_in)
		return 0;
	return out->cap - stream->avail_out;
}

static size_t libdeflate_encode(void *arg, struct span in, struct buf *out)
{
	const struct deflate *state = arg;

	return libdeflate_deflate_compress(
	    state->compressor, in.data, in.len, out->data, out->cap);
}

static size_t libdeflate_decode(void *arg, struct span frame, struct buf *out)
{
	const struct deflate *state = arg;
	size_t len = 0;

	if (libdeflate_deflate_decompress(state->decompressor, frame.data,
	        frame.len, out->data, out->cap, &len))
		return 0;
	return len;
}

/* ---- zstd ---- */

struct zstd {
	ZSTD_CCtx *compressor;
	ZSTD_DCtx *decompressor;
};

static void *zstd_state_new(int level)
{
	struct zstd *state = bench_alloc(sizeof(*state));

	state->compressor = ZSTD_createCCtx();
	state->decompressor = ZSTD_createDCtx();
	if (!state->compressor || !state->decompressor)
		abort();
	ZSTD_CCtx_setParameter(
	    state->compressor, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(state->compressor, ZSTD_c_checksumFlag, 1);
	ZSTD_DCtx_setParameter(state->decompressor, ZSTD_d_forceIgnoreChecksum,
	    ZSTD_d_ignoreChecksum);
	return state;
}

static void zstd_state_free(void *arg)
{
	struct zstd *state = arg;

	ZSTD_freeCCtx(state->compressor);
	ZSTD_freeDCtx(state->decompressor);
	free(state);
}

static size_t zstd_encode(void *arg, struct span in, struct buf *out)
{
	const struct zstd *state = arg;
	const size_t len = ZSTD_compress2(
	    state->compressor, out->data, out->cap, in.data, in.len);

	return ZSTD_isError(len) ? 0 : len;
}

static size_t zstd_decode(void *arg, struct span frame, struct buf *out)
{
	const struct zstd *state = arg;
	const size_t len = ZSTD_decompressDCtx(
	    state->decompressor, out->data, out->cap, frame.data, frame.len);

	return ZSTD_isError(len) ? 0 : len;
}

/* ---- lz4 ---- */

struct lz4 {
	LZ4F_cctx *compressor;
	LZ4F_dctx *decompressor;
	int level;
};

static void *lz4_state_new(int level)
{
	struct lz4 *state = bench_alloc(sizeof(*state));

	state->level = level;
	if (LZ4F_isError(LZ4F_createCompressionContext(
	        &state->compressor, LZ4F_VERSION)) ||
	    LZ4F_isError(LZ4F_createDecompressionContext(
	        &state->decompressor, LZ4F_VERSION)))
		abort();
	return state;
}

static void lz4_state_free(void *arg)
{
	struct lz4 *state = arg;

	LZ4F_freeCompressionContext(state->compressor);
	LZ4F_freeDecompressionContext(state->decompressor);
	free(state);
}

static size_t lz4_encode(void *arg, struct span in, struct buf *out)
{
	const struct lz4 *state = arg;
	const LZ4F_preferences_t wish = {
		.frameInfo = {
			.blockSizeID = LZ4F_max1MB,
			.blockMode = LZ4F_blockIndependent,
			.contentSize = in.len,
		},
		.compressionLevel = state->level,
		.autoFlush = 1,
	};
	const size_t len = LZ4F_compressFrame_usingCDict(state->compressor,
	    out->data, out->cap, in.data, in.len, NULL, &wish);

	return LZ4F_isError(len) ? 0 : len;
}

static size_t lz4_decode(void *arg, struct span frame, struct buf *out)
{
	static const LZ4F_decompressOptions_t stable = { .stableDst = 1 };
	const struct lz4 *state = arg;
	size_t len = out->cap, used = frame.len;

	return LZ4F_decompress(state->decompressor, out->data, &len, frame.data,
	           &used, &stable)
	           ? 0
	           : len;
}

/* ---- the table ---- */

#define DEFLATE_END                                             \
	{                                                       \
		.data = deflate_final, .len = DEFLATE_FINAL_LEN \
	}

static const struct bare_codec codecs[] = {
	{
	    .codec = "gzip",
	    .state_new = deflate_state_new,
	    .state_free = deflate_state_free,
	    .encode = zlib_encode,
	    .decode = libdeflate_decode,
	    .end = DEFLATE_END,
	},
	{
	    .codec = "gzip",
	    .library = "libdeflate",
	    .state_new = deflate_state_new,
	    .state_free = deflate_state_free,
	    .encode = libdeflate_encode,
	},
	{
	    .codec = "zlib",
	    .state_new = deflate_state_new,
	    .state_free = deflate_state_free,
	    .encode = zlib_encode,
	    .decode = libdeflate_decode,
	    .end = DEFLATE_END,
	},
	{
	    .codec = "zstd",
	    .state_new = zstd_state_new,
	    .state_free = zstd_state_free,
	    .encode = zstd_encode,
	    .decode = zstd_decode,
	},
	{
	    .codec = "lz4",
	    .state_new = lz4_state_new,
	    .state_free = lz4_state_free,
	    .encode = lz4_encode,
	    .decode = lz4_decode,
	},
};

const struct bare_codec *bare_codec_at(size_t i)
{
	return i < ARRAY_LEN(codecs) ? &codecs[i] : NULL;
}
