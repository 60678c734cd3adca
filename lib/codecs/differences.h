/*
 * differences.h - each number's difference to the one before, and back: in
 * integers that wrap, so that nothing is lost.
 *
 * `count` numbers of `bytes` bytes (1, 2, 4 or 8), aligned.  `before` is the
 * number in front of the first one, 0 at the beginning; what is returned is
 * that for the numbers that follow.  in and out do not overlap.
 */
#ifndef LIB_CODECS_DIFFERENCES_H
#define LIB_CODECS_DIFFERENCES_H

#include <stddef.h>
#include <stdint.h>

uint64_t differences_take(
    const void *in, void *out, size_t count, size_t bytes, uint64_t before);
uint64_t differences_add(
    const void *in, void *out, size_t count, size_t bytes, uint64_t before);

#endif
