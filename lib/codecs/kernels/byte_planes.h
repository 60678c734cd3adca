/*
 * byte_planes.h - splits numbers into byte planes and joins them again: plane 0
 * holds the first byte of every number, plane 1 the second, and so on.
 */
#ifndef LIB_CODECS_KERNELS_BYTE_PLANES_H
#define LIB_CODECS_KERNELS_BYTE_PLANES_H

#include <stddef.h>

/*
 * Splits `count` numbers of `bytes` bytes (1, 2, 4 or 8) into `bytes` planes.
 * Plane i begins at planes + i * stride.
 */
void byte_planes_split(const void *numbers, size_t count, size_t bytes,
    unsigned char *planes, size_t stride);
/* Joins the planes into numbers: the reverse of byte_planes_split. */
void byte_planes_join(const unsigned char *planes, size_t stride, void *numbers,
    size_t count, size_t bytes);

#endif
