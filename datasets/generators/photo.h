/*
 * photo.h - a picture that behaves like a photograph: a scene of a few
 * surfaces with shading, texture at all scales, edges, and the noise of a
 * sensor.  It is what a decoder and a resizer work on, not a thing to look at.
 */
#ifndef DATASETS_GENERATORS_PHOTO_H
#define DATASETS_GENERATORS_PHOTO_H

#include <stdbool.h>
#include <stdint.h>

#include "datasets/generators/noise.h"
#include "lib/base/bytes.h"

struct error;
struct random;

enum { PHOTO_CLASSES = 10 };

struct photo {
	unsigned width, height;
	unsigned channels; /* 3, or 1: grey */
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

/* The name of a class, "beach"; kind < PHOTO_CLASSES. */
const char *photo_class(unsigned kind);
/*
 * Takes a picture of that class; width, height and channels are set.  The
 * pixels are the studio's, until the next.
 */
int photo_take(struct photo_studio *studio, unsigned kind,
    struct random *random, struct photo *photo, struct error *err);
void photo_studio_release(struct photo_studio *studio);

#endif
