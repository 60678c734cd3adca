/* image.c - see image.h. */
#include "lib/image/image.h"
#include "lib/base/error.h"

int image_check(const struct type *in, struct error *err)
{
	const bool is_image =
	    in->layout == LAYOUT_HWC || in->layout == LAYOUT_CHW;

	if (!is_image || in->shape.count != 3)
		return type_refuse(in, "an image", err);
	return 0;
}

int image_check_hwc(const struct type *in, struct error *err)
{
	char text[SHAPE_TEXT];

	if (image_check(in, err))
		return -1;
	if (in->layout == LAYOUT_CHW)
		return error_set(err, ERROR_USAGE,
		    "takes an image of height, width, channels, not of "
		    "channels, height, width (%s)",
		    type_text(in, text));
	return 0;
}

int image_check_bytes_or_floats(const struct type *in, struct error *err)
{
	const bool is_either = in->dtype == DTYPE_U8 || in->dtype == DTYPE_F32;

	if (in->layout == LAYOUT_ENCODED || !is_either)
		return type_refuse(in, "uint8 or float32", err);
	return 0;
}

int image_check_levels(const struct type *in, struct error *err)
{
	const bool is_one = in->dtype == DTYPE_U8 || in->dtype == DTYPE_U16 ||
	                    in->dtype == DTYPE_F32;

	if (in->layout == LAYOUT_ENCODED || !is_one)
		return type_refuse(in, "uint8, uint16 or float32", err);
	return 0;
}

struct image image_of(const struct tensor *tensor, enum layout layout)
{
	const bool is_planar = layout == LAYOUT_CHW;
	const int64_t *dims = tensor->shape.dims;
	struct image image = {
		.height = (size_t)dims[is_planar ? 1 : 0],
		.width = (size_t)dims[is_planar ? 2 : 1],
		.channels = (size_t)dims[is_planar ? 0 : 2],
		.pixel_bytes = dtype_bytes(tensor->dtype),
	};

	image.planes = is_planar ? image.channels : 1;
	if (!is_planar)
		image.pixel_bytes *= image.channels;
	return image;
}

struct type image_type_decoded(enum image_mode mode, enum dtype dtype)
{
	static const int64_t channels[] = {
		[IMAGE_RGB] = 3,
		[IMAGE_GREY] = 1,
		[IMAGE_UNCHANGED] = -1,
		[IMAGE_INDEX] = 1,
	};

	return (struct type){
		.dtype = dtype,
		.layout = LAYOUT_HWC,
		.shape = { .count = 3, .dims = { -1, -1, channels[mode] } },
	};
}

int image_check_pixels(uint64_t height, uint64_t width, struct error *err)
{
	if (height * width <= IMAGE_PIXELS_MAX)
		return 0;
	return error_set(err, ERROR_DATA,
	    "image of %llux%llu is larger than %d pixels",
	    (unsigned long long)height, (unsigned long long)width,
	    IMAGE_PIXELS_MAX);
}

struct type image_type_sized(const struct type *in, struct image_size size)
{
	const unsigned first = in->layout == LAYOUT_CHW ? 1 : 0;
	struct type out = *in;

	out.shape.dims[first] = (int64_t)size.height;
	out.shape.dims[first + 1] = (int64_t)size.width;
	return out;
}

int image_parse_size(const char *text, const char *name,
    struct image_size *size, struct error *err)
{
	struct shape shape;

	if (!text)
		return error_set(err, ERROR_USAGE,
		    "%s must be given: one number, or HEIGHTxWIDTH", name);
	if (shape_parse(text, &shape) || shape.count > 2)
		return error_set(err, ERROR_USAGE,
		    "%s must be one number, or HEIGHTxWIDTH, got '%s'", name,
		    text);
	for (unsigned i = 0; i < shape.count; i++)
		if (shape.dims[i] < 1 || shape.dims[i] > IMAGE_SIDE_MAX)
			return error_set(err, ERROR_USAGE,
			    "%s must be 1 to %d, got '%s'", name,
			    IMAGE_SIDE_MAX, text);
	size->height = (size_t)shape.dims[0];
	size->width = (size_t)shape.dims[shape.count - 1];
	return 0;
}
