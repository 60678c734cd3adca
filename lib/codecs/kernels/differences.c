/*
 * differences.c - see differences.h.
 *
 * Single bytes are summed 16 at a time: prefix sums over 2, 4, 8 and 16 of
 * them, plus the sum so far. Larger numbers are as fast one by one.
 */
#include "lib/codecs/kernels/differences.h"

#include <string.h>

#include "lib/base/cpu.h"

enum { STEP = 32, LANES = 16 };

typedef uint8_t bytes16 __attribute__((vector_size(LANES)));

CPU_BODY uint64_t take8(const uint8_t *restrict in, uint8_t *restrict out,
    size_t count, uint8_t before)
{
	size_t i = 1;

	if (count == 0)
		return before;
	out[0] = (uint8_t)(in[0] - before);
	for (; i + STEP <= count; i += STEP)
		for (size_t k = 0; k < STEP; k++)
			out[i + k] = (uint8_t)(in[i + k] - in[i + k - 1]);
	for (; i < count; i++)
		out[i] = (uint8_t)(in[i] - in[i - 1]);
	return in[count - 1];
}

CPU_BODY uint64_t take16(const uint16_t *restrict in, uint16_t *restrict out,
    size_t count, uint16_t before)
{
	size_t i = 1;

	if (count == 0)
		return before;
	out[0] = (uint16_t)(in[0] - before);
	for (; i + STEP <= count; i += STEP)
		for (size_t k = 0; k < STEP; k++)
			out[i + k] = (uint16_t)(in[i + k] - in[i + k - 1]);
	for (; i < count; i++)
		out[i] = (uint16_t)(in[i] - in[i - 1]);
	return in[count - 1];
}

CPU_BODY uint64_t take32(const uint32_t *restrict in, uint32_t *restrict out,
    size_t count, uint32_t before)
{
	size_t i = 1;

	if (count == 0)
		return before;
	out[0] = (uint32_t)(in[0] - before);
	for (; i + STEP <= count; i += STEP)
		for (size_t k = 0; k < STEP; k++)
			out[i + k] = (uint32_t)(in[i + k] - in[i + k - 1]);
	for (; i < count; i++)
		out[i] = (uint32_t)(in[i] - in[i - 1]);
	return in[count - 1];
}

CPU_BODY uint64_t take64(const uint64_t *restrict in, uint64_t *restrict out,
    size_t count, uint64_t before)
{
	size_t i = 1;

	if (count == 0)
		return before;
	out[0] = (uint64_t)(in[0] - before);
	for (; i + STEP <= count; i += STEP)
		for (size_t k = 0; k < STEP; k++)
			out[i + k] = (uint64_t)(in[i + k] - in[i + k - 1]);
	for (; i < count; i++)
		out[i] = (uint64_t)(in[i] - in[i - 1]);
	return in[count - 1];
}

/* Each lane becomes the sum of the lanes up to it. */
CPU_BODY bytes16 sums(bytes16 x)
{
	const bytes16 none = { 0 };

	x += __builtin_shufflevector(none, x, 15, 16, 17, 18, 19, 20, 21, 22,
	    23, 24, 25, 26, 27, 28, 29, 30);
	x += __builtin_shufflevector(none, x, 14, 15, 16, 17, 18, 19, 20, 21,
	    22, 23, 24, 25, 26, 27, 28, 29);
	x += __builtin_shufflevector(none, x, 12, 13, 14, 15, 16, 17, 18, 19,
	    20, 21, 22, 23, 24, 25, 26, 27);
	x += __builtin_shufflevector(none, x, 8, 9, 10, 11, 12, 13, 14, 15, 16,
	    17, 18, 19, 20, 21, 22, 23);
	return x;
}

CPU_BODY uint64_t add8(
    const uint8_t *in, uint8_t *out, size_t count, uint8_t before)
{
	bytes16 so_far, x, y;
	size_t i = 0;

	memset(&so_far, before, LANES);
	for (; i + LANES <= count; i += LANES) {
		memcpy(&x, in + i, LANES);
		x = sums(x);
		y = x + so_far;
		memcpy(out + i, &y, LANES);
		so_far += __builtin_shufflevector(x, x, 15, 15, 15, 15, 15, 15,
		    15, 15, 15, 15, 15, 15, 15, 15, 15, 15);
	}
	before = so_far[0];
	for (; i < count; i++) {
		before = (uint8_t)(before + in[i]);
		out[i] = before;
	}
	return before;
}

CPU_BODY uint64_t add16(const uint16_t *restrict in, uint16_t *restrict out,
    size_t count, uint16_t before)
{
	for (size_t i = 0; i < count; i++) {
		before = (uint16_t)(before + in[i]);
		out[i] = before;
	}
	return before;
}

CPU_BODY uint64_t add32(const uint32_t *restrict in, uint32_t *restrict out,
    size_t count, uint32_t before)
{
	for (size_t i = 0; i < count; i++) {
		before = (uint32_t)(before + in[i]);
		out[i] = before;
	}
	return before;
}

CPU_BODY uint64_t add64(const uint64_t *restrict in, uint64_t *restrict out,
    size_t count, uint64_t before)
{
	for (size_t i = 0; i < count; i++) {
		before = (uint64_t)(before + in[i]);
		out[i] = before;
	}
	return before;
}

CPU_BODY uint64_t take(
    const void *in, void *out, size_t count, size_t bytes, uint64_t before)
{
	if (bytes == 1)
		return take8(in, out, count, (uint8_t)before);
	if (bytes == 2)
		return take16(in, out, count, (uint16_t)before);
	if (bytes == 4)
		return take32(in, out, count, (uint32_t)before);
	return take64(in, out, count, before);
}

CPU_AVX2 static uint64_t take_avx2(
    const void *in, void *out, size_t count, size_t bytes, uint64_t before)
{
	return take(in, out, count, bytes, before);
}

uint64_t differences_take(
    const void *in, void *out, size_t count, size_t bytes, uint64_t before)
{
	return cpu_has_avx2() ? take_avx2(in, out, count, bytes, before)
	                      : take(in, out, count, bytes, before);
}

CPU_BODY uint64_t add(
    const void *in, void *out, size_t count, size_t bytes, uint64_t before)
{
	if (bytes == 1)
		return add8(in, out, count, (uint8_t)before);
	if (bytes == 2)
		return add16(in, out, count, (uint16_t)before);
	if (bytes == 4)
		return add32(in, out, count, (uint32_t)before);
	return add64(in, out, count, before);
}

CPU_AVX2 static uint64_t add_avx2(
    const void *in, void *out, size_t count, size_t bytes, uint64_t before)
{
	return add(in, out, count, bytes, before);
}

uint64_t differences_add(
    const void *in, void *out, size_t count, size_t bytes, uint64_t before)
{
	return cpu_has_avx2() ? add_avx2(in, out, count, bytes, before)
	                      : add(in, out, count, bytes, before);
}
