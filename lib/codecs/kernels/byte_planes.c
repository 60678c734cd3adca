/*
 * byte_planes.c - see byte_planes.h.
 *
 * The inner loops run over a constant number of numbers, and of bytes where
 * they are inlined: compilers turn them into vector shuffles.
 */
#include "lib/codecs/kernels/byte_planes.h"

#include <stdint.h>
#include <string.h>

#include "lib/base/cpu.h"

enum { STEP = 32 };

/* Splits STEP numbers. Each plane is a parameter, so that `restrict` holds. */
CPU_BODY void split2(
    const uint8_t *restrict in, uint8_t *restrict a, uint8_t *restrict b)
{
	for (size_t i = 0; i < STEP; i++) {
		a[i] = in[2 * i];
		b[i] = in[2 * i + 1];
	}
}

CPU_BODY void join2(
    const uint8_t *restrict a, const uint8_t *restrict b, uint8_t *restrict out)
{
	for (size_t i = 0; i < STEP; i++) {
		out[2 * i] = a[i];
		out[2 * i + 1] = b[i];
	}
}

CPU_BODY void split4(const uint8_t *restrict in, uint8_t *restrict a,
    uint8_t *restrict b, uint8_t *restrict c, uint8_t *restrict d)
{
	for (size_t i = 0; i < STEP; i++) {
		a[i] = in[4 * i];
		b[i] = in[4 * i + 1];
		c[i] = in[4 * i + 2];
		d[i] = in[4 * i + 3];
	}
}

CPU_BODY void join4(const uint8_t *restrict a, const uint8_t *restrict b,
    const uint8_t *restrict c, const uint8_t *restrict d, uint8_t *restrict out)
{
	for (size_t i = 0; i < STEP; i++) {
		out[4 * i] = a[i];
		out[4 * i + 1] = b[i];
		out[4 * i + 2] = c[i];
		out[4 * i + 3] = d[i];
	}
}

CPU_BODY void split4_pairs(const uint16_t *restrict in, uint16_t *restrict a,
    uint16_t *restrict b, uint16_t *restrict c, uint16_t *restrict d)
{
	for (size_t i = 0; i < STEP; i++) {
		a[i] = in[4 * i];
		b[i] = in[4 * i + 1];
		c[i] = in[4 * i + 2];
		d[i] = in[4 * i + 3];
	}
}

CPU_BODY void join4_pairs(const uint16_t *restrict a,
    const uint16_t *restrict b, const uint16_t *restrict c,
    const uint16_t *restrict d, uint16_t *restrict out)
{
	for (size_t i = 0; i < STEP; i++) {
		out[4 * i] = a[i];
		out[4 * i + 1] = b[i];
		out[4 * i + 2] = c[i];
		out[4 * i + 3] = d[i];
	}
}

/* Treats the eight bytes as four pairs. */
CPU_BODY void split8(const uint8_t *in, uint8_t *out, size_t stride)
{
	uint16_t numbers[4 * STEP], pairs[4][STEP];

	memcpy(numbers, in, sizeof(numbers));
	split4_pairs(numbers, pairs[0], pairs[1], pairs[2], pairs[3]);
	for (size_t p = 0; p < 4; p++)
		split2((const uint8_t *)pairs[p], out + 2 * p * stride,
		    out + (2 * p + 1) * stride);
}

CPU_BODY void join8(const uint8_t *in, size_t stride, uint8_t *out)
{
	uint16_t numbers[4 * STEP], pairs[4][STEP];

	for (size_t p = 0; p < 4; p++)
		join2(in + 2 * p * stride, in + (2 * p + 1) * stride,
		    (uint8_t *)pairs[p]);
	join4_pairs(pairs[0], pairs[1], pairs[2], pairs[3], numbers);
	memcpy(out, numbers, sizeof(numbers));
}

CPU_BODY void split_step(
    const uint8_t *in, uint8_t *out, size_t stride, size_t bytes)
{
	if (bytes == 2)
		split2(in, out, out + stride);
	else if (bytes == 4)
		split4(
		    in, out, out + stride, out + 2 * stride, out + 3 * stride);
	else
		split8(in, out, stride);
}

CPU_BODY void join_step(
    const uint8_t *in, uint8_t *out, size_t stride, size_t bytes)
{
	if (bytes == 2)
		join2(in, in + stride, out);
	else if (bytes == 4)
		join4(in, in + stride, in + 2 * stride, in + 3 * stride, out);
	else
		join8(in, stride, out);
}

struct work {
	const uint8_t *in;
	uint8_t *out;
	size_t stride, count;
};

CPU_BODY void split_all(const struct work *work, size_t bytes)
{
	const uint8_t *in = work->in;
	size_t i = 0;

	for (; i + STEP <= work->count; i += STEP)
		split_step(in + i * bytes, work->out + i, work->stride, bytes);
	for (; i < work->count; i++)
		for (size_t b = 0; b < bytes; b++)
			work->out[b * work->stride + i] = in[i * bytes + b];
}

CPU_BODY void join_all(const struct work *work, size_t bytes)
{
	const uint8_t *in = work->in;
	size_t i = 0;

	for (; i + STEP <= work->count; i += STEP)
		join_step(in + i, work->out + i * bytes, work->stride, bytes);
	for (; i < work->count; i++)
		for (size_t b = 0; b < bytes; b++)
			work->out[i * bytes + b] = in[b * work->stride + i];
}

/* Every call passes a constant as `bytes`. */
CPU_BODY void split(const struct work *work, size_t bytes)
{
	if (bytes == 2)
		split_all(work, 2);
	else if (bytes == 4)
		split_all(work, 4);
	else
		split_all(work, 8);
}

CPU_BODY void join(const struct work *work, size_t bytes)
{
	if (bytes == 2)
		join_all(work, 2);
	else if (bytes == 4)
		join_all(work, 4);
	else
		join_all(work, 8);
}

CPU_AVX2 static void split_avx2(const struct work *work, size_t bytes)
{
	split(work, bytes);
}

CPU_AVX2 static void join_avx2(const struct work *work, size_t bytes)
{
	join(work, bytes);
}

void byte_planes_split(const void *numbers, size_t count, size_t bytes,
    unsigned char *planes, size_t stride)
{
	const struct work work = {
		.in = numbers, .out = planes, .stride = stride, .count = count
	};

	if (count == 0)
		return;
	if (bytes == 1)
		memcpy(planes, numbers, count);
	else if (cpu_has_avx2())
		split_avx2(&work, bytes);
	else
		split(&work, bytes);
}

void byte_planes_join(const unsigned char *planes, size_t stride, void *numbers,
    size_t count, size_t bytes)
{
	const struct work work = {
		.in = planes, .out = numbers, .stride = stride, .count = count
	};

	if (count == 0)
		return;
	if (bytes == 1)
		memcpy(numbers, planes, count);
	else if (cpu_has_avx2())
		join_avx2(&work, bytes);
	else
		join(&work, bytes);
}
