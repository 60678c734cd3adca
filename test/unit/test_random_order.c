/* test_random_order.c - an order without memory: each number once, none
 * favoured. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/sample/random_order.h"
#include "test/unit/test.h"

static void test_random_order_gives_each_number_once(void **state)
{
	static const uint64_t counts[] = { 1, 2, 3, 4, 5, 7, 24, 64, 65, 1000,
		4097 };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		for (uint64_t key = 0; key < 20; key++) {
			unsigned char *seen = calloc(counts[i], 1);
			struct random_order order;

			random_order_init(&order, counts[i], key, 3);
			for (uint64_t n = 0; n < counts[i]; n++) {
				const uint64_t at = random_order_at(&order, n);

				assert_true(at < counts[i]);
				assert_int_equal(seen[at]++, 0);
			}
			free(seen);
		}
}

/* Stored positions of training depend on it: it must stay as it is. */
static void test_random_order_is_the_same_everywhere(void **state)
{
	static const unsigned wanted[] = { 2, 5, 8, 6, 9, 3, 0, 7, 1, 4 };
	struct random_order order;

	UNUSED(state);
	random_order_init(&order, 10, 1, 2);
	for (unsigned i = 0; i < 10; i++)
		assert_int_equal(random_order_at(&order, i), wanted[i]);
	random_order_init(&order, UINT64_MAX, 1, 2);
	assert_true(random_order_at(&order, 0) != random_order_at(&order, 1));
}

/* Of so many orders, each number is at each place about equally often. */
static void check_places(uint64_t count)
{
	enum { ORDERS = 4000, MOST = 24 };
	unsigned seen[MOST][MOST] = { { 0 } };
	const double wanted = (double)ORDERS / (double)count;
	double sum = 0;

	for (uint64_t key = 0; key < ORDERS; key++) {
		struct random_order order;

		random_order_init(&order, count, key, key % 7);
		for (uint64_t n = 0; n < count; n++)
			seen[n][random_order_at(&order, n)]++;
	}
	for (uint64_t n = 0; n < count; n++)
		for (uint64_t k = 0; k < count; k++) {
			const double off = (double)seen[n][k] - wanted;

			assert_true(off * off < 36 * wanted);
			sum += off * off / wanted;
		}
	/* Chi-square: the mean is (count - 1)^2. */
	assert_true(sum < 2 * (double)(count * count) + 10);
}

static void test_random_order_favours_no_place(void **state)
{
	static const uint64_t counts[] = { 2, 3, 4, 5, 7, 8, 13, 24 };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		check_places(counts[i]);
}

/* Neighbours do not stay together more often than by chance. */
static void test_random_order_parts_neighbours(void **state)
{
	enum { COUNT = 1000, ORDERS = 100 };
	unsigned together = 0;

	UNUSED(state);
	for (uint64_t key = 0; key < ORDERS; key++) {
		struct random_order order;

		random_order_init(&order, COUNT, key, 1);
		for (uint64_t n = 1; n < COUNT; n++)
			together += random_order_at(&order, n) ==
			            random_order_at(&order, n - 1) + 1;
	}
	assert_true(together > ORDERS / 2 && together < ORDERS * 3 / 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_order_gives_each_number_once),
		cmocka_unit_test(test_random_order_is_the_same_everywhere),
		cmocka_unit_test(test_random_order_favours_no_place),
		cmocka_unit_test(test_random_order_parts_neighbours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
