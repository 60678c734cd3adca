/*
 * luma.h - the luma of RGB: 0.299 red + 0.587 green + 0.114 blue (ITU-R 601-2).
 * Integers use weights of 16 bits and round, as Pillow does.
 */
#ifndef LIB_IMAGE_LUMA_H
#define LIB_IMAGE_LUMA_H

#include <stddef.h>

#include "lib/sample/dtype.h"

/* Accepts uint8, uint16 or float32. */
void luma_of_rgb(enum dtype dtype, const void *rgb, void *out, size_t pixels);

#endif
