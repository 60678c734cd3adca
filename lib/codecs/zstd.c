/*
 * zstd.c - RFC 8878 by libzstd: one frame for each block, with its size and
 * checksum. Frames in a row are one .zst file.
 *
 * The checksum is for other readers. presto does not verify it: shards have a
 * faster checksum of each block, and this one would take a seventh of the time.
 */
#include <stdlib.h>
#define ZSTD_STATIC_LINKING_ONLY /* for ZSTD_d_forceIgnoreChecksum */
#include <zstd.h>

#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/data_kind.h"
#include "lib/codecs/packed.h"

struct zstd {
	int level;
	ZSTD_CCtx *compressor; /* made at first use */
	ZSTD_DCtx *decompressor;
};

static void state_free(void *state)
{
	struct zstd *zstd = state;

	if (!zstd)
		return;
	ZSTD_freeCCtx(zstd->compressor);
	ZSTD_freeDCtx(zstd->decompressor);
	free(zstd);
}

static void *state_new(int level, struct error *err)
{
	struct zstd *zstd = calloc(1, sizeof(*zstd));

	if (zstd) {
		zstd->level = level;
		zstd->decompressor = ZSTD_createDCtx();
	}
	if (!zstd || !zstd->decompressor) {
		error_memory(err, sizeof(*zstd));
		state_free(zstd);
		return NULL;
	}
	/* Older libraries do not know this option, and are only slower. */
	ZSTD_DCtx_setParameter(zstd->decompressor, ZSTD_d_forceIgnoreChecksum,
	    ZSTD_d_ignoreChecksum);
	return zstd;
}

static int make_compressor(struct zstd *zstd, struct error *err)
{
	zstd->compressor = ZSTD_createCCtx();
	if (!zstd->compressor ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(
	        zstd->compressor, ZSTD_c_compressionLevel, zstd->level)) ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(
	        zstd->compressor, ZSTD_c_checksumFlag, 1)))
		return error_set(err, ERROR_MEMORY,
		    "out of memory for zstd at level %d", zstd->level);
	return 0;
}

static int encode(
    void *state, struct span in, struct buf *out, struct error *err)
{
	struct zstd *zstd = state;
	size_t len;

	if (!zstd->compressor && make_compressor(zstd, err))
		return -1;
	if (buf_reserve(out, out->len + ZSTD_compressBound(in.len), err))
		return -1;
	len = ZSTD_compress2(zstd->compressor, out->data + out->len,
	    out->cap - out->len, in.data, in.len);
	if (ZSTD_isError(len))
		return error_set(err, ERROR_SYSTEM, "zstd did not compress: %s",
		    ZSTD_getErrorName(len));
	out->len += len;
	return 0;
}

static int decode(void *state, struct span frame, size_t len, struct buf *out,
    struct error *err)
{
	struct zstd *zstd = state;
	size_t got;

	if (buf_reserve(out, out->len + len + 1, err))
		return -1;
	/* Exactly one frame: an empty input would give no error. */
	if (ZSTD_findFrameCompressedSize(frame.data, frame.len) != frame.len)
		return error_set(err, ERROR_DATA,
		    "damaged zstd data: %zu bytes are not a frame", frame.len);
	got = ZSTD_decompressDCtx(zstd->decompressor, out->data + out->len, len,
	    frame.data, frame.len);
	if (ZSTD_isError(got))
		return error_set(err, ERROR_DATA, "damaged zstd data: %s",
		    ZSTD_getErrorName(got));
	if (got != len)
		return error_set(err, ERROR_DATA,
		    "zstd data holds %zu bytes instead of %zu", got, len);
	out->len += len;
	return 0;
}

int zstd_unpack(void *state, struct span in, void *out, size_t len)
{
	const struct zstd *zstd = state;

	return ZSTD_decompressDCtx(
	           zstd->decompressor, out, len, in.data, in.len) == len
	           ? 0
	           : -1;
}

const struct codec_ops codec_zstd = {
	.name = "zstd",
	.summary = "good compression at a good speed",
	.suits =
	    "everything; pixels after delta, continuous floats after shuffle",
	.suffix = ".zst",
	.unpack = "zstd -qdc",
	.level_min = 1,
	.level_max = 19,
	.level_default = 3,
	.trials = { { 1, DATA_LOOSE }, { 3, DATA_TEXT | DATA_INTEGERS } },
	.state_new = state_new,
	.state_free = state_free,
	.bound = ZSTD_compressBound,
	.encode = encode,
	.decode = decode,
};
