/*
 * differences.h - differences between neighbouring numbers, and sums that undo
 * them. Integers wrap around, so that nothing is lost.
 *
 * Both take `count` numbers of `bytes` bytes (1, 2, 4 or 8), aligned.  `before`
 * is the number in front of the first one, 0 at the start.  Both return the
 * value to pass as `before` for the numbers that follow.  They do not overlap.
 */
#ifndef LIB_CODECS_KERNELS_DIFFERENCES_H
#define LIB_CODECS_KERNELS_DIFFERENCES_H

#include <stddef.h>
#include <stdint.h>

uint64_t differences_take(
    const void *in, void *out, size_t count, size_t bytes, uint64_t before);
uint64_t differences_add(
    const void *in, void *out, size_t count, size_t bytes, uint64_t before);

#endif
