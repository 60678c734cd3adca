/*
 * png_decode.c - decodes a PNG file.
 * in:  the bytes of a file
 * out: image HxWx3 (mode=rgb), HxWx1 (grey, index) or as in the file
 *      (unchanged); uint8 or uint16
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/image/png.h"
#include "lib/image/window.h"
#include "lib/steps/image_decode.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

static const struct option options[] = {
	OPTION_WORDS("dtype", struct image_decode_options, dtype,
	    "uint8|uint16", "element type; files have 1 to 16 bits"),
	OPTION_WORDS("mode", struct image_decode_options, mode,
	    IMAGE_MODE_WORDS "|index",
	    "channels; index: the class numbers of a palette"),
	OPTION_TABLE_END,
};

struct png_decode {
	struct png_reader *reader;
	struct png_form form;
};

static int png_decode_check(const void *given, struct error *err)
{
	const struct image_decode_options *wish = given;

	if (wish->mode == IMAGE_INDEX && wish->dtype)
		return error_set(err, ERROR_USAGE,
		    "mode=index gives uint8; leave out dtype=uint16");
	return 0;
}

static int png_decode_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	struct png_decode *png = priv;
	const struct image_decode_options *wish = given;

	/* Any suffix will do: only the bytes matter. */
	if (in->layout != LAYOUT_ENCODED)
		return type_refuse(in, "the bytes of a PNG file", err);
	png->form = (struct png_form){
		.mode = (enum image_mode)wish->mode,
		.dtype = wish->dtype ? DTYPE_U16 : DTYPE_U8,
	};
	*out = image_type_decoded(png->form.mode, png->form.dtype);
	png->reader = png_reader_new(err);
	return png->reader ? 0 : -1;
}

static int png_decode_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct span file = { .data = in->data, .len = in->bytes };
	struct png_decode *png = priv;

	UNUSED(random);
	return png_reader_run(png->reader, file, &png->form, out, err);
}

static int png_decode_look(void *priv, const struct tensor *file,
    struct frame *frame, struct error *err)
{
	const struct span bytes = { .data = file->data, .len = file->bytes };
	struct png_decode *png = priv;
	struct shape shape;

	if (png_reader_look(png->reader, bytes, &png->form, &shape, err))
		return -1;
	*frame = frame_of(png->form.dtype, &shape);
	return 0;
}

/* Each row depends on the one above: none can be skipped. */
static int png_decode_load(void *priv, const struct tensor *file,
    const struct box *box, struct tensor *memory, struct window *window,
    struct error *err)
{
	UNUSED(box);
	if (png_decode_run(priv, NULL, file, memory, err))
		return -1;
	*window = window_of(memory, LAYOUT_HWC);
	return 0;
}

static const struct window_ops window = {
	.reach = REACH_AREA,
	.look = png_decode_look,
	.load = png_decode_load,
};

static void png_decode_release(void *priv)
{
	struct png_decode *png = priv;

	png_reader_free(png->reader);
}

const struct step_ops step_png_decode = {
	.name = "png_decode",
	.summary = "decode a PNG file",
	.in = "bytes of a PNG file",
	.out = "image HxWxC, uint8 or uint16",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct image_decode_options),
	.check = png_decode_check,
	.priv_size = sizeof(struct png_decode),
	.bind = png_decode_bind,
	.run = png_decode_run,
	.release = png_decode_release,
	.window = &window,
};
