/* scale.c - see scale.h. */
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "lib/base/cpu.h"
#include "lib/steps/scale.h"

CPU_BODY float scaled(struct scale scale, float x)
{
	x -= scale.minus;
	return x * scale.times + x * scale.rest;
}

CPU_BODY void bytes_body(struct scale scale, const uint8_t *restrict in,
    float *restrict out, size_t count)
{
	size_t i = 0;

	for (; i + SCALE_STEP <= count; i += SCALE_STEP)
		for (size_t k = 0; k < SCALE_STEP; k++)
			out[i + k] = scaled(scale, in[i + k]);
	for (; i < count; i++)
		out[i] = scaled(scale, in[i]);
}

CPU_BODY void floats_body(struct scale scale, const float *restrict in,
    float *restrict out, size_t count)
{
	size_t i = 0;

	for (; i + SCALE_STEP <= count; i += SCALE_STEP)
		for (size_t k = 0; k < SCALE_STEP; k++)
			out[i + k] = scaled(scale, in[i + k]);
	for (; i < count; i++)
		out[i] = scaled(scale, in[i]);
}

CPU_BODY void bytes_by_table_body(const float *restrict minus,
    const float *restrict times, size_t length, const uint8_t *restrict in,
    float *restrict out, size_t count)
{
	size_t i = 0, j = 0;

	for (; i + SCALE_STEP <= count; i += SCALE_STEP) {
		for (size_t k = 0; k < SCALE_STEP; k++)
			out[i + k] =
			    ((float)in[i + k] - minus[j + k]) * times[j + k];
		j += SCALE_STEP;
		if (j == length)
			j = 0;
	}
	for (; i < count; i++, j++)
		out[i] = ((float)in[i] - minus[j]) * times[j];
}

CPU_BODY void floats_by_table_body(const float *restrict minus,
    const float *restrict times, size_t length, const float *restrict in,
    float *restrict out, size_t count)
{
	size_t i = 0, j = 0;

	for (; i + SCALE_STEP <= count; i += SCALE_STEP) {
		for (size_t k = 0; k < SCALE_STEP; k++)
			out[i + k] = (in[i + k] - minus[j + k]) * times[j + k];
		j += SCALE_STEP;
		if (j == length)
			j = 0;
	}
	for (; i < count; i++, j++)
		out[i] = (in[i] - minus[j]) * times[j];
}

static void bytes_plain(
    struct scale scale, const uint8_t *in, float *out, size_t count)
{
	bytes_body(scale, in, out, count);
}

CPU_AVX2 static void bytes_avx2(
    struct scale scale, const uint8_t *in, float *out, size_t count)
{
	bytes_body(scale, in, out, count);
}

#if defined(__x86_64__)

enum { VECTOR = 8 };

CPU_AVX2 static void bytes_away_avx2(
    struct scale scale, const uint8_t *in, float *out, size_t count)
{
	const __m256 minus = _mm256_set1_ps(scale.minus);
	const __m256 times = _mm256_set1_ps(scale.times);
	const __m256 rest = _mm256_set1_ps(scale.rest);
	size_t i = 0;

	for (; i < count && (uintptr_t)(out + i) % sizeof(__m256); i++)
		out[i] = scaled(scale, in[i]);
	for (; i + VECTOR <= count; i += VECTOR) {
		const __m128i bytes =
		    _mm_loadl_epi64((const __m128i *)(const void *)(in + i));
		const __m256 x = _mm256_sub_ps(
		    _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(bytes)), minus);

		_mm256_stream_ps(out + i, _mm256_add_ps(_mm256_mul_ps(x, times),
		                              _mm256_mul_ps(x, rest)));
	}
	for (; i < count; i++)
		out[i] = scaled(scale, in[i]);
}

#else

static void bytes_away_avx2(
    struct scale scale, const uint8_t *in, float *out, size_t count)
{
	bytes_plain(scale, in, out, count);
}

#endif

static void floats_plain(
    struct scale scale, const float *in, float *out, size_t count)
{
	floats_body(scale, in, out, count);
}

CPU_AVX2 static void floats_avx2(
    struct scale scale, const float *in, float *out, size_t count)
{
	floats_body(scale, in, out, count);
}

static void bytes_by_table_plain(
    struct scale_table table, const uint8_t *in, float *out, size_t count)
{
	bytes_by_table_body(
	    table.minus, table.times, table.length, in, out, count);
}

CPU_AVX2 static void bytes_by_table_avx2(
    struct scale_table table, const uint8_t *in, float *out, size_t count)
{
	bytes_by_table_body(
	    table.minus, table.times, table.length, in, out, count);
}

static void floats_by_table_plain(
    struct scale_table table, const float *in, float *out, size_t count)
{
	floats_by_table_body(
	    table.minus, table.times, table.length, in, out, count);
}

CPU_AVX2 static void floats_by_table_avx2(
    struct scale_table table, const float *in, float *out, size_t count)
{
	floats_by_table_body(
	    table.minus, table.times, table.length, in, out, count);
}

void scale_bytes(
    struct scale scale, const uint8_t *in, float *out, size_t count)
{
	(cpu_has_avx2() ? bytes_avx2 : bytes_plain)(scale, in, out, count);
}

void scale_bytes_away(
    struct scale scale, const uint8_t *in, float *out, size_t count)
{
	(cpu_has_avx2() ? bytes_away_avx2 : bytes_plain)(scale, in, out, count);
}

void scale_floats(struct scale scale, const float *in, float *out, size_t count)
{
	(cpu_has_avx2() ? floats_avx2 : floats_plain)(scale, in, out, count);
}

void scale_bytes_by_table(
    struct scale_table table, const uint8_t *in, float *out, size_t count)
{
	(cpu_has_avx2() ? bytes_by_table_avx2 : bytes_by_table_plain)(
	    table, in, out, count);
}

void scale_floats_by_table(
    struct scale_table table, const float *in, float *out, size_t count)
{
	(cpu_has_avx2() ? floats_by_table_avx2 : floats_by_table_plain)(
	    table, in, out, count);
}
