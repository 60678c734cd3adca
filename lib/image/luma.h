/*
 * luma.h - one channel of three: 0.299 red, 0.587 green, 0.114 blue (ITU-R
 * 601-2).  Integers are weighed in 16-bit fractions and rounded, as Pillow
 * does it with bytes.
 */
#ifndef LIB_IMAGE_LUMA_H
#define LIB_IMAGE_LUMA_H

#include <stddef.h>

#include "lib/sample/dtype.h"

/* Of uint8, uint16 or float32; so many pixels. */
void luma_of_rgb(enum dtype dtype, const void *rgb, void *out, size_t pixels);

#endif
