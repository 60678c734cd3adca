/*
 * image_decode.c - decodes a JPEG or PNG file, recognized by its first bytes.
 * in:  the bytes of a file
 * out: image HxWx3 (mode=rgb), HxWx1 (grey) or as in the file (unchanged);
 *      uint8
 *
 * The steps of the two formats do the work.
 */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/image/magic.h"
#include "lib/image/window.h"
#include "lib/steps/image_decode.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

static const struct option options[] = {
	OPTION(FLAG, "exif", 0, struct image_decode_options, exif, "yes|no",
	    "turn JPEG files upright as their Exif tag says"),
	OPTION_WORDS("mode", struct image_decode_options, mode,
	    IMAGE_MODE_WORDS, "channels"),
	OPTION_TABLE_END,
};

static const struct image_decode_options defaults = {
	.exif = true,
};

/* The step of a format. */
struct decoder {
	const struct step_ops *ops;
	void *priv;
};

struct image_decode {
	struct decoder jpeg, png;
};

static int open_decoder(struct decoder *decoder, const struct step_ops *ops,
    const void *wish, struct error *err)
{
	static const struct type file = { .layout = LAYOUT_ENCODED,
		.shape = { 1, { -1 } } };
	struct type out;

	decoder->priv = calloc(1, ops->priv_size);
	if (!decoder->priv)
		return error_memory(err, ops->priv_size);
	decoder->ops = ops;
	return ops->bind(decoder->priv, wish, &file, &out, err);
}

static int image_decode_bind(void *priv, const void *given,
    const struct type *in, struct type *out, struct error *err)
{
	struct image_decode *image = priv;
	const struct image_decode_options *want = given;

	if (in->layout != LAYOUT_ENCODED)
		return type_refuse(in, "the bytes of an image file", err);
	*out = image_type_decoded((enum image_mode)want->mode, DTYPE_U8);
	if (open_decoder(&image->jpeg, &step_jpeg_decode, want, err) ||
	    open_decoder(&image->png, &step_png_decode, want, err))
		return -1;
	return 0;
}

static int refuse(
    const struct magic *magic, struct span file, struct error *err)
{
	if (magic)
		return error_set(err, ERROR_DATA,
		    "is %s; JPEG and PNG are decoded", magic->name);
	if (file.len < 2)
		return error_set(
		    err, ERROR_DATA, "is empty, neither a JPEG nor a PNG file");
	return error_set(err, ERROR_DATA,
	    "neither a JPEG nor a PNG file: starts with 0x%02x 0x%02x",
	    file.data[0], file.data[1]);
}

/* Chooses the decoder by the content; NULL: neither format. */
static const struct decoder *decoder_for(const struct image_decode *image,
    const struct tensor *in, struct error *err)
{
	const struct span file = { .data = in->data, .len = in->bytes };
	const struct magic *magic = magic_find(file);

	if (magic && magic->format == IMAGE_JPEG)
		return &image->jpeg;
	if (magic && magic->format == IMAGE_PNG)
		return &image->png;
	refuse(magic, file, err);
	return NULL;
}

static int image_decode_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct decoder *decoder = decoder_for(priv, in, err);

	if (!decoder)
		return -1;
	return decoder->ops->run(decoder->priv, random, in, out, err);
}

static int image_decode_look(void *priv, const struct tensor *file,
    struct frame *frame, struct error *err)
{
	const struct decoder *decoder = decoder_for(priv, file, err);

	if (!decoder)
		return -1;
	return decoder->ops->window->look(decoder->priv, file, frame, err);
}

static int image_decode_load(void *priv, const struct tensor *file,
    const struct box *box, struct tensor *memory, struct window *window,
    struct error *err)
{
	const struct decoder *decoder = decoder_for(priv, file, err);

	if (!decoder)
		return -1;
	return decoder->ops->window->load(
	    decoder->priv, file, box, memory, window, err);
}

static const struct window_ops window = {
	.reach = REACH_AREA,
	.look = image_decode_look,
	.load = image_decode_load,
};

static void close_decoder(struct decoder *decoder)
{
	if (decoder->ops)
		decoder->ops->release(decoder->priv);
	free(decoder->priv);
}

static void image_decode_release(void *priv)
{
	struct image_decode *image = priv;

	close_decoder(&image->jpeg);
	close_decoder(&image->png);
}

const struct step_ops step_image_decode = {
	.name = "image_decode",
	.summary = "decode a JPEG or PNG file, by its content",
	.in = "bytes of an image file",
	.out = "image HxWxC, uint8",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct image_decode_options),
	.defaults = &defaults,
	.priv_size = sizeof(struct image_decode),
	.bind = image_decode_bind,
	.run = image_decode_run,
	.release = image_decode_release,
	.window = &window,
};
