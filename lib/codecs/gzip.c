/*
 * gzip.c - RFC 1952 by libdeflate.  Each frame is a member of its own, with
 * its CRC-32 and length; members in a row are one gzip file.
 */
#include <libdeflate.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/codecs/codec.h"

struct gzip {
	int level;
	struct libdeflate_compressor *compressor; /* made when first used */
	struct libdeflate_decompressor *decompressor;
};

static void state_free(void *state)
{
	struct gzip *gzip = state;

	if (!gzip)
		return;
	libdeflate_free_compressor(gzip->compressor);
	libdeflate_free_decompressor(gzip->decompressor);
	free(gzip);
}

static void *state_new(int level, struct error *err)
{
	struct gzip *gzip = calloc(1, sizeof(*gzip));

	if (gzip) {
		gzip->level = level;
		gzip->decompressor = libdeflate_alloc_decompressor();
	}
	if (!gzip || !gzip->decompressor) {
		error_memory(err, sizeof(*gzip));
		state_free(gzip);
		return NULL;
	}
	return gzip;
}

static size_t bound(size_t len)
{
	return libdeflate_gzip_compress_bound(NULL, len);
}

static int encode(
    void *state, struct span in, struct buf *out, struct error *err)
{
	struct gzip *gzip = state;
	size_t len;

	if (!gzip->compressor)
		gzip->compressor = libdeflate_alloc_compressor(gzip->level);
	if (!gzip->compressor)
		return error_set(err, ERROR_MEMORY,
		    "out of memory for gzip at level %d", gzip->level);
	if (buf_reserve(out, out->len + bound(in.len), err))
		return -1;
	len = libdeflate_gzip_compress(gzip->compressor, in.data, in.len,
	    out->data + out->len, out->cap - out->len);
	if (len == 0) /* cannot be: there was room */
		return error_set(err, ERROR_SYSTEM, "gzip did not compress");
	out->len += len;
	return 0;
}

static int decode(void *state, struct span frame, size_t len, struct buf *out,
    struct error *err)
{
	struct gzip *gzip = state;
	size_t used = 0, got = 0;

	/* One byte more: the library wants a place, also for nothing. */
	if (buf_reserve(out, out->len + len + 1, err))
		return -1;
	if (libdeflate_gzip_decompress_ex(gzip->decompressor, frame.data,
	        frame.len, out->data + out->len, len, &used, &got) ||
	    used != frame.len || got != len)
		return error_set(err, ERROR_DATA,
		    "damaged gzip data (%zu bytes for %zu)", frame.len, len);
	out->len += len;
	return 0;
}

const struct codec_ops codec_gzip = {
	.name = "gzip",
	.summary = "deflate with a CRC, which everything reads",
	.suffix = ".gz",
	.level_min = 1,
	.level_max = 9,
	.level_default = 6,
	.state_new = state_new,
	.state_free = state_free,
	.bound = bound,
	.encode = encode,
	.decode = decode,
};
