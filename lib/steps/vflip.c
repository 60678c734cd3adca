/*
 * vflip.c - turns an image upside down, at random.
 * in:  image HxWxC or CxHxW, any elements
 * out: the same, its rows reversed
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/image/chance.h"
#include "lib/image/window.h"
#include "lib/steps/step.h"

struct vflip {
	double chance;
	enum layout layout;
	bool flips;    /* is the current sample flipped? */
	size_t height; /* its height */
};

static int vflip_bind(void *priv, const void *given, const struct type *in,
    struct type *out, struct error *err)
{
	struct vflip *vflip = priv;

	if (image_check(in, err))
		return -1;
	vflip->chance = ((const struct chance_options *)given)->chance;
	vflip->layout = in->layout;
	*out = *in;
	return 0;
}

/* Copies the rows of a window, in order or reversed. */
static void copy_rows(const struct window *in, bool flips, unsigned char *out)
{
	const bool is_planar = in->frame.layout == LAYOUT_CHW;
	const size_t planes = is_planar ? in->frame.channels : 1;
	const size_t row = in->box.width * dtype_bytes(in->frame.dtype) *
	                   (is_planar ? 1 : in->frame.channels);

	for (size_t plane = 0; plane < planes; plane++)
		for (size_t y = 0; y < in->box.height; y++) {
			const size_t from = flips ? in->box.height - 1 - y : y;

			memcpy(out,
			    in->data + plane * in->plane + from * in->stride,
			    row);
			out += row;
		}
}

static int vflip_run(void *priv, struct random *random, const struct tensor *in,
    struct tensor *out, struct error *err)
{
	const struct vflip *vflip = priv;
	const struct window window = window_of(in, vflip->layout);

	if (!chance_draw(vflip->chance, random))
		return tensor_copy(out, in, err);
	if (tensor_reshape(out, in->dtype, &in->shape, err))
		return -1;
	copy_rows(&window, true, out->data);
	return 0;
}

static int vflip_plan(
    void *priv, struct random *random, struct frame *frame, struct error *err)
{
	struct vflip *vflip = priv;

	UNUSED(err);
	vflip->flips = chance_draw(vflip->chance, random);
	vflip->height = frame->size.height;
	return 0;
}

static int vflip_need(void *priv, struct box *box, struct error *err)
{
	const struct vflip *vflip = priv;

	UNUSED(err);
	if (vflip->flips)
		box->top = vflip->height - box->top - box->height;
	return 0;
}

/* The window may contain more than the box needs. */
static int vflip_make(void *priv, const struct window *in,
    const struct box *box, struct tensor *out, struct error *err)
{
	const struct vflip *vflip = priv;
	const struct shape shape = frame_shape(&in->frame, box);
	struct window needed = *in;
	struct box from = *box;

	if (vflip_need(priv, &from, err) ||
	    tensor_reshape(out, in->frame.dtype, &shape, err))
		return -1;
	window_narrow(&needed, &from);
	copy_rows(&needed, vflip->flips, out->data);
	return 0;
}

static const struct window_ops window = {
	.reach = REACH_AREA,
	.plan = vflip_plan,
	.need = vflip_need,
	.make = vflip_make,
};

const struct step_ops step_vflip = {
	.name = "vflip",
	.summary = "turn the image upside down, by chance",
	.in = "image",
	.out = "the same",
	.kind = KIND_FLIP,
	.random = true,
	.is_certain = chance_is_certain,
	.any_alignment = true,
	.options = chance_option_table,
	.options_size = sizeof(struct chance_options),
	.defaults = &chance_defaults,
	.priv_size = sizeof(struct vflip),
	.bind = vflip_bind,
	.run = vflip_run,
	.window = &window,
};
