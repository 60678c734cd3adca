/*
 * blur.h - an image, or a part of one, weighed with its neighbours by a bell
 * curve: first down the columns, then along the rows, in floats.  At its edges
 * the image is mirrored, without the edge itself.
 */
#ifndef LIB_IMAGE_BLUR_H
#define LIB_IMAGE_BLUR_H

#include <stddef.h>

#include "lib/image/window.h"

struct error;
struct blur; /* one a worker */

enum { BLUR_REACH_MAX = 127 };

/* The weights of up to `reach` neighbours to each side. */
struct blur_curve {
	size_t reach;
	float weights[BLUR_REACH_MAX + 1]; /* own, next, ...; sum 1 */
};

/* Neighbours that would weigh less than a float can tell are left out. */
void blur_curve_fill(struct blur_curve *curve, size_t reach, double sigma);

struct blur *blur_new(struct error *err);
void blur_free(struct blur *blur); /* NULL is fine */

/* Makes the box wanted that of the image which it is made of. */
void blur_need(
    const struct blur_curve *curve, struct image_size image, struct box *box);

/* Makes `out` (uint8 or float32, as the window, HWC) the box. */
int blur_run(struct blur *blur, const struct blur_curve *curve,
    const struct window *in, const struct box *box, struct tensor *out,
    struct error *err);

#endif
