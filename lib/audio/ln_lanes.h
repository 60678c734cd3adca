/*
 * ln_lanes.h - the logarithm of LANES floats at once, see kernels.h.
 *
 * A template, see lanes.h; defines `ln_lanes`.
 *
 * Let x = m 2^e with m from sqrt(1/2) to sqrt(2), and f = m - 1.  Then ln x = f
 * - f^2/2 + f^3 P(f) + e ln 2.  P has degree 7; it was fitted to minimize the
 * largest relative error of the result, which is 6e-9.
 */
#include <math.h>
#include <stdbool.h>

#include "lib/audio/lanes.h"

enum {
	LN_ROOT = 0x3f3504f3, /* the bits of sqrt(1/2) */
	LN_MANTISSA = 23,
	LN_BLOCK = 8, /* vectors per block */
};

static const float ln_terms[] = { 0x1.555554p-2f, -0x1.000226p-2f,
	0x1.99a008p-3f, -0x1.547244p-3f, 0x1.22da1ep-3f, -0x1.0d8542p-3f,
	0x1.055b68p-3f, -0x1.38b576p-4f };

/* ln 2 in two parts; the first is so short that its multiples are exact. */
static const float ln_2 = 0x1.62e4p-1f, ln_2_rest = 0x1.7f7d1cp-20f;

BODY lanes_words ln_bits(lanes v)
{
	return (lanes_words)v;
}

/* Returns `yes` where the mask is set, else `no`. */
BODY lanes ln_choose(lanes_words mask, lanes yes, lanes no)
{
	return (lanes)((mask & ln_bits(yes)) | (~mask & ln_bits(no)));
}

/* For normal numbers above 0, times 2^-shift. */
BODY lanes ln_of_normal(lanes x, lanes_words shift)
{
	const lanes zero = { 0 };
	const lanes_words above = ln_bits(x) - LN_ROOT;
	const lanes_words e = above >> LN_MANTISSA;
	const lanes f = (lanes)(ln_bits(x) - (above & -(1 << LN_MANTISSA))) - 1;
	const lanes exponent = __builtin_convertvector(e - shift, lanes);
	const lanes square = f * f;
	lanes p = zero + ln_terms[ARRAY_LEN(ln_terms) - 1], y;

#pragma GCC unroll 8
	for (size_t i = ARRAY_LEN(ln_terms) - 1; i-- > 0;)
		p = p * f + ln_terms[i];
	y = p * f * square + exponent * ln_2_rest;
	y = y - 0.5f * square;
	return exponent * ln_2 + (f + y);
}

/* Scales subnormals to normal numbers first; replaces invalid numbers by 1. */
TARGET static lanes ln_of_any(lanes x)
{
	const lanes zero = { 0 };
	const lanes_words is_tiny = x < zero + 0x1p-126f;
	const lanes above = ln_choose(x > zero, x, zero + 1);
	const lanes normal =
	    ln_choose(is_tiny & (x > zero), x * 0x1p23f, above);
	lanes y = ln_of_normal(normal, is_tiny & LN_MANTISSA);

	y = ln_choose(x == zero, zero - INFINITY, y);
	y = ln_choose(x == zero + INFINITY, x, y);
	return ln_choose(~(x >= zero), zero + NAN, y);
}

/* Are all of them normal and above 0? */
BODY bool ln_are_normal(const lanes x[LN_BLOCK])
{
	lanes_words odd = { 0 };
	int32_t any = 0;

#pragma GCC unroll 8
	for (size_t i = 0; i < LN_BLOCK; i++)
		odd |= ~((x[i] >= 0x1p-126f) & (x[i] <= 0x1.fffffep127f));
	for (size_t i = 0; i < LANES; i++)
		any |= odd[i];
	return !any;
}

BODY void ln_block(const float *in, float plus, float *out)
{
	const lanes_words no_shift = { 0 };
	lanes x[LN_BLOCK];

#pragma GCC unroll 8
	for (size_t i = 0; i < LN_BLOCK; i++)
		x[i] = lanes_load(in + i * LANES) + plus;
	if (ln_are_normal(x))
		for (size_t i = 0; i < LN_BLOCK; i++)
			lanes_store(
			    out + i * LANES, ln_of_normal(x[i], no_shift));
	else
		for (size_t i = 0; i < LN_BLOCK; i++)
			lanes_store(out + i * LANES, ln_of_any(x[i]));
}

TARGET static void ln_lanes(
    const float *in, float plus, float *out, size_t count)
{
	float rest[LN_BLOCK * LANES] = { 0 };
	size_t i = 0;

	for (; i + LN_BLOCK * LANES <= count; i += LN_BLOCK * LANES)
		ln_block(in + i, plus, out + i);
	if (i == count)
		return;
	memcpy(rest, in + i, (count - i) * sizeof(float));
	ln_block(rest, plus, rest);
	memcpy(out + i, rest, (count - i) * sizeof(float));
}
