/*
 * lz4.c - the LZ4 frame format by liblz4: one frame for each block, with its
 * size. Frames in a row are one .lz4 file.
 *
 * The frames have no checksum of their content. Shards have a checksum of each
 * block, and computing LZ4's own (XXH32) would take as long as decompressing.
 */
#include <limits.h>
#include <lz4.h>
#include <lz4frame.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/data_kind.h"
#include "lib/codecs/packed.h"

/*
 * The library decompresses straight into the output only if a whole LZ4 block
 * fits there, so decode reserves one block more than it needs.
 */
enum { LZ4_BLOCK = 1 << 20 };

struct lz4 {
	int level;
	LZ4F_cctx *compressor; /* made at first use */
	LZ4F_dctx *decompressor;
};

static void state_free(void *state)
{
	struct lz4 *lz4 = state;

	if (!lz4)
		return;
	LZ4F_freeCompressionContext(lz4->compressor);
	LZ4F_freeDecompressionContext(lz4->decompressor);
	free(lz4);
}

static void *state_new(int level, struct error *err)
{
	struct lz4 *lz4 = calloc(1, sizeof(*lz4));

	if (!lz4 || LZ4F_isError(LZ4F_createDecompressionContext(
	                &lz4->decompressor, LZ4F_VERSION))) {
		error_memory(err, sizeof(*lz4));
		free(lz4);
		return NULL;
	}
	lz4->level = level;
	return lz4;
}

static LZ4F_preferences_t preferences(int level, size_t len)
{
	return (LZ4F_preferences_t){
		.frameInfo = {
			.blockSizeID = LZ4F_max1MB,
			.blockMode = LZ4F_blockIndependent,
			.contentSize = len,
		},
		.compressionLevel = level,
		.autoFlush = 1,
	};
}

static size_t bound(size_t len)
{
	const LZ4F_preferences_t wish = preferences(1, len);

	return LZ4F_HEADER_SIZE_MAX + LZ4F_compressBound(len, &wish);
}

/* Advances out->len by `len`, or reports the error that `len` stands for. */
static int advance(struct buf *out, size_t len, struct error *err)
{
	if (LZ4F_isError(len))
		return error_set(err, ERROR_SYSTEM, "lz4 did not compress: %s",
		    LZ4F_getErrorName(len));
	out->len += len;
	return 0;
}

static int encode(
    void *state, struct span in, struct buf *out, struct error *err)
{
	static const LZ4F_compressOptions_t stable = { .stableSrc = 1 };
	struct lz4 *lz4 = state;
	const LZ4F_preferences_t wish = preferences(lz4->level, in.len);

	if (!lz4->compressor && LZ4F_isError(LZ4F_createCompressionContext(
	                            &lz4->compressor, LZ4F_VERSION)))
		return error_set(err, ERROR_MEMORY, "out of memory for lz4");
	if (buf_reserve(out, out->len + bound(in.len), err))
		return -1;
	if (advance(out,
	        LZ4F_compressBegin(lz4->compressor, out->data + out->len,
	            out->cap - out->len, &wish),
	        err))
		return -1;
	if (in.len &&
	    advance(out,
	        LZ4F_compressUpdate(lz4->compressor, out->data + out->len,
	            out->cap - out->len, in.data, in.len, &stable),
	        err))
		return -1;
	return advance(out,
	    LZ4F_compressEnd(lz4->compressor, out->data + out->len,
	        out->cap - out->len, &stable),
	    err);
}

static int decode(void *state, struct span frame, size_t len, struct buf *out,
    struct error *err)
{
	static const LZ4F_decompressOptions_t stable = { .stableDst = 1 };
	struct lz4 *lz4 = state;
	size_t got = len + LZ4_BLOCK, used = frame.len, more;

	if (buf_reserve(out, out->len + len + LZ4_BLOCK, err))
		return -1;
	more = LZ4F_decompress(lz4->decompressor, out->data + out->len, &got,
	    frame.data, &used, &stable);
	if (more == 0 && used == frame.len && got == len) {
		out->len += len;
		return 0;
	}
	LZ4F_resetDecompressionContext(lz4->decompressor);
	if (LZ4F_isError(more))
		return error_set(err, ERROR_DATA, "damaged lz4 data: %s",
		    LZ4F_getErrorName(more));
	return error_set(err, ERROR_DATA,
	    "damaged lz4 data (%zu bytes for %zu)", frame.len, len);
}

int lz4_unpack_block(struct span in, void *out, size_t len)
{
	if (in.len > INT_MAX || len > INT_MAX)
		return -1;
	return LZ4_decompress_safe((const char *)in.data, out, (int)in.len,
	           (int)len) == (int)len
	           ? 0
	           : -1;
}

int lz4_unpack_frame(void *state, struct span in, void *out, size_t len)
{
	const struct lz4 *lz4 = state;
	unsigned char *to = out;
	size_t done = 0, more = 1;

	while (more && in.len) {
		size_t got = len - done, used = in.len;

		more = LZ4F_decompress(
		    lz4->decompressor, to + done, &got, in.data, &used, NULL);
		if (LZ4F_isError(more) || (got == 0 && used == 0))
			break;
		done += got;
		in.data += used;
		in.len -= used;
	}
	if (more == 0 && in.len == 0 && done == len)
		return 0;
	LZ4F_resetDecompressionContext(lz4->decompressor);
	return -1;
}

const struct codec_ops codec_lz4 = {
	.name = "lz4",
	.summary = "little compression at the speed of memory",
	.suits = "text and integers",
	.suffix = ".lz4",
	.unpack = "lz4 -dc",
	.level_min = 1,
	.level_max = 12,
	.level_default = 1,
	.trials = { { 1, DATA_TEXT | DATA_INTEGERS } },
	.state_new = state_new,
	.state_free = state_free,
	.bound = bound,
	.encode = encode,
	.decode = decode,
};
