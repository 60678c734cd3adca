/* mask.c - see mask.h. */
#include "lib/audio/mask.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/sample/element.h"

enum { COUNT_MAX = 1000, WIDTH_MAX = 1000000000 };

const struct option mask_options[] = {
	OPTION_RANGE(UINT, "count", struct mask_options, count, 1, COUNT_MAX,
	    "number of masks"),
	OPTION_RANGE(UINT, "max", struct mask_options, max, 1, WIDTH_MAX,
	    "greatest width of a mask"),
	OPTION_RANGE(REAL, "value", struct mask_options, value, -1e30, 1e30,
	    "value to write"),
	OPTION_TABLE_END,
};

const struct mask_options mask_defaults = {
	.count = 1,
};

int mask_check(const void *given, struct error *err)
{
	if (((const struct mask_options *)given)->max)
		return 0;
	return error_set(err, ERROR_USAGE, "max must be given: a number");
}

int mask_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	((struct mask *)priv)->wish = *(const struct mask_options *)given;
	*out = *in;
	if ((in->dtype != DTYPE_F16 && in->dtype != DTYPE_F32 &&
	        in->dtype != DTYPE_F64) ||
	    in->shape.count != 2)
		return type_refuse(in, "spectra, floats of frames x bins", err);
	return 0;
}

/* Overwrites `width` rows or columns from `start` along the axis. */
static void overwrite(struct tensor *out, unsigned axis, size_t start,
    size_t width, const unsigned char element[ELEMENT_BYTES])
{
	const size_t rows = (size_t)out->shape.dims[0];
	const size_t columns = (size_t)out->shape.dims[1];
	const size_t bytes = dtype_bytes(out->dtype);
	unsigned char *data = out->data;

	if (axis == 0) {
		element_fill(data + start * columns * bytes, width * columns,
		    element, out->dtype);
		return;
	}
	for (size_t row = 0; row < rows; row++)
		element_fill(data + (row * columns + start) * bytes, width,
		    element, out->dtype);
}

int mask_run(const struct mask *mask, unsigned axis, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const uint64_t length = (uint64_t)in->shape.dims[axis];
	const uint64_t most = mask->wish.max < length ? mask->wish.max : length;
	unsigned char element[ELEMENT_BYTES];

	if (tensor_copy(out, in, err) ||
	    element_set(mask->wish.value, out->dtype, element, err))
		return -1;
	for (uint64_t i = 0; i < mask->wish.count; i++) {
		const uint32_t width = random_below(random, (uint32_t)most + 1);
		const uint32_t places = (uint32_t)(length - width) + 1;

		overwrite(
		    out, axis, random_below(random, places), width, element);
	}
	return 0;
}
