/* resample_plain.c - the loops of resample.h for every processor. */
#include <string.h>

#include "lib/base/cpu.h"
#include "lib/image/resample/resample.h"

enum { BLOCK = 32 };

static unsigned char clip(int32_t sum, unsigned shift)
{
	sum >>= shift;
	if (sum < 0)
		return 0;
	return sum > 255 ? 255 : (unsigned char)sum;
}

/* Returns half of one in the weights' scale, so that a shift rounds. */
static int32_t half_of(const struct taps *taps)
{
	return 1 << (taps->shift - 1);
}

/* Returns weight `at`, from both halves if there are two. */
static int32_t weight_at(const struct taps *taps, size_t at)
{
	if (taps->low)
		return taps->weights[at] * (1 << TAPS_LOW) + taps->low[at];
	return taps->weights[at];
}

static void vertical_block(const struct taps *taps, size_t row,
    const unsigned char *restrict in, size_t stride,
    unsigned char *restrict out)
{
	const size_t weights = row * taps->stride + (size_t)taps->skip[row];
	int32_t sums[BLOCK];

	for (size_t i = 0; i < BLOCK; i++)
		sums[i] = half_of(taps);
	for (size_t k = 0; k < (size_t)taps->count[row]; k++) {
		const int32_t weight = weight_at(taps, weights + k);

		for (size_t i = 0; i < BLOCK; i++)
			sums[i] += weight * in[k * stride + i];
	}
	for (size_t i = 0; i < BLOCK; i++)
		out[i] = clip(sums[i], taps->shift);
}

static void vertical(const struct taps *taps, size_t row,
    const unsigned char *in, size_t stride, unsigned char *out, size_t len)
{
	const size_t weights = row * taps->stride + (size_t)taps->skip[row];
	size_t i = 0;

	for (; i + BLOCK <= len; i += BLOCK)
		vertical_block(taps, row, in + i, stride, out + i);
	for (; i < len; i++) {
		int32_t sum = half_of(taps);

		for (size_t k = 0; k < (size_t)taps->count[row]; k++)
			sum +=
			    weight_at(taps, weights + k) * in[k * stride + i];
		out[i] = clip(sum, taps->shift);
	}
}

/* `channels` is a constant in the calls that matter. */
CPU_BODY void horizontal_row(const struct taps *restrict taps,
    const unsigned char *restrict in, unsigned char *restrict out,
    size_t channels)
{
	for (size_t x = 0; x < taps->out; x++) {
		const size_t weights = x * taps->stride + (size_t)taps->skip[x];
		const unsigned char *from =
		    in + (size_t)taps->first[x] * channels;

		for (size_t c = 0; c < channels; c++) {
			int32_t sum = half_of(taps);

			for (size_t k = 0; k < (size_t)taps->count[x]; k++)
				sum += weight_at(taps, weights + k) *
				       from[k * channels + c];
			*out++ = clip(sum, taps->shift);
		}
	}
}

static void horizontal(const struct taps *taps,
    const unsigned char *const in[RESAMPLE_ROWS],
    unsigned char *const out[RESAMPLE_ROWS], size_t channels)
{
	for (size_t r = 0; r < RESAMPLE_ROWS; r++) {
		if (r > 0 && out[r] == out[r - 1])
			break; /* the last rows of an image repeat */
		if (channels == 3)
			horizontal_row(taps, in[r], out[r], 3);
		else if (channels == 1)
			horizontal_row(taps, in[r], out[r], 1);
		else
			horizontal_row(taps, in[r], out[r], channels);
	}
}

/* 256 * byte * share / 65536, truncated. */
static uint16_t shared(unsigned char x, uint32_t share)
{
	return (uint16_t)(((uint32_t)x << 8) * (share & 0xffff) >> 16);
}

/* Half of one, plus half of the expected loss of `count` truncations. */
static uint16_t word_half(int32_t count)
{
	return (uint16_t)(count / 2 + 1);
}

/* 256 times the result fits into 16 bits unsigned; half of it fits signed. */
static void words_block(const struct taps *taps, size_t row,
    const unsigned char *restrict in, size_t stride, int16_t *restrict out)
{
	const uint32_t *shares =
	    taps->shares + row * taps->stride + taps->skip[row];
	uint16_t sums[BLOCK];

	for (size_t i = 0; i < BLOCK; i++)
		sums[i] = word_half(taps->count[row]);
	for (size_t k = 0; k < (size_t)taps->count[row]; k++) {
		const uint32_t share = shares[k];

		for (size_t i = 0; i < BLOCK; i++)
			sums[i] = (uint16_t)(sums[i] +
			                     shared(in[k * stride + i], share));
	}
	for (size_t i = 0; i < BLOCK; i++)
		out[i] = (int16_t)(sums[i] >> (8 - RESAMPLE_WORD));
}

static void down_to_words(const struct taps *taps, size_t row,
    const unsigned char *in, size_t stride, unsigned char *out, size_t len)
{
	const uint32_t *shares =
	    taps->shares + row * taps->stride + taps->skip[row];
	int16_t *words = (int16_t *)(void *)out;
	size_t i = 0;

	for (; i + BLOCK <= len; i += BLOCK)
		words_block(taps, row, in + i, stride, words + i);
	for (; i < len; i++) {
		unsigned sum = word_half(taps->count[row]);

		for (size_t k = 0; k < (size_t)taps->count[row]; k++)
			sum += shared(in[k * stride + i], shares[k]);
		words[i] = (int16_t)(sum >> (8 - RESAMPLE_WORD));
	}
}

static void words_across(const struct taps *restrict taps,
    const int16_t *restrict in, unsigned char *restrict out, size_t channels)
{
	const unsigned shift = taps->shift + RESAMPLE_WORD;

	for (size_t x = 0; x < taps->out; x++) {
		const int16_t *weights =
		    taps->weights + x * taps->stride + taps->skip[x];
		const int16_t *from = in + (size_t)taps->first[x] * channels;

		for (size_t c = 0; c < channels; c++) {
			int32_t sum = 1 << (shift - 1);

			for (size_t k = 0; k < (size_t)taps->count[x]; k++)
				sum += weights[k] * from[k * channels + c];
			*out++ = clip(sum, shift);
		}
	}
}

static void across_from_words(const struct taps *taps,
    const unsigned char *const in[RESAMPLE_ROWS],
    unsigned char *const out[RESAMPLE_ROWS], size_t channels)
{
	for (size_t r = 0; r < RESAMPLE_ROWS; r++) {
		if (r > 0 && out[r] == out[r - 1])
			break;
		words_across(taps, (const int16_t *)(const void *)in[r], out[r],
		    channels);
	}
}

const struct resample_kernels resample_plain = {
	.down = vertical,
	.across = horizontal,
	.down_to_words = down_to_words,
	.across_from_words = across_from_words,
};
