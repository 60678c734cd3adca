/*
 * magic.h - recognizes files by their first bytes: image formats, and files
 * that users mistake for images.
 */
#ifndef LIB_IMAGE_MAGIC_H
#define LIB_IMAGE_MAGIC_H

#include "lib/base/bytes.h"

enum image_format { IMAGE_JPEG, IMAGE_PNG, IMAGE_NONE };

struct magic {
	enum image_format format;
	const char *name; /* such as "a JPEG file" */
	size_t at, len;   /* position and number of the bytes */
	const char *bytes;
};

/* Returns a static entry; NULL: not known. */
const struct magic *magic_find(struct span file);

#endif
