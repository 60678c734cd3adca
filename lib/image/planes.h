/* planes.h - splits interleaved channels into planes, and joins them. */
#ifndef LIB_IMAGE_PLANES_H
#define LIB_IMAGE_PLANES_H

#include <stddef.h>

/* Pixels with `channels` elements of `bytes` bytes (1, 2, 4 or 8). */
struct planes {
	size_t channels, bytes;
	size_t apart; /* distance between planes, in elements */
};

/* Splits `count` pixels: each plane gets `count` elements. */
void planes_split_apart(
    const struct planes *planes, const void *in, void *out, size_t count);
/* The same for planes that follow each other without a gap. */
void planes_split(
    const void *in, void *out, size_t count, size_t channels, size_t bytes);
/* The reverse of planes_split. */
void planes_join(
    const void *in, void *out, size_t count, size_t channels, size_t bytes);

#endif
