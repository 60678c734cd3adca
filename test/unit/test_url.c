/* test_url.c - paths that are URLs. */
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/url.h"
#include "test/unit/test.h"

static void test_url_is_one_of_three_schemes(void **state)
{
	static const struct {
		const char *path;
		bool is;
		size_t root;
	} cases[] = {
		{ "s3://bucket/key", true, 11 },
		{ "s3://bucket", true, 11 },
		{ "http://host:80/a/b", true, 14 },
		{ "https://host?x=/", true, 12 },
		{ "http:/host", false, 0 },
		{ "ftp://host/x", false, 0 },
		{ "S3://bucket", false, 0 },
		{ "/data/s3://x", false, 0 },
		{ "", false, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (url_is(cases[i].path) != cases[i].is ||
		    url_root(cases[i].path) != cases[i].root)
			fail_msg("'%s': root %zu", cases[i].path,
			    url_root(cases[i].path));
}

static void test_url_text_has_no_secret(void **state)
{
	static const char *const cases[][2] = {
		{ "https://me:secret@host/a?b=c", "https://host/a?..." },
		{ "https://me@host", "https://host" },
		{ "http://host/a@b", "http://host/a@b" },
		{ "s3://bucket/a?b@c", "s3://bucket/a?b@c" },
		{ "http://host/a#b", "http://host/a?..." },
	};
	char text[URL_TEXT];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(url_text(cases[i][0], text), cases[i][1]);
	assert_true(url_has_user("https://me:secret@host/a"));
	assert_false(url_has_user("https://host/a@b"));
	assert_false(url_has_user("s3://bucket/a@b"));
}

static void test_path_takes_urls(void **state)
{
	static const char *const joined[][3] = {
		{ "s3://b/p", "x", "s3://b/p/x" },
		{ "s3://b/p/", "x", "s3://b/p/x" },
		{ "/data", "s3://b/x", "s3://b/x" },
		{ "data", "https://h/x", "https://h/x" },
	};
	static const char *const parts[][3] = {
		{ "s3://b/p/x", "s3://b/p", "x" },
		{ "s3://b/x", "s3://b", "x" },
		{ "s3://b", "s3://b", "b" },
		{ "https://h/p/x?y=/z", "https://h/p", "x?y=/z" },
	};
	struct error err = ERROR_INIT;
	char *text;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(joined); i++) {
		text = path_join(joined[i][0], joined[i][1], &err);
		assert_string_equal(text, joined[i][2]);
		free(text);
	}
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		text = path_dir(parts[i][0], &err);
		assert_string_equal(text, parts[i][1]);
		free(text);
		assert_string_equal(path_base(parts[i][0]), parts[i][2]);
	}
	text = path_absolute("s3://b/not/there", &err);
	assert_string_equal(text, "s3://b/not/there");
	free(text);
	assert_int_equal(path_make_dirs("s3://b/p", &err), -1);
	test_contains(err.text, "must be a local path");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_url_is_one_of_three_schemes),
		cmocka_unit_test(test_url_text_has_no_secret),
		cmocka_unit_test(test_path_takes_urls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
