/* test_half.c - float16: every value, difficult roundings, both code paths. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/random.h"
#include "lib/sample/half.h"
#include "test/unit/test.h"

static float float_of(uint32_t bits)
{
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static void test_half_from_float_rounds_to_even(void **state)
{
	static const struct {
		float value;
		uint16_t half;
	} cases[] = {
		{ 0.0f, 0x0000 },
		{ -0.0f, 0x8000 },
		{ 1.0f, 0x3c00 },
		{ -2.0f, 0xc000 },
		{ 1.0f / 3, 0x3555 },
		{ 1 + 0x1p-11f, 0x3c00 },            /* a tie, to even */
		{ 1 + 3 * 0x1p-11f, 0x3c02 },        /* a tie, to even */
		{ 1 + 0x1p-11f + 0x1p-23f, 0x3c01 }, /* just above */
		{ 2 - 0x1p-12f, 0x4000 },            /* carries */
		{ 65504.0f, 0x7bff },
		{ 65519.996f, 0x7bff },
		{ 65520.0f, 0x7c00 },
		{ -1e30f, 0xfc00 },
		{ INFINITY, 0x7c00 },
		{ -INFINITY, 0xfc00 },
		{ 0x1p-14f, 0x0400 },            /* smallest normal */
		{ 0x1p-14f - 0x1p-25f, 0x0400 }, /* tie, up to it */
		{ 0x1p-14f - 0x1p-24f, 0x03ff },
		{ 0x1p-24f, 0x0001 },
		{ 0x1p-25f, 0x0000 }, /* a tie, to even */
		{ 0x1.000002p-25f, 0x0001 },
		{ 3 * 0x1p-25f, 0x0002 },
		{ 0x1p-26f, 0x0000 },
		{ -0x1p-140f, 0x8000 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint16_t half = half_from_float(cases[i].value);

		if (half != cases[i].half)
			fail_msg("%a gave %04x", (double)cases[i].value, half);
	}
}

static void test_half_comes_back_each(void **state)
{
	UNUSED(state);
	for (uint32_t i = 0; i <= UINT16_MAX; i++) {
		const uint16_t half = (uint16_t)i;
		const bool is_nan = (half & 0x7fff) > 0x7c00;
		const float value = half_to_float(half);

		assert_int_equal(!!isnan(value), is_nan);
		assert_int_equal(
		    half_from_float(value), is_nan ? half | 0x0200 : half);
	}
}

static void test_half_keeps_a_nan_one(void **state)
{
	static const uint32_t nans[] = { 0x7fc00000, 0xffc00000, 0x7f800001,
		0x7fffffff };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(nans); i++) {
		const uint16_t half = half_from_float(float_of(nans[i]));

		assert_true((half & 0x7fff) > 0x7c00);
		assert_int_equal(half >> 15, nans[i] >> 31);
	}
}

/* Bit patterns all over, in runs of every length up to 20. */
static void test_half_from_floats_is_half_from_float(void **state)
{
	struct random random = random_stream(1, 2, 3, 4);
	float in[20];
	uint16_t out[21];

	UNUSED(state);
	for (unsigned round = 0; round < 100000; round++) {
		const size_t count = round % 21;

		for (size_t i = 0; i < count; i++)
			in[i] = float_of(random_u32(&random));
		out[count] = 0x1234;
		half_from_floats(in, out, count);
		for (size_t i = 0; i < count; i++)
			assert_int_equal(out[i], half_from_float(in[i]));
		assert_int_equal(out[count], 0x1234);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_half_from_float_rounds_to_even),
		cmocka_unit_test(test_half_comes_back_each),
		cmocka_unit_test(test_half_keeps_a_nan_one),
		cmocka_unit_test(test_half_from_floats_is_half_from_float),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
