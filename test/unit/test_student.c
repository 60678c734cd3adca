/* test_student.c - Student's t, against the tables of textbooks. */
#include <math.h>

#include "lib/base/array.h"
#include "lib/stats/student.h"
#include "test/unit/test.h"

static void test_student_quantiles_are_those_of_tables(void **state)
{
	static const struct {
		double tail;
		size_t freedom;
		double t;
	} cases[] = {
		{ 0.025, 1, 12.706 },
		{ 0.025, 2, 4.303 },
		{ 0.025, 4, 2.776 },
		{ 0.005, 4, 4.604 },
		{ 0.1, 4, 1.533 },
		{ 0.025, 9, 2.262 },
		{ 0.025, 30, 2.042 },
		{ 0.025, 100000, 1.960 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const double t =
		    student_quantile(cases[i].tail, cases[i].freedom);

		assert_true(fabs(t - cases[i].t) < 0.0006);
		assert_true(fabs(student_p(-t, cases[i].freedom) -
		                 2 * cases[i].tail) < 1e-9);
	}
	assert_true(student_p(0, 3) > 0.999999);
	assert_true(student_p(INFINITY, 3) < 1e-9);
}

static void test_student_mean_has_an_error(void **state)
{
	static const double values[] = { 1, 2, 3, 4, 5 };
	struct student_mean mean = student_mean(values, 5);

	UNUSED(state);
	assert_true(fabs(mean.mean - 3) < 1e-12);
	assert_true(fabs(mean.error - sqrt(0.5)) < 1e-12);
	assert_int_equal(mean.freedom, 4);
	mean = student_mean(values, 1);
	assert_true(mean.freedom == 0 && isinf(mean.error));
	assert_true(isnan(student_mean(values, 0).mean));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_student_quantiles_are_those_of_tables),
		cmocka_unit_test(test_student_mean_has_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
