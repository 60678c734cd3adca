/* test_braces.c - expansion of lists of paths. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/files/braces.h"
#include "test/unit/test.h"

static int add(void *arg, const char *path, struct error *err)
{
	struct buf *all = arg;

	return buf_printf(all, err, "%s%s", all->len ? " " : "", path);
}

/* Says of texts with an 'x' that there is no such path. */
static int add_known(void *arg, const char *path, struct error *err)
{
	return strchr(path, 'x') ? 1 : add(arg, path, err);
}

static void test_braces_stand_for_paths(void **state)
{
	static const struct {
		const char *text, *paths;
	} cases[] = {
		{ "a", "a" },
		{ "t-{000..003}.tar",
		    "t-000.tar t-001.tar t-002.tar t-003.tar" },
		{ "{8..11}", "8 9 10 11" },
		{ "{08..11}", "08 09 10 11" },
		{ "{8..011}", "008 009 010 011" },
		{ "{3..0}", "3 2 1 0" },
		{ "{0..7..3}", "0 3 6" },
		{ "{7..0..3}", "7 4 1" },
		{ "{5..5}", "5" },
		{ "{a,b}", "a b" },
		{ "{a,}b", "ab b" },
		{ "{train,val}/{0..1}.t",
		    "train/0.t train/1.t val/0.t val/1.t" },
		{ "{0..1}{a,b}", "0a 0b 1a 1b" },
		{ "{a,b{1..2},{c,d}e}f", "af b1f b2f cef def" },
		/* No list and no range: they are part of the name. */
		{ "{a}", "{a}" },
		{ "{}", "{}" },
		{ "{0..}", "{0..}" },
		{ "{0..9..0}", "{0..9..0}" },
		{ "{a..c}", "{a..c}" },
		{ "{0..1", "{0..1" },
		{ "a}b,c", "a}b,c" },
		{ "{{0..1}", "{0 {1" },
		{ "{x{0..1}}", "{x0} {x1}" },
		{ "{0..9999999999999999999}", "{0..9999999999999999999}" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf all = BUF_INIT;
		struct error err = ERROR_INIT;

		test_ok(braces_each(cases[i].text, add, &all, &err), &err);
		if (strcmp((const char *)all.data, cases[i].paths) != 0)
			fail_msg("%s is %s, not %s", cases[i].text,
			    (const char *)all.data, cases[i].paths);
		buf_release(&all);
	}
}

static void test_braces_are_known_as_such(void **state)
{
	(void)state;
	assert_true(braces_any("a-{0..3}.tar"));
	assert_true(braces_any("{a}-{b,c}"));
	assert_false(braces_any("a-{b}.tar"));
	assert_false(braces_any("a.tar"));
}

static void test_braces_name_what_is_missing(void **state)
{
	struct buf all = BUF_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_error_is(braces_each("{a,b,c}{x,y,xx}", add_known, &all, &err),
	    &err, "ax does not exist (6 of the 9 paths are missing)");
	/* Nothing to count: the caller has the words. */
	assert_int_equal(braces_each("x", add_known, &all, &err), 1);
	assert_int_equal(braces_each("{x}", add_known, &all, &err), 1);
	buf_release(&all);
}

static int count(void *arg, const char *path, struct error *err)
{
	UNUSED(path);
	UNUSED(err);
	++*(size_t *)arg;
	return 0;
}

static void test_braces_are_bounded(void **state)
{
	char *text = malloc(6001);
	struct error err = ERROR_INIT;
	size_t paths = 0;

	UNUSED(state);
	assert_non_null(text);
	test_error_is(
	    braces_each("{0..999999999999999999}", count, &paths, &err), &err,
	    "the braces stand for more than 1048576 paths");
	assert_int_equal(paths, BRACES_MOST);
	for (size_t i = 0; i < 6000; i++)
		text[i] = "{a,b}"[i % 5];
	text[6000] = '\0';
	test_error_is(braces_each(text, count, &paths, &err), &err,
	    "a path with braces has at most 4096 bytes");
	paths = 0;
	text[4000] = '\0';
	test_error_is(braces_each(text, count, &paths, &err), &err,
	    "the braces stand for more than 1048576 paths");
	free(text);
}

static void test_braces_of_a_file_that_is_there(void **state)
{
	char *dir = test_scratch(), *path = test_path(dir, "{a,b}");
	struct error err = ERROR_INIT;
	size_t paths = 0;

	UNUSED(state);
	test_write(dir, "{a,b}", "its name has braces");
	test_ok(braces_each(path, count, &paths, &err), &err);
	assert_int_equal(paths, 1);
	free(path);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_braces_stand_for_paths),
		cmocka_unit_test(test_braces_are_known_as_such),
		cmocka_unit_test(test_braces_name_what_is_missing),
		cmocka_unit_test(test_braces_are_bounded),
		cmocka_unit_test(test_braces_of_a_file_that_is_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
