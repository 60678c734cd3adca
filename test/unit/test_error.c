/* test_error.c - messages, their locations, and their limits. */
#include <errno.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "test/unit/test.h"

static void test_error_set_formats_and_returns_minus_1(void **state)
{
	struct error err = ERROR_INIT;
	const int rc =
	    error_set(&err, ERROR_USAGE, "size must be 1 to %d, got %d", 9, 0);

	UNUSED(state);
	test_error_is(rc, &err, "size must be 1 to 9, got 0");
	assert_int_equal(err.code, ERROR_USAGE);
}

static void test_error_prefix_adds_where_and_keeps_the_code(void **state)
{
	struct error err = ERROR_INIT;

	UNUSED(state);
	error_set(&err, ERROR_DATA, "premature end of file");
	assert_int_equal(error_prefix(&err, "step %s", "jpeg_decode"), -1);
	error_prefix(&err, "img_%04d.jpg", 42);
	assert_string_equal(
	    err.text, "img_0042.jpg: step jpeg_decode: premature end of file");
	assert_int_equal(err.code, ERROR_DATA);
}

static void test_error_set_may_use_its_own_text(void **state)
{
	struct error err = ERROR_INIT;

	UNUSED(state);
	error_set(&err, ERROR_DATA, "no end");
	error_set(&err, ERROR_LIMIT, "again: %s", err.text);
	assert_string_equal(err.text, "again: no end");
}

static void test_error_is_one_line_without_control_bytes(void **state)
{
	struct error err = ERROR_INIT;

	UNUSED(state);
	error_set(&err, ERROR_DATA, "'%s'", "a\x1b[2J\tb\n\xc3\xa9\x7f");
	assert_string_equal(err.text, "'a\\x1b[2J\\tb\\n\xc3\xa9\\x7f'");
}

static void test_error_hides_the_queries_of_web_addresses(void **state)
{
	static const char *const cases[][2] = {
		{ "cannot open https://h/a?X-Sig=ab:c: no",
		    "cannot open https://h/a?...: no" },
		{ "'http://h/a?b' and http://h/?key=1; again",
		    "'http://h/a?.' and http://h/?...; again" },
		{ "http://h/a?...: status 403", "http://h/a?...: status 403" },
		{ "https://h/a: what?", "https://h/a: what?" },
		{ "s3://b/which?one", "s3://b/which?one" },
		{ "http://h/a?", "http://h/a?" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;

		error_set(&err, ERROR_SYSTEM, "%s", cases[i][0]);
		assert_string_equal(err.text, cases[i][1]);
	}
}

static void test_error_cuts_long_messages_at_the_end(void **state)
{
	struct error err = ERROR_INIT;
	char words[2000];

	UNUSED(state);
	memset(words, 'x', sizeof(words));
	words[sizeof(words) - 1] = '\0';
	error_set(&err, ERROR_DATA, "%s", words);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	error_prefix(&err, "here");
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_memory_equal(err.text, "here: xxx", 9);
	error_prefix(&err, "%s", words);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	words[sizeof(err.text) - 2] = '\0'; /* no room for the colon */
	error_prefix(&err, "%s", words);
	assert_string_equal(err.text, words);
}

static void test_error_errno_names_deed_path_and_reason(void **state)
{
	struct error err = ERROR_INIT;
	int rc;

	UNUSED(state);
	errno = ENOENT;
	rc = error_errno(&err, "open", "a.conf");
	test_error_is(
	    rc, &err, "cannot open a.conf: No such file or directory");
	assert_int_equal(err.code, ERROR_SYSTEM);
	errno = ENOMEM;
	error_errno(&err, "map", "x");
	assert_int_equal(err.code, ERROR_MEMORY);
}

static void test_error_advice_stands_behind(void **state)
{
	struct error err = ERROR_INIT;

	UNUSED(state);
	error_set(&err, ERROR_DATA, "x is damaged");
	assert_int_equal(error_advise(&err, "write it again"), -1);
	assert_string_equal(err.text, "x is damaged; write it again");
	assert_int_equal(err.code, ERROR_DATA);
	for (int i = 0; i < 100; i++)
		error_advise(&err, "write it again and again");
	assert_true(strlen(err.text) < sizeof(err.text));
}

static void test_error_memory_says_how_much(void **state)
{
	struct error err = ERROR_INIT;
	const int rc = error_memory(&err, 1ULL << 40);

	UNUSED(state);
	test_error_is(rc, &err, "out of memory (1099511627776 bytes)");
	assert_int_equal(err.code, ERROR_MEMORY);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_error_set_formats_and_returns_minus_1),
		cmocka_unit_test(
		    test_error_prefix_adds_where_and_keeps_the_code),
		cmocka_unit_test(test_error_set_may_use_its_own_text),
		cmocka_unit_test(test_error_is_one_line_without_control_bytes),
		cmocka_unit_test(test_error_hides_the_queries_of_web_addresses),
		cmocka_unit_test(test_error_cuts_long_messages_at_the_end),
		cmocka_unit_test(test_error_errno_names_deed_path_and_reason),
		cmocka_unit_test(test_error_advice_stands_behind),
		cmocka_unit_test(test_error_memory_says_how_much),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
