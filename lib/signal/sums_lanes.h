/*
 * sums_lanes.h - the inner loops of sums.c for vectors of WIDTH doubles.
 *
 * A template: define WIDTH (2 or 4) and TARGET, the function attribute for
 * processors with such registers, before including it.  Wider vectors would
 * work, but gcc keeps them in memory, which is three times slower than the
 * memory bandwidth allows.
 *
 * Element i is added to lane i % 8, whatever the width.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if WIDTH == 4
#include <immintrin.h>
#endif

#include "lib/base/cpu.h"
#include "lib/signal/sums_kernels.h"

#define BODY CPU_BODY TARGET

enum {
	LANES = 8,
	PARTS = LANES / WIDTH,
	BLOCK = 256, /* elements; a multiple of LANES */
};

typedef double part __attribute__((vector_size(WIDTH * sizeof(double))));
typedef float float_part __attribute__((vector_size(WIDTH * sizeof(float))));

struct lanes {
	part parts[PARTS];
};

struct products {
	struct lanes vi, ii, vv;
};

/* Adds the upper half to the lower until one is left. */
BODY double add_up(struct lanes sum)
{
	double even, odd;

#pragma GCC unroll 2
	for (size_t half = PARTS / 2; half > 0; half /= 2)
#pragma GCC unroll 2
		for (size_t k = 0; k < half; k++)
			sum.parts[k] += sum.parts[k + half];
	even = sum.parts[0][0];
	odd = sum.parts[0][1];
	for (size_t k = 2; k < WIDTH; k += 2) {
		even += sum.parts[0][k];
		odd += sum.parts[0][k + 1];
	}
	return even + odd;
}

/* ---- floats and doubles ---- */

/* Elements to load: an address of any alignment, and the type. */
struct reals {
	const unsigned char *at;
	bool are_floats; /* a constant wherever it is used */
};

BODY size_t bytes_of(struct reals x, size_t count)
{
	return count * (x.are_floats ? sizeof(float) : sizeof(double));
}

BODY part to_doubles(float_part floats)
{
#if WIDTH == 4
	return _mm256_cvtps_pd(floats); /* gcc does it in two halves */
#else
	return __builtin_convertvector(floats, part);
#endif
}

BODY part load(struct reals x, size_t i)
{
	const unsigned char *from = x.at + bytes_of(x, i);
	float_part floats;
	part doubles;

	if (!x.are_floats) {
		memcpy(&doubles, from, sizeof(doubles));
		return doubles;
	}
	memcpy(&floats, from, sizeof(floats));
	return to_doubles(floats);
}

/* Copies those after the last multiple of LANES, and pads with zeros. */
BODY struct reals rest_of(struct reals x, size_t count, double rest[LANES])
{
	const size_t left = count % LANES;

	memset(rest, 0, LANES * sizeof(*rest));
	memcpy(rest, x.at + bytes_of(x, count - left), bytes_of(x, left));
	return (struct reals){ (const unsigned char *)rest, x.are_floats };
}

BODY void square_eight(struct reals x, size_t i, struct lanes *sum)
{
#pragma GCC unroll 4
	for (size_t k = 0; k < PARTS; k++) {
		const part a = load(x, i + k * WIDTH);

		sum->parts[k] += a * a;
	}
}

BODY void add_squares(struct reals x, size_t count, struct lanes *to)
{
	struct lanes sum = *to;
	double rest[LANES];

	for (size_t i = 0; i + LANES <= count; i += LANES)
		square_eight(x, i, &sum);
	if (count % LANES)
		square_eight(rest_of(x, count, rest), 0, &sum);
	*to = sum;
}

BODY void multiply_eight(
    struct reals v, struct reals c, size_t i, struct products *sums)
{
#pragma GCC unroll 4
	for (size_t k = 0; k < PARTS; k++) {
		const part a = load(v, i + k * WIDTH);
		const part b = load(c, i + k * WIDTH);

		sums->vi.parts[k] += a * b;
		sums->ii.parts[k] += b * b;
		sums->vv.parts[k] += a * a;
	}
}

/* Multiplies voltage and current. */
BODY struct power_sums multiply(struct reals v, struct reals c, size_t count)
{
	struct products sums = { .vi = { { { 0 } } } };
	double rest[2][LANES];

	for (size_t i = 0; i + LANES <= count; i += LANES)
		multiply_eight(v, c, i, &sums);
	if (count % LANES)
		multiply_eight(rest_of(v, count, rest[0]),
		    rest_of(c, count, rest[1]), 0, &sums);
	return (struct power_sums){
		.vi = add_up(sums.vi),
		.ii = add_up(sums.ii),
		.vv = add_up(sums.vv),
	};
}

/* ---- integers: converted to doubles, a block at a time ---- */

#define WIDEN(name, type)                                               \
	typedef type any_##name __attribute__((aligned(1), may_alias)); \
	TARGET static void widen_##name(                                \
	    const void *data, double *restrict out, size_t count)       \
	{                                                               \
		const any_##name *restrict in = data;                   \
		size_t i = 0;                                           \
                                                                        \
		for (; i + LANES <= count; i += LANES)                  \
			for (size_t k = 0; k < LANES; k++)              \
				out[i + k] = (double)in[i + k];         \
		for (; i < count; i++)                                  \
			out[i] = (double)in[i];                         \
	}

WIDEN(U8, uint8_t)
WIDEN(I8, int8_t)
WIDEN(U16, uint16_t)
WIDEN(I16, int16_t)
WIDEN(U32, uint32_t)
WIDEN(I32, int32_t)
WIDEN(U64, uint64_t)
WIDEN(I64, int64_t)

typedef void widen_fn(const void *data, double *out, size_t count);

static widen_fn *const widens[DTYPE_COUNT] = {
	[DTYPE_U8] = widen_U8,
	[DTYPE_I8] = widen_I8,
	[DTYPE_U16] = widen_U16,
	[DTYPE_I16] = widen_I16,
	[DTYPE_U32] = widen_U32,
	[DTYPE_I32] = widen_I32,
	[DTYPE_U64] = widen_U64,
	[DTYPE_I64] = widen_I64,
};

TARGET static void add_squares_of_whole(
    enum dtype dtype, const unsigned char *x, size_t count, struct lanes *to)
{
	const size_t bytes = dtype_bytes(dtype);
	double doubles[BLOCK];
	const struct reals block = { (const unsigned char *)doubles, false };

	for (size_t i = 0; i < count; i += BLOCK) {
		const size_t n = count - i < BLOCK ? count - i : BLOCK;

		widens[dtype](x + i * bytes, doubles, n);
		add_squares(block, n, to);
	}
}

/* ---- periods ---- */

BODY double squares(enum dtype dtype, const unsigned char *x, size_t count)
{
	struct lanes sum = { { { 0 } } };

	if (dtype == DTYPE_F32)
		add_squares((struct reals){ x, true }, count, &sum);
	else if (dtype == DTYPE_F64)
		add_squares((struct reals){ x, false }, count, &sum);
	else
		add_squares_of_whole(dtype, x, count, &sum);
	return add_up(sum);
}

TARGET static void rms_lanes(enum dtype dtype, const void *data, size_t period,
    size_t count, double *out)
{
	const size_t stride = period * dtype_bytes(dtype);
	const unsigned char *at = data;

	for (size_t k = 0; k < count; k++, at += stride)
		out[k] = sqrt(squares(dtype, at, period) / (double)period);
}

BODY void power_of(enum dtype dtype, const void *v, const void *i,
    size_t period, size_t count, struct power_sums *out)
{
	const bool are_floats = dtype == DTYPE_F32;
	const size_t stride = period * dtype_bytes(dtype);
	struct reals voltage = { v, are_floats }, current = { i, are_floats };

	for (size_t k = 0; k < count; k++) {
		out[k] = multiply(voltage, current, period);
		voltage.at += stride;
		current.at += stride;
	}
}

TARGET static void power_lanes(enum dtype dtype, const void *v, const void *i,
    size_t period, size_t count, struct power_sums *out)
{
	if (dtype == DTYPE_F32)
		power_of(DTYPE_F32, v, i, period, count, out);
	else
		power_of(DTYPE_F64, v, i, period, count, out);
}
