/*
 * half.h - float16 (IEEE 754 binary16) from and to float32.
 */
#ifndef LIB_SAMPLE_HALF_H
#define LIB_SAMPLE_HALF_H

#include <stddef.h>
#include <stdint.h>

/*
 * Rounds to nearest, ties to even; too large becomes infinite, too small
 * subnormal or zero; a NaN stays one, quiet, with the top of its payload.
 */
uint16_t half_from_float(float value);
float half_to_float(uint16_t half); /* exact */

/* The same for `count` values, by the processor where it can. */
void half_from_floats(const float *in, uint16_t *out, size_t count);

#endif
