/* test_random.c - known answers, independence, and rough fairness. */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/random.h"
#include "test/unit/test.h"

/* kat_vectors of Random123, philox4x32 with 10 rounds. */
static void test_random_philox_gives_known_answers(void **state)
{
	static const struct {
		uint32_t key[2], counter[4], out[4];
	} cases[] = {
		{ { 0, 0 }, { 0, 0, 0, 0 },
		    { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
		{ { 0xffffffff, 0xffffffff },
		    { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
		    { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
		{ { 0xa4093822, 0x299f31d0 },
		    { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
		    { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint32_t out[4];

		random_philox(cases[i].key, cases[i].counter, out);
		assert_memory_equal(out, cases[i].out, sizeof(out));
	}
}

static void test_random_stream_is_a_function_of_its_address(void **state)
{
	static const struct {
		uint64_t seed;
		uint32_t epoch;
		uint64_t sample;
		uint32_t step;
	} cases[] = {
		{ 1, 2, 3, 4 },
		{ 2, 2, 3, 4 },
		{ UINT64_C(1) << 32 | 1, 2, 3, 4 },
		{ 1, 3, 3, 4 },
		{ 1, 2, 4, 4 },
		{ 1, 2, UINT64_C(1) << 32 | 3, 4 },
		{ 1, 2, 3, 5 },
	};
	uint64_t first[ARRAY_LEN(cases)];

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct random a = random_stream(cases[i].seed, cases[i].epoch,
		    cases[i].sample, cases[i].step);
		struct random b = a;

		first[i] = random_u64(&a);
		assert_true(first[i] == random_u64(&b));
		for (size_t k = 0; k < i; k++)
			assert_true(first[i] != first[k]);
	}
}

static void test_random_stream_goes_through_whole_blocks(void **state)
{
	struct random random = random_stream(7, 0, 0, 0);
	const struct random start = random;
	uint32_t words[12], blocks[12];

	UNUSED(state);
	for (unsigned i = 0; i < 12; i++)
		words[i] = random_u32(&random);
	for (uint32_t i = 0; i < 3; i++) {
		const uint32_t counter[4] = { i, 0, 0, 0 };

		random_philox(start.key, counter, blocks + 4 * (size_t)i);
	}
	assert_memory_equal(words, blocks, sizeof(words));
}

static void test_random_below_stays_below_and_is_fair(void **state)
{
	static const uint32_t bounds[] = { 1, 2, 3, 10, 224, 0x80000001,
		0xffffffff };
	struct random random = random_stream(1, 0, 0, 0);
	unsigned counts[10] = { 0 };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(bounds); i++)
		for (unsigned n = 0; n < 1000; n++)
			assert_true(
			    random_below(&random, bounds[i]) < bounds[i]);
	for (unsigned n = 0; n < 100000; n++)
		counts[random_below(&random, 10)]++;
	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		assert_in_range(counts[i], 9600, 10400);
}

static void test_random_unit_is_in_0_to_1(void **state)
{
	struct random random = random_stream(2, 0, 0, 0);
	double sum = 0;

	UNUSED(state);
	for (unsigned n = 0; n < 100000; n++) {
		const double x = random_unit(&random);

		assert_true(x >= 0 && x < 1);
		sum += x;
	}
	assert_true(fabs(sum / 100000 - 0.5) < 0.005);
}

static void test_random_normal_has_mean_0_and_deviation_1(void **state)
{
	struct random random = random_stream(3, 0, 0, 0);
	double sum = 0, squares = 0;

	UNUSED(state);
	for (unsigned n = 0; n < 100000; n++) {
		const double x = random_normal(&random);

		assert_true(isfinite(x));
		sum += x;
		squares += x * x;
	}
	assert_true(fabs(sum / 100000) < 0.015);
	assert_true(fabs(squares / 100000 - 1) < 0.025);
}

static void test_random_fill_writes_the_words_and_no_more(void **state)
{
	unsigned char whole[16], part[16];
	struct random random = random_stream(4, 0, 0, 0);
	const struct random start = random;
	uint32_t word;

	UNUSED(state);
	random_fill(&random, whole, sizeof(whole));
	random = start;
	word = random_u32(&random);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(whole[i], (word >> (8 * i)) & 0xff);
	for (size_t len = 0; len < sizeof(part); len++) {
		memset(part, 0xaa, sizeof(part));
		random = start;
		random_fill(&random, part, len);
		assert_memory_equal(part, whole, len);
		assert_int_equal(part[len], 0xaa);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_philox_gives_known_answers),
		cmocka_unit_test(
		    test_random_stream_is_a_function_of_its_address),
		cmocka_unit_test(test_random_stream_goes_through_whole_blocks),
		cmocka_unit_test(test_random_below_stays_below_and_is_fair),
		cmocka_unit_test(test_random_unit_is_in_0_to_1),
		cmocka_unit_test(test_random_normal_has_mean_0_and_deviation_1),
		cmocka_unit_test(test_random_fill_writes_the_words_and_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
