/* packed.c - see packed.h. */
#include "lib/codecs/packed.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/deflate/deflate.h"

struct packed {
	void *gzip, *lz4, *zstd; /* states of these codecs; NULL: not needed */
};

struct packed *packed_new(struct error *err)
{
	return memory_zeroed(sizeof(struct packed), err);
}

void packed_free(struct packed *packed)
{
	if (!packed)
		return;
	codec_gzip.state_free(packed->gzip);
	codec_lz4.state_free(packed->lz4);
	codec_zstd.state_free(packed->zstd);
	free(packed);
}

/* Makes a codec's state at its first use. */
static int need(void **state, const struct codec_ops *codec, struct error *err)
{
	if (!*state)
		*state = codec->state_new(codec->level_default, err);
	return *state ? 0 : -1;
}

static int make_state(
    struct packed *packed, enum packed_kind kind, struct error *err)
{
	switch (kind) {
	case PACKED_GZIP:
		return need(&packed->gzip, &codec_gzip, err);
	case PACKED_LZ4_FRAME:
		return need(&packed->lz4, &codec_lz4, err);
	case PACKED_ZSTD:
		return need(&packed->zstd, &codec_zstd, err);
	case PACKED_NONE:
	case PACKED_LZ4_BLOCK:
	case PACKED_SNAPPY:
		break;
	}
	return 0;
}

static int copy(struct span in, void *out, size_t len)
{
	if (in.len != len)
		return -1;
	if (len)
		memcpy(out, in.data, len);
	return 0;
}

static int decode(const struct packed *packed, enum packed_kind kind,
    struct span in, void *out, size_t len)
{
	switch (kind) {
	case PACKED_NONE:
		return copy(in, out, len);
	case PACKED_GZIP:
		return deflate_ungzip(packed->gzip, in, out, len);
	case PACKED_LZ4_BLOCK:
		return lz4_unpack_block(in, out, len);
	case PACKED_LZ4_FRAME:
		return lz4_unpack_frame(packed->lz4, in, out, len);
	case PACKED_SNAPPY:
		return snappy_unpack(in, out, len);
	case PACKED_ZSTD:
		return zstd_unpack(packed->zstd, in, out, len);
	}
	return -1;
}

int packed_decode(struct packed *packed, enum packed_kind kind, struct span in,
    void *out, size_t len, struct error *err)
{
	static const char *const names[] = {
		[PACKED_NONE] = "uncompressed",
		[PACKED_GZIP] = "gzip",
		[PACKED_LZ4_BLOCK] = "lz4",
		[PACKED_LZ4_FRAME] = "lz4",
		[PACKED_SNAPPY] = "snappy",
		[PACKED_ZSTD] = "zstd",
	};

	if (make_state(packed, kind, err))
		return -1;
	if (decode(packed, kind, in, out, len) == 0)
		return 0;
	return error_set(err, ERROR_DATA,
	    "damaged %s data: %zu bytes do not make %zu", names[kind], in.len,
	    len);
}
