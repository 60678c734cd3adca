/*
 * lanes.h - vectors of LANES floats, each lane for another frame: so LANES
 * frames are processed at once.
 *
 * A template: define LANES (4, 8 or 16) and TARGET, the function attribute for
 * processors with such registers, before including it.  Each lane goes through
 * the same operations in the same order, whatever the width: so all widths give
 * equal results.
 */
#ifndef LIB_AUDIO_LANES_H
#define LIB_AUDIO_LANES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#else
#include <math.h>
#endif

#include "lib/base/array.h"
#include "lib/base/cpu.h"

#define BODY CPU_BODY TARGET

typedef float lanes __attribute__((vector_size(4 * LANES)));
typedef int32_t lanes_words __attribute__((vector_size(4 * LANES)));
typedef int16_t lanes_shorts __attribute__((vector_size(2 * LANES)));

/* Picks elements of two vectors by index; the second begins at LANES. */
#if LANES == 4
#define LANES_LOW        0, 4, 1, 5
#define LANES_HIGH       2, 6, 3, 7
#define LANES_PAIRS_LOW  0, 1, 4, 5
#define LANES_PAIRS_HIGH 2, 3, 6, 7
#elif LANES == 8
#define LANES_LOW        0, 8, 1, 9, 4, 12, 5, 13
#define LANES_HIGH       2, 10, 3, 11, 6, 14, 7, 15
#define LANES_PAIRS_LOW  0, 1, 8, 9, 4, 5, 12, 13
#define LANES_PAIRS_HIGH 2, 3, 10, 11, 6, 7, 14, 15
#define LANES_FOURS_LOW  0, 1, 2, 3, 8, 9, 10, 11
#define LANES_FOURS_HIGH 4, 5, 6, 7, 12, 13, 14, 15
#else
#define LANES_LOW       0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define LANES_HIGH      2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#define LANES_PAIRS_LOW 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29
#define LANES_PAIRS_HIGH \
	2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31
#define LANES_FOURS_LOW 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27
#define LANES_FOURS_HIGH \
	4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31
#define LANES_EIGHTS_LOW 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define LANES_EIGHTS_HIGH \
	8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
#endif

BODY lanes lanes_load(const float *from)
{
	lanes v;

	memcpy(&v, from, sizeof(v));
	return v;
}

BODY lanes lanes_load_shorts(const void *from)
{
	lanes_shorts v;

	memcpy(&v, from, sizeof(v));
	return __builtin_convertvector(
	    __builtin_convertvector(v, lanes_words), lanes);
}

BODY void lanes_store(float *to, lanes v)
{
	memcpy(to, &v, sizeof(v));
}

/* Rounded correctly on all processors. */
BODY lanes lanes_sqrt(lanes v)
{
#if !defined(__x86_64__)
	for (size_t i = 0; i < LANES; i++)
		v[i] = sqrtf(v[i]);
	return v;
#elif LANES == 4
	return _mm_sqrt_ps(v);
#elif LANES == 8
	return _mm256_sqrt_ps(v);
#else
	return _mm512_sqrt_ps(v);
#endif
}

/*
 * Loads four floats from each of LANES / 4 places, `step` floats apart.  They
 * are combined by load instructions, since there is only one port for shuffles.
 */
BODY lanes lanes_load_fours(const float *from, size_t step)
{
#if LANES == 4
	UNUSED(step);
	return lanes_load(from);
#elif LANES == 8
	return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from)),
	    _mm_loadu_ps(from + step), 1);
#else
	lanes v = _mm512_castps128_ps512(_mm_loadu_ps(from));

	v = _mm512_insertf32x4(v, _mm_loadu_ps(from + step), 1);
	v = _mm512_insertf32x4(v, _mm_loadu_ps(from + 2 * step), 2);
	return _mm512_insertf32x4(v, _mm_loadu_ps(from + 3 * step), 3);
#endif
}

/* Transposes within each four lanes: element k of row i becomes i of row k. */
BODY void lanes_mix_fours(lanes rows[4])
{
	const lanes low = __builtin_shufflevector(rows[0], rows[1], LANES_LOW);
	const lanes high =
	    __builtin_shufflevector(rows[0], rows[1], LANES_HIGH);
	const lanes low2 = __builtin_shufflevector(rows[2], rows[3], LANES_LOW);
	const lanes high2 =
	    __builtin_shufflevector(rows[2], rows[3], LANES_HIGH);

	rows[0] = __builtin_shufflevector(low, low2, LANES_PAIRS_LOW);
	rows[1] = __builtin_shufflevector(low, low2, LANES_PAIRS_HIGH);
	rows[2] = __builtin_shufflevector(high, high2, LANES_PAIRS_LOW);
	rows[3] = __builtin_shufflevector(high, high2, LANES_PAIRS_HIGH);
}

#if LANES > 4
/* Exchanges halves of rows i and i + 4, in groups of four. */
BODY void lanes_swap_fours(lanes *a, lanes *b)
{
	const lanes low = __builtin_shufflevector(*a, *b, LANES_FOURS_LOW);

	*b = __builtin_shufflevector(*a, *b, LANES_FOURS_HIGH);
	*a = low;
}
#endif

#if LANES > 8
BODY void lanes_swap_eights(lanes *a, lanes *b)
{
	const lanes low = __builtin_shufflevector(*a, *b, LANES_EIGHTS_LOW);

	*b = __builtin_shufflevector(*a, *b, LANES_EIGHTS_HIGH);
	*a = low;
}
#endif

/* Transposes: element k of row i becomes element i of row k. */
BODY void lanes_transpose(lanes rows[LANES])
{
#pragma GCC unroll 16
	for (size_t i = 0; i < LANES; i += 4)
		lanes_mix_fours(rows + i);
#if LANES > 4
#pragma GCC unroll 16
	for (size_t i = 0; i < LANES; i++)
		if (!(i & 4))
			lanes_swap_fours(&rows[i], &rows[i + 4]);
#endif
#if LANES > 8
#pragma GCC unroll 16
	for (size_t i = 0; i < 8; i++)
		lanes_swap_eights(&rows[i], &rows[i + 8]);
#endif
}

/*
 * Row i of the block is bin i of all lanes.  Stores the first `width` bins of
 * `count` lanes as rows at `out`, `step` floats apart.
 */
BODY void lanes_store_block(
    lanes block[LANES], float *out, size_t step, size_t count, size_t width)
{
	lanes_transpose(block);
	if (count == LANES && width == LANES) {
#pragma GCC unroll 16
		for (size_t i = 0; i < LANES; i++)
			lanes_store(out + i * step, block[i]);
		return;
	}
	for (size_t i = 0; i < count; i++)
		memcpy(out + i * step, &block[i], width * sizeof(float));
}

#endif
