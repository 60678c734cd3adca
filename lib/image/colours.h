/*
 * colours.h - brightness, contrast, saturation and hue of an image, one after
 * the other, as torchvision has them.
 *
 * Each mixes the image with another one, by a factor: with black, with the
 * mean of its luma, with its luma.  Hue is turned by a part of the circle.
 * Values are kept within 0 to 1 (floats) or 0 to 255 (bytes, rounded) after
 * each.
 */
#ifndef LIB_IMAGE_COLOURS_H
#define LIB_IMAGE_COLOURS_H

#include <stddef.h>

#include "lib/sample/dtype.h"

enum colours_change {
	COLOURS_BRIGHTNESS,
	COLOURS_CONTRAST,
	COLOURS_SATURATION,
	COLOURS_HUE,
	COLOURS_CHANGES,
};

struct colours_step {
	enum colours_change change;
	float amount; /* a factor, 0 or more; of hue -0.5 to 0.5 */
};

struct colours_plan {
	struct colours_step steps[COLOURS_CHANGES]; /* each change once */
	unsigned count;
	enum dtype dtype; /* DTYPE_U8 or DTYPE_F32 */
	size_t channels;  /* 3, or 1, which has no saturation and no hue */
};

void colours_run(
    const struct colours_plan *plan, const void *in, void *out, size_t pixels);

#endif
