/* luma.c - see luma.h. */
#include "lib/image/luma.h"

#include <stdint.h>

#include "lib/base/cpu.h"

enum {
	STEP = 32,
	RED = 19595, /* weights, in parts of 65536 */
	GREEN = 38470,
	BLUE = 7471,
	HALF = 32768,
};

CPU_BODY uint32_t weigh(uint32_t red, uint32_t green, uint32_t blue)
{
	return (red * RED + green * GREEN + blue * BLUE + HALF) >> 16;
}

CPU_BODY uint8_t byte_luma(const uint8_t *rgb)
{
	return (uint8_t)weigh(rgb[0], rgb[1], rgb[2]);
}

CPU_BODY uint16_t word_luma(const uint16_t *rgb)
{
	return (uint16_t)weigh(rgb[0], rgb[1], rgb[2]);
}

CPU_BODY float float_luma(const float *rgb)
{
	return 0.299f * rgb[0] + 0.587f * rgb[1] + 0.114f * rgb[2];
}

CPU_BODY void bytes_body(
    const uint8_t *restrict in, uint8_t *restrict out, size_t count)
{
	size_t i = 0;

	for (; i + STEP <= count; i += STEP)
		for (size_t k = 0; k < STEP; k++)
			out[i + k] = byte_luma(in + 3 * (i + k));
	for (; i < count; i++)
		out[i] = byte_luma(in + 3 * i);
}

CPU_BODY void floats_body(
    const float *restrict in, float *restrict out, size_t count)
{
	size_t i = 0;

	for (; i + STEP <= count; i += STEP)
		for (size_t k = 0; k < STEP; k++)
			out[i + k] = float_luma(in + 3 * (i + k));
	for (; i < count; i++)
		out[i] = float_luma(in + 3 * i);
}

CPU_BODY void luma_body(
    enum dtype dtype, const void *in, void *out, size_t count)
{
	const uint16_t *words = in;
	uint16_t *luma = out;

	if (dtype == DTYPE_U8)
		bytes_body(in, out, count);
	else if (dtype == DTYPE_F32)
		floats_body(in, out, count);
	else
		for (size_t i = 0; i < count; i++)
			luma[i] = word_luma(words + 3 * i);
}

CPU_AVX2 static void luma_avx2(
    enum dtype dtype, const void *in, void *out, size_t count)
{
	luma_body(dtype, in, out, count);
}

void luma_of_rgb(enum dtype dtype, const void *rgb, void *out, size_t pixels)
{
	if (cpu_has_avx2())
		luma_avx2(dtype, rgb, out, pixels);
	else
		luma_body(dtype, rgb, out, pixels);
}
