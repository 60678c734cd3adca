/*
 * png_decode.h - the options of the step png_decode, for who makes it other
 * than from the words of a pipeline file.
 */
#ifndef LIB_STEPS_PNG_DECODE_H
#define LIB_STEPS_PNG_DECODE_H

struct png_decode_options {
	unsigned dtype; /* 0: uint8, 1: uint16 */
	unsigned mode;  /* enum image_mode */
};

#endif
