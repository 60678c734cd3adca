/* jpeg_writer.h - encodes pixels as JPEG (wraps libjpeg). */
#ifndef LIB_IMAGE_JPEG_WRITER_H
#define LIB_IMAGE_JPEG_WRITER_H

#include <stdbool.h>

#include "lib/base/bytes.h"

struct error;

struct jpeg_picture {
	const unsigned char *pixels; /* rows of width * channels bytes */
	unsigned width, height;
	unsigned channels; /* 1: grey; 3: red, green, blue */
	int quality;       /* 1 to 100 */
	bool full_chroma;  /* 4:4:4; else 4:2:0 */
};

/* Appends the encoded file. */
int jpeg_write(
    const struct jpeg_picture *picture, struct buf *out, struct error *err);

#endif
