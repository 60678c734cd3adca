/*
 * test_statistics.c - statistics, compared with tables and exhaustive counting.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/stats/statistics.h"
#include "test/unit/test.h"

static void check_near(double got, double want)
{
	if (isnan(got) != isnan(want) || fabs(got - want) > 1e-12 * fabs(want))
		fail_msg("%.17g is not %.17g", got, want);
}

/* ---- the median ---- */

static void test_median_is_the_value_in_the_middle(void **state)
{
	double unknown[] = { 1, NAN, 2 };
	double one[] = { 7 }, four[] = { 4, 1, 3, 10 },
	       five[] = { 5, 1, 4, 2, 3 };

	UNUSED(state);
	check_near(median_of(NULL, 0), NAN);
	check_near(median_of(unknown, 3), NAN);
	check_near(median_of(one, 1), 7);
	check_near(median_of(four, 4), 3.5);
	check_near(median_of(five, 5), 3);
	assert_true(four[0] <= four[1] && four[2] <= four[3]);
}

static void test_deviation_of_leaves_out_what_is_far_off(void **state)
{
	/* quartiles of a normal distribution around 10, deviation 1 */
	double values[] = { 1e9, 10.6745, 10, 9.3255, 9.3255, 10, 10.6745, 0 };
	double alike[] = { 3, 3, 3, 3 }, one[] = { 5 };

	UNUSED(state);
	assert_true(fabs(deviation_of(values, 8) - 0.1) < 1e-4);
	check_near(deviation_of(alike, 4), 0);
	check_near(deviation_of(one, 1), 0);
}

/* ---- the interval of the median ---- */

static void test_interval_of_few_values_is_all_of_them(void **state)
{
	double one[] = { 7 }, five[] = { 5, 1, 4, 2, 3 };
	struct interval i = interval_of(one, 1);

	UNUSED(state);
	assert_true(i.median == 7 && i.low == 7 && i.high == 7);
	i = interval_of(five, 5);
	assert_true(i.median == 3 && i.low == 1 && i.high == 5);
	assert_true(fabs(interval_width(&i) - 2.0 / 3) < 1e-12);
}

/* k of tables of the sign test: 1 up to 8, 2 up to 11, 3 at 12, 6 at 20. */
static void test_interval_orders_are_those_of_the_sign_test(void **state)
{
	static const struct {
		size_t n, k;
	} cases[] = { { 6, 1 }, { 8, 1 }, { 9, 2 }, { 11, 2 }, { 12, 3 },
		{ 15, 4 }, { 20, 6 }, { 25, 8 }, { 50, 18 }, { 100, 40 } };

	UNUSED(state);
	for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
		const size_t n = cases[c].n;
		double values[100];
		struct interval i;

		for (size_t v = 0; v < n; v++)
			values[v] = (double)(n - v);
		i = interval_of(values, n);
		assert_int_equal((size_t)i.low, cases[c].k);
		assert_int_equal((size_t)i.high, n + 1 - cases[c].k);
		assert_true(i.median == ((double)n + 1) / 2);
	}
}

/* It does for a skewed distribution, too: exp(x) of a normal x has median 1. */
static void test_interval_holds_the_median_as_often_as_it_says(void **state)
{
	struct random random = random_stream(1, 2, 3, 4);
	unsigned held = 0;

	UNUSED(state);
	for (unsigned i = 0; i < 2000; i++) {
		double values[15];
		struct interval interval;

		for (size_t v = 0; v < 15; v++)
			values[v] = exp(random_normal(&random));
		interval = interval_of(values, 15);
		held += interval.low <= 1 && interval.high >= 1;
	}
	/* 96.5 % for 15 values; 3.5 standard deviations of 2000 trials. */
	assert_in_range(held, 1901, 1961);
}

/*
 * P(X <= x) for X binomial (n, 1/2), from the logarithms of factorials: in
 * another way than the sum of statistics.c.
 */
static double binomial_tail(unsigned n, unsigned x)
{
	double sum = 0;

	for (unsigned i = 0; i <= x; i++)
		sum += exp(lgamma(n + 1.0) - lgamma(i + 1.0) -
		           lgamma(n - i + 1.0) - n * log(2));
	return sum;
}

/* Beyond 1000 values, k is that of 1000 in proportion: 468.8 rounded down. */
static void test_interval_of_many_values_is_not_too_narrow(void **state)
{
	static const size_t counts[] = { 300, 1000, 1001, 1100, 5000 };
	static double values[5000];

	UNUSED(state);
	for (size_t c = 0; c < ARRAY_LEN(counts); c++) {
		const size_t n = counts[c], m = n < 1000 ? n : 1000;
		unsigned k = 0;
		struct interval i;

		while (binomial_tail((unsigned)m, k) <= 0.025)
			k++;
		for (size_t v = 0; v < n; v++)
			values[v] = (double)(v + 1);
		i = interval_of(values, n);
		assert_int_equal((size_t)i.low, k * n / m);
		assert_int_equal((size_t)i.high, n + 1 - k * n / m);
		if (n > m)
			assert_true(binomial_tail((unsigned)n,
			                (unsigned)i.low - 1) <= 0.025);
	}
}

/* ---- ratios ---- */

/* From 1: the largest k with P(W < k) <= 2.5 %, all signs of 1 to n tried. */
static size_t order_by_signs(unsigned n)
{
	uint64_t below = 0;

	for (size_t k = 1;; k++) {
		for (uint64_t signs = 0; signs < UINT64_C(1) << n; signs++) {
			size_t sum = 0;

			for (unsigned i = 0; i < n; i++)
				sum += (signs >> i & 1) * (i + 1);
			below += sum == k - 1;
		}
		if (40 * below > UINT64_C(1) << n)
			return k > 1 ? k - 1 : 1;
	}
}

/* The tables end at 30 or 60 values; up to 16, all signs are tried as well. */
static void test_signed_rank_orders_are_those_of_the_tables(void **state)
{
	static const size_t orders[] = { 1, 1, 3, 4, 6, 9, 11, 14, 18, 22, 26,
		30, 35, 41, 47, 53, 59, 66, 74, 82, 90, 99, 108, 117, 127, 138,
		148, 160, 171, 183, 196, 209, 222, 236, 250, 265, 280, 295, 311,
		328, 344, 362, 379, 397, 416, 435, 454, 474, 495, 515, 537, 558,
		580, 603, 626, 649 };

	UNUSED(state);
	for (unsigned n = 5; n <= SIGNED_RANK_MOST; n++)
		assert_int_equal(signed_rank_order(n), orders[n - 5]);
	for (unsigned n = 5; n <= 16; n++)
		assert_int_equal(signed_rank_order(n), order_by_signs(n));
}

/* The interval of the median log ratio, by all its Walsh averages. */
static void find_interval(
    const double *ratios, unsigned n, double *low, double *high)
{
	double walsh[SIGNED_RANK_MOST * SIGNED_RANK_MOST];
	const size_t k = order_by_signs(n);
	size_t count = 0;

	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j <= i; j++)
			walsh[count++] = (log(ratios[i]) + log(ratios[j])) / 2;
	values_sort(walsh, count);
	*low = exp(walsh[k - 1]);
	*high = exp(walsh[count - k]);
}

static void test_ratio_interval_is_that_of_the_walsh_averages(void **state)
{
	struct random random = random_stream(5, 6, 7, 8);

	UNUSED(state);
	for (unsigned n = 5; n <= 13; n++) {
		double ratios[13], low, high;
		struct interval i;

		for (unsigned v = 0; v < n; v++)
			ratios[v] = exp(random_normal(&random) / 10);
		find_interval(ratios, n, &low, &high);
		assert_true(ratio_interval(ratios, n, &i));
		check_near(i.low, low);
		check_near(i.high, high);
		assert_true(i.low <= i.median && i.median <= i.high);
	}
}

/* Four are too few; P(X < 24) = 1.6 %, P(X < 25) = 3.0 % for X of 64. */
static void test_ratio_interval_of_few_and_of_many(void **state)
{
	double ratios[64];
	struct interval i;

	UNUSED(state);
	for (size_t v = 0; v < ARRAY_LEN(ratios); v++)
		ratios[v] = 64.0 - (double)v;
	assert_false(ratio_interval(ratios, 4, &i));
	assert_true(ratio_interval(ratios, 64, &i));
	assert_true(i.low == 24 && i.high == 41 && i.median == 32.5);
}

static void test_ratio_interval_holds_the_median_as_it_says(void **state)
{
	struct random random = random_stream(1, 9, 3, 4);
	unsigned held = 0;

	UNUSED(state);
	for (unsigned i = 0; i < 2000; i++) {
		double ratios[12];
		struct interval interval;

		for (size_t v = 0; v < 12; v++)
			ratios[v] = exp(random_normal(&random));
		assert_true(ratio_interval(ratios, 12, &interval));
		held += interval.low <= 1 && interval.high >= 1;
	}
	/* P(W < 14) = 2.1 %: 95.8 %; 3.5 standard deviations of 2000. */
	assert_in_range(held, 1885, 1947);
}

/* ---- outliers ---- */

struct outlier_case {
	const char *what;
	double values[8];
	size_t n;
	unsigned marked; /* a bit a value */
};

/* The limit is 3.5 / 0.6745 = 5.189 MAD, or 3.5 / 0.7979 = 4.386 means. */
static void test_outliers_are_far_by_the_median_deviation(void **state)
{
	static const struct outlier_case cases[] = {
		{ "four are too few", { 1, 1, 1, 1000 }, 4, 0 },
		{ "none", { 1, 2, 3, 4, 5 }, 5, 0 },
		{ "MAD 1: 8.18 is 5.18 away", { 1, 2, 3, 4, 8.18 }, 5, 0 },
		{ "MAD 1: 8.2 is 5.2 away", { 1, 2, 3, 4, 8.2 }, 5, 16 },
		{ "below as well", { 8.2, 9, 10, 11, 2 }, 5, 16 },
		{ "all the same", { 7, 7, 7, 7, 7 }, 5, 0 },
		{ "MAD 0, mean 1: 6 away", { 5, 5, 5, 11, 5, 5 }, 6, 8 },
		{ "MAD 0, two of 5: 2.5 means", { 5, 5, 5, 9, 1 }, 5, 0 },
	};
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
		bool marked[8];

		test_ok(
		    outliers_mark(cases[c].values, cases[c].n, marked, &err),
		    &err);
		for (size_t v = 0; v < cases[c].n; v++)
			if (marked[v] != (cases[c].marked >> v & 1))
				fail_msg("%s: value %zu", cases[c].what, v);
	}
}

/*
 * k is the whole part of (n - 1.96 sqrt(n inflation)) / 2, at least 1.  Without
 * inflation it is exact: of 10 values, at most one is below the 2nd with 1.1 %.
 */
static void test_interval_inflated_leaves_out_fewer(void **state)
{
	static const struct {
		size_t n;
		double inflation;
		size_t k;
	} cases[] = {
		{ 5, 1, 1 },
		{ 8, 1, 1 },
		{ 9, 1, 2 },
		{ 12, 1, 3 },
		{ 60, 1, 22 },
		{ 12, 1.0001, 2 },
		{ 60, 1.0001, 22 },
		{ 60, 4, 14 },
		{ 60, 15, 1 },
		{ 60, 1000, 1 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const size_t n = cases[i].n;
		double values[60];
		struct interval interval;

		for (size_t k = 0; k < n; k++)
			values[k] = (double)(n - k);
		interval = interval_inflated(values, n, cases[i].inflation);
		assert_true(interval.median == ((double)n + 1) / 2);
		assert_int_equal(interval.low, cases[i].k);
		assert_int_equal(interval.high, n + 1 - cases[i].k);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_median_is_the_value_in_the_middle),
		cmocka_unit_test(test_deviation_of_leaves_out_what_is_far_off),
		cmocka_unit_test(test_interval_of_few_values_is_all_of_them),
		cmocka_unit_test(
		    test_interval_orders_are_those_of_the_sign_test),
		cmocka_unit_test(
		    test_interval_holds_the_median_as_often_as_it_says),
		cmocka_unit_test(
		    test_interval_of_many_values_is_not_too_narrow),
		cmocka_unit_test(
		    test_signed_rank_orders_are_those_of_the_tables),
		cmocka_unit_test(
		    test_ratio_interval_is_that_of_the_walsh_averages),
		cmocka_unit_test(test_ratio_interval_of_few_and_of_many),
		cmocka_unit_test(
		    test_ratio_interval_holds_the_median_as_it_says),
		cmocka_unit_test(test_outliers_are_far_by_the_median_deviation),
		cmocka_unit_test(test_interval_inflated_leaves_out_fewer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
