/*
 * blur.h - Gaussian blur of an image or a part of it: first down the columns,
 * then along the rows, in floats.  Edges are mirrored without repeating the
 * edge pixel.
 */
#ifndef LIB_IMAGE_BLUR_H
#define LIB_IMAGE_BLUR_H

#include <stddef.h>

#include "lib/image/window.h"

struct error;
struct blur; /* use one per worker */

enum { BLUR_REACH_MAX = 127 };

/* The weights of up to `reach` neighbours on each side. */
struct blur_curve {
	size_t reach;
	float weights[BLUR_REACH_MAX + 1]; /* own, next, ...; sum 1 */
};

/* Leaves out neighbours whose weight is too small for a float. */
void blur_curve_fill(struct blur_curve *curve, size_t reach, double sigma);

struct blur *blur_new(struct error *err);
void blur_free(struct blur *blur); /* NULL is fine */

/* Extends a box of the output to the box of the input that it needs. */
void blur_need(
    const struct blur_curve *curve, struct image_size image, struct box *box);

/* Computes the box of the output, HWC; the window is uint8 or float32. */
int blur_run(struct blur *blur, const struct blur_curve *curve,
    const struct window *in, const struct box *box, struct tensor *out,
    struct error *err);

#endif
