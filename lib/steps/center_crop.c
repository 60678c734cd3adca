/*
 * center_crop.c - the window in the middle of an image.
 * in:  image HxWxC or CxHxW, any elements
 * out: the same, cropped
 *
 * An odd row or column too many is shared as torchvision does it: half of
 * what is left, rounded to the nearest even number.
 */
#include <math.h>

#include "lib/base/array.h"
#include "lib/steps/crop.h"
#include "lib/steps/step.h"

static size_t half(size_t room)
{
	return (size_t)lrint((double)room / 2);
}

static int center_crop_run(void *priv, struct random *random,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct image_size room;

	UNUSED(random);
	if (crop_room(priv, in, &room, err))
		return -1;
	room.height = half(room.height);
	room.width = half(room.width);
	return crop_copy(priv, in, room, out, err);
}

const struct step_ops step_center_crop = {
	.name = "center_crop",
	.summary = "cut the window in the middle",
	.in = "image",
	.out = "image of the given size",
	.any_alignment = true,
	.options = crop_option_table,
	.options_size = sizeof(struct crop_options),
	.check = crop_check,
	.priv_size = sizeof(struct crop),
	.bind = crop_bind,
	.run = center_crop_run,
};
