/*
 * random_crop.c - a window anywhere in an image, each place alike.
 * in:  image HxWxC or CxHxW, any elements
 * out: the same, cropped
 */
#include "lib/steps/crop.h"
#include "lib/steps/step.h"

static int random_crop_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct image_size room, corner;

	if (crop_room(priv, in, &room, err))
		return -1;
	corner.height = random_below(random, (uint32_t)room.height + 1);
	corner.width = random_below(random, (uint32_t)room.width + 1);
	return crop_copy(priv, in, corner, out, err);
}

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
};
