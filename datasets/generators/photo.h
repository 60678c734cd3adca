/*
 * photo.h - makes pictures that behave like photographs for decoders and
 * resizers: a scene of a few surfaces with shading, texture at all scales,
 * edges, and sensor noise. They are not meant to look real.
 */
#ifndef DATASETS_GENERATORS_PHOTO_H
#define DATASETS_GENERATORS_PHOTO_H

#include <stdbool.h>
#include <stdint.h>

#include "datasets/generators/noise.h"
#include "lib/base/bytes.h"

struct error;
struct random;

enum { PHOTO_CLASSES = 10, PHOTO_WIDTH_LEAST = 64, PHOTO_WIDTH_MOST = 8000 };

struct photo {
	/* Width 0: photo_take draws a size as in ImageNet. */
	unsigned width, height;
	unsigned channels; /* 3, or 1: grey */
	bool clean;        /* without sensor noise */
	unsigned char *pixels;
};

/* The memory of one thread. */
struct photo_studio {
	struct noise coarse, fine, tint;
	struct buf pixels, surfaces, grain;
};

#define PHOTO_STUDIO_INIT            \
	{                            \
		.coarse = NOISE_INIT \
	}

/* Returns the name of a class, "beach"; kind < PHOTO_CLASSES. */
const char *photo_class(unsigned kind);
/*
 * Takes a picture of that class, in the photo's size; with width 0, size and
 * channels are drawn as in ImageNet. Large pictures show the same things, with
 * less detail from point to point. Pixels live until the next call.
 */
int photo_take(struct photo_studio *studio, unsigned kind,
    struct random *random, struct photo *photo, struct error *err);
void photo_studio_release(struct photo_studio *studio);

#endif
