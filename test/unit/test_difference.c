/* test_difference.c - how much elements of tensors differ. */
#include <math.h>

#include "lib/base/array.h"
#include "lib/sample/difference.h"
#include "test/unit/test.h"

static struct tensor view(enum dtype dtype, const void *data, int64_t count)
{
	const struct shape shape = { 1, { count } };
	struct tensor tensor = TENSOR_INIT;

	tensor_view(&tensor, dtype, &shape, data);
	return tensor;
}

static void near(double is, double wanted)
{
	if (!(fabs(is - wanted) < 1e-9))
		fail_msg("%g is not %g", is, wanted);
}

static void test_difference_of_bytes(void **state)
{
	const unsigned char a[] = { 0, 10, 20, 255 }, b[] = { 0, 12, 19, 255 };
	const struct tensor one = view(DTYPE_U8, a, 4);
	const struct tensor two = view(DTYPE_U8, b, 4);
	struct difference d = { .count = 0 };

	(void)state;
	assert_int_equal(difference_add(&d, &one, &two), 0);
	near(d.largest, 2);
	near(difference_mean(&d), 0.75);
	near(difference_psnr_db(&d), 20 * log10(255 / sqrt(5.0 / 4)));
	assert_int_equal(difference_add(&d, &one, &one), 0);
	near(difference_mean(&d), 0.375);
}

static void test_difference_of_floats_takes_their_range(void **state)
{
	const float a[] = { -1, 0, 1 }, b[] = { -1, 0.1f, 1 };
	const struct tensor one = view(DTYPE_F32, a, 3);
	const struct tensor two = view(DTYPE_F32, b, 3);
	struct difference d = { .count = 0 };

	(void)state;
	assert_int_equal(difference_add(&d, &one, &two), 0);
	assert_true(fabs(difference_psnr_db(&d) -
	                 20 * log10(2 / (0.1 / sqrt(3)))) < 1e-5);
}

static void test_difference_of_equal_ones_has_no_limit(void **state)
{
	const float a[] = { NAN, 0, INFINITY };
	const struct tensor one = view(DTYPE_F32, a, 3);
	struct difference d = { .count = 0 };

	(void)state;
	assert_int_equal(difference_add(&d, &one, &one), 0);
	near(d.largest, 0);
	assert_true(isinf(difference_psnr_db(&d)));
}

static void test_difference_of_numbers_and_none_has_no_bound(void **state)
{
	const float a[] = { NAN, 0 }, b[] = { 1, 0 };
	const struct tensor one = view(DTYPE_F32, a, 2);
	const struct tensor two = view(DTYPE_F32, b, 2);
	struct difference d = { .count = 0 };

	(void)state;
	assert_int_equal(difference_add(&d, &one, &two), 0);
	assert_true(isinf(d.largest));
	assert_false(difference_psnr_db(&d) > 0);
}

static void test_difference_needs_the_same_form(void **state)
{
	const unsigned char a[] = { 0, 10, 20, 255 };
	const struct tensor one = view(DTYPE_U8, a, 4);
	const struct tensor other[] = { view(DTYPE_U8, a, 3),
		view(DTYPE_I8, a, 4) };
	struct difference d = { .count = 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(other); i++)
		assert_int_equal(difference_add(&d, &one, &other[i]), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_difference_of_bytes),
		cmocka_unit_test(test_difference_of_floats_takes_their_range),
		cmocka_unit_test(test_difference_of_equal_ones_has_no_limit),
		cmocka_unit_test(
		    test_difference_of_numbers_and_none_has_no_bound),
		cmocka_unit_test(test_difference_needs_the_same_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
