/* test_snippet.c - generated programs: steps in words, quoting, refusals. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/folder/description.h"
#include "lib/snippets/program.h"
#include "lib/snippets/snippet.h"
#include "lib/snippets/words.h"
#include "lib/steps/step.h"
#include "lib/stores/manifest_parse.h"
#include "lib/stores/readable.h"
#include "lib/syntax/option.h"
#include "test/unit/test.h"

static const struct type bytes_hwc = { DTYPE_U8, LAYOUT_HWC, { 3, { 8, 6, 3 } },
	"" };
static const struct type floats_chw = { DTYPE_F32, LAYOUT_CHW,
	{ 3, { 3, 8, 6 } }, "" };

static const struct step_words table[] = {
	{ "crop", "layout=hwc", .code = "$x = $x[:$height, :$width]" },
	{ "resize", "shorter=0,filter=bilinear,antialias",
	    .code = "$x = $FILTER($x, $height, $width)" },
	{ "normalize", "scale=yes,dtype=uint8,channels=3",
	    .code = "$x = $x - [$mean] / [$std]" },
	{ "hflip", .draw = "flip = draw() < $chance",
	    .code = "$x = flip($x) if flip else $x" },
	{ .step = NULL },
};

static struct described_step step_of(
    const char *name, struct described_option *options, size_t count)
{
	return (struct described_step){
		.step = name,
		.options = options,
		.option_count = count,
	};
}

static void test_words_are_filled_in(void **state)
{
	static const struct {
		const char *step;
		struct described_option options[2];
		size_t count;
		const char *code; /* NULL: there are none */
	} cases[] = {
		{ "crop", { { "size", "4" } }, 1, "x = x[:4, :4]" },
		{ "crop", { { "size", "4x5" } }, 1, "x = x[:4, :5]" },
		{ "crop", { { "x", "4" } }, 0, NULL }, /* no size */
		/* Defaults are those of the step. */
		{ "resize", { { "size", "4" } }, 1, "x = BILINEAR(x, 4, 4)" },
		{ "resize", { { "shorter", "4" } }, 1, NULL },
		{ "resize", { { "size", "4" }, { "antialias", "no" } }, 2,
		    "x = BILINEAR(x, 4, 4)" },
		{ "resize", { { "size", "4" }, { "filter", "box" } }, 2, NULL },
		/* An option that is not known here changes the step. */
		{ "crop", { { "size", "4" }, { "padding", "2" } }, 2, NULL },
		{ "normalize", { { "mean", "1,2,3" }, { "std", "4" } }, 2,
		    "x = x - [1,2,3] / [4]" },
		{ "hflip", { { "", "" } }, 0, "x = flip(x) if flip else x" },
		{ "center", { { "", "" } }, 0, NULL },
		/* Values are code: they are words and numbers, or nothing. */
		{ "crop", { { "size", "4]; os.abort(" } }, 1, NULL },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct described_option options[2] = { cases[i].options[0],
			cases[i].options[1] };
		const struct described_step step =
		    step_of(cases[i].step, options, cases[i].count);
		const struct step_words *words =
		    words_find(table, &step, &bytes_hwc);
		struct error err = ERROR_INIT;
		struct buf text = BUF_INIT;

		if (!words != !cases[i].code)
			fail_msg("case %zu: %s", i, cases[i].step);
		if (!words)
			continue;
		test_ok(words_fill(
		            words->code, &step, &bytes_hwc, "x", &text, &err),
		    &err);
		test_ok(buf_append(&text, "", 1, &err), &err);
		assert_string_equal((const char *)text.data, cases[i].code);
		buf_release(&text);
	}
}

static void test_words_look_at_the_type(void **state)
{
	struct described_option size[] = { { "size", "4" } };
	struct described_option moments[] = { { "mean", "0" }, { "std", "1" } };
	const struct described_step crop = step_of("crop", size, 1);
	const struct described_step normalize =
	    step_of("normalize", moments, 2);

	UNUSED(state);
	assert_non_null(words_find(table, &crop, &bytes_hwc));
	assert_null(words_find(table, &crop, &floats_chw));
	assert_non_null(words_find(table, &normalize, &bytes_hwc));
	assert_null(words_find(table, &normalize, &floats_chw));
}

/* A step that a table has words for is one that there is. */
static void test_words_are_of_steps(void **state)
{
	static const struct framework *const frameworks[] = {
#define FRAMEWORK(name) &framework_##name,
#include "lib/snippets/frameworks.def"
#undef FRAMEWORK
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(frameworks); i++) {
		const struct step_words *words = frameworks[i]->words;

		assert_non_null(stock_reader_find(frameworks[i]->reader));
		for (; words->step; words++) {
			if (!step_find(words->step))
				fail_msg(
				    "%s: %s", frameworks[i]->name, words->step);
			assert_non_null(words->code);
		}
	}
}

static void test_option_values_are_those_of_the_file(void **state)
{
	static const struct {
		const char *step, *option, *value;
	} cases[] = {
		{ "hflip", "chance", "0.5" },
		{ "resize", "antialias", "yes" },
		{ "resize", "filter", "bilinear" },
		{ "resize", "shorter", "0" },
		{ "jpeg_decode", "mode", "rgb" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct step_ops *ops = step_find(cases[i].step);
		char text[OPTION_VALUE];

		assert_string_equal(
		    option_value(option_find(ops->options, cases[i].option),
		        ops->defaults, text),
		    cases[i].value);
	}
}

static void test_program_quotes_texts(void **state)
{
	static const struct {
		const char *text, *quoted;
	} cases[] = {
		{ "/data", "\"/data\"" },
		{ "a\"b\\c", "\"a\\\"b\\\\c\"" },
		{ "a\nb\x7f", "\"a\\nb\\x7f\"" },
		{ "\xe2\x80\xae\xc2\x9b", "\"\\u202e\\u009b\"" },
		{ "\xc3\xa9", "\"\xc3\xa9\"" },
		/* Python's way to keep bytes of names that are no UTF-8. */
		{ "\xe9", "\"\\udce9\"" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf text = BUF_INIT;
		struct error err = ERROR_INIT;

		test_ok(program_quote(cases[i].text, &text, &err), &err);
		assert_string_equal((const char *)text.data, cases[i].quoted);
		assert_int_equal(text.len, strlen(cases[i].quoted));
		buf_release(&text);
	}
}

static void read_manifest(
    struct description *description, const char *store, const char *codec)
{
	struct buf text = BUF_INIT;
	struct error err = ERROR_INIT;

	test_ok(buf_printf(&text, &err,
	            "[manifest]\nversion = 1\nstore = %s\ncodec = %s\n"
	            "samples = 5\nshards = 1\nstrategy = a/%s/%s\n"
	            "fingerprint = ff\n[fields]\ndata = uint8 hwc 8x8x3\n"
	            "[shards]\n000000 = 5 4096 0011223344556677\n",
	            store, codec, store, codec),
	    &err);
	test_ok(
	    manifest_parse(&description->manifest, "m", buf_span(&text), &err),
	    &err);
	buf_release(&text);
}

static void test_framework_best_is_one_that_takes_it(void **state)
{
	static const struct {
		const char *store, *codec, *best;
	} cases[] = {
		{ "tar", "none", "webdataset" },
		{ "tar", "gzip:6", "webdataset" },
		{ "tar", "zlib:6", NULL },
		{ "tar", "delta+gzip:6", NULL },
		{ "tfrecord", "zlib:6", "tensorflow" },
		{ "npy", "none", "numpy" },
		{ "npy", "zstd:1", NULL },
		{ "files", "none", "numpy" },
		{ "files", "png", "dali" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct description description = DESCRIPTION_INIT;
		const struct framework *best;

		read_manifest(&description, cases[i].store, cases[i].codec);
		best = framework_best(&description);
		if (!best != !cases[i].best ||
		    (best && strcmp(framework_name(best), cases[i].best)))
			fail_msg("%s/%s", cases[i].store, cases[i].codec);
		description_release(&description);
	}
}

static void test_snippet_refuses_what_is_not_taken(void **state)
{
	struct description description = DESCRIPTION_INIT;
	struct error err = ERROR_INIT;
	struct buf text = BUF_INIT;

	UNUSED(state);
	read_manifest(&description, "tar", "gzip:6");
	test_error_is(snippet_print(framework_parse("numpy", &err),
	                  &description, "/a", &text, &err),
	    &err,
	    "numpy does not take store tar with codec gzip:6 (a/tar/gzip:6); "
	    "take --for pytorch, webdataset");
	assert_int_equal(err.code, ERROR_USAGE);
	assert_int_equal(text.len, 0);
	description_release(&description);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_are_filled_in),
		cmocka_unit_test(test_words_look_at_the_type),
		cmocka_unit_test(test_words_are_of_steps),
		cmocka_unit_test(test_option_values_are_those_of_the_file),
		cmocka_unit_test(test_program_quotes_texts),
		cmocka_unit_test(test_framework_best_is_one_that_takes_it),
		cmocka_unit_test(test_snippet_refuses_what_is_not_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
