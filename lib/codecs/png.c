/*
 * png.c - stores images as PNG files, without loss.
 *  in:  image HxWx3 or HxWx1, uint8
 *  out: the bytes of a PNG file
 */
#include "lib/image/png.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/codecs/image_type.h"
#include "lib/codecs/transform.h"
#include "lib/sample/step_ops.h"

struct encoder {
	struct buf file;
};

struct decoder {
	struct png_reader *reader;
};

static int png_stored(
    const struct type *type, struct type *stored, struct error *err)
{
	return image_stored("png", "png", type, stored, err);
}

static int encode_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(options);
	return png_stored(in, out, err);
}

static int encode_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct encoder *encoder = priv;

	UNUSED(random);
	encoder->file.len = 0;
	if (image_check_side(in, PNG_SIDE_MOST, err) ||
	    png_encode(in, &encoder->file, err))
		return -1;
	return image_give(&encoder->file, "png", out, err);
}

static void encode_release(void *priv)
{
	struct encoder *encoder = priv;

	buf_release(&encoder->file);
}

/* All dims stay open here: the chain knows the number of channels. */
static int decode_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err)
{
	struct decoder *decoder = priv;

	UNUSED(options);
	UNUSED(in);
	*out = (struct type){
		.dtype = DTYPE_U8,
		.layout = LAYOUT_HWC,
		.shape = { .count = 3, .dims = { -1, -1, -1 } },
	};
	decoder->reader = png_reader_new(err);
	return decoder->reader ? 0 : -1;
}

static int decode_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	static const struct png_form form = {
		.mode = IMAGE_UNCHANGED,
		.dtype = DTYPE_U8,
		.exact = true,
	};
	const struct span file = { .data = in->data, .len = in->bytes };
	struct decoder *decoder = priv;

	UNUSED(random);
	return png_reader_run(decoder->reader, file, &form, out, err);
}

static void decode_release(void *priv)
{
	struct decoder *decoder = priv;

	png_reader_free(decoder->reader);
}

static const struct step_ops encode = {
	.name = "png",
	.any_alignment = true,
	.priv_size = sizeof(struct encoder),
	.bind = encode_bind,
	.run = encode_run,
	.release = encode_release,
};

static const struct step_ops decode = {
	.name = "png",
	.any_alignment = true,
	.priv_size = sizeof(struct decoder),
	.bind = decode_bind,
	.run = decode_run,
	.release = decode_release,
};

const struct transform_ops transform_png = {
	.name = "png",
	.summary = "images as PNG files; small, but slow to write and to read",
	.suits = "uint8 images HxWx3 and HxWx1",
	.file_step = "png_decode",
	.stored = png_stored,
	.encode = &encode,
	.decode = &decode,
};
