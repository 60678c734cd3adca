/*
 * image_decode.h - the options of the steps that decode image files:
 * image_decode, and jpeg_decode and png_decode, which share them.
 */
#ifndef LIB_STEPS_IMAGE_DECODE_H
#define LIB_STEPS_IMAGE_DECODE_H

#include <stdbool.h>

struct image_decode_options {
	bool exif;      /* JPEG: turn the image as its Exif tag says */
	unsigned mode;  /* an enum image_mode */
	unsigned dtype; /* PNG: 0: uint8, 1: uint16 */
};

#endif
