/*
 * test_draw.c - drawing k of n for sixteen n at once: as one by one, and
 * uniform.
 */
#include <string.h>

#include "lib/base/array.h"
#include "lib/graph/draw.h"
#include "lib/graph/mix.h"
#include "test/unit/test.h"

/* ---- the same, lane by lane and number by number ---- */

static uint32_t rotate(uint32_t word, unsigned bits)
{
	return word << bits | word >> (32 - bits);
}

/* xoshiro128++ as its authors wrote it, on one lane. */
static uint32_t next_word(struct draw *draw, unsigned lane)
{
	uint32_t s[4];
	uint32_t word, t;

	for (unsigned i = 0; i < 4; i++)
		s[i] = draw->state[i][lane];
	word = rotate(s[0] + s[3], 7) + s[0];
	t = s[1] << 9;
	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 11);
	for (unsigned i = 0; i < 4; i++)
		draw->state[i][lane] = s[i];
	return word;
}

/* Words that would favour some numbers are replaced. */
static uint32_t next_number(struct draw *draw, unsigned lane, uint64_t bound)
{
	const uint64_t fair = ((uint64_t)1 << 32) % bound;
	uint64_t product = next_word(draw, lane) * bound;

	while ((uint32_t)product < fair)
		product = (mix(draw->single += MIX_STEP) >> 32) * bound;
	return (uint32_t)(product >> 32);
}

static void choose(
    struct draw *draw, const draw_row n, uint32_t k, draw_row *rows)
{
	for (uint32_t i = 0; i < k; i++)
		for (unsigned l = 0; l < DRAW_LANES; l++) {
			const uint32_t last = n[l] - k + i;
			uint32_t t = next_number(draw, l, last + 1);

			for (uint32_t before = 0; before < i; before++)
				if (rows[before][l] == t) {
					t = last;
					break;
				}
			rows[i][l] = t;
		}
}

static void test_lanes_are_as_one_by_one(void **state)
{
	static const uint32_t most[] = { 48, 100, 5000, INT32_MAX, UINT32_MAX };
	struct draw draw = draw_make(7), same = draw_make(7);

	UNUSED(state);
	for (size_t m = 0; m < ARRAY_LEN(most); m++)
		for (uint32_t k = 1; k <= DRAW_MOST; k++) {
			draw_row n, got[DRAW_MOST], wanted[DRAW_MOST];

			for (uint32_t l = 0; l < DRAW_LANES; l++)
				n[l] = l % 3 ? most[m] - l : k + 1 + l;
			draw_lanes(&draw, n, k, got, NULL);
			choose(&same, n, k, wanted);
			assert_memory_equal(got, wanted, k * sizeof(*got));
		}
	assert_memory_equal(&draw, &same, sizeof(draw));
}

/* Another's places are fetched meanwhile, which changes nothing. */
static void test_fetching_ahead_draws_the_same(void **state)
{
	enum { OF = 1000, TAKEN = 15 };
	static int32_t indices[OF];
	struct draw draw = draw_make(3), same = draw_make(3);
	draw_row n, before[TAKEN], got[TAKEN], wanted[TAKEN];
	struct draw_ahead ahead = { .places = before };

	UNUSED(state);
	for (unsigned l = 0; l < DRAW_LANES; l++) {
		n[l] = OF;
		ahead.from[l] = indices;
	}
	draw_lanes(&draw, n, TAKEN, before, NULL);
	draw_lanes(&draw, n, TAKEN, got, &ahead);
	draw_fetch(&ahead, TAKEN);
	choose(&same, n, TAKEN, wanted);
	assert_memory_equal(before, wanted, sizeof(wanted));
	choose(&same, n, TAKEN, wanted);
	assert_memory_equal(got, wanted, sizeof(wanted));
}

/* ---- chance ---- */

/* As in test_graph.c: one in millions is beyond; seeds are fixed. */
static double chi_square_most(double freedom)
{
	double root = 1;

	for (int i = 0; i < 60; i++)
		root = (root + 2 * freedom / root) / 2;
	return freedom + 5.5 * root + 12;
}

/* Which sets of 3 of 6 a lane draws, and with which its neighbour does. */
static void test_sets_of_each_lane_have_the_same_chance(void **state)
{
	enum { OF = 6, TAKEN = 3, SETS = 20, TURNS = 40000 };
	static unsigned seen[DRAW_LANES][1 << OF], both[1 << OF][1 << OF];
	struct draw draw = draw_make(1);
	const double pairs = SETS * SETS;
	double sum = 0, mean = (double)TURNS * DRAW_LANES / pairs;
	draw_row n, got[TAKEN];

	UNUSED(state);
	for (unsigned l = 0; l < DRAW_LANES; l++)
		n[l] = OF;
	for (unsigned turn = 0; turn < TURNS; turn++) {
		unsigned sets[DRAW_LANES] = { 0 };

		draw_lanes(&draw, n, TAKEN, got, NULL);
		for (unsigned l = 0; l < DRAW_LANES; l++) {
			for (unsigned i = 0; i < TAKEN; i++)
				sets[l] |= 1u << got[i][l];
			seen[l][sets[l]]++;
		}
		for (unsigned l = 0; l < DRAW_LANES; l++)
			both[sets[l]][sets[(l + 1) % DRAW_LANES]]++;
	}
	for (unsigned a = 0; a < 1 << OF; a++)
		for (unsigned b = 0; b < 1 << OF; b++)
			if (both[a][b])
				sum += (both[a][b] - mean) *
				       (both[a][b] - mean) / mean;
	assert_true(sum < chi_square_most(pairs - 1));
	mean = (double)TURNS / SETS;
	for (unsigned l = 0; l < DRAW_LANES; l++) {
		unsigned sets = 0;

		sum = 0;
		for (unsigned a = 0; a < 1 << OF; a++) {
			sets += seen[l][a] > 0;
			if (seen[l][a])
				sum += (seen[l][a] - mean) *
				       (seen[l][a] - mean) / mean;
		}
		assert_int_equal(sets, SETS);
		assert_true(sum < chi_square_most(SETS - 1));
	}
}

/* Samplers begin with any seed: also with 0, 1, 2 ... */
static void test_seeds_in_a_row_have_nothing_in_common(void **state)
{
	enum { OF = 50, TURNS = 50000 };
	unsigned seen[OF] = { 0 };
	const double mean = (double)TURNS / OF;
	double sum = 0;
	draw_row n, got[1];

	UNUSED(state);
	for (unsigned l = 0; l < DRAW_LANES; l++)
		n[l] = OF;
	for (unsigned turn = 0; turn < TURNS; turn++) {
		struct draw draw = draw_make(turn);

		draw_lanes(&draw, n, 1, got, NULL);
		seen[got[0][turn % DRAW_LANES]]++;
	}
	for (unsigned i = 0; i < OF; i++)
		sum += (seen[i] - mean) * (seen[i] - mean) / mean;
	assert_true(sum < chi_square_most(OF - 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lanes_are_as_one_by_one),
		cmocka_unit_test(test_fetching_ahead_draws_the_same),
		cmocka_unit_test(test_sets_of_each_lane_have_the_same_chance),
		cmocka_unit_test(test_seeds_in_a_row_have_nothing_in_common),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
