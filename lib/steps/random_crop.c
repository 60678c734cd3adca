/*
 * random_crop.c - crops a random window of an image, which may be padded first.
 * in:  image HxWxC or CxHxW, any elements
 * out: the same, cropped
 */
#include <string.h>

#include "lib/base/error.h"
#include "lib/image/crop.h"
#include "lib/steps/step.h"

enum padding_mode { PADDING_CONSTANT, PADDING_REFLECT, PADDING_EDGE };

struct options {
	uint64_t padding;
	unsigned padding_mode;
	const char *size;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "padding", struct options, padding, 0,
	    IMAGE_SIDE_MAX, "number of pixels to add at each side first"),
	OPTION_WORDS("padding_mode", struct options, padding_mode,
	    "constant|reflect|edge",
	    "content of added pixels: 0, the mirrored image, or its edge"),
	OPTION(TEXT, "size", 0, struct options, size, "N|HxW",
	    "height and width of the window"),
	OPTION_TABLE_END,
};

struct random_crop {
	struct crop crop;
	enum padding_mode mode;
};

static int random_crop_check(const void *given, struct error *err)
{
	const struct crop_options crop = {
		.size = ((const struct options *)given)->size,
	};

	return crop_check(&crop, err);
}

static int random_crop_bind(void *priv, const void *given,
    const struct type *in, struct type *out, struct error *err)
{
	const struct options *want = given;
	const struct crop_options crop = { .size = want->size };
	struct random_crop *random_crop = priv;

	random_crop->mode = (enum padding_mode)want->padding_mode;
	random_crop->crop.padding = (size_t)want->padding;
	return crop_bind(&random_crop->crop, &crop, in, out, err);
}

static int random_crop_plan(
    void *priv, struct random *random, struct frame *frame, struct error *err)
{
	struct crop *crop = &((struct random_crop *)priv)->crop;
	struct image_size room;

	if (crop_room(crop, frame->size, &room, err))
		return -1;
	crop->corner.height = random_below(random, (uint32_t)room.height + 1);
	crop->corner.width = random_below(random, (uint32_t)room.width + 1);
	frame->size = crop->size;
	return 0;
}

static int random_crop_need(void *priv, struct box *box, struct error *err)
{
	return crop_need(&((struct random_crop *)priv)->crop, box, err);
}

/* Padding does not exist in memory, so a padded window cannot be a view. */
static bool random_crop_fits(const void *priv)
{
	return ((const struct random_crop *)priv)->crop.padding == 0;
}

/* ---- with padding ---- */

/* Finds the row or column at place `at` of the padded image; false: zeros. */
static bool find_place(
    const struct random_crop *random_crop, size_t at, size_t side, size_t *from)
{
	const size_t padding = random_crop->crop.padding;

	if (at >= padding && at - padding < side) {
		*from = at - padding;
		return true;
	}
	if (random_crop->mode == PADDING_EDGE)
		*from = at < padding ? 0 : side - 1;
	else /* reflect: without repeating the edge */
		*from = at < padding ? padding - at
		                     : 2 * (side - 1) - (at - padding);
	return random_crop->mode != PADDING_CONSTANT;
}

/* Copies one row of the window. */
static void cut_row(const struct random_crop *random_crop,
    const struct image *image, const unsigned char *row, unsigned char *to)
{
	const struct crop *crop = &random_crop->crop;
	const size_t bytes = image->pixel_bytes, begin = crop->corner.width;
	const size_t end = begin + crop->size.width;
	const size_t last = crop->padding + image->width;
	size_t at = begin, from;

	while (at < end) {
		const bool is_image = at >= crop->padding && at < last;
		const size_t n = is_image ? (end < last ? end : last) - at : 1;

		if (find_place(random_crop, at, image->width, &from))
			memcpy(to, row + from * bytes, n * bytes);
		else
			memset(to, 0, bytes);
		to += n * bytes;
		at += n;
	}
}

static int check_mirror(const struct random_crop *random_crop,
    const struct image *image, struct error *err)
{
	const size_t padding = random_crop->crop.padding;
	const size_t most = random_crop->mode == PADDING_REFLECT ? padding : 0;

	if (image->height > most && image->width > most)
		return 0;
	return error_set(err, ERROR_DATA,
	    "image is %zux%zu, too small for padding=%zu padding_mode=%s",
	    image->height, image->width, padding,
	    random_crop->mode == PADDING_REFLECT ? "reflect" : "edge");
}

static int cut_padded(const struct random_crop *random_crop,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct crop *crop = &random_crop->crop;
	const struct image image = image_of(in, crop->layout);
	const struct type type = { .layout = crop->layout, .shape = in->shape };
	const struct type cut = image_type_sized(&type, crop->size);
	const size_t stride = image.width * image.pixel_bytes;
	const size_t row = crop->size.width * image.pixel_bytes;
	const unsigned char *data = in->data;
	unsigned char *to;
	size_t from;

	if ((random_crop->mode != PADDING_CONSTANT &&
	        check_mirror(random_crop, &image, err)) ||
	    tensor_reshape(out, in->dtype, &cut.shape, err))
		return -1;
	to = out->data;
	for (size_t plane = 0; plane < image.planes; plane++) {
		for (size_t y = 0; y < crop->size.height; y++) {
			const size_t at = crop->corner.height + y;

			if (find_place(random_crop, at, image.height, &from))
				cut_row(random_crop, &image,
				    data + from * stride, to);
			else
				memset(to, 0, row);
			to += row;
		}
		data += image.height * stride;
	}
	return 0;
}

static int random_crop_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct random_crop *random_crop = priv;
	const struct crop *crop = &random_crop->crop;
	struct frame frame = window_of(in, crop->layout).frame;

	if (random_crop_plan(priv, random, &frame, err))
		return -1;
	return crop->padding ? cut_padded(random_crop, in, out, err)
	                     : crop_copy(crop, in, out, err);
}

static const struct window_ops window = {
	.reach = REACH_PLACE,
	.crops = true,
	.fits = random_crop_fits,
	.plan = random_crop_plan,
	.need = random_crop_need,
};

/* Black pixels around the image are values; mirrored ones are the image's. */
static enum step_kind random_crop_kind(const void *given)
{
	const struct options *want = given;

	return want->padding && want->padding_mode == PADDING_CONSTANT
	           ? KIND_FILL
	           : KIND_CROP;
}

const struct step_ops step_random_crop = {
	.name = "random_crop",
	.summary = "cut a window at a random place, from the image or the "
	           "padded image",
	.in = "image",
	.out = "image of the given size",
	.kind = KIND_CROP,
	.find_kind = random_crop_kind,
	.random = true,
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.check = random_crop_check,
	.priv_size = sizeof(struct random_crop),
	.bind = random_crop_bind,
	.run = random_crop_run,
	.window = &window,
};
