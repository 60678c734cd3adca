/*
 * colours.h - changes brightness, contrast, saturation and hue like
 * torchvision.
 *
 * The first three mix the image by a factor with another one: black, the mean
 * of its luma, its luma.  Hue is turned by a part of the circle.  After each
 * change, values are limited to 0 to 1 (floats) or 0 to 255 (bytes, rounded).
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
	float amount; /* a factor >= 0; for hue -0.5 to 0.5 */
};

struct colours_plan {
	/* every change at most once */
	struct colours_step steps[COLOURS_CHANGES];
	unsigned count;
	enum dtype dtype; /* DTYPE_U8 or DTYPE_F32 */
	size_t channels;  /* 3, or 1: saturation and hue do nothing */
};

void colours_run(
    const struct colours_plan *plan, const void *in, void *out, size_t pixels);

#endif
