/*
 * magic.h - what a file is by its first bytes: images that are decoded, and
 * what users take for them.
 */
#ifndef LIB_IMAGE_MAGIC_H
#define LIB_IMAGE_MAGIC_H

#include "lib/base/bytes.h"

enum image_format { IMAGE_JPEG, IMAGE_PNG, IMAGE_NONE };

struct magic {
	enum image_format format;
	const char *name; /* "a JPEG file" */
	size_t at, len;   /* where the bytes are, and how many */
	const char *bytes;
};

/* NULL: not known.  Static. */
const struct magic *magic_find(struct span file);

#endif
