/*
 * ln.h - natural logarithm of many floats.
 *
 * The relative error is at most 1e-7 (1.5 units in the last place); results are
 * equal on all processors.  0 gives -infinity, negative numbers NaN.
 */
#ifndef LIB_AUDIO_LN_H
#define LIB_AUDIO_LN_H

#include <stddef.h>

/* Computes out[i] = ln(in[i] + plus); `out` may be `in`. */
void ln_floats(const float *in, float plus, float *out, size_t count);

#endif
