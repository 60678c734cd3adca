/*
 * center.c - 0..255 to -1..1: x / 127.5 - 1.
 * in:  uint8 or float32, any shape
 * out: float32 of the same shape
 */
#include "lib/base/array.h"
#include "lib/steps/image.h"
#include "lib/steps/scale.h"
#include "lib/steps/step.h"

/* 1 / 127.5 is 0x1.0101010101p-7... */
static const struct scale scale = {
	.minus = 127.5f,
	.times = 0x1.01p-7f,
	.rest = 0x1.010102p-23f,
};

static int center_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(options);
	*out = *in;
	out->dtype = DTYPE_F32;
	return image_check_bytes_or_floats(in, err);
}

static int center_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const size_t count = shape_elements(&in->shape);

	UNUSED(priv);
	UNUSED(random);
	if (tensor_reshape(out, DTYPE_F32, &in->shape, err))
		return -1;
	if (in->dtype == DTYPE_U8)
		scale_bytes(scale, in->data, out->data, count);
	else
		scale_floats(scale, in->data, out->data, count);
	return 0;
}

const struct step_ops step_center = {
	.name = "center",
	.summary = "map 0..255 to floats -1..1",
	.in = "uint8 or float32",
	.out = "float32",
	.bind = center_bind,
	.run = center_run,
};
