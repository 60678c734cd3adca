/*
 * jpeg_decode.h - the options of the step jpeg_decode, for who makes it other
 * than from the words of a pipeline file.
 */
#ifndef LIB_STEPS_JPEG_DECODE_H
#define LIB_STEPS_JPEG_DECODE_H

#include <stdbool.h>

struct jpeg_decode_options {
	bool exif;
	bool exact;    /* files with other channels are refused */
	unsigned mode; /* enum image_mode */
};

#endif
