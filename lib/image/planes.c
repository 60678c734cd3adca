/*
 * planes.c - see planes.h.
 *
 * Three channels of 1, 2 or 4 bytes are by far the most common; their loops
 * become vector shuffles.  All others are moved element by element.
 */
#include <stdint.h>
#include <string.h>

#include "lib/base/cpu.h"
#include "lib/image/planes.h"

enum { STEP = 32 };

#define SPLIT3(name, type)                                            \
	CPU_BODY void name(const type *restrict in, type *restrict a, \
	    type *restrict b, type *restrict c, size_t count)         \
	{                                                             \
		size_t i = 0;                                         \
                                                                      \
		for (; i + STEP <= count; i += STEP)                  \
			for (size_t k = 0; k < STEP; k++) {           \
				a[i + k] = in[3 * (i + k)];           \
				b[i + k] = in[3 * (i + k) + 1];       \
				c[i + k] = in[3 * (i + k) + 2];       \
			}                                             \
		for (; i < count; i++) {                              \
			a[i] = in[3 * i];                             \
			b[i] = in[3 * i + 1];                         \
			c[i] = in[3 * i + 2];                         \
		}                                                     \
	}

SPLIT3(split3_bytes, uint8_t)
SPLIT3(split3_halves, uint16_t)
SPLIT3(split3_words, uint32_t)

/* Separate variables, so that the compiler knows that planes do not overlap. */
CPU_BODY void split3(
    const struct planes *planes, const void *in, void *out, size_t count)
{
	const size_t bytes = planes->bytes, apart = planes->apart * bytes;
	unsigned char *a = out, *b = a + apart, *c = b + apart;

	if (bytes == 1)
		split3_bytes(in, a, b, c, count);
	else if (bytes == 2)
		split3_halves(in, (uint16_t *)(void *)a, (uint16_t *)(void *)b,
		    (uint16_t *)(void *)c, count);
	else
		split3_words(in, (uint32_t *)(void *)a, (uint32_t *)(void *)b,
		    (uint32_t *)(void *)c, count);
}

CPU_AVX2 static void split3_avx2(
    const struct planes *planes, const void *in, void *out, size_t count)
{
	split3(planes, in, out, count);
}

/* `bytes` is a constant in each call, so that memcpy becomes a move. */
CPU_BODY void split_any(const struct planes *planes,
    const unsigned char *restrict in, unsigned char *restrict out, size_t count,
    size_t bytes)
{
	for (size_t c = 0; c < planes->channels; c++)
		for (size_t i = 0; i < count; i++)
			memcpy(out + (c * planes->apart + i) * bytes,
			    in + (i * planes->channels + c) * bytes, bytes);
}

void planes_split_apart(
    const struct planes *planes, const void *in, void *out, size_t count)
{
	if (planes->channels == 1)
		memcpy(out, in, count * planes->bytes);
	else if (planes->channels == 3 && planes->bytes <= 4 && cpu_has_avx2())
		split3_avx2(planes, in, out, count);
	else if (planes->channels == 3 && planes->bytes <= 4)
		split3(planes, in, out, count);
	else if (planes->bytes == 1)
		split_any(planes, in, out, count, 1);
	else if (planes->bytes == 2)
		split_any(planes, in, out, count, 2);
	else if (planes->bytes == 4)
		split_any(planes, in, out, count, 4);
	else
		split_any(planes, in, out, count, 8);
}

void planes_split(
    const void *in, void *out, size_t count, size_t channels, size_t bytes)
{
	const struct planes planes = {
		.channels = channels,
		.bytes = bytes,
		.apart = count,
	};

	planes_split_apart(&planes, in, out, count);
}

CPU_BODY void join3(
    const uint8_t *restrict in, uint8_t *restrict out, size_t count)
{
	const uint8_t *a = in, *b = in + count, *c = in + 2 * count;
	size_t i = 0;

	for (; i + STEP <= count; i += STEP)
		for (size_t k = 0; k < STEP; k++) {
			out[3 * (i + k)] = a[i + k];
			out[3 * (i + k) + 1] = b[i + k];
			out[3 * (i + k) + 2] = c[i + k];
		}
	for (; i < count; i++) {
		out[3 * i] = a[i];
		out[3 * i + 1] = b[i];
		out[3 * i + 2] = c[i];
	}
}

CPU_AVX2 static void join3_avx2(const uint8_t *in, uint8_t *out, size_t count)
{
	join3(in, out, count);
}

CPU_BODY void join_any(const unsigned char *restrict in,
    unsigned char *restrict out, size_t count, size_t channels, size_t bytes)
{
	for (size_t c = 0; c < channels; c++)
		for (size_t i = 0; i < count; i++)
			memcpy(out + (i * channels + c) * bytes,
			    in + (c * count + i) * bytes, bytes);
}

void planes_join(
    const void *in, void *out, size_t count, size_t channels, size_t bytes)
{
	if (channels == 1)
		memcpy(out, in, count * bytes);
	else if (channels == 3 && bytes == 1 && cpu_has_avx2())
		join3_avx2(in, out, count);
	else if (channels == 3 && bytes == 1)
		join3(in, out, count);
	else if (bytes == 1)
		join_any(in, out, count, channels, 1);
	else if (bytes == 2)
		join_any(in, out, count, channels, 2);
	else if (bytes == 4)
		join_any(in, out, count, channels, 4);
	else
		join_any(in, out, count, channels, 8);
}
