/*
 * resample_floats.c - the loops of resample.h for float32.
 *
 * On every processor, sums are computed in the order of the taps and without
 * fused operations, so that results are equal.
 */
#include "lib/base/cpu.h"
#include "lib/image/resample/resample.h"

enum { BLOCK = 16 };

static const float *floats_at(const unsigned char *bytes)
{
	return (const float *)(const void *)bytes;
}

CPU_BODY void vertical_block(const float *weights, int32_t count,
    const unsigned char *in, size_t stride, float *restrict out)
{
	float sums[BLOCK] = { 0 };

	for (int32_t k = 0; k < count; k++) {
		const float *restrict from = floats_at(in + (size_t)k * stride);

		for (size_t i = 0; i < BLOCK; i++)
			sums[i] += weights[k] * from[i];
	}
	for (size_t i = 0; i < BLOCK; i++)
		out[i] = sums[i];
}

CPU_BODY void vertical_body(const float *weights, int32_t count,
    const unsigned char *in, size_t stride, float *out, size_t len)
{
	size_t i = 0;

	for (; i + BLOCK <= len; i += BLOCK)
		vertical_block(
		    weights, count, in + i * sizeof(*out), stride, out + i);
	for (; i < len; i++) {
		float sum = 0;

		for (int32_t k = 0; k < count; k++)
			sum +=
			    weights[k] * floats_at(in + (size_t)k * stride)[i];
		out[i] = sum;
	}
}

CPU_AVX2 static void vertical_avx2(const float *weights, int32_t count,
    const unsigned char *in, size_t stride, float *out, size_t len)
{
	vertical_body(weights, count, in, stride, out, len);
}

static void vertical(const struct taps *taps, size_t row,
    const unsigned char *in, size_t stride, unsigned char *out, size_t len)
{
	const float *weights =
	    taps->floats + row * taps->stride + taps->skip[row];
	const int32_t count = taps->count[row];
	float *sums = (float *)(void *)out;

	if (cpu_has_avx2())
		vertical_avx2(weights, count, in, stride, sums, len);
	else
		vertical_body(weights, count, in, stride, sums, len);
}

/* `channels` is a constant in the calls that matter. */
CPU_BODY void horizontal_row(const struct taps *restrict taps,
    const float *restrict in, float *restrict out, size_t channels)
{
	const float *weights = taps->floats;

	for (size_t x = 0; x < taps->out; x++, weights += taps->stride) {
		const float *w = weights + taps->skip[x];
		const float *from = in + (size_t)taps->first[x] * channels;

		for (size_t c = 0; c < channels; c++) {
			float sum = 0;

			for (int32_t k = 0; k < taps->count[x]; k++)
				sum += w[k] * from[(size_t)k * channels + c];
			*out++ = sum;
		}
	}
}

static void horizontal(const struct taps *taps,
    const unsigned char *const in[RESAMPLE_ROWS],
    unsigned char *const out[RESAMPLE_ROWS], size_t channels)
{
	for (size_t r = 0; r < RESAMPLE_ROWS; r++) {
		float *to = (float *)(void *)out[r];

		if (r > 0 && out[r] == out[r - 1])
			break; /* the last rows of an image repeat */
		if (channels == 3)
			horizontal_row(taps, floats_at(in[r]), to, 3);
		else
			horizontal_row(taps, floats_at(in[r]), to, channels);
	}
}

const struct resample_kernels resample_floats = {
	.down = vertical,
	.across = horizontal,
	.down_to_words = vertical,
	.across_from_words = horizontal,
};
