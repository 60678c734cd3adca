/* test_permutation.c - a random order has each number once, without bias. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/sample/permutation.h"
#include "test/unit/test.h"

static struct permutation draw(uint64_t count, uint64_t seed, uint64_t use)
{
	struct permutation permutation;
	struct error err = ERROR_INIT;

	test_ok(permutation_init(&permutation, count, seed, use, &err), &err);
	assert_int_equal(permutation.count, count);
	return permutation;
}

static void test_permutation_has_every_number_once(void **state)
{
	static const uint32_t counts[] = { 0, 1, 2, 3, 250, 65537, 1000000 };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(counts); i++) {
		struct permutation p = draw(counts[i], 7, 0);
		bool *seen = calloc(counts[i] + 1, sizeof(*seen));

		assert_non_null(seen);
		for (uint32_t k = 0; k < p.count; k++) {
			assert_true(p.at[k] < counts[i]);
			assert_false(seen[p.at[k]]);
			seen[p.at[k]] = true;
		}
		free(seen);
		permutation_release(&p);
	}
}

/* What is stored with a seed stays what it is, on any machine. */
static void test_permutation_of_a_seed_is_known(void **state)
{
	static const uint32_t known[] = { 3, 5, 1, 4, 2, 6, 9, 7, 0, 8 };
	struct permutation p = draw(ARRAY_LEN(known), 7, 0);
	struct permutation other = draw(1000, 7, 0);
	struct permutation seed = draw(1000, 8, 0);
	struct permutation use = draw(1000, 7, 1);

	UNUSED(state);
	assert_memory_equal(p.at, known, sizeof(known));
	assert_memory_not_equal(other.at, seed.at, 1000 * sizeof(*other.at));
	assert_memory_not_equal(other.at, use.at, 1000 * sizeof(*other.at));
	permutation_release(&p);
	permutation_release(&other);
	permutation_release(&seed);
	permutation_release(&use);
}

/*
 * Chi-square of how often each number is at each place, of 6 numbers in 6000
 * orders: 25 degrees of freedom, 1 % lies above 44.3 and below 11.5.
 */
static void test_permutation_puts_each_number_anywhere(void **state)
{
	enum { N = 6, TIMES = 6000 };
	unsigned seen[N][N] = { { 0 } };
	double square = 0;

	UNUSED(state);
	for (uint64_t seed = 0; seed < TIMES; seed++) {
		struct permutation p = draw(N, seed, 0);

		for (uint32_t i = 0; i < N; i++)
			seen[i][p.at[i]]++;
		permutation_release(&p);
	}
	for (unsigned i = 0; i < N; i++)
		for (unsigned k = 0; k < N; k++) {
			const double off = seen[i][k] - (double)TIMES / N;

			square += off * off / ((double)TIMES / N);
		}
	assert_true(square > 11.5 && square < 44.3);
}

/*
 * 20 classes of unequal size, one after the other, in 16 shards: 285 degrees
 * of freedom; 1 % lies above 343.6 (Wilson and Hilferty).
 */
static void test_permutation_mixes_classes_over_shards(void **state)
{
	enum { CLASSES = 20, SHARDS = 16, SEEDS = 3 };
	unsigned sizes[CLASSES], count = 0, fits = 0;

	UNUSED(state);
	for (unsigned c = 0; c < CLASSES; c++)
		count += sizes[c] = 30 + 11 * c;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct permutation p = draw(count, seed, 0);
		unsigned seen[SHARDS][CLASSES] = { { 0 } };
		double square = 0;

		for (uint32_t i = 0; i < count; i++) {
			uint32_t class = 0, number = p.at[i];

			for (; number >= sizes[class]; class ++)
				number -= sizes[class];
			seen[i * SHARDS / count][class]++;
		}
		for (unsigned s = 0; s < SHARDS; s++)
			for (unsigned c = 0; c < CLASSES; c++) {
				const double want = (double)sizes[c] / SHARDS;
				const double off = seen[s][c] - want;

				square += off * off / want;
			}
		fits += square < 343.6;
		permutation_release(&p);
	}
	assert_true(fits >= SEEDS - 1);
}

/* So many numbers are not held in memory, and each is still at one place. */
static void test_permutation_of_very_many_is_computed(void **state)
{
	enum { SOME = 512 };
	const uint64_t count = (uint64_t)PERMUTATION_HELD + 12345;
	struct permutation p = draw(count, 7, 0);

	UNUSED(state);
	assert_null(p.at);
	for (uint64_t i = 0; i < SOME; i++) {
		assert_true(permutation_at(&p, i) < count);
		for (uint64_t k = 0; k < i; k++)
			assert_true(
			    permutation_at(&p, i) != permutation_at(&p, k));
	}
	permutation_release(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_permutation_of_very_many_is_computed),
		cmocka_unit_test(test_permutation_has_every_number_once),
		cmocka_unit_test(test_permutation_of_a_seed_is_known),
		cmocka_unit_test(test_permutation_puts_each_number_anywhere),
		cmocka_unit_test(test_permutation_mixes_classes_over_shards),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
