/* calibrate.c - see calibrate.h. */
#include <stdint.h>
#include <string.h>

#include "lib/base/cpu.h"
#include "lib/signal/calibrate.h"

enum { BLOCK = 16, MOST = 8 };

/* Converts a block of elements to doubles. */
#define WIDEN(name, type)                                       \
	CPU_BODY void widen_##name(const void *in, double *out) \
	{                                                       \
		type x[BLOCK];                                  \
                                                                \
		memcpy(x, in, sizeof(x));                       \
		for (unsigned i = 0; i < BLOCK; i++)            \
			out[i] = (double)x[i];                  \
	}

#define EACH_TYPE(X)     \
	X(U8, uint8_t)   \
	X(I8, int8_t)    \
	X(U16, uint16_t) \
	X(I16, int16_t)  \
	X(U32, uint32_t) \
	X(I32, int32_t)  \
	X(U64, uint64_t) \
	X(I64, int64_t)  \
	X(F32, float)    \
	X(F64, double)

EACH_TYPE(WIDEN)

CPU_BODY void finish_block(
    const struct calibration *how, const double *x, enum dtype to, void *out)
{
	double wide[BLOCK];
	float narrow[BLOCK];

	for (unsigned i = 0; i < BLOCK; i++)
		wide[i] = (x[i] - how->offset) * how->factor;
	if (to == DTYPE_F64) {
		memcpy(out, wide, sizeof(wide));
		return;
	}
	for (unsigned i = 0; i < BLOCK; i++)
		narrow[i] = (float)wide[i];
	memcpy(out, narrow, sizeof(narrow));
}

/* Converts all whole blocks; both types are constants in each call. */
#define BLOCKS(name, type)                                                     \
	CPU_BODY void blocks_##name(const struct calibration *how,             \
	    const unsigned char *in, enum dtype to, unsigned char *out,        \
	    size_t count)                                                      \
	{                                                                      \
		const size_t step = BLOCK * (to == DTYPE_F64 ? sizeof(double)  \
		                                             : sizeof(float)); \
		double x[BLOCK];                                               \
                                                                               \
		for (; count >= BLOCK; count -= BLOCK) {                       \
			widen_##name(in, x);                                   \
			finish_block(how, x, to, out);                         \
			in += BLOCK * sizeof(type);                            \
			out += step;                                           \
		}                                                              \
	}

EACH_TYPE(BLOCKS)

CPU_BODY void blocks(const struct calibration *how, enum dtype from,
    const unsigned char *in, enum dtype to, unsigned char *out, size_t count)
{
	switch (from) {
#define CASE(name, type)                                               \
	case DTYPE_##name:                                             \
		if (to == DTYPE_F64)                                   \
			blocks_##name(how, in, DTYPE_F64, out, count); \
		else                                                   \
			blocks_##name(how, in, DTYPE_F32, out, count); \
		break;
		EACH_TYPE(CASE)
	default:
		break;
	}
}

CPU_AVX2 static void blocks_avx2(const struct calibration *how, enum dtype from,
    const unsigned char *in, enum dtype to, unsigned char *out, size_t count)
{
	blocks(how, from, in, to, out, count);
}

static void blocks_plain(const struct calibration *how, enum dtype from,
    const unsigned char *in, enum dtype to, unsigned char *out, size_t count)
{
	blocks(how, from, in, to, out, count);
}

void calibrate(const struct calibration *how, enum dtype from, const void *in,
    enum dtype to, void *out, size_t count)
{
	const size_t size = dtype_bytes(from), out_size = dtype_bytes(to);
	const size_t whole = count / BLOCK * BLOCK, rest = count - whole;
	unsigned char few[BLOCK * MOST] = { 0 }, made[BLOCK * MOST];
	unsigned char *to_rest = (unsigned char *)out + whole * out_size;

	if (cpu_has_avx2())
		blocks_avx2(how, from, in, to, out, whole);
	else
		blocks_plain(how, from, in, to, out, whole);
	if (!rest)
		return;
	memcpy(few, (const unsigned char *)in + whole * size, rest * size);
	blocks_plain(how, from, few, to, made, BLOCK);
	memcpy(to_rest, made, rest * out_size);
}

static double mean_of(enum dtype dtype, const void *data, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += dtype == DTYPE_F64 ? ((const double *)data)[i]
		                          : (double)((const float *)data)[i];
	return sum / (double)count;
}

void calibrate_periods(
    enum dtype dtype, void *data, size_t count, size_t period, double factor)
{
	unsigned char *at = data;

	while (count) {
		const size_t n = count < period ? count : period;
		const struct calibration how = {
			.offset = mean_of(dtype, at, n),
			.factor = factor,
		};

		calibrate(&how, dtype, at, dtype, at, n);
		at += n * dtype_bytes(dtype);
		count -= n;
	}
}
