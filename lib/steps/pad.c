/*
 * pad.c - to so many rows, so that all samples have one shape.
 * in:  any tensor with a dimension, of `length` rows at most
 * out: the same with `length` rows, those that were not there of one value
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/option.h"
#include "lib/sample/half.h"
#include "lib/steps/step.h"

enum side {
	SIDE_RIGHT,
	SIDE_LEFT,
};

struct options {
	uint64_t length;
	unsigned side; /* enum side */
	double value;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "length", struct options, length, 1, 1 << 30,
	    "rows of the output"),
	OPTION_WORDS("side", struct options, side, "right|left",
	    "where rows are added: behind, or in front"),
	OPTION(REAL, "value", 0, struct options, value, "N",
	    "what is in the rows that are added"),
	OPTION_TABLE_END,
};

enum { ELEMENT_MOST = 8 };

struct pad {
	int64_t length;
	enum side side;
	unsigned char value[ELEMENT_MOST]; /* as an element */
};

static int pad_check(const void *given, struct error *err)
{
	if (((const struct options *)given)->length)
		return 0;
	return error_set(err, ERROR_USAGE, "length must be given");
}

/* Whole numbers of this type: from `low` up to, but without, `high`. */
static void whole_range(enum dtype dtype, double *low, double *high)
{
	static const bool is_signed[DTYPE_COUNT] = {
		[DTYPE_I8] = true,
		[DTYPE_I16] = true,
		[DTYPE_I32] = true,
		[DTYPE_I64] = true,
	};
	const int bits = (int)dtype_bytes(dtype) * 8 - is_signed[dtype];

	*high = ldexp(1, bits);
	*low = is_signed[dtype] ? -*high : 0;
}

static int set_whole(
    struct pad *pad, double value, enum dtype dtype, struct error *err)
{
	double low, high;
	uint64_t whole;

	whole_range(dtype, &low, &high);
	if (value < low || value >= high || value != floor(value))
		return error_set(err, ERROR_USAGE,
		    "value %g is not a number "
		    "of %s",
		    value, dtype_name(dtype));
	whole = value < 0 ? (uint64_t)(int64_t)value : (uint64_t)value;
	for (size_t i = 0; i < dtype_bytes(dtype); i++)
		pad->value[i] = (unsigned char)(whole >> (8 * i));
	return 0;
}

static int set_value(
    struct pad *pad, double value, enum dtype dtype, struct error *err)
{
	const float narrow = (float)value;
	const uint16_t half = half_from_float(narrow);

	switch (dtype) {
	case DTYPE_F16:
		memcpy(pad->value, &half, sizeof(half));
		return 0;
	case DTYPE_F32:
		memcpy(pad->value, &narrow, sizeof(narrow));
		return 0;
	case DTYPE_F64:
		memcpy(pad->value, &value, sizeof(value));
		return 0;
	default:
		return set_whole(pad, value, dtype, err);
	}
}

static int pad_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	const struct options *want = given;
	struct pad *pad = priv;
	char text[SHAPE_TEXT];

	pad->length = (int64_t)want->length;
	pad->side = want->side;
	if (in->layout == LAYOUT_ENCODED || in->shape.count == 0)
		return error_set(err, ERROR_USAGE,
		    "takes a tensor with a dimension, not %s",
		    type_text(in, text));
	if (in->shape.dims[0] > pad->length)
		return error_set(err, ERROR_USAGE,
		    "takes %" PRId64 " rows at most, not %s", pad->length,
		    type_text(in, text));
	*out = *in;
	out->shape.dims[0] = pad->length;
	return set_value(pad, want->value, in->dtype, err);
}

/* Doubles what is there until it is full. */
static void fill(unsigned char *to, size_t bytes, const unsigned char *value,
    size_t value_bytes)
{
	size_t done = bytes < value_bytes ? bytes : value_bytes;

	memcpy(to, value, done);
	while (done < bytes) {
		const size_t more = bytes - done < done ? bytes - done : done;

		memcpy(to + done, to, more);
		done += more;
	}
}

static int pad_run(void *priv, struct random *random, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	const struct pad *pad = priv;
	struct shape shape = in->shape;
	unsigned char *to;
	size_t added;

	UNUSED(random);
	if (shape.dims[0] > pad->length)
		return error_set(err, ERROR_DATA,
		    "has %" PRId64 " rows, more than length=%" PRId64
		    ": truncate it before",
		    shape.dims[0], pad->length);
	shape.dims[0] = pad->length;
	if (tensor_reshape(out, in->dtype, &shape, err))
		return -1;
	to = out->data;
	added = out->bytes - in->bytes;
	if (in->bytes)
		memcpy(to + (pad->side == SIDE_LEFT ? added : 0), in->data,
		    in->bytes);
	if (added)
		fill(to + (pad->side == SIDE_LEFT ? 0 : in->bytes), added,
		    pad->value, dtype_bytes(in->dtype));
	return 0;
}

const struct step_ops step_pad = {
	.name = "pad",
	.summary = "fill up to so many rows",
	.in = "any tensor",
	.out = "the same, of known length",
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.check = pad_check,
	.priv_size = sizeof(struct pad),
	.bind = pad_bind,
	.run = pad_run,
};
