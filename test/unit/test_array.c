/* test_array.c - growth, and overflow of sums and products. */
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "test/unit/test.h"

static void test_array_grow_keeps_the_items(void **state)
{
	struct error err = ERROR_INIT;
	size_t capacity = 0;
	unsigned *items = NULL;

	UNUSED(state);
	for (unsigned i = 0; i < 1000; i++) {
		items =
		    array_grow(items, &capacity, i + 1, sizeof(*items), &err);
		assert_non_null(items);
		assert_true(capacity > i);
		items[i] = i;
	}
	for (unsigned i = 0; i < 1000; i++)
		assert_int_equal(items[i], i);
	assert_true(capacity < 4000);
	free(items);
}

static void test_array_grow_gives_an_array_for_no_items(void **state)
{
	struct error err = ERROR_INIT;
	size_t capacity = 0;
	void *items = array_grow(NULL, &capacity, 0, 16, &err);

	UNUSED(state);
	assert_non_null(items);
	free(items);
}

static void test_array_grow_refuses_what_cannot_be(void **state)
{
	static const struct {
		size_t need, size;
	} cases[] = {
		{ SIZE_MAX, 1 },
		{ SIZE_MAX / 2 + 2, 2 },
		{ SIZE_MAX / 8 + 1, 16 },
		{ (size_t)PTRDIFF_MAX / 2 + 1, 2 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		size_t capacity = 0;

		assert_null(array_grow(
		    NULL, &capacity, cases[i].need, cases[i].size, &err));
		assert_int_equal(err.code, ERROR_MEMORY);
		assert_int_equal(capacity, 0);
		test_contains(err.text, "out of memory");
	}
}

static void test_array_grow_leaves_the_old_one_when_it_fails(void **state)
{
	struct error err = ERROR_INIT;
	size_t capacity = 0;
	char *items = array_grow(NULL, &capacity, 1, 1, &err);
	const size_t before = capacity;

	UNUSED(state);
	assert_non_null(items);
	items[0] = 'a';
	assert_null(array_grow(items, &capacity, SIZE_MAX, 1, &err));
	assert_int_equal(capacity, before);
	assert_int_equal(items[0], 'a');
	free(items);
}

static void test_size_mul_and_add_see_overflow(void **state)
{
	static const struct {
		size_t a, b;
		int mul, add;
	} cases[] = {
		{ 0, SIZE_MAX, 0, 0 },
		{ 1, SIZE_MAX, 0, -1 },
		{ 2, SIZE_MAX / 2, 0, 0 },
		{ 2, SIZE_MAX / 2 + 1, -1, 0 },
		{ SIZE_MAX, SIZE_MAX, -1, -1 },
		{ 3, 5, 0, 0 },
	};
	size_t n;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(
		    size_mul(cases[i].a, cases[i].b, &n), cases[i].mul);
		assert_int_equal(
		    size_add(cases[i].a, cases[i].b, &n), cases[i].add);
	}
	assert_int_equal(n, 8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_array_grow_keeps_the_items),
		cmocka_unit_test(test_array_grow_gives_an_array_for_no_items),
		cmocka_unit_test(test_array_grow_refuses_what_cannot_be),
		cmocka_unit_test(
		    test_array_grow_leaves_the_old_one_when_it_fails),
		cmocka_unit_test(test_size_mul_and_add_see_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
