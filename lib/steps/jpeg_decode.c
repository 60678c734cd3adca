/*
 * jpeg_decode.c - decodes a JPEG file.
 * in:  the bytes of a file
 * out: image HxWx3 (mode=rgb), HxWx1 (grey) or as in the file (unchanged);
 *      uint8, turned upright by the Exif orientation (exif=yes)
 */
#include "lib/base/array.h"
#include "lib/image/exif.h"
#include "lib/image/jpeg.h"
#include "lib/image/window.h"
#include "lib/steps/image_decode.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

static const struct option options[] = {
	OPTION(FLAG, "exif", 0, struct image_decode_options, exif, "yes|no",
	    "turn the image upright as its Exif tag says"),
	OPTION_WORDS("mode", struct image_decode_options, mode,
	    IMAGE_MODE_WORDS, "channels"),
	OPTION_TABLE_END,
};

static const struct image_decode_options defaults = {
	.exif = true,
};

struct jpeg_decode {
	struct jpeg_decoder *decoder;
	struct tensor lying; /* an image before it is turned */
	bool exif;
	unsigned orientation; /* fused: of the current sample */
};

static int jpeg_decode_bind(void *priv, const void *given,
    const struct type *in, struct type *out, struct error *err)
{
	struct jpeg_decode *jpeg = priv;
	const struct image_decode_options *wish = given;

	/* Any suffix will do: only the bytes matter. */
	if (in->layout != LAYOUT_ENCODED)
		return type_refuse(in, "the bytes of a JPEG file", err);
	*out = image_type_decoded((enum image_mode)wish->mode, DTYPE_U8);
	jpeg->exif = wish->exif;
	jpeg->decoder = jpeg_decoder_new(err);
	if (!jpeg->decoder)
		return -1;
	jpeg_decoder_set_mode(
	    jpeg->decoder, (enum image_mode)wish->mode, false);
	return 0;
}

static int jpeg_decode_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct jpeg_decode *jpeg = priv;
	const struct span file = { .data = in->data, .len = in->bytes };
	const unsigned orientation = jpeg->exif ? exif_orientation(file) : 1;
	struct shape shape;

	UNUSED(random);
	if (orientation == 1)
		return jpeg_decoder_run(jpeg->decoder, file, out, err);
	if (jpeg_decoder_run(jpeg->decoder, file, &jpeg->lying, err))
		return -1;
	shape = jpeg->lying.shape;
	if (exif_is_turned(orientation)) {
		shape.dims[0] = jpeg->lying.shape.dims[1];
		shape.dims[1] = jpeg->lying.shape.dims[0];
	}
	if (tensor_reshape(out, DTYPE_U8, &shape, err))
		return -1;
	exif_upright(&jpeg->lying, orientation, out);
	return 0;
}

static int jpeg_decode_look(void *priv, const struct tensor *file,
    struct frame *frame, struct error *err)
{
	struct jpeg_decode *jpeg = priv;
	const struct span bytes = { .data = file->data, .len = file->bytes };
	struct shape shape;

	if (jpeg_decoder_look(jpeg->decoder, bytes, &shape, err))
		return -1;
	*frame = frame_of(DTYPE_U8, &shape);
	jpeg->orientation = jpeg->exif ? exif_orientation(bytes) : 1;
	if (exif_is_turned(jpeg->orientation)) {
		frame->size.height = (size_t)shape.dims[1];
		frame->size.width = (size_t)shape.dims[0];
	}
	return 0;
}

/* Images that must be turned are decoded completely. */
static int jpeg_decode_load(void *priv, const struct tensor *file,
    const struct box *box, struct tensor *memory, struct window *window,
    struct error *err)
{
	struct jpeg_decode *jpeg = priv;
	const struct span bytes = { .data = file->data, .len = file->bytes };

	if (jpeg->orientation == 1)
		return jpeg_decoder_run_box(
		    jpeg->decoder, bytes, box, memory, window, err);
	if (jpeg_decode_run(priv, NULL, file, memory, err))
		return -1;
	*window = window_of(memory, LAYOUT_HWC);
	return 0;
}

static const struct window_ops window = {
	.reach = REACH_AREA,
	.look = jpeg_decode_look,
	.load = jpeg_decode_load,
};

static void jpeg_decode_release(void *priv)
{
	struct jpeg_decode *jpeg = priv;

	jpeg_decoder_free(jpeg->decoder);
	tensor_release(&jpeg->lying);
}

const struct step_ops step_jpeg_decode = {
	.name = "jpeg_decode",
	.summary = "decode a JPEG file",
	.in = "bytes of a JPEG file",
	.out = "image HxWxC, uint8",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct image_decode_options),
	.defaults = &defaults,
	.priv_size = sizeof(struct jpeg_decode),
	.bind = jpeg_decode_bind,
	.run = jpeg_decode_run,
	.release = jpeg_decode_release,
	.window = &window,
};
