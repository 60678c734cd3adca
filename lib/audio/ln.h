/*
 * ln.h - the natural logarithm of many floats.
 *
 * Within 1e-7 of the exact one, relative (1.5 units of the last place), the
 * same on every processor.  0 gives -infinity, what is below NaN.
 */
#ifndef LIB_AUDIO_LN_H
#define LIB_AUDIO_LN_H

#include <stddef.h>

/* out[i] = ln(in[i] + plus), which may be in place. */
void ln_floats(const float *in, float plus, float *out, size_t count);

#endif
