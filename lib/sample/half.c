/* half.c - see half.h. */
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "lib/sample/half.h"

enum {
	MANTISSA_LOST = 13,           /* mantissa bits: 23 minus 10 */
	BIAS_LESS = (127 - 15) << 23, /* difference of their exponent biases */
	FLOAT_INFINITE = 0x7f800000,
	FLOAT_TOO_LARGE = 0x477ff000,       /* 65520: rounds to infinity */
	FLOAT_SMALLEST_NORMAL = 0x38800000, /* 2^-14 */
	HALF_INFINITE = 0x7c00,
	HALF_QUIET = 0x0200,
};

static uint32_t float_bits(float value)
{
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static float float_of_bits(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Adding 0.5f rounds: its last bit is that of a half's subnormals. */
static uint32_t subnormal(uint32_t magnitude)
{
	const float rounded = float_of_bits(magnitude) + 0.5f;

	return float_bits(rounded) - float_bits(0.5f);
}

uint16_t half_from_float(float value)
{
	const uint32_t bits = float_bits(value);
	const uint32_t sign = bits >> 16 & 0x8000;
	uint32_t magnitude = bits & 0x7fffffff;

	if (magnitude > FLOAT_INFINITE)
		magnitude = HALF_INFINITE | HALF_QUIET |
		            (magnitude >> MANTISSA_LOST & 0x3ff);
	else if (magnitude >= FLOAT_TOO_LARGE)
		magnitude = HALF_INFINITE;
	else if (magnitude < FLOAT_SMALLEST_NORMAL)
		magnitude = subnormal(magnitude);
	else
		magnitude = (magnitude - BIAS_LESS + 0xfff +
		                (magnitude >> MANTISSA_LOST & 1)) >>
		            MANTISSA_LOST;
	return (uint16_t)(sign | magnitude);
}

float half_to_float(uint16_t half)
{
	const uint32_t sign = (uint32_t)(half & 0x8000) << 16;
	const uint32_t magnitude = half & 0x7fff;
	uint32_t bits = magnitude << MANTISSA_LOST;

	if (magnitude >= HALF_INFINITE)
		bits |= FLOAT_INFINITE;
	else if (magnitude >= 1 << 10)
		bits += BIAS_LESS;
	else /* subnormal: a multiple of 2^-24 */
		bits = float_bits((float)magnitude * 0x1p-24f);
	return float_of_bits(sign | bits);
}

static void convert_portable(const float *in, uint16_t *out, size_t count)
{
	for (size_t i = 0; i < count; i++)
		out[i] = half_from_float(in[i]);
}

#if defined(__x86_64__)
__attribute__((target("avx,f16c"))) static void convert_f16c(
    const float *in, uint16_t *out, size_t count)
{
	size_t i = 0;

	for (; i + 8 <= count; i += 8)
		_mm_storeu_si128((__m128i *)(void *)(out + i),
		    _mm256_cvtps_ph(
		        _mm256_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT));
	convert_portable(in + i, out + i, count - i);
}

void half_from_floats(const float *in, uint16_t *out, size_t count)
{
	if (__builtin_cpu_supports("avx2")) /* processors with AVX2 have F16C */
		convert_f16c(in, out, count);
	else
		convert_portable(in, out, count);
}
#else
void half_from_floats(const float *in, uint16_t *out, size_t count)
{
	convert_portable(in, out, count);
}
#endif
