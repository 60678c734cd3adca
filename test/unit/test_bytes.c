/* test_bytes.c - growing buffers, comparing spans. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "test/unit/test.h"

static void test_buf_reserve_aligns_and_keeps_the_bytes(void **state)
{
	static const size_t caps[] = { 1, 63, 64, 65, 4096, 1000003, 10 };
	struct error err = ERROR_INIT;
	struct buf buf = BUF_INIT;

	UNUSED(state);
	test_ok(buf_append(&buf, "abc", 3, &err), &err);
	for (size_t i = 0; i < ARRAY_LEN(caps); i++) {
		test_ok(buf_reserve(&buf, caps[i], &err), &err);
		assert_true(buf.cap >= caps[i]);
		assert_int_equal((uintptr_t)buf.data % 64, 0);
		assert_int_equal(buf.len, 3);
		assert_memory_equal(buf.data, "abc", 3);
	}
	buf_release(&buf);
}

static void test_buf_reserve_refuses_what_cannot_be(void **state)
{
	static const size_t caps[] = {
		SIZE_MAX,
		SIZE_MAX - 63,
		(size_t)PTRDIFF_MAX + 1,
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(caps); i++) {
		struct error err = ERROR_INIT;
		struct buf buf = BUF_INIT;

		assert_int_equal(buf_reserve(&buf, caps[i], &err), -1);
		assert_int_equal(err.code, ERROR_MEMORY);
		assert_null(buf.data);
	}
}

static void test_buf_append_grows_by_doubling(void **state)
{
	struct error err = ERROR_INIT;
	struct buf buf = BUF_INIT;
	unsigned moves = 0;

	UNUSED(state);
	for (unsigned i = 0; i < 100000; i++) {
		const unsigned char byte = (unsigned char)i;
		const size_t cap = buf.cap;

		test_ok(buf_append(&buf, &byte, 1, &err), &err);
		moves += cap != buf.cap;
	}
	assert_int_equal(buf.len, 100000);
	assert_int_equal(buf.data[99999], 99999 & 0xff);
	assert_true(moves < 20);
	buf_release(&buf);
}

static void test_buf_append_of_nothing_needs_no_data(void **state)
{
	struct error err = ERROR_INIT;
	struct buf buf = BUF_INIT;

	UNUSED(state);
	test_ok(buf_append(&buf, NULL, 0, &err), &err);
	assert_null(buf.data);
	test_ok(buf_append(&buf, "x", 1, &err), &err);
	assert_int_equal(buf_append(&buf, "x", SIZE_MAX, &err), -1);
	assert_int_equal(buf.len, 1);
	buf_release(&buf);
}

static void test_buf_printf_appends_and_terminates(void **state)
{
	struct error err = ERROR_INIT;
	struct buf buf = BUF_INIT;
	char words[300];

	UNUSED(state);
	memset(words, 'w', sizeof(words));
	words[sizeof(words) - 1] = '\0';
	test_ok(buf_printf(&buf, &err, "%s", ""), &err);
	assert_string_equal((char *)buf.data, "");
	assert_int_equal(buf.len, 0);
	test_ok(buf_printf(&buf, &err, "%d and ", 12), &err);
	test_ok(buf_printf(&buf, &err, "%s", words), &err);
	assert_int_equal(buf.len, 7 + 299);
	assert_int_equal(strlen((char *)buf.data), buf.len);
	assert_memory_equal(buf.data, "12 and www", 10);
	buf_release(&buf);
}

static void test_buf_release_leaves_it_usable(void **state)
{
	struct error err = ERROR_INIT;
	struct buf buf = BUF_INIT;

	UNUSED(state);
	buf_release(&buf);
	test_ok(buf_append(&buf, "a", 1, &err), &err);
	buf_release(&buf);
	assert_int_equal(buf.len + buf.cap, 0);
	test_ok(buf_append(&buf, "b", 1, &err), &err);
	assert_true(span_equal(buf_span(&buf), span_text("b")));
	buf_release(&buf);
}

static void test_span_equal_compares_length_and_bytes(void **state)
{
	const struct span nothing = { .data = NULL, .len = 0 };

	UNUSED(state);
	assert_true(span_equal(span_text("abc"), span_text("abc")));
	assert_false(span_equal(span_text("abc"), span_text("abd")));
	assert_false(span_equal(span_text("abc"), span_text("ab")));
	assert_true(span_equal(nothing, span_text("")));
}

static void test_span_ends_with_needs_something_before_the_end(void **state)
{
	UNUSED(state);
	assert_true(span_ends_with(span_text("a.conf"), ".conf"));
	assert_false(span_ends_with(span_text(".conf"), ".conf"));
	assert_false(span_ends_with(span_text("a.con"), ".conf"));
	assert_false(span_ends_with(span_text(""), ".conf"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_buf_reserve_aligns_and_keeps_the_bytes),
		cmocka_unit_test(test_buf_reserve_refuses_what_cannot_be),
		cmocka_unit_test(test_buf_append_grows_by_doubling),
		cmocka_unit_test(test_buf_append_of_nothing_needs_no_data),
		cmocka_unit_test(test_buf_printf_appends_and_terminates),
		cmocka_unit_test(test_buf_release_leaves_it_usable),
		cmocka_unit_test(test_span_equal_compares_length_and_bytes),
		cmocka_unit_test(
		    test_span_ends_with_needs_something_before_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
