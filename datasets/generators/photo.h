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

enum { PHOTO_CLASSES = 10, PHOTO_WIDTH_LEAST = 64, PHOTO_WIDTH_MOST = 8000 };

struct photo {
	/* Width 0: photo_take draws both as in ImageNet. */
	unsigned width, height;
	unsigned channels; /* 3, or 1: grey */
	bool clean;        /* without the grain of a sensor */
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
 * Takes a picture of that class, of the width and height that the photo has, or
 * else of a size, and with as many channels, as in ImageNet.  Large ones show
 * the same things with less detail from point to point.  The pixels are the
 * studio's, until the next.
 */
int photo_take(struct photo_studio *studio, unsigned kind,
    struct random *random, struct photo *photo, struct error *err);
void photo_studio_release(struct photo_studio *studio);

#endif
