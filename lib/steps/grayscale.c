/*
 * grayscale.c - RGB to luma: 0.299 red + 0.587 green + 0.114 blue (ITU-R
 * 601-2).
 * in:  image HxWx3 (or HxWx1, which is copied), uint8, uint16 or float32
 * out: HxWx1 of the same elements
 */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/image/luma.h"
#include "lib/image/window.h"
#include "lib/steps/step.h"

static int check_channels(
    int64_t channels, enum error_code code, struct error *err)
{
	if (channels == 1 || channels == 3)
		return 0;
	return error_set(
	    err, code, "takes 3 channels, not %lld", (long long)channels);
}

static int grayscale_bind(void *priv, const void *options,
    const struct type *in, struct type *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(options);
	if (image_check_hwc(in, err) || image_check_levels(in, err))
		return -1;
	if (in->shape.dims[2] >= 0 &&
	    check_channels(in->shape.dims[2], ERROR_USAGE, err))
		return -1;
	*out = *in;
	out->shape.dims[2] = 1;
	return 0;
}

static int grayscale_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct shape shape = in->shape;

	UNUSED(priv);
	UNUSED(random);
	if (shape.dims[2] == 1)
		return tensor_copy(out, in, err);
	if (check_channels(shape.dims[2], ERROR_DATA, err))
		return -1;
	shape.dims[2] = 1;
	if (tensor_reshape(out, in->dtype, &shape, err))
		return -1;
	luma_of_rgb(in->dtype, in->data, out->data, shape_elements(&shape));
	return 0;
}

struct grayscale {
	bool is_gray; /* fused: the current sample has one channel */
};

static int grayscale_plan(
    void *priv, struct random *random, struct frame *frame, struct error *err)
{
	struct grayscale *grayscale = priv;

	UNUSED(random);
	if (check_channels((int64_t)frame->channels, ERROR_DATA, err))
		return -1;
	grayscale->is_gray = frame->channels == 1;
	frame->channels = 1;
	return 0;
}

static bool grayscale_is_idle(const void *priv)
{
	return ((const struct grayscale *)priv)->is_gray;
}

static void grayscale_run_row(
    const void *priv, const struct row *row, const void *in, void *out)
{
	UNUSED(priv);
	luma_of_rgb(row->dtype, in, out, row->pixels);
}

static const struct window_ops window = {
	.reach = REACH_PIXEL,
	.plan = grayscale_plan,
	.is_idle = grayscale_is_idle,
	.run = grayscale_run_row,
};

const struct step_ops step_grayscale = {
	.name = "grayscale",
	.summary = "weigh red, green and blue into one channel",
	.in = "image HxWx3, uint8, uint16 or float32",
	.out = "image HxWx1",
	.kind = KIND_GRAY,
	.priv_size = sizeof(struct grayscale),
	.bind = grayscale_bind,
	.run = grayscale_run,
	.window = &window,
};
