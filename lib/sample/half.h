/* half.h - converts between float16 (IEEE 754 binary16) and float32. */
#ifndef LIB_SAMPLE_HALF_H
#define LIB_SAMPLE_HALF_H

#include <stddef.h>
#include <stdint.h>

/*
 * Rounds to nearest, ties to even.  Too large values become infinite, too small
 * ones subnormal or zero.  A NaN becomes quiet and keeps its top bits.
 */
uint16_t half_from_float(float value);
float half_to_float(uint16_t half); /* exact */

/* The same for `count` values, vectorized if the processor can. */
void half_from_floats(const float *in, uint16_t *out, size_t count);

#endif
