/*
 * random_crop.c - a window anywhere in an image, each place alike.
 * in:  image HxWxC or CxHxW, any elements
 * out: the same, cropped
 */
#include "lib/steps/crop.h"
#include "lib/steps/step.h"

static int random_crop_plan(
    void *priv, struct random *random, struct frame *frame, struct error *err)
{
	struct crop *crop = priv;
	struct image_size room;

	if (crop_room(crop, frame->size, &room, err))
		return -1;
	crop->corner.height = random_below(random, (uint32_t)room.height + 1);
	crop->corner.width = random_below(random, (uint32_t)room.width + 1);
	frame->size = crop->size;
	return 0;
}

static int random_crop_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct crop *crop = priv;
	struct frame frame = window_of(in, crop->layout).frame;

	if (random_crop_plan(priv, random, &frame, err))
		return -1;
	return crop_copy(crop, in, out, err);
}

static const struct window_ops window = {
	.reach = REACH_PLACE,
	.crops = true,
	.plan = random_crop_plan,
	.need = crop_need,
};

const struct step_ops step_random_crop = {
	.name = "random_crop",
	.summary = "cut a window anywhere",
	.in = "image",
	.out = "image of the given size",
	.random = true,
	.any_alignment = true,
	.options = crop_option_table,
	.options_size = sizeof(struct crop_options),
	.check = crop_check,
	.priv_size = sizeof(struct crop),
	.bind = crop_bind,
	.run = random_crop_run,
	.window = &window,
};
