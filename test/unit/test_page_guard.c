/* test_page_guard.c - lists of pages that go in a circle. */
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/media/s3/page_guard.h"
#include "test/unit/test.h"

enum { PAGES = 100000 };

/* Returns the pages until a circle is seen, which begins behind a few pages. */
static unsigned pages_until(unsigned before, unsigned length, bool by_key)
{
	struct page_guard guard = { .empty = 0 };
	struct error err = ERROR_INIT;

	for (unsigned i = 0; i < PAGES; i++) {
		const unsigned at =
		    i < before ? i : before + (i - before) % length;
		const uint64_t key = by_key ? at + 1 : i + 1;
		const uint64_t token = by_key ? i : at;

		if (page_guard_check(&guard, key, token, &err)) {
			test_contains(err.text, "repeats a page of a list");
			return i + 1;
		}
	}
	return PAGES;
}

static void test_page_guard_finds_circles(void **state)
{
	static const unsigned lengths[] = { 1, 2, 3, 7, 64, 1000 };
	static const unsigned befores[] = { 0, 1, 10, 999 };

	UNUSED(state);
	for (size_t l = 0; l < ARRAY_LEN(lengths); l++)
		for (size_t b = 0; b < ARRAY_LEN(befores); b++)
			for (unsigned by_key = 0; by_key < 2; by_key++) {
				const unsigned length = lengths[l];
				const unsigned found =
				    pages_until(befores[b], length, by_key);

				assert_true(found > befores[b] + length);
				assert_true(
				    found <= 3 * (befores[b] + length) + 2);
			}
}

static void test_page_guard_lets_lists_be_long(void **state)
{
	UNUSED(state);
	assert_int_equal(pages_until(0, PAGES, false), PAGES);
	assert_int_equal(pages_until(0, PAGES, true), PAGES);
}

static void test_page_guard_bounds_pages_without_keys(void **state)
{
	struct page_guard guard = { .empty = 0 };
	struct error err = ERROR_INIT;
	unsigned i;

	UNUSED(state);
	for (i = 0; i < PAGE_GUARD_EMPTY; i++)
		test_ok(page_guard_check(&guard, 0, i, &err), &err);
	test_ok(page_guard_check(&guard, 1, i++, &err), &err);
	for (; i < 2 * PAGE_GUARD_EMPTY + 1; i++)
		test_ok(page_guard_check(&guard, 0, i, &err), &err);
	assert_int_equal(page_guard_check(&guard, 0, i, &err), -1);
	test_contains(err.text, "without a key");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page_guard_finds_circles),
		cmocka_unit_test(test_page_guard_lets_lists_be_long),
		cmocka_unit_test(test_page_guard_bounds_pages_without_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
