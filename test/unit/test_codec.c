/* test_codec.c - the table of codecs, and parsing their labels. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "test/unit/test.h"

static void test_codec_table_is_sorted_and_well_named(void **state)
{
	UNUSED(state);
	for (size_t i = 0; codec_at(i); i++) {
		const struct codec_ops *ops = codec_at(i);
		const size_t len = strlen(ops->summary);

		assert_true(
		    strspn(ops->name, "abcdefghijklmnopqrstuvwxyz"
		                      "0123456789_") == strlen(ops->name));
		assert_true(len > 0 && ops->summary[len - 1] != '.');
		assert_true(ops->suits[0] != '\0');
		assert_true(*ops->suffix == '.' || !ops->encode);
		assert_true(ops->level_min <= ops->level_default &&
		            ops->level_default <= ops->level_max);
		assert_true(!ops->encode == !ops->decode);
		assert_ptr_equal(codec_find(ops->name), ops);
		if (i > 0)
			assert_true(
			    strcmp(codec_at(i - 1)->name, ops->name) < 0);
	}
	assert_null(codec_find("snappy"));
}

static void test_codec_label_names_the_level(void **state)
{
	static const struct {
		const char *text, *label;
	} cases[] = {
		{ "none", "none" },
		{ "gzip", "gzip:6" },
		{ "gzip:9", "gzip:9" },
		{ "zlib", "zlib:6" },
		{ "zstd", "zstd:3" },
		{ "zstd:19", "zstd:19" },
		{ "lz4", "lz4:1" },
		{ "delta+zstd", "delta+zstd:3" },
		{ "delta+zstd:1", "delta+zstd:1" },
		{ "jpeg", "jpeg:90" },
		{ "jpeg:75", "jpeg:75" },
		{ "png", "png" },
		{ "shuffle+lz4", "shuffle+lz4:1" },
		{ "shuffle+gzip:9", "shuffle+gzip:9" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct codec codec;
		char label[CODEC_LABEL];

		test_ok(codec_parse(cases[i].text, &codec, &err), &err);
		assert_string_equal(codec_label(&codec, label), cases[i].label);
	}
}

static void test_codec_parse_says_what_is_wrong(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
		{ "gzp", "unknown codec 'gzp'; did you mean 'gzip'? See presto "
		         "list codecs" },
		{ "", "codec '' is not complete: it is NAME, or a filter and "
		      "NAME as in delta+zstd:1" },
		{ "zstd:99", "zstd takes levels 1 to 19, got 99" },
		{ "zstd:0", "zstd takes levels 1 to 19, got 0" },
		{ "zstd:-1", "zstd takes levels 1 to 19, got -1" },
		{ "lz4:fast", "lz4 takes levels 1 to 12, got fast" },
		{ "gzip:", "gzip takes levels 1 to 9, got nothing" },
		{ "none:1", "none takes no level, got 1" },
		{ "delt+zstd", "unknown codec 'delt'; did you mean 'delta'? "
		               "See presto list codecs" },
		{ "delta+zst", "unknown codec 'zst'; did you mean 'zstd'? See "
		               "presto list codecs" },
		{ "delta", "delta is a filter in front of a codec, as in "
		           "delta+zstd:1" },
		{ "delta+none", "delta is a filter in front of a codec, as in "
		                "delta+zstd:1" },
		{ "delta:1+zstd", "delta takes no level, got 1" },
		{ "delta+zstd:20", "zstd takes levels 1 to 19, got 20" },
		{ "jpeg:0", "jpeg takes levels 1 to 100, got 0" },
		{ "png:9", "png takes no level, got 9" },
		{ "jpeg+zstd",
		    "jpeg compresses by itself: nothing goes behind it" },
		{ "delta+png", "png does not go behind another codec" },
		{ "shuffle+", "codec 'shuffle+' is not complete: it is NAME, "
		              "or a filter and "
		              "NAME as in delta+zstd:1" },
		{ "zstd+gzip", "zstd is no filter: nothing goes behind it" },
		{ "delta+shuffle+zstd",
		    "one filter stands in front of a codec, not several: "
		    "'delta+shuffle+zstd'" },
		{ "delta+shuffle", "shuffle does not go behind another codec" },
		{ "a-name-that-is-longer-than-any-codec",
		    "unknown codec 'a-name-that-is-longer-than-any-codec'; see "
		    "presto list codecs" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct codec codec;

		test_error_is(codec_parse(cases[i].text, &codec, &err), &err,
		    cases[i].message);
		assert_int_equal(err.code, ERROR_USAGE);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_codec_table_is_sorted_and_well_named),
		cmocka_unit_test(test_codec_label_names_the_level),
		cmocka_unit_test(test_codec_parse_says_what_is_wrong),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
