/*
 * planes.h - takes interleaved channels apart, and puts them together.
 */
#ifndef LIB_STEPS_PLANES_H
#define LIB_STEPS_PLANES_H

#include <stddef.h>

/*
 * `in` is `count` pixels of `channels` elements of `bytes` bytes (1, 2, 4 or
 * 8); `out` gets a plane of `count` elements a channel, one after the other.
 */
void planes_split(
    const void *in, void *out, size_t count, size_t channels, size_t bytes);
/* The reverse: `in` is the planes. */
void planes_join(
    const void *in, void *out, size_t count, size_t channels, size_t bytes);

#endif
