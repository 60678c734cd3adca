/* sums.c - see sums.h. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "lib/base/cpu.h"
#include "lib/signal/sums.h"

enum {
	LANES = 8,
	BYTE_LANES = 16,
	BYTES_MOST = 1 << 20, /* whose squares fit in the lanes of 32 bits */
};

typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
typedef uint8_t bytes16 __attribute__((vector_size(BYTE_LANES)));
typedef uint16_t words16 __attribute__((vector_size(BYTE_LANES * 2)));
typedef uint32_t longs16 __attribute__((vector_size(BYTE_LANES * 4)));

CPU_BODY double add_up(const lanes *a)
{
	const lanes s = *a;

	return ((s[0] + s[4]) + (s[2] + s[6])) +
	       ((s[1] + s[5]) + (s[3] + s[7]));
}

/* Eight elements of a type as doubles, or `count` of them and zeros. */
#define LOAD(name, type)                                                \
	CPU_BODY void load_##name(lanes *to, const type *from)          \
	{                                                               \
		typedef type some                                       \
		    __attribute__((vector_size(LANES * sizeof(type)))); \
		some s;                                                 \
                                                                        \
		memcpy(&s, from, sizeof(s));                            \
		*to = __builtin_convertvector(s, lanes);                \
	}                                                               \
	CPU_BODY void load_some_##name(                                 \
	    lanes *to, const type *from, size_t count)                  \
	{                                                               \
		type s[LANES] = { 0 };                                  \
                                                                        \
		memcpy(s, from, count * sizeof(type));                  \
		load_##name(to, s);                                     \
	}

#define SQUARES(name, type)                                            \
	CPU_BODY double squares_##name(const void *data, size_t count) \
	{                                                              \
		const type *x = data;                                  \
		lanes sum = { 0 }, a;                                  \
                                                                       \
		for (; count >= LANES; count -= LANES, x += LANES) {   \
			load_##name(&a, x);                            \
			sum += a * a;                                  \
		}                                                      \
		if (count) {                                           \
			load_some_##name(&a, x, count);                \
			sum += a * a;                                  \
		}                                                      \
		return add_up(&sum);                                   \
	}

#define POWER(name, type)                                          \
	CPU_BODY void power_##name(const void *vs, const void *is, \
	    size_t count, struct power_sums *out)                  \
	{                                                          \
		const type *v = vs, *i = is;                       \
		lanes vi = { 0 }, ii = { 0 }, vv = { 0 }, a, b;    \
                                                                   \
		for (; count >= LANES; count -= LANES) {           \
			load_##name(&a, v);                        \
			load_##name(&b, i);                        \
			vi += a * b;                               \
			ii += b * b;                               \
			vv += a * a;                               \
			v += LANES;                                \
			i += LANES;                                \
		}                                                  \
		if (count) {                                       \
			load_some_##name(&a, v, count);            \
			load_some_##name(&b, i, count);            \
			vi += a * b;                               \
			ii += b * b;                               \
			vv += a * a;                               \
		}                                                  \
		out->vi = add_up(&vi);                             \
		out->ii = add_up(&ii);                             \
		out->vv = add_up(&vv);                             \
	}

#define EACH_TYPE(X)     \
	X(I8, int8_t)    \
	X(U16, uint16_t) \
	X(I16, int16_t)  \
	X(U32, uint32_t) \
	X(I32, int32_t)  \
	X(U64, uint64_t) \
	X(I64, int64_t)  \
	X(F32, float)    \
	X(F64, double)

EACH_TYPE(LOAD)
EACH_TYPE(SQUARES)
POWER(F32, float)
POWER(F64, double)

/* Squares of bytes are words; few enough of them fit in longs. */
CPU_BODY uint64_t squares_of_few(const uint8_t *x, size_t count)
{
	longs16 sum = { 0 };
	uint64_t total = 0;

	for (; count >= BYTE_LANES; count -= BYTE_LANES, x += BYTE_LANES) {
		bytes16 b;
		words16 w;

		memcpy(&b, x, sizeof(b));
		w = __builtin_convertvector(b, words16);
		sum += __builtin_convertvector(w * w, longs16);
	}
	for (; count; count--, x++)
		total += (uint64_t)*x * *x;
	for (unsigned i = 0; i < BYTE_LANES; i++)
		total += sum[i];
	return total;
}

CPU_BODY double squares_U8(const void *data, size_t count)
{
	const uint8_t *x = data;
	uint64_t total = 0;

	for (; count > BYTES_MOST; count -= BYTES_MOST, x += BYTES_MOST)
		total += squares_of_few(x, BYTES_MOST);
	return (double)(total + squares_of_few(x, count));
}

bool sums_know(enum dtype dtype)
{
	return dtype != DTYPE_F16;
}

CPU_BODY double squares(enum dtype dtype, const void *data, size_t count)
{
	switch (dtype) {
#define CASE(name, type)   \
	case DTYPE_##name: \
		return squares_##name(data, count);
		EACH_TYPE(CASE)
	case DTYPE_U8:
		return squares_U8(data, count);
	default:
		return 0;
	}
}

CPU_BODY void rms(enum dtype dtype, const void *data, size_t period,
    size_t count, double *out)
{
	const unsigned char *at = data;
	const size_t stride = period * dtype_bytes(dtype);

	for (size_t k = 0; k < count; k++, at += stride)
		out[k] = sqrt(squares(dtype, at, period) / (double)period);
}

CPU_BODY void power(enum dtype dtype, const void *v, const void *i,
    size_t period, size_t count, struct power_sums *out)
{
	const size_t stride = period * dtype_bytes(dtype);
	const unsigned char *vs = v, *is = i;

	for (size_t k = 0; k < count; k++, vs += stride, is += stride)
		if (dtype == DTYPE_F32)
			power_F32(vs, is, period, &out[k]);
		else
			power_F64(vs, is, period, &out[k]);
}

CPU_AVX2 static void rms_avx2(enum dtype dtype, const void *data, size_t period,
    size_t count, double *out)
{
	rms(dtype, data, period, count, out);
}

CPU_AVX2 static void power_avx2(enum dtype dtype, const void *v, const void *i,
    size_t period, size_t count, struct power_sums *out)
{
	power(dtype, v, i, period, count, out);
}

void sums_rms(enum dtype dtype, const void *data, size_t period, size_t count,
    double *out)
{
	if (cpu_has_avx2())
		rms_avx2(dtype, data, period, count, out);
	else
		rms(dtype, data, period, count, out);
}

void sums_power(enum dtype dtype, const void *v, const void *i, size_t period,
    size_t count, struct power_sums *out)
{
	if (cpu_has_avx2())
		power_avx2(dtype, v, i, period, count, out);
	else
		power(dtype, v, i, period, count, out);
}
