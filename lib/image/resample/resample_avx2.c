/*
 * resample_avx2.c - the loops of resample.h for processors with AVX2.
 *
 * Both passes rely on one instruction that multiplies eight pairs of 16-bit
 * numbers and adds each pair: two taps at a time.
 */
#include <string.h>

#include "lib/base/cpu.h"
#include "lib/image/resample/resample.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum { BLOCK = 32, PIXEL_STORE = 4, CHANNELS_MAX = 4 };

#define BODY CPU_BODY CPU_AVX2

/* Loads two adjacent weights, repeated for all pairs. */
BODY __m256i pair_at(const int16_t *weights)
{
	int32_t both;

	memcpy(&both, weights, sizeof(both));
	return _mm256_set1_epi32(both);
}

BODY __m256i load256(const unsigned char *from)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)from);
}

BODY void store256(unsigned char *to, __m256i value)
{
	_mm256_storeu_si256((__m256i *)(void *)to, value);
}

/* Halves of weights, or of sums of products, which are joined at the end. */
struct halves {
	__m256i high, low;
};

/* `has_low` is a constant in each call.  If it is false, `low` is not read. */
BODY struct halves sum_of_zero(void)
{
	return (struct halves){
		.high = _mm256_setzero_si256(),
		.low = _mm256_setzero_si256(),
	};
}

BODY void add_pairs(
    struct halves *sum, __m256i words, __m256i high, __m256i low, bool has_low)
{
	sum->high = _mm256_add_epi32(sum->high, _mm256_madd_epi16(words, high));
	if (has_low)
		sum->low =
		    _mm256_add_epi32(sum->low, _mm256_madd_epi16(words, low));
}

struct rounding {
	__m256i half;
	__m128i shift;
};

BODY struct rounding rounding_by(unsigned shift)
{
	return (struct rounding){
		.half = _mm256_set1_epi32(1 << (shift - 1)),
		.shift = _mm_cvtsi32_si128((int)shift),
	};
}

BODY __m256i finished(
    struct halves sum, const struct rounding *rounding, bool has_low)
{
	__m256i whole = sum.high;

	if (has_low)
		whole = _mm256_add_epi32(
		    _mm256_slli_epi32(whole, TAPS_LOW), sum.low);
	whole = _mm256_add_epi32(whole, rounding->half);
	return _mm256_sra_epi32(whole, rounding->shift);
}

/*
 * Adds 32 bytes of two rows: bytes 0 to 3 and 16 to 19 to the first sum, bytes
 * 4 to 7 and 20 to 23 to the second, ...
 */
BODY void add_rows(struct halves sums[4], __m256i first, __m256i second,
    __m256i high, __m256i low, bool has_low)
{
	const __m256i zero = _mm256_setzero_si256();
	const __m256i below = _mm256_unpacklo_epi8(first, second);
	const __m256i above = _mm256_unpackhi_epi8(first, second);

	add_pairs(
	    &sums[0], _mm256_unpacklo_epi8(below, zero), high, low, has_low);
	add_pairs(
	    &sums[1], _mm256_unpackhi_epi8(below, zero), high, low, has_low);
	add_pairs(
	    &sums[2], _mm256_unpacklo_epi8(above, zero), high, low, has_low);
	add_pairs(
	    &sums[3], _mm256_unpackhi_epi8(above, zero), high, low, has_low);
}

/* The shares of one row, each in two halves. */
struct shares {
	const uint32_t *at;
	size_t count, stride;
	__m256i half;
};

/* The weights of one output row for a pass down. */
struct column {
	const int16_t *high, *low;
	size_t count, stride;
	struct rounding rounding;
};

BODY void vertical_block(const struct column *column, const unsigned char *in,
    unsigned char *out, bool has_low)
{
	const __m256i zero = _mm256_setzero_si256();
	struct halves sums[4] = { sum_of_zero(), sum_of_zero(), sum_of_zero(),
		sum_of_zero() };
	__m256i part[4];
	size_t k = 0;

	for (; k + 2 <= column->count; k += 2, in += 2 * column->stride)
		add_rows(sums, load256(in), load256(in + column->stride),
		    pair_at(column->high + k),
		    has_low ? pair_at(column->low + k) : zero, has_low);
	if (k < column->count)
		add_rows(sums, load256(in), zero,
		    _mm256_set1_epi32((uint16_t)column->high[k]),
		    has_low ? _mm256_set1_epi32(column->low[k]) : zero,
		    has_low);
	for (size_t i = 0; i < 4; i++)
		part[i] = finished(sums[i], &column->rounding, has_low);
	store256(out, _mm256_packus_epi16(_mm256_packs_epi32(part[0], part[1]),
	                  _mm256_packs_epi32(part[2], part[3])));
}

/* The last block overlaps the one before it. */
BODY void vertical_blocks(const struct column *column, const unsigned char *in,
    unsigned char *out, size_t len, bool has_low)
{
	for (size_t i = 0; i + BLOCK <= len; i += BLOCK)
		vertical_block(column, in + i, out + i, has_low);
	if (len % BLOCK)
		vertical_block(
		    column, in + len - BLOCK, out + len - BLOCK, has_low);
}

CPU_AVX2 static void vertical(const struct taps *taps, size_t row,
    const unsigned char *in, size_t stride, unsigned char *out, size_t len)
{
	const size_t at = row * taps->stride + (size_t)taps->skip[row];
	const struct column column = {
		.high = taps->weights + at,
		.low = taps->low ? taps->low + at : taps->weights,
		.count = (size_t)taps->count[row],
		.stride = stride,
		.rounding = rounding_by(taps->shift),
	};

	if (len < BLOCK)
		resample_plain.down(taps, row, in, stride, out, len);
	else if (taps->low)
		vertical_blocks(&column, in, out, len, true);
	else
		vertical_blocks(&column, in, out, len, false);
}

/* Converts 32 bytes to words: 256 * byte * share / 65536, summed, halved. */
BODY void words_block(
    const struct shares *shares, const unsigned char *in, unsigned char *out)
{
	const __m256i zero = _mm256_setzero_si256();
	__m256i below = shares->half, above = shares->half;

	for (size_t k = 0; k < shares->count; k++, in += shares->stride) {
		const __m256i bytes = load256(in);
		const __m256i share = _mm256_set1_epi32((int)shares->at[k]);

		below = _mm256_add_epi16(
		    below, _mm256_mulhi_epu16(
		               _mm256_unpacklo_epi8(zero, bytes), share));
		above = _mm256_add_epi16(
		    above, _mm256_mulhi_epu16(
		               _mm256_unpackhi_epi8(zero, bytes), share));
	}
	below = _mm256_srli_epi16(below, 8 - RESAMPLE_WORD);
	above = _mm256_srli_epi16(above, 8 - RESAMPLE_WORD);
	store256(out, _mm256_permute2x128_si256(below, above, 0x20));
	store256(out + BLOCK, _mm256_permute2x128_si256(below, above, 0x31));
}

CPU_AVX2 static void down_to_words(const struct taps *taps, size_t row,
    const unsigned char *in, size_t stride, unsigned char *out, size_t len)
{
	const struct shares shares = {
		.at = taps->shares + row * taps->stride + taps->skip[row],
		.count = (size_t)taps->count[row],
		.stride = stride,
		.half = _mm256_set1_epi16((short)(taps->count[row] / 2 + 1)),
	};

	if (len < BLOCK) {
		resample_plain.down_to_words(taps, row, in, stride, out, len);
		return;
	}
	for (size_t i = 0; i + BLOCK <= len; i += BLOCK)
		words_block(&shares, in + i, out + 2 * i);
	if (len % BLOCK)
		words_block(&shares, in + len - BLOCK, out + 2 * (len - BLOCK));
}

/* Loads the same 16 bytes of two rows. */
BODY __m256i load_two(const unsigned char *low, const unsigned char *high)
{
	return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(
	                                   (const __m128i *)(const void *)low)),
	    _mm_loadu_si128((const __m128i *)(const void *)high), 1);
}

/*
 * Returns a shuffle that pairs the channels of pixel `first` and the next one
 * in 16 bytes of a row.  Missing channels become 0.  `element` is the size of
 * an element: 1 or 2.
 */
CPU_AVX2 static __m256i pick_pairs(
    size_t first, size_t channels, size_t element)
{
	signed char pick[16];

	memset(pick, -1, sizeof(pick));
	for (size_t c = 0; c < channels && c < CHANNELS_MAX; c++)
		for (size_t b = 0; b < element; b++) {
			const size_t at = first * channels + c;

			pick[4 * c + b] = (signed char)(at * element + b);
			pick[4 * c + 2 + b] =
			    (signed char)((at + channels) * element + b);
		}
	return _mm256_broadcastsi128_si256(
	    _mm_loadu_si128((const __m128i *)(const void *)pick));
}

/* The constants of a pass across. */
struct across {
	const unsigned char *in[RESAMPLE_ROWS];
	unsigned char *out[RESAMPLE_ROWS];
	__m256i first, second; /* shuffles for taps 0 and 1, 2 and 3 */
	struct rounding rounding;
	size_t pixel; /* bytes of an input pixel */
};

/* Constants at compile time. */
struct variant {
	size_t quads; /* groups of four taps */
	bool has_low; /* weights have two halves */
	bool is_words;
};

/* The weights of four taps, as two pairs. */
struct quad {
	struct halves first, second;
};

BODY struct quad quad_at(const int16_t *high, const int16_t *low, bool has_low)
{
	const __m256i zero = _mm256_setzero_si256();

	return (struct quad){
		.first = { pair_at(high), has_low ? pair_at(low) : zero },
		.second = { pair_at(high + 2),
		    has_low ? pair_at(low + 2) : zero },
	};
}

/* Adds four taps of rows r and r + 1; a load has 4 byte or 2 word pixels. */
BODY void add_quad(struct halves *sum, const struct across *across, size_t r,
    size_t offset, const struct quad *quad, struct variant variant)
{
	const unsigned char *one = across->in[r] + offset;
	const unsigned char *other = across->in[r + 1] + offset;
	const __m256i near = load_two(one, other);
	const __m256i far = variant.is_words ? load_two(one + 2 * across->pixel,
	                                           other + 2 * across->pixel)
	                                     : near;

	add_pairs(sum, _mm256_shuffle_epi8(near, across->first),
	    quad->first.high, quad->first.low, variant.has_low);
	add_pairs(sum, _mm256_shuffle_epi8(far, across->second),
	    quad->second.high, quad->second.low, variant.has_low);
}

/* Computes pixel x of four rows, 4 bytes each: rows 0, 2, ... | 1, 3, ... */
BODY __m256i four_pixels(const struct taps *taps, const struct across *across,
    size_t x, struct variant variant)
{
	const size_t start = (size_t)(taps->first[x] - taps->skip[x]);
	const size_t weights = x * variant.quads * TAPS_ROUND;
	const int16_t *high = taps->weights + weights;
	const int16_t *low = variant.has_low ? taps->low + weights : high;
	struct halves even = sum_of_zero(), odd = sum_of_zero();
	__m256i words;

	for (size_t q = 0; q < variant.quads; q++) {
		const size_t at = q * TAPS_ROUND;
		const size_t offset = (start + at) * across->pixel;
		const struct quad quad =
		    quad_at(high + at, low + at, variant.has_low);

		add_quad(&even, across, 0, offset, &quad, variant);
		add_quad(&odd, across, 2, offset, &quad, variant);
	}
	words = _mm256_packs_epi32(
	    finished(even, &across->rounding, variant.has_low),
	    finished(odd, &across->rounding, variant.has_low));
	return _mm256_packus_epi16(words, words);
}

/* Stores at most 4 bytes of each row's pixel. */
BODY void store_pixels(
    const struct across *across, __m256i pixels, size_t offset, size_t bytes)
{
	const __m128i even = _mm256_castsi256_si128(pixels);
	const __m128i odd = _mm256_extracti128_si256(pixels, 1);
	const int first = _mm_cvtsi128_si32(even);
	const int second = _mm_cvtsi128_si32(odd);
	const int third = _mm_extract_epi32(even, 1);
	const int fourth = _mm_extract_epi32(odd, 1);

	memcpy(across->out[0] + offset, &first, bytes);
	memcpy(across->out[1] + offset, &second, bytes);
	memcpy(across->out[2] + offset, &third, bytes);
	memcpy(across->out[3] + offset, &fourth, bytes);
}

/*
 * Four bytes are stored while they are in the row; the next pixel overwrites
 * those too many.  `across` is passed by value, so that the compiler knows it
 * is constant.
 */
BODY void pixels_across(const struct taps *taps, const struct across across,
    size_t channels, struct variant variant)
{
	const size_t len = taps->out * channels;
	size_t x = 0, at = 0;

	for (; at + PIXEL_STORE <= len; x++, at += channels)
		store_pixels(&across, four_pixels(taps, &across, x, variant),
		    at, PIXEL_STORE);
	for (; at < len; x++, at += channels)
		store_pixels(&across, four_pixels(taps, &across, x, variant),
		    at, channels);
}

CPU_AVX2 static void across_bytes(const struct taps *taps,
    const unsigned char *const in[RESAMPLE_ROWS],
    unsigned char *const out[RESAMPLE_ROWS], size_t channels)
{
	const size_t quads = taps->stride / TAPS_ROUND;
	const struct across across = {
		.in = { in[0], in[1], in[2], in[3] },
		.out = { out[0], out[1], out[2], out[3] },
		.first = pick_pairs(0, channels, 1),
		.second = pick_pairs(2, channels, 1),
		.rounding = rounding_by(taps->shift),
		.pixel = channels,
	};

	if (channels > CHANNELS_MAX)
		resample_plain.across(taps, in, out, channels);
	else if (taps->low)
		pixels_across(taps, across, channels,
		    (struct variant){ .quads = quads, .has_low = true });
	else
		pixels_across(
		    taps, across, channels, (struct variant){ .quads = quads });
}

CPU_AVX2 static void across_from_words(const struct taps *taps,
    const unsigned char *const in[RESAMPLE_ROWS],
    unsigned char *const out[RESAMPLE_ROWS], size_t channels)
{
	const size_t quads = taps->stride / TAPS_ROUND;
	const struct across across = {
		.in = { in[0], in[1], in[2], in[3] },
		.out = { out[0], out[1], out[2], out[3] },
		.first = pick_pairs(0, channels, 2),
		.second = pick_pairs(0, channels, 2),
		.rounding = rounding_by(taps->shift + RESAMPLE_WORD),
		.pixel = 2 * channels,
	};

	if (channels > CHANNELS_MAX)
		resample_plain.across_from_words(taps, in, out, channels);
	else if (quads == 1)
		pixels_across(taps, across, channels,
		    (struct variant){ .quads = 1, .is_words = true });
	else
		pixels_across(taps, across, channels,
		    (struct variant){ .quads = quads, .is_words = true });
}

static const struct resample_kernels kernels = {
	.down = vertical,
	.across = across_bytes,
	.down_to_words = down_to_words,
	.across_from_words = across_from_words,
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
