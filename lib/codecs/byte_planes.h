/*
 * byte_planes.h - takes the bytes of numbers apart: all first bytes, all
 * second bytes, and so on.
 */
#ifndef LIB_CODECS_BYTE_PLANES_H
#define LIB_CODECS_BYTE_PLANES_H

#include <stddef.h>

/*
 * `count` numbers of `bytes` bytes (1, 2, 4 or 8) to as many planes; the
 * planes begin `stride` bytes apart.
 */
void byte_planes_split(const void *numbers, size_t count, size_t bytes,
    unsigned char *planes, size_t stride);
/* The reverse. */
void byte_planes_join(const unsigned char *planes, size_t stride, void *numbers,
    size_t count, size_t bytes);

#endif
