/*
 * to_chw.c - puts channels first, as convolutions expect.
 * in:  image HxWxC, any elements
 * out: the same as CxHxW
 */
#include "lib/base/array.h"
#include "lib/image/planes.h"
#include "lib/image/window.h"
#include "lib/steps/step.h"

static struct shape chw_shape(const struct shape *hwc)
{
	return (struct shape){
		.count = 3,
		.dims = { hwc->dims[2], hwc->dims[0], hwc->dims[1] },
	};
}

static int to_chw_bind(void *priv, const void *options, const struct type *in,
    struct type *out, struct error *err)
{
	UNUSED(priv);
	UNUSED(options);
	if (image_check_hwc(in, err))
		return -1;
	*out = *in;
	out->layout = LAYOUT_CHW;
	out->shape = chw_shape(&in->shape);
	return 0;
}

static int to_chw_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct image image = image_of(in, LAYOUT_HWC);
	const struct shape shape = chw_shape(&in->shape);

	UNUSED(priv);
	UNUSED(random);
	if (tensor_reshape(out, in->dtype, &shape, err))
		return -1;
	planes_split(in->data, out->data, image.height * image.width,
	    image.channels, dtype_bytes(in->dtype));
	return 0;
}

static const struct window_ops window = {
	.reach = REACH_PLACE,
	.makes_planes = true,
};

const struct step_ops step_to_chw = {
	.name = "to_chw",
	.summary = "put the channels first",
	.in = "image HxWxC",
	.out = "image CxHxW",
	.kind = KIND_PLANES,
	.bind = to_chw_bind,
	.run = to_chw_run,
	.window = &window,
};
