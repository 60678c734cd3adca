/*
 * test_ranksum.c - tests and shifts, compared with exhaustive counting and
 * tables.
 */
#include <math.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/stats/ranksum.h"
#include "test/unit/test.h"

enum { MOST = 7 };

static double test_of(const double *a, size_t na, const double *b, size_t nb)
{
	const struct ranksum_values x = { a, na }, y = { b, nb };
	struct error err = ERROR_INIT;
	double p = NAN;

	test_ok(ranksum_test(&x, &y, &p, &err), &err);
	return p;
}

static struct ranksum_shift shift_of(
    const double *a, size_t na, const double *b, size_t nb, double confidence)
{
	const struct ranksum_values x = { a, na }, y = { b, nb };
	struct ranksum_shift shift = { .shift = NAN };
	struct error err = ERROR_INIT;

	test_ok(ranksum_shift(&x, &y, confidence, &shift, &err), &err);
	return shift;
}

/* ---- against all ways to divide the values ---- */

/* Pairs with a above b, twice; ties count once. */
static int pairs_of(const double *all, size_t n, unsigned in_a)
{
	int pairs = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if ((in_a >> i & 1) && !(in_a >> k & 1))
				pairs +=
				    1 + (all[i] > all[k]) - (all[i] < all[k]);
	return pairs;
}

static unsigned bits(unsigned word)
{
	unsigned count = 0;

	for (; word; word &= word - 1)
		count++;
	return count;
}

/* The first na are a: how many divisions are as far from the middle? */
static double count_p(const double *all, size_t na, size_t n)
{
	const int middle = (int)(na * (n - na));
	const int seen = pairs_of(all, n, (1u << na) - 1) - middle;
	unsigned far = 0, ways = 0;

	for (unsigned set = 0; set < 1u << n; set++) {
		const int away =
		    bits(set) == na ? pairs_of(all, n, set) - middle : 0;

		if (bits(set) != na)
			continue;
		ways++;
		far += (away < 0 ? -away : away) >= (seen < 0 ? -seen : seen);
	}
	return (double)far / ways;
}

static void test_ranksum_p_is_the_share_of_all_divisions(void **state)
{
	struct random random = random_stream(7, 1, 2, 3);

	UNUSED(state);
	for (unsigned round = 0; round < 400; round++) {
		const size_t na = 1 + random_below(&random, MOST - 1);
		const size_t nb = 1 + random_below(&random, MOST - 1);
		/* From many ties to hardly any. */
		const uint32_t values = round % 2 ? 4 : 1000;
		double all[2 * MOST];
		double want, got;

		for (size_t i = 0; i < na + nb; i++)
			all[i] = random_below(&random, values) / 8.0;
		want = count_p(all, na, na + nb);
		got = test_of(all, na, all + na, nb);
		if (fabs(got - want) > 1e-12)
			fail_msg("round %u, %zu and %zu: %.15g, not %.15g",
			    round, na, nb, got, want);
	}
}

/* ---- against what was published ---- */

/* The least p that so many can give: 0.1, 0.029, 0.008 ... */
static void test_ranksum_few_values_cannot_have_a_small_p(void **state)
{
	static const double least[] = { 1, 2.0 / 6, 2.0 / 20, 2.0 / 70,
		2.0 / 252, 2.0 / 924, 2.0 / 3432 };
	const double low[] = { 1, 2, 3, 4, 5, 6, 7 };
	const double high[] = { 11, 12, 13, 14, 15, 16, 17 };

	UNUSED(state);
	for (size_t n = 1; n <= ARRAY_LEN(least); n++)
		assert_true(
		    fabs(test_of(low, n, high, n) - least[n - 1]) < 1e-12);
	assert_true(test_of(low, 0, high, 3) == 1);
}

/*
 * Hollander & Wolfe, example 4.1: permeability of the human chorioamnion at
 * term and at 12 to 26 weeks; one-sided p 0.1272, shift -0.305, and the
 * interval -0.76 to 0.15.
 */
static void test_ranksum_is_that_of_the_textbook(void **state)
{
	static const double term[] = { 0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91,
		1.64, 0.73, 1.46 };
	static const double early[] = { 1.15, 0.88, 0.90, 0.74, 1.21 };
	struct ranksum_shift shift = shift_of(term, 10, early, 5, 0.95);

	UNUSED(state);
	assert_true(fabs(test_of(term, 10, early, 5) - 2 * 0.1272) < 1e-4);
	assert_true(fabs(shift.shift + 0.305) < 1e-9);
	assert_true(fabs(shift.low + 0.76) < 1e-9);
	assert_true(fabs(shift.high - 0.15) < 1e-9);
}

/* Critical values of U, two-sided, 5 %: one less than the order. */
static void test_ranksum_intervals_end_where_the_tables_say(void **state)
{
	static const struct {
		size_t a, b, critical;
	} cases[] = { { 4, 4, 0 }, { 5, 5, 2 }, { 5, 8, 6 }, { 6, 6, 5 },
		{ 7, 7, 8 }, { 8, 8, 13 }, { 9, 9, 17 }, { 10, 10, 23 },
		{ 12, 12, 37 }, { 15, 15, 64 }, { 20, 20, 127 } };

	UNUSED(state);
	for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
		const size_t a = cases[c].a, b = cases[c].b;
		double from[20], to[20];
		struct ranksum_shift shift;

		/* Every difference once: 0 .. ab - 1. */
		for (size_t i = 0; i < a; i++)
			from[i] = -(double)i;
		for (size_t i = 0; i < b; i++)
			to[i] = (double)(i * a);
		shift = shift_of(from, a, to, b, 0.95);
		assert_int_equal((size_t)shift.low, cases[c].critical);
		assert_int_equal(
		    (size_t)shift.high, a * b - 1 - cases[c].critical);
		assert_true(shift.shift == (double)(a * b - 1) / 2);
	}
}

static void test_ranksum_too_few_values_have_no_interval(void **state)
{
	const double a[] = { 1, 2, 3 }, b[] = { 4, 5, 6 };
	struct ranksum_shift shift = shift_of(a, 3, b, 3, 0.95);

	UNUSED(state);
	assert_true(shift.shift == 3);
	assert_true(isinf(shift.low) && shift.low < 0);
	assert_true(isinf(shift.high) && shift.high > 0);
	shift = shift_of(a, 3, b, 3, 0.9);
	assert_true(shift.low == 1 && shift.high == 5);
}

/* ---- many values ---- */

/* Beyond the limit p is nearly what it is just below. */
static void test_ranksum_many_values_go_on_as_few_do(void **state)
{
	struct random random = random_stream(1, 1, 1, 1);

	UNUSED(state);
	for (unsigned round = 0; round < 50; round++) {
		double a[31], b[30], few, many;
		struct ranksum_shift exact, normal;

		for (size_t i = 0; i < 30; i++) {
			a[i] = random_below(&random, 1u << 20);
			b[i] =
			    random_below(&random, 1u << 20) + (round % 5) * 1e5;
		}
		few = test_of(a, 30, b, 30);
		exact = shift_of(a, 30, b, 30, 0.95);
		a[30] = 5e5 + (round % 5) * 5e4; /* in the middle */
		many = test_of(a, 31, b, 30);
		normal = shift_of(a, 31, b, 30, 0.95);
		if (fabs(few - many) > 0.05)
			fail_msg("%g, then %g", few, many);
		assert_true(fabs(exact.low - normal.low) < 1e5);
		assert_true(fabs(exact.high - normal.high) < 1e5);
	}
}

/* 1 .. 40 against 2.5 .. 41.5: of 1600 pairs 741 are the wrong way round. */
static void test_ranksum_p_of_many_is_that_of_the_normal(void **state)
{
	double a[40], b[40], same[80];

	UNUSED(state);
	for (size_t i = 0; i < 40; i++) {
		a[i] = (double)i + 1;
		b[i] = (double)i + 2.5;
	}
	assert_true(fabs(test_of(a, 40, b, 40) -
	                 erfc((800 - 741 - 0.5) /
	                      sqrt(2 * 40.0 * 40 * 81 / 12))) < 1e-12);
	for (size_t i = 0; i < 80; i++)
		same[i] = 3;
	assert_true(test_of(same, 40, same + 40, 40) == 1);
}

/*
 * 30 and 20 of 40 are low, the others high: ranks of 25.5 and 65.5, so that
 * ties of 50 and of 30 values make the variance smaller.
 */
static void test_ranksum_p_of_many_ties_is_corrected(void **state)
{
	const double ties = (50.0 * 50 * 50 - 50) + (30.0 * 30 * 30 - 30);
	const double variance = 40.0 * 40 / 12 * (81 - ties / (80 * 79));
	const double away = 40 * 81 / 2.0 - (30 * 25.5 + 10 * 65.5) - 0.5;
	double a[40], b[40];

	UNUSED(state);
	for (size_t i = 0; i < 40; i++) {
		a[i] = i < 30 ? 1 : 2;
		b[i] = i < 20 ? 1 : 2;
	}
	assert_true(fabs(test_of(a, 40, b, 40) -
	                 erfc(away / sqrt(2 * variance))) < 1e-12);
}

/* Sets that are alike seldom seem not to be: 5 %. */
static void test_ranksum_holds_the_truth_as_often_as_it_says(void **state)
{
	struct random random = random_stream(3, 2, 1, 0);
	unsigned held = 0, small = 0;

	UNUSED(state);
	for (unsigned round = 0; round < 2000; round++) {
		double a[8], b[8];
		struct ranksum_shift shift;

		for (size_t i = 0; i < 8; i++) {
			a[i] = exp(random_unit(&random) * 3);
			b[i] = exp(random_unit(&random) * 3) + 5;
		}
		shift = shift_of(a, 8, b, 8, 0.95);
		held += shift.low <= 5 && shift.high >= 5;
		for (size_t i = 0; i < 8; i++)
			b[i] -= 5;
		small += test_of(a, 8, b, 8) <= 0.05;
	}
	assert_in_range(held, 1880, 1950);
	assert_in_range(small, 50, 120);
	assert_true(held + small == 2000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ranksum_p_is_the_share_of_all_divisions),
		cmocka_unit_test(test_ranksum_few_values_cannot_have_a_small_p),
		cmocka_unit_test(test_ranksum_is_that_of_the_textbook),
		cmocka_unit_test(
		    test_ranksum_intervals_end_where_the_tables_say),
		cmocka_unit_test(test_ranksum_too_few_values_have_no_interval),
		cmocka_unit_test(test_ranksum_many_values_go_on_as_few_do),
		cmocka_unit_test(test_ranksum_p_of_many_is_that_of_the_normal),
		cmocka_unit_test(test_ranksum_p_of_many_ties_is_corrected),
		cmocka_unit_test(
		    test_ranksum_holds_the_truth_as_often_as_it_says),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
