/*
 * delta.c - stores each pixel as its difference to the pixel before. Channels
 * are split into planes first, and so are the bytes of larger numbers.
 *  in:  integers; an image HxWxC has C channels; for other tensors the last
 *       dimension is the channels if it is 2, 3 or 4
 *  out: the same dtype and shape, with other contents
 *
 * It works in pieces that fit into the first-level cache.
 */
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/codecs/data_kind.h"
#include "lib/codecs/kernels/byte_planes.h"
#include "lib/codecs/kernels/differences.h"
#include "lib/codecs/transform.h"
#include "lib/image/planes.h"
#include "lib/sample/step_ops.h"

enum { PIECE = 12 << 10, CHANNELS_MOST = 256 };

struct delta {
	enum layout layout;
	struct buf split; /* a piece, channel by channel */
	struct buf other; /* the same piece after the next operation */
	uint64_t before[CHANNELS_MOST];
};

/* How a tensor is cut: the whole, and a piece. */
struct extent {
	size_t channels, bytes, pixels;
	size_t piece; /* pixels of a piece */
};

static bool is_float(enum dtype dtype)
{
	return dtype == DTYPE_F16 || dtype == DTYPE_F32 || dtype == DTYPE_F64;
}

static int delta_stored(
    const struct type *type, struct type *stored, struct error *err)
{
	char text[SHAPE_TEXT];

	if (type->layout == LAYOUT_ENCODED || is_float(type->dtype))
		return error_set(err, ERROR_USAGE,
		    "delta is for pixels and other integers, not %s",
		    type->layout == LAYOUT_ENCODED ? type_text(type, text)
		                                   : dtype_name(type->dtype));
	*stored = *type;
	return 0;
}

static int delta_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err)
{
	struct delta *delta = priv;

	UNUSED(options);
	UNUSED(err);
	delta->layout = in->layout;
	*out = *in;
	return 0;
}

static void delta_release(void *priv)
{
	struct delta *delta = priv;

	buf_release(&delta->split);
	buf_release(&delta->other);
}

/*
 * Returns the last dimension if it is one of channels, else 1; also 1 when
 * there are more than CHANNELS_MOST.
 */
static size_t count_channels(enum layout layout, const struct shape *shape)
{
	const int64_t last =
	    shape->count > 1 ? shape->dims[shape->count - 1] : 1;

	if (last < 1 || layout == LAYOUT_CHW)
		return 1;
	return last <= (layout == LAYOUT_HWC ? CHANNELS_MOST : 4) ? (size_t)last
	                                                          : 1;
}

/* Computes the extent and makes room for pieces and output. */
static int begin(struct delta *delta, const struct tensor *in,
    struct tensor *out, struct extent *extent, struct error *err)
{
	const size_t channels = count_channels(delta->layout, &in->shape);
	const size_t bytes = dtype_bytes(in->dtype);
	const size_t pixel = channels * bytes;

	*extent = (struct extent){
		.channels = channels,
		.bytes = bytes,
		.pixels = in->bytes / pixel,
		.piece = PIECE / pixel,
	};
	for (size_t c = 0; c < channels; c++)
		delta->before[c] = 0;
	if (buf_reserve(&delta->split, PIECE, err) ||
	    buf_reserve(&delta->other, PIECE, err))
		return -1;
	return tensor_reshape(out, in->dtype, &in->shape, err);
}

/* Two or four channels of one byte are split like the bytes of a number. */
static bool is_like_number(const struct extent *extent)
{
	return extent->bytes == 1 &&
	       (extent->channels == 2 || extent->channels == 4);
}

static void take_apart(const struct extent *extent, const unsigned char *in,
    unsigned char *planes, size_t n)
{
	if (is_like_number(extent))
		byte_planes_split(in, n, extent->channels, planes, n);
	else
		planes_split(in, planes, n, extent->channels, extent->bytes);
}

static void put_together(const struct extent *extent,
    const unsigned char *planes, unsigned char *out, size_t n)
{
	if (is_like_number(extent))
		byte_planes_join(planes, n, out, n, extent->channels);
	else
		planes_join(planes, out, n, extent->channels, extent->bytes);
}

/* Encodes `n` pixels at `in`; their planes begin at `out`. */
static void encode_piece(struct delta *delta, const struct extent *extent,
    const unsigned char *in, unsigned char *out, size_t n)
{
	const size_t bytes = extent->bytes, channels = extent->channels;

	take_apart(extent, in, delta->split.data, n);
	for (size_t c = 0; c < channels; c++) {
		unsigned char *plane = out + c * extent->pixels * bytes;

		delta->before[c] =
		    differences_take(delta->split.data + c * n * bytes,
		        bytes == 1 ? plane : delta->other.data, n, bytes,
		        delta->before[c]);
		if (bytes > 1)
			byte_planes_split(
			    delta->other.data, n, bytes, plane, extent->pixels);
	}
}

static void decode_piece(struct delta *delta, const struct extent *extent,
    const unsigned char *in, unsigned char *out, size_t n)
{
	const size_t bytes = extent->bytes, channels = extent->channels;
	unsigned char *numbers = channels > 1 ? delta->split.data : out;

	for (size_t c = 0; c < channels; c++) {
		const unsigned char *plane = in + c * extent->pixels * bytes;

		if (bytes > 1)
			byte_planes_join(
			    plane, extent->pixels, delta->other.data, n, bytes);
		delta->before[c] =
		    differences_add(bytes > 1 ? delta->other.data : plane,
		        numbers + c * n * bytes, n, bytes, delta->before[c]);
	}
	if (channels > 1)
		put_together(extent, numbers, out, n);
}

static int delta_encode(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct extent extent;

	UNUSED(random);
	if (begin(priv, in, out, &extent, err))
		return -1;
	for (size_t i = 0; i < extent.pixels; i += extent.piece) {
		const size_t left = extent.pixels - i;
		const unsigned char *from = in->data;
		unsigned char *to = out->data;

		encode_piece(priv, &extent,
		    from + i * extent.channels * extent.bytes, to + i,
		    left < extent.piece ? left : extent.piece);
	}
	return 0;
}

static int delta_decode(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct extent extent;

	UNUSED(random);
	if (begin(priv, in, out, &extent, err))
		return -1;
	for (size_t i = 0; i < extent.pixels; i += extent.piece) {
		const size_t left = extent.pixels - i;
		const unsigned char *from = in->data;
		unsigned char *to = out->data;

		decode_piece(priv, &extent, from + i,
		    to + i * extent.channels * extent.bytes,
		    left < extent.piece ? left : extent.piece);
	}
	return 0;
}

static const struct step_ops encode = {
	.name = "delta",
	.priv_size = sizeof(struct delta),
	.bind = delta_bind,
	.run = delta_encode,
	.release = delta_release,
};

/* The input is read byte by byte, so it may lie at any address. */
static const struct step_ops decode = {
	.name = "delta",
	.any_alignment = true,
	.priv_size = sizeof(struct delta),
	.bind = delta_bind,
	.run = delta_decode,
	.release = delta_release,
};

const struct transform_ops transform_delta = {
	.name = "delta",
	.summary = "filter: store differences of neighbouring pixels, channel "
	           "by channel",
	.suits = "integers: uint8 images, int16 sound",
	.is_filter = true,
	.trial_kinds = DATA_PIXELS | DATA_SOUND,
	.trial_behind = "zstd:1",
	.stored = delta_stored,
	.encode = &encode,
	.decode = &decode,
};
