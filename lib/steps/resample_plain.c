/*
 * resample_plain.c - the loops of resample.h for every processor.
 */
#include <string.h>

#include "lib/base/cpu.h"
#include "lib/steps/resample.h"

enum { BLOCK = 32 };

static unsigned char clip(int32_t sum, unsigned shift)
{
	sum >>= shift;
	if (sum < 0)
		return 0;
	return sum > 255 ? 255 : (unsigned char)sum;
}

/* Half of one, so that the shift rounds. */
static int32_t half_of(const struct taps *taps)
{
	return taps->shift ? 1 << (taps->shift - 1) : 0;
}

/* Weight `at` of all. */
static int32_t weight_at(const struct taps *taps, size_t at)
{
	return taps->weights[at] * (1 << TAPS_LOW) + taps->low[at];
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

/* `channels` is a constant where it matters. */
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
			break; /* the last rows of an image are repeated */
		if (channels == 3)
			horizontal_row(taps, in[r], out[r], 3);
		else if (channels == 1)
			horizontal_row(taps, in[r], out[r], 1);
		else
			horizontal_row(taps, in[r], out[r], channels);
	}
}

const struct resample_kernels resample_plain = {
	.vertical = vertical,
	.horizontal = horizontal,
};
