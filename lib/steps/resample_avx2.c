/*
 * resample_avx2.c - the loops of resample.h for processors with AVX2.
 *
 * Both passes live on one instruction that multiplies eight pairs of 16-bit
 * numbers and adds each pair: two taps at a time.
 */
#include <string.h>

#include "lib/base/cpu.h"
#include "lib/steps/resample.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum { BLOCK = 32, PIXEL_STORE = 4 };

/* Two weights, for all pairs. */
CPU_AVX2 static inline __m256i pair_of(int16_t first, int16_t second)
{
	const uint32_t both = (uint16_t)first | (uint32_t)(uint16_t)second
	                                            << 16;

	return _mm256_set1_epi32((int32_t)both);
}

CPU_AVX2 static inline __m256i load256(const unsigned char *from)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

/* 32 sums: of bytes 0 to 3 and 16 to 19, 4 to 7 and 20 to 23, ... */
struct sums {
	__m256i part[4];
};

CPU_AVX2 static inline void add_pair(
    struct sums *sums, __m256i first, __m256i second, __m256i weights)
{
	const __m256i zero = _mm256_setzero_si256();
	const __m256i low = _mm256_unpacklo_epi8(first, second);
	const __m256i high = _mm256_unpackhi_epi8(first, second);
	const __m256i words[4] = {
		_mm256_unpacklo_epi8(low, zero),
		_mm256_unpackhi_epi8(low, zero),
		_mm256_unpacklo_epi8(high, zero),
		_mm256_unpackhi_epi8(high, zero),
	};

	for (int i = 0; i < 4; i++)
		sums->part[i] = _mm256_add_epi32(
		    sums->part[i], _mm256_madd_epi16(words[i], weights));
}

CPU_AVX2 static inline void store_sums(
    const struct sums *sums, __m128i shift, unsigned char *out)
{
	const __m256i low =
	    _mm256_packs_epi32(_mm256_sra_epi32(sums->part[0], shift),
	        _mm256_sra_epi32(sums->part[1], shift));
	const __m256i high =
	    _mm256_packs_epi32(_mm256_sra_epi32(sums->part[2], shift),
	        _mm256_sra_epi32(sums->part[3], shift));

	_mm256_storeu_si256(
	    (__m256i *)(void *)out, _mm256_packus_epi16(low, high));
}

CPU_AVX2 static inline __m256i half_of(const struct taps *taps)
{
	return _mm256_set1_epi32(taps->shift ? 1 << (taps->shift - 1) : 0);
}

CPU_AVX2 static inline void vertical_block(const struct taps *taps, size_t row,
    const unsigned char *in, size_t stride, unsigned char *out)
{
	const int16_t *w = taps->weights + row * taps->stride + taps->skip[row];
	const int32_t count = taps->count[row];
	const __m256i half = half_of(taps);
	struct sums sums = { { half, half, half, half } };
	int32_t k = 0;

	for (; k + 2 <= count; k += 2, in += 2 * stride)
		add_pair(&sums, load256(in), load256(in + stride),
		    pair_of(w[k], w[k + 1]));
	if (k < count)
		add_pair(&sums, load256(in), _mm256_setzero_si256(),
		    pair_of(w[k], 0));
	store_sums(&sums, _mm_cvtsi32_si128((int)taps->shift), out);
}

/* The last block overlaps the one before. */
CPU_AVX2 static void vertical(const struct taps *taps, size_t row,
    const unsigned char *in, size_t stride, unsigned char *out, size_t len)
{
	if (len < BLOCK) {
		resample_plain.vertical(taps, row, in, stride, out, len);
		return;
	}
	for (size_t i = 0; i + BLOCK <= len; i += BLOCK)
		vertical_block(taps, row, in + i, stride, out + i);
	if (len % BLOCK)
		vertical_block(
		    taps, row, in + len - BLOCK, stride, out + len - BLOCK);
}

/* The same 16 bytes of two rows. */
CPU_AVX2 static inline __m256i load_two(
    const unsigned char *low, const unsigned char *high)
{
	return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(
	                                   (const __m128i *)(const void *)low)),
	    _mm_loadu_si128((const __m128i *)(const void *)high), 1);
}

/*
 * Out of a row's 16 bytes, the pairs of words that are the same channel of
 * pixels `first` and the one behind it; a channel that is not there is 0.
 */
CPU_AVX2 static __m256i pick_pairs(size_t first, size_t channels)
{
	signed char pick[16];

	for (size_t c = 0; c < 4; c++) {
		const signed char at = (signed char)(first * channels + c);

		pick[4 * c] = c < channels ? at : -1;
		pick[4 * c + 1] = -1;
		pick[4 * c + 2] =
		    c < channels ? (signed char)(at + (int)channels) : -1;
		pick[4 * c + 3] = -1;
	}
	return _mm256_broadcastsi128_si256(
	    _mm_loadu_si128((const __m128i *)(const void *)pick));
}

struct picks {
	__m256i first, second; /* taps 0 and 1, taps 2 and 3 */
	__m256i half;
	__m128i shift;
	size_t step; /* bytes of four pixels */
};

/* Adds four taps of two rows. */
CPU_AVX2 static inline __m256i add_quad(__m256i sums, __m256i bytes,
    const int16_t *weights, const struct picks *picks)
{
	const __m256i w01 = pair_of(weights[0], weights[1]);
	const __m256i w23 = pair_of(weights[2], weights[3]);

	sums = _mm256_add_epi32(sums,
	    _mm256_madd_epi16(_mm256_shuffle_epi8(bytes, picks->first), w01));
	return _mm256_add_epi32(sums,
	    _mm256_madd_epi16(_mm256_shuffle_epi8(bytes, picks->second), w23));
}

/* One pixel of four rows: 4 bytes each, in `out`. */
CPU_AVX2 static inline __m256i four_pixels(
    const unsigned char *const in[RESAMPLE_ROWS], size_t offset,
    const int16_t *weights, size_t quads, const struct picks *picks)
{
	__m256i low = picks->half, high = picks->half;

	for (size_t q = 0; q < quads; q++) {
		low = add_quad(low, load_two(in[0] + offset, in[1] + offset),
		    weights, picks);
		high = add_quad(high, load_two(in[2] + offset, in[3] + offset),
		    weights, picks);
		weights += TAPS_ROUND;
		offset += picks->step;
	}
	low = _mm256_sra_epi32(low, picks->shift);
	high = _mm256_sra_epi32(high, picks->shift);
	low = _mm256_packs_epi32(low, high);
	return _mm256_packus_epi16(low, low); /* rows 0, 2, ... | 1, 3, ... */
}

/* Stores `bytes` bytes, at most 4, of each row's pixel. */
CPU_AVX2 static inline void store_pixels(__m256i pixels,
    unsigned char *const out[RESAMPLE_ROWS], size_t offset, size_t bytes)
{
	const uint64_t even =
	    (uint64_t)_mm_cvtsi128_si64(_mm256_castsi256_si128(pixels));
	const uint64_t odd =
	    (uint64_t)_mm_cvtsi128_si64(_mm256_extracti128_si256(pixels, 1));
	const uint32_t pixel[RESAMPLE_ROWS] = {
		(uint32_t)even,
		(uint32_t)odd,
		(uint32_t)(even >> 32),
		(uint32_t)(odd >> 32),
	};

	for (int r = 0; r < RESAMPLE_ROWS; r++)
		memcpy(out[r] + offset, &pixel[r], bytes);
}

/* `quads` is a constant where it matters. */
CPU_AVX2 static inline __attribute__((always_inline)) void horizontal_quads(
    const struct taps *taps, const unsigned char *const in[RESAMPLE_ROWS],
    unsigned char *const out[RESAMPLE_ROWS], size_t channels, size_t quads)
{
	const struct picks picks = {
		.first = pick_pairs(0, channels),
		.second = pick_pairs(2, channels),
		.half = half_of(taps),
		.shift = _mm_cvtsi32_si128((int)taps->shift),
		.step = TAPS_ROUND * channels,
	};
	const int16_t *weights = taps->weights;
	const size_t len = taps->out * channels;
	size_t at = 0;

	for (size_t x = 0; x < taps->out; x++) {
		const size_t from = (size_t)(taps->first[x] - taps->skip[x]);
		const __m256i pixels =
		    four_pixels(in, from * channels, weights, quads, &picks);

		if (at + PIXEL_STORE <= len)
			store_pixels(pixels, out, at, PIXEL_STORE);
		else
			store_pixels(pixels, out, at, channels);
		at += channels;
		weights += quads * TAPS_ROUND;
	}
}

CPU_AVX2 static void horizontal(const struct taps *taps,
    const unsigned char *const in[RESAMPLE_ROWS],
    unsigned char *const out[RESAMPLE_ROWS], size_t channels)
{
	const size_t quads = taps->stride / TAPS_ROUND;

	if (channels > 4)
		resample_plain.horizontal(taps, in, out, channels);
	else if (quads == 1)
		horizontal_quads(taps, in, out, channels, 1);
	else
		horizontal_quads(taps, in, out, channels, quads);
}

static const struct resample_kernels kernels = {
	.vertical = vertical,
	.horizontal = horizontal,
};

const struct resample_kernels *resample_avx2(void)
{
	return cpu_has_avx2() ? &kernels : NULL;
}

#else

const struct resample_kernels *resample_avx2(void)
{
	return NULL;
}

#endif
