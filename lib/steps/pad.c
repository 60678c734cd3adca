/*
 * pad.c - pads to a number of rows, so that all samples have one shape.
 * in:  any tensor with at least one dimension and at most `length` rows
 * out: the same with `length` rows; added elements have one value
 */
#include <inttypes.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/element.h"
#include "lib/steps/step.h"
#include "lib/syntax/option.h"

enum side {
	SIDE_RIGHT,
	SIDE_LEFT,
};

struct options {
	uint64_t length;
	unsigned side; /* an enum side */
	double value;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "length", struct options, length, 1, 1 << 30,
	    "number of rows of the output"),
	OPTION_WORDS("side", struct options, side, "right|left",
	    "side to add rows at: the end (right) or the start (left)"),
	OPTION(REAL, "value", 0, struct options, value, "N",
	    "value of the added rows"),
	OPTION_TABLE_END,
};

struct pad {
	int64_t length;
	enum side side;
	unsigned char value[ELEMENT_BYTES]; /* stored as an element */
};

static int pad_check(const void *given, struct error *err)
{
	if (((const struct options *)given)->length)
		return 0;
	return error_set(err, ERROR_USAGE, "length must be given");
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
		return type_refuse(in, "a tensor with a dimension", err);
	if (in->shape.dims[0] > pad->length)
		return error_set(err, ERROR_USAGE,
		    "takes %" PRId64 " rows at most, not %s", pad->length,
		    type_text(in, text));
	*out = *in;
	out->shape.dims[0] = pad->length;
	return element_set(want->value, in->dtype, pad->value, err);
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
		element_fill(to + (pad->side == SIDE_LEFT ? 0 : in->bytes),
		    added / dtype_bytes(in->dtype), pad->value, in->dtype);
	return 0;
}

const struct step_ops step_pad = {
	.name = "pad",
	.summary = "add rows up to a fixed number",
	.in = "any tensor",
	.out = "the same, of known length",
	.kind = KIND_FILL,
	.any_alignment = true,
	.options = options,
	.options_size = sizeof(struct options),
	.check = pad_check,
	.priv_size = sizeof(struct pad),
	.bind = pad_bind,
	.run = pad_run,
};
