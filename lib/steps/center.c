/*
 * center.c - scales 0..255 to -1..1: x / 127.5 - 1; uint16: x / 32767.5 - 1.
 * in:  uint8, uint16 or float32, any shape
 * out: float32 of the same shape
 */
#include "lib/base/array.h"
#include "lib/image/scale.h"
#include "lib/image/window.h"
#include "lib/steps/step.h"

/* 1 / 127.5 is 0x1.0101010101p-7... */
static const struct scale scale = {
	.minus = 127.5f,
	.times = 0x1.01p-7f,
	.rest = 0x1.010102p-23f,
};

/* 1 / 32767.5 is 0x1.00010001p-15... */
static const struct scale scale_of_words = {
	.minus = 32767.5f,
	.times = 0x1.0001p-15f,
	.rest = 0x1.0001p-47f,
};

static int center_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(options);
	*out = *in;
	out->dtype = DTYPE_F32;
	return image_check_levels(in, err);
}

static void center_elements(
    enum dtype dtype, bool is_large, const void *in, float *out, size_t count)
{
	struct scale how = dtype == DTYPE_U16 ? scale_of_words : scale;

	how.is_large = is_large;
	scale_run(how, dtype, in, out, count);
}

static int center_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(random);
	if (tensor_reshape(out, DTYPE_F32, &in->shape, err))
		return -1;
	center_elements(in->dtype, out->is_large, in->data, out->data,
	    shape_elements(&in->shape));
	return 0;
}

static void center_run_row(
    const void *priv, const struct row *row, const void *in, void *out)
{
	UNUSED(priv);
	center_elements(
	    row->dtype, row->is_large, in, out, row->pixels * row->channels);
}

static const struct window_ops window = {
	.reach = REACH_ELEMENT,
	.run = center_run_row,
};

const struct step_ops step_center = {
	.name = "center",
	.summary = "map 0..255, or 0..65535, to floats -1..1",
	.in = "uint8, uint16 or float32",
	.out = "float32",
	.kind = KIND_SCALE,
	.bind = center_bind,
	.run = center_run,
	.window = &window,
};
