/* image_type.c - see image_type.h. */
#include "lib/codecs/image_type.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/image/image.h"

bool image_is_grey(const struct type *type)
{
	return type->shape.dims[2] == 1;
}

int image_check_side(
    const struct tensor *image, int64_t most, struct error *err)
{
	const int64_t *side = image->shape.dims;
	char text[SHAPE_TEXT];

	if (side[0] > 0 && side[1] > 0 && side[0] <= most && side[1] <= most) {
		if (side[0] * side[1] <= IMAGE_PIXELS_MAX)
			return 0;
		return error_set(err, ERROR_DATA,
		    "an image of %s is larger than %d pixels",
		    shape_text(&image->shape, text), IMAGE_PIXELS_MAX);
	}
	return error_set(err, ERROR_DATA,
	    "an image of %s: its sides must be 1 to %lld",
	    shape_text(&image->shape, text), (long long)most);
}

int image_give(const struct buf *file, const char *suffix, struct tensor *out,
    struct error *err)
{
	const struct shape shape = {
		.count = 1,
		.dims = { (int64_t)file->len },
	};

	if (tensor_reshape(out, DTYPE_U8, &shape, err))
		return -1;
	memcpy(out->data, file->data, file->len);
	snprintf(out->suffix, sizeof(out->suffix), "%s", suffix);
	return 0;
}

int image_stored(const char *name, const char *suffix, const struct type *type,
    struct type *stored, struct error *err)
{
	char text[SHAPE_TEXT];

	if (type->dtype != DTYPE_U8 || type->layout != LAYOUT_HWC ||
	    (type->shape.dims[2] != 1 && type->shape.dims[2] != 3))
		return error_set(err, ERROR_USAGE,
		    "%s is for images HxWx3 and HxWx1 of uint8, not %s", name,
		    type_text(type, text));
	*stored = (struct type){
		.dtype = DTYPE_U8,
		.layout = LAYOUT_ENCODED,
		.shape = { .count = 1, .dims = { -1 } },
	};
	snprintf(stored->suffix, sizeof(stored->suffix), "%s", suffix);
	return 0;
}
