/*
 * resample_words.c - the loops of resample.h for uint16: float weights and
 * float words, rounded at the end.
 *
 * On every processor, sums are computed in the order of the taps and without
 * fused operations, so that results are equal.
 */
#include <stdint.h>

#include "lib/base/cpu.h"
#include "lib/image/resample/resample.h"

enum { BLOCK = 16, WORD_MOST = 65535 };

/* Rounds to nearest and limits to the range. */
CPU_BODY uint16_t word_of(float sum)
{
	sum = sum < 0 ? 0 : sum;
	sum = sum > WORD_MOST ? WORD_MOST : sum;
	return (uint16_t)(int32_t)(sum + 0.5f);
}

/* The inputs of an output row. */
struct mix {
	const float *weights;
	int32_t count;
	const unsigned char *in;
	size_t stride;
};

/* Computes `n` columns from `at` on; `n` and `to_words` are constants. */
CPU_BODY void mix_columns(
    const struct mix *mix, size_t at, size_t n, void *out, bool to_words)
{
	float sums[BLOCK] = { 0 };

	for (int32_t k = 0; k < mix->count; k++) {
		const uint16_t *from =
		    (const uint16_t *)(const void *)(mix->in +
		                                     (size_t)k * mix->stride) +
		    at;
		const float weight = mix->weights[k];

		for (size_t i = 0; i < n; i++)
			sums[i] += weight * (float)from[i];
	}
	for (size_t i = 0; to_words && i < n; i++)
		((uint16_t *)out)[at + i] = word_of(sums[i]);
	for (size_t i = 0; !to_words && i < n; i++)
		((float *)out)[at + i] = sums[i];
}

CPU_BODY void down_body(
    const struct mix *mix, void *out, size_t len, bool to_words)
{
	size_t i = 0;

	for (; i + BLOCK <= len; i += BLOCK)
		mix_columns(mix, i, BLOCK, out, to_words);
	for (; i < len; i++)
		mix_columns(mix, i, 1, out, to_words);
}

CPU_AVX2 static void words_down_avx2(
    const struct mix *mix, void *out, size_t len)
{
	down_body(mix, out, len, true);
}

CPU_AVX2 static void floats_down_avx2(
    const struct mix *mix, void *out, size_t len)
{
	down_body(mix, out, len, false);
}

static struct mix mix_of(
    const struct taps *taps, size_t row, const unsigned char *in, size_t stride)
{
	return (struct mix){
		.weights = taps->floats + row * taps->stride + taps->skip[row],
		.count = taps->count[row],
		.in = in,
		.stride = stride,
	};
}

static void down_portable(const struct taps *taps, size_t row,
    const unsigned char *in, size_t stride, unsigned char *out, size_t len)
{
	const struct mix mix = mix_of(taps, row, in, stride);

	down_body(&mix, out, len, true);
}

static void down(const struct taps *taps, size_t row, const unsigned char *in,
    size_t stride, unsigned char *out, size_t len)
{
	const struct mix mix = mix_of(taps, row, in, stride);

	if (cpu_has_avx2())
		words_down_avx2(&mix, out, len);
	else
		down_portable(taps, row, in, stride, out, len);
}

static void down_to_floats_portable(const struct taps *taps, size_t row,
    const unsigned char *in, size_t stride, unsigned char *out, size_t len)
{
	const struct mix mix = mix_of(taps, row, in, stride);

	down_body(&mix, out, len, false);
}

static void down_to_floats(const struct taps *taps, size_t row,
    const unsigned char *in, size_t stride, unsigned char *out, size_t len)
{
	const struct mix mix = mix_of(taps, row, in, stride);

	if (cpu_has_avx2())
		floats_down_avx2(&mix, out, len);
	else
		down_to_floats_portable(taps, row, in, stride, out, len);
}

CPU_BODY float element_at(const unsigned char *in, size_t i, bool is_float)
{
	return is_float ? ((const float *)(const void *)in)[i]
	                : (float)((const uint16_t *)(const void *)in)[i];
}

/* `channels` and `is_float` are constants in the calls that matter. */
CPU_BODY void row_across(const struct taps *restrict taps,
    const unsigned char *restrict in, uint16_t *restrict out, size_t channels,
    bool is_float)
{
	const float *weights = taps->floats;

	for (size_t x = 0; x < taps->out; x++, weights += taps->stride) {
		const float *w = weights + taps->skip[x];
		const size_t from = (size_t)taps->first[x] * channels;

		for (size_t c = 0; c < channels; c++) {
			float sum = 0;

			for (int32_t k = 0; k < taps->count[x]; k++)
				sum +=
				    w[k] * element_at(in,
				               from + (size_t)k * channels + c,
				               is_float);
			*out++ = word_of(sum);
		}
	}
}

CPU_BODY void rows_across(const struct taps *taps,
    const unsigned char *const in[RESAMPLE_ROWS],
    unsigned char *const out[RESAMPLE_ROWS], size_t channels, bool is_float)
{
	for (size_t r = 0; r < RESAMPLE_ROWS; r++) {
		uint16_t *to = (uint16_t *)(void *)out[r];

		if (r > 0 && out[r] == out[r - 1])
			break; /* the last rows of an image repeat */
		if (channels == 3)
			row_across(taps, in[r], to, 3, is_float);
		else
			row_across(taps, in[r], to, channels, is_float);
	}
}

static void across(const struct taps *taps,
    const unsigned char *const in[RESAMPLE_ROWS],
    unsigned char *const out[RESAMPLE_ROWS], size_t channels)
{
	rows_across(taps, in, out, channels, false);
}

static void across_from_floats(const struct taps *taps,
    const unsigned char *const in[RESAMPLE_ROWS],
    unsigned char *const out[RESAMPLE_ROWS], size_t channels)
{
	rows_across(taps, in, out, channels, true);
}

const struct resample_kernels resample_words = {
	.down = down,
	.across = across,
	.down_to_words = down_to_floats,
	.across_from_words = across_from_floats,
};

const struct resample_kernels resample_words_plain = {
	.down = down_portable,
	.across = across,
	.down_to_words = down_to_floats_portable,
	.across_from_words = across_from_floats,
};
