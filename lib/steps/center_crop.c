/*
 * center_crop.c - crops the middle of an image.
 * in:  image HxWxC or CxHxW, any elements
 * out: the same, cropped
 *
 * If an odd number of rows or columns is removed, half of it is rounded to the
 * nearest even number, as in torchvision.
 */
#include <math.h>

#include "lib/base/array.h"
#include "lib/image/crop.h"
#include "lib/steps/step.h"

static size_t half(size_t room)
{
	return (size_t)lrint((double)room / 2);
}

static int center_crop_plan(
    void *priv, struct random *random, struct frame *frame, struct error *err)
{
	struct crop *crop = priv;
	struct image_size room;

	UNUSED(random);
	if (crop_room(crop, frame->size, &room, err))
		return -1;
	crop->corner.height = half(room.height);
	crop->corner.width = half(room.width);
	frame->size = crop->size;
	return 0;
}

static int center_crop_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct crop *crop = priv;
	struct frame frame = window_of(in, crop->layout).frame;

	if (center_crop_plan(priv, random, &frame, err))
		return -1;
	return crop_copy(crop, in, out, err);
}

static const struct window_ops window = {
	.reach = REACH_PLACE,
	.crops = true,
	.plan = center_crop_plan,
	.need = crop_need,
};

const struct step_ops step_center_crop = {
	.name = "center_crop",
	.summary = "cut a window from the middle",
	.in = "image",
	.out = "image of the given size",
	.kind = KIND_CROP,
	.any_alignment = true,
	.options = crop_option_table,
	.options_size = sizeof(struct crop_options),
	.check = crop_check,
	.priv_size = sizeof(struct crop),
	.bind = crop_bind,
	.run = center_crop_run,
	.window = &window,
};
