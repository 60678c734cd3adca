/* test_glob.c - patterns for names of files. */
#include <stdio.h>

#include "lib/base/array.h"
#include "lib/files/glob.h"
#include "test/unit/test.h"

static void test_glob_matches(void **state)
{
	static const struct {
		const char *pattern, *name;
		bool matches;
	} cases[] = {
		{ "*.jpg", "a.jpg", true },
		{ "*.jpg", "x/y/a.jpg", true },
		{ "*.jpg", "a.png", false },
		{ "x/*.jpg", "x/a.jpg", true },
		{ "x/*.jpg", "a.jpg", false },
		{ "x/*.jpg", "x/y/a.jpg", false },
		{ "*/*.jpg", "x/y/a.jpg", false },
		{ "**/*.jpg", "a.jpg", true },
		{ "**/*.jpg", "x/a.jpg", true },
		{ "**/*.jpg", "x/y/z/a.jpg", true },
		{ "**/*.jpg", "x/y/z/a.png", false },
		{ "**/*", "a", true },
		{ "**/*", "x/y/a", true },
		{ "x/**/a", "x/a", true },
		{ "x/**/a", "x/y/z/a", true },
		{ "x/**/a", "x/y/z/b", false },
		{ "x/**/a", "y/a", false },
		{ "**/x/**/y/*.c", "x/x/q/y/x/y/f.c", true },
		{ "**/x/**/y/*.c", "x/q/f.c", false },
		{ "**/a/b", "a/a/a/b", true },
		{ "**/a/b", "a/b/c", false },
		{ "a/**", "a/b", true },
		{ "a/?[bc]*", "a/xbz", true },
		{ "a/", "a", false },
		{ "/a", "a", false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (glob_matches(cases[i].pattern, cases[i].name) !=
		    cases[i].matches)
			fail_msg("%s and %s", cases[i].pattern, cases[i].name);
}

static void test_glob_ends_soon(void **state)
{
	char pattern[1024] = "", name[4096] = "";
	size_t at = 0;

	(void)state;
	for (int i = 0; i < 100; i++)
		at += (size_t)snprintf(
		    pattern + at, sizeof(pattern) - at, "**/a/");
	snprintf(pattern + at, sizeof(pattern) - at, "b");
	at = 0;
	for (int i = 0; i < 1000; i++)
		at += (size_t)snprintf(name + at, sizeof(name) - at, "a/");
	snprintf(name + at, sizeof(name) - at, "c");
	assert_false(glob_matches(pattern, name));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_glob_matches),
		cmocka_unit_test(test_glob_ends_soon),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
