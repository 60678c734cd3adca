/* ln.c - see ln.h. */
#include "lib/audio/ln.h"
#include "lib/audio/kernels.h"

void ln_floats(const float *in, float plus, float *out, size_t count)
{
	audio_kernels()->ln(in, plus, out, count);
}
