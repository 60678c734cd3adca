/*
 * planes.h - takes interleaved channels apart, and puts them together.
 */
#ifndef LIB_IMAGE_PLANES_H
#define LIB_IMAGE_PLANES_H

#include <stddef.h>

/* Pixels of `channels` elements of `bytes` bytes: 1, 2, 4 or 8. */
struct planes {
	size_t channels, bytes;
	size_t apart; /* elements from one plane to the next */
};

/* `in` is `count` pixels; `out` gets `count` elements in each plane. */
void planes_split_apart(
    const struct planes *planes, const void *in, void *out, size_t count);
/* Planes one right behind the other. */
void planes_split(
    const void *in, void *out, size_t count, size_t channels, size_t bytes);
/* The reverse: `in` is the planes. */
void planes_join(
    const void *in, void *out, size_t count, size_t channels, size_t bytes);

#endif
