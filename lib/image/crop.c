/* crop.c - see crop.h. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/copy.h"
#include "lib/base/error.h"
#include "lib/image/crop.h"

const struct option crop_option_table[] = {
	OPTION(TEXT, "size", 0, struct crop_options, size, "N|HxW",
	    "height and width of the window"),
	OPTION_TABLE_END,
};

int crop_check(const void *options, struct error *err)
{
	const struct crop_options *given = options;
	struct image_size size;

	return image_parse_size(given->size, "size", &size, err);
}

/* Reports sides that are too small before a sample comes, if they are known. */
static int check_fits(
    const struct crop *crop, const struct type *in, struct error *err)
{
	const int64_t *sides =
	    in->shape.dims + (in->layout == LAYOUT_CHW ? 1 : 0);
	const size_t added = 2 * crop->padding;
	char text[SHAPE_TEXT];

	if ((sides[0] < 0 || (size_t)sides[0] + added >= crop->size.height) &&
	    (sides[1] < 0 || (size_t)sides[1] + added >= crop->size.width))
		return 0;
	return error_set(err, ERROR_USAGE,
	    "size %zux%zu is larger than the images (%s)%s", crop->size.height,
	    crop->size.width, type_text(in, text),
	    added ? " with their padding" : "");
}

int crop_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err)
{
	const struct crop_options *given = options;
	struct crop *crop = priv;

	if (image_check(in, err) ||
	    image_parse_size(given->size, "size", &crop->size, err) ||
	    check_fits(crop, in, err))
		return -1;
	crop->layout = in->layout;
	*out = image_type_sized(in, crop->size);
	return 0;
}

int crop_room(const struct crop *crop, struct image_size image,
    struct image_size *room, struct error *err)
{
	const size_t height = image.height + 2 * crop->padding;
	const size_t width = image.width + 2 * crop->padding;

	if (height < crop->size.height || width < crop->size.width)
		return error_set(err, ERROR_DATA,
		    "image is %zux%zu%s, smaller than the crop of %zux%zu",
		    height, width, crop->padding ? " with its padding" : "",
		    crop->size.height, crop->size.width);
	room->height = height - crop->size.height;
	room->width = width - crop->size.width;
	return 0;
}

int crop_copy(const struct crop *crop, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	const struct image image = image_of(in, crop->layout);
	const struct image_size corner = crop->corner;
	const size_t stride = image.width * image.pixel_bytes;
	const size_t row = crop->size.width * image.pixel_bytes;
	const struct type is = {
		.layout = crop->layout,
		.shape = in->shape,
	};
	const struct type cut = image_type_sized(&is, crop->size);
	const unsigned char *from = in->data;
	unsigned char *to;

	if (tensor_reshape(out, in->dtype, &cut.shape, err))
		return -1;
	to = out->data;
	from += corner.height * stride + corner.width * image.pixel_bytes;
	for (size_t plane = 0; plane < image.planes; plane++) {
		if (out->is_large)
			copy_rows_large(
			    to, from, row, crop->size.height, stride);
		for (size_t y = 0; !out->is_large && y < crop->size.height; y++)
			memcpy(to + y * row, from + y * stride, row);
		to += crop->size.height * row;
		from += image.height * stride;
	}
	return 0;
}

int crop_need(void *priv, struct box *box, struct error *err)
{
	const struct crop *crop = priv;

	UNUSED(err);
	box->top += crop->corner.height;
	box->left += crop->corner.width;
	return 0;
}
