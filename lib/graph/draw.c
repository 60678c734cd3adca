/*
 * draw.c - see draw.h.
 *
 * Each lane has its own n, so that no lane waits for another.  There are no
 * branches on random data, which no processor can predict.
 */
#include <string.h>

#include "lib/base/cpu.h"
#include "lib/graph/draw.h"
#include "lib/graph/mix.h"

struct draw draw_make(uint64_t seed)
{
	struct draw draw = { .single = mix(seed) };

	for (unsigned lane = 0; lane < DRAW_LANES; lane++)
		for (unsigned i = 0; i < 4; i += 2) {
			const uint64_t word = mix(draw.single += MIX_STEP);

			/* Two words in a row are never both 0. */
			draw.state[i][lane] = (uint32_t)word;
			draw.state[i + 1][lane] = (uint32_t)(word >> 32);
		}
	return draw;
}

static inline uint64_t scale(struct draw *draw, uint32_t bound)
{
	return (mix(draw->single += MIX_STEP) >> 32) * bound;
}

/*
 * Rejects a product of random word and bound whose low half is below 2^32
 * modulo the bound, and draws again.
 */
static uint64_t scale_again(struct draw *draw, uint64_t product, uint32_t bound)
{
	const uint32_t surplus = (uint32_t)(-bound) % bound;

	while ((uint32_t)product < surplus)
		product = scale(draw, bound);
	return product;
}

uint32_t draw_below(struct draw *draw, uint32_t bound)
{
	uint64_t product = scale(draw, bound);

	if ((uint32_t)product < bound)
		product = scale_again(draw, product, bound);
	return (uint32_t)(product >> 32);
}

/* Needed once in millions of words. */
static __attribute__((noinline)) void draw_again(struct draw *draw,
    const draw_row words, const draw_row bounds, draw_row numbers)
{
	for (unsigned l = 0; l < DRAW_LANES; l++) {
		const uint64_t product = (uint64_t)words[l] * bounds[l];

		if ((uint32_t)product < bounds[l])
			numbers[l] =
			    (uint32_t)(scale_again(draw, product, bounds[l]) >>
			               32);
	}
}

CPU_BODY uint32_t rotate(uint32_t word, unsigned bits)
{
	return word << bits | word >> (32 - bits);
}

CPU_BODY void next_words(uint32_t state[4][DRAW_LANES], draw_row words)
{
	for (unsigned l = 0; l < DRAW_LANES; l++) {
		uint32_t a = state[0][l], b = state[1][l];
		uint32_t c = state[2][l], d = state[3][l];
		const uint32_t shifted = b << 9;

		words[l] = rotate(a + d, 7) + a;
		c ^= a;
		d ^= b;
		state[1][l] = b ^ c;
		state[0][l] = a ^ d;
		state[2][l] = c ^ shifted;
		state[3][l] = rotate(d, 11);
	}
}

/* Draws in 0 .. bound-1 for each lane; `state` is a copy of the draw's. */
CPU_BODY void next_numbers(struct draw *draw, uint32_t state[4][DRAW_LANES],
    const draw_row bounds, draw_row numbers)
{
	draw_row words;
	uint32_t doubtful = 0;

	next_words(state, words);
	for (unsigned l = 0; l < DRAW_LANES; l++) {
		const uint64_t product = (uint64_t)words[l] * bounds[l];

		numbers[l] = (uint32_t)(product >> 32);
	}
	for (unsigned l = 0; l < DRAW_LANES; l++)
		doubtful |= words[l] * bounds[l] < bounds[l];
	if (doubtful)
		draw_again(draw, words, bounds, numbers);
}

CPU_BODY void fetch(const struct draw_ahead *ahead, uint32_t i)
{
	for (unsigned l = 0; l < DRAW_LANES; l++)
		__builtin_prefetch(&ahead->from[l][ahead->places[i][l]]);
}

CPU_BODY void choose(struct draw *draw, const draw_row n, uint32_t k,
    draw_row *rows, const struct draw_ahead *ahead)
{
	uint32_t state[4][DRAW_LANES];
	draw_row bounds, numbers, taken;

	memcpy(state, draw->state, sizeof(state));
	for (unsigned l = 0; l < DRAW_LANES; l++)
		bounds[l] = n[l] - k + 1;
	for (uint32_t i = 0; i < k; i++) {
		if (ahead)
			fetch(ahead, i);
		next_numbers(draw, state, bounds, numbers);
		memset(taken, 0, sizeof(taken));
		for (uint32_t before = 0; before < i; before++)
			for (unsigned l = 0; l < DRAW_LANES; l++)
				taken[l] |= rows[before][l] == numbers[l];
		for (unsigned l = 0; l < DRAW_LANES; l++) {
			rows[i][l] = taken[l] ? bounds[l] - 1 : numbers[l];
			bounds[l]++;
		}
	}
	memcpy(draw->state, state, sizeof(state));
}

CPU_AVX2 static void choose_avx2(struct draw *draw, const draw_row n,
    uint32_t k, draw_row *rows, const struct draw_ahead *ahead)
{
	choose(draw, n, k, rows, ahead);
}

CPU_AVX512 static void choose_avx512(struct draw *draw, const draw_row n,
    uint32_t k, draw_row *rows, const struct draw_ahead *ahead)
{
	choose(draw, n, k, rows, ahead);
}

void draw_lanes(struct draw *draw, const draw_row n, uint32_t k, draw_row *rows,
    const struct draw_ahead *ahead)
{
	if (cpu_has_avx512())
		choose_avx512(draw, n, k, rows, ahead);
	else if (cpu_has_avx2())
		choose_avx2(draw, n, k, rows, ahead);
	else
		choose(draw, n, k, rows, ahead);
}

void draw_fetch(const struct draw_ahead *ahead, uint32_t k)
{
	for (uint32_t i = 0; i < k; i++)
		fetch(ahead, i);
}
