/*
 * jpeg.c - stores images as JPEG files with 4:2:0 chroma, at libjpeg's quality
 * 1 to 100. Most networks do not notice the loss, and the files are a tenth as
 * large.
 *  in:  image HxWx3 or HxWx1, uint8
 *  out: the bytes of a JPEG file
 */
#include "lib/image/jpeg.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/image_type.h"
#include "lib/codecs/transform.h"
#include "lib/image/image.h"
#include "lib/image/jpeg_writer.h"
#include "lib/image/window.h"
#include "lib/sample/step_ops.h"

struct jpeg {
	int quality;
	struct buf file;
};

static int jpeg_stored(
    const struct type *type, struct type *stored, struct error *err)
{
	return image_stored("jpeg", "jpg", type, stored, err);
}

static int jpeg_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err)
{
	const struct codec *codec = options;
	struct jpeg *jpeg = priv;

	jpeg->quality = codec->quality;
	return jpeg_stored(in, out, err);
}

static int jpeg_run(void *priv, struct random *random, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	struct jpeg *jpeg = priv;
	const struct jpeg_picture picture = {
		.pixels = in->data,
		.height = (unsigned)in->shape.dims[0],
		.width = (unsigned)in->shape.dims[1],
		.channels = (unsigned)in->shape.dims[2],
		.quality = jpeg->quality,
	};

	UNUSED(random);
	jpeg->file.len = 0;
	if (image_check_side(in, 65500, err) ||
	    jpeg_write(&picture, &jpeg->file, err))
		return -1;
	return image_give(&jpeg->file, "jpg", out, err);
}

static void jpeg_release(void *priv)
{
	struct jpeg *jpeg = priv;

	buf_release(&jpeg->file);
}

static const struct step_ops encode = {
	.name = "jpeg",
	.any_alignment = true,
	.priv_size = sizeof(struct jpeg),
	.bind = jpeg_bind,
	.run = jpeg_run,
	.release = jpeg_release,
};

/* Gives the decoder the mode of the encoded image. */
struct decode_options {
	enum image_mode mode;
	bool exact;
};

static const void *decode_options(const struct type *type)
{
	static const struct decode_options colour = { .mode = IMAGE_RGB };
	static const struct decode_options grey = { .mode = IMAGE_GREY,
		.exact = true };

	return image_is_grey(type) ? &grey : &colour;
}

struct decoder {
	struct jpeg_decoder *jpeg;
};

static int decode_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const struct decode_options *options = given;
	struct decoder *decoder = priv;

	UNUSED(in);
	*out = image_type_decoded(options->mode, DTYPE_U8);
	decoder->jpeg = jpeg_decoder_new(err);
	if (!decoder->jpeg)
		return -1;
	jpeg_decoder_set_mode(decoder->jpeg, options->mode, options->exact);
	return 0;
}

static int decode_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct span file = { .data = in->data, .len = in->bytes };
	struct decoder *decoder = priv;

	UNUSED(random);
	return jpeg_decoder_run(decoder->jpeg, file, out, err);
}

static int decode_look(void *priv, const struct tensor *file,
    struct frame *frame, struct error *err)
{
	const struct span bytes = { .data = file->data, .len = file->bytes };
	struct decoder *decoder = priv;
	struct shape shape;

	if (jpeg_decoder_look(decoder->jpeg, bytes, &shape, err))
		return -1;
	*frame = frame_of(DTYPE_U8, &shape);
	return 0;
}

static int decode_load(void *priv, const struct tensor *file,
    const struct box *box, struct tensor *memory, struct window *window,
    struct error *err)
{
	const struct span bytes = { .data = file->data, .len = file->bytes };
	struct decoder *decoder = priv;

	return jpeg_decoder_run_box(
	    decoder->jpeg, bytes, box, memory, window, err);
}

static const struct window_ops window = {
	.reach = REACH_AREA,
	.look = decode_look,
	.load = decode_load,
};

static void decode_release(void *priv)
{
	struct decoder *decoder = priv;

	jpeg_decoder_free(decoder->jpeg);
}

static const struct step_ops decode = {
	.name = "jpeg",
	.any_alignment = true,
	.priv_size = sizeof(struct decoder),
	.bind = decode_bind,
	.run = decode_run,
	.release = decode_release,
	.window = &window,
};

const struct transform_ops transform_jpeg = {
	.name = "jpeg",
	.summary = "images as JPEG files, 4:2:0; lossy",
	.suits = "uint8 images HxWx3 and HxWx1",
	.file_step = "jpeg_decode",
	.is_lossy = true,
	.level_min = 1,
	.level_max = 100,
	.level_default = 90,
	.stored = jpeg_stored,
	.encode = &encode,
	.decode = &decode,
	.decode_options = decode_options,
};
