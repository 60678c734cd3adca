/*
 * to_half.c - float32 to float16.
 * in:  float32, any shape
 * out: float16 of the same shape, rounded to nearest, ties to even
 */
#include "lib/base/array.h"
#include "lib/image/window.h"
#include "lib/sample/half.h"
#include "lib/steps/step.h"

static int to_half_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(options);
	*out = *in;
	out->dtype = DTYPE_F16;
	if (in->dtype != DTYPE_F32)
		return type_refuse(in, "float32", err);
	return 0;
}

static int to_half_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(random);
	if (tensor_reshape(out, DTYPE_F16, &in->shape, err))
		return -1;
	half_from_floats(in->data, out->data, shape_elements(&in->shape));
	return 0;
}

static void to_half_run_row(
    const void *priv, const struct row *row, const void *in, void *out)
{
	UNUSED(priv);
	half_from_floats(in, out, row->pixels * row->channels);
}

static const struct window_ops window = {
	.reach = REACH_ELEMENT,
	.run = to_half_run_row,
};

const struct step_ops step_to_half = {
	.name = "to_half",
	.summary = "round floats to float16",
	.in = "float32",
	.out = "float16",
	.kind = KIND_CAST,
	.bind = to_half_bind,
	.run = to_half_run,
	.window = &window,
};
