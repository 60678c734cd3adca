/* test_own.c - what steps of the user's own have in common. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/own/own.h"
#include "lib/pipeline/code_print.h"
#include "lib/pipeline/own_step.h"
#include "test/unit/chained.h"
#include "test/unit/test.h"

static const struct type pixels = { DTYPE_U8, LAYOUT_HWC, { 3, { -1, -1, 3 } },
	"" };
static const struct type planes = { DTYPE_F32, LAYOUT_CHW, { 3, { 3, -1, -1 } },
	"" };
static const struct type text = { DTYPE_U8, LAYOUT_ENCODED, { 1, { -1 } },
	"txt" };
static const struct type tokens = { DTYPE_I32, LAYOUT_PLAIN, { 1, { -1 } },
	"" };

static void test_own_types_are_declared(void **state)
{
	static const struct {
		const char *gives, *suffix;
		const struct type *in;
		const char *want;
		enum layout layout;
	} cases[] = {
		{ "float32", NULL, &pixels, "float32 ?x?x3", LAYOUT_HWC },
		{ "float32", NULL, &planes, "float32 3x?x?", LAYOUT_CHW },
		{ "uint8", NULL, &text, "uint8 ?", LAYOUT_PLAIN },
		{ "int64:?", NULL, &tokens, "int64 ?", LAYOUT_PLAIN },
		{ "int64:scalar", NULL, &text, "int64 scalar", LAYOUT_PLAIN },
		{ "uint8:?x?x3", NULL, &text, "uint8 ?x?x3", LAYOUT_HWC },
		{ "float32:3x8x9:chw", NULL, &text, "float32 3x8x9",
		    LAYOUT_CHW },
		{ "float32:4x8x9:plain", NULL, &pixels, "float32 4x8x9",
		    LAYOUT_PLAIN },
		{ NULL, "png", &pixels, "png bytes", LAYOUT_ENCODED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct own own = { .gives = cases[i].gives,
			.suffix = cases[i].suffix };
		struct error err = ERROR_INIT;
		char words[SHAPE_TEXT];
		struct type out;

		test_ok(own_type(&own, cases[i].in, &out, &err), &err);
		assert_string_equal(type_text(&out, words), cases[i].want);
		assert_int_equal(out.layout, cases[i].layout);
	}
}

static void test_own_types_are_refused_in_words(void **state)
{
	static const struct {
		const char *gives, *suffix, *want;
	} cases[] = {
		{ "", NULL, "gives: " },
		{ "float", NULL, "gives: " },
		{ "uint8:3xx", NULL, "got 'uint8:3xx'" },
		{ "uint8:3:plain:more", NULL, "got 'uint8:3:plain:more'" },
		{ "uint8:3x4x5:round", NULL, "got 'round'" },
		{ "uint8:?:encoded", NULL, "got 'encoded'" },
		{ "uint8:3x4:hwc", NULL, "an image has 3 dims" },
		{ NULL, "", "suffix must be" },
		{ NULL, "a/b", "got 'a/b'" },
		{ NULL, "a.suffix.that.is.long", "suffix must be" },
		{ "uint8", "png", "give one of them" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct own own = { .gives = cases[i].gives,
			.suffix = cases[i].suffix };
		struct error err = ERROR_INIT;
		struct type out;

		assert_int_equal(own_type(&own, &pixels, &out, &err), -1);
		assert_int_equal(err.code, ERROR_USAGE);
		test_contains(err.text, cases[i].want);
	}
}

static void test_own_types_are_those_that_were_found(void **state)
{
	struct own own = { .type_count = 2,
		.types = { { pixels, planes }, { text, tokens } } };
	struct error err = ERROR_INIT;
	struct type out;

	(void)state;
	test_ok(own_type(&own, &text, &out, &err), &err);
	assert_true(type_equal(&out, &tokens));
	assert_int_equal(own_type(&own, &planes, &out, &err), 1);
}

static void test_own_layouts_are_guessed(void **state)
{
	static const struct {
		const struct type *in;
		enum dtype dtype;
		struct shape shape;
		enum layout layout;
		const char *suffix;
	} cases[] = {
		{ &pixels, DTYPE_F32, { 3, { 8, 8, 2 } }, LAYOUT_HWC, "" },
		{ &planes, DTYPE_U8, { 3, { 3, 8, 8 } }, LAYOUT_CHW, "" },
		{ &pixels, DTYPE_F32, { 3, { 3, 8, 8 } }, LAYOUT_CHW, "" },
		{ &planes, DTYPE_F32, { 3, { 8, 8, 3 } }, LAYOUT_HWC, "" },
		{ &pixels, DTYPE_F32, { 3, { 3, 8, 3 } }, LAYOUT_HWC, "" },
		{ &pixels, DTYPE_U8, { 2, { 8, 8 } }, LAYOUT_PLAIN, "" },
		{ &text, DTYPE_U8, { 1, { 9 } }, LAYOUT_ENCODED, "txt" },
		{ &text, DTYPE_I32, { 1, { 9 } }, LAYOUT_PLAIN, "" },
		{ &text, DTYPE_U8, { 3, { 8, 8, 4 } }, LAYOUT_HWC, "" },
		{ &text, DTYPE_U8, { 3, { 3, 8, 8 } }, LAYOUT_PLAIN, "" },
		{ &tokens, DTYPE_U8, { 1, { 9 } }, LAYOUT_PLAIN, "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct type out = { .dtype = cases[i].dtype,
			.shape = cases[i].shape };

		own_guess_layout(cases[i].in, &out);
		assert_int_equal(out.layout, cases[i].layout);
		assert_string_equal(out.suffix, cases[i].suffix);
	}
}

static void test_own_print_tells_files_and_versions(void **state)
{
	char *dir = test_scratch(), *path = test_path(dir, "mine.py");
	struct own own = { .folder = dir }, again = { .folder = dir };
	struct error err = ERROR_INIT;
	char *same;

	(void)state;
	test_write(dir, "mine.py", "x = 1\n");
	same = own_path(&own, "mine.py", &err);
	assert_string_equal(same, path);
	test_ok(own_print_file(&own, same, &err), &err);
	test_ok(own_print_version(&own, "python", "3.11.2\n", &err), &err);
	assert_memory_equal(own.print.data, "mine.py ", 8);
	assert_int_equal(own.print.data[24], ',');
	assert_string_equal(
	    (const char *)own.print.data + 24, ", python 3.11.2\\n");
	test_ok(own_print_file(&again, path, &err), &err);
	assert_memory_equal(again.print.data, own.print.data, 24);
	test_write(dir, "mine.py", "x = 2\n");
	again.print.len = 0;
	test_ok(own_print_file(&again, path, &err), &err);
	assert_memory_not_equal(again.print.data, own.print.data, 24);
	assert_int_equal(own_print_file(&again, dir, &err), -1);
	buf_release(&own.print);
	buf_release(&again.print);
	free(same);
	free(path);
	test_scratch_remove(dir);
}

static void test_own_code_that_changed_is_told(void **state)
{
	static const struct {
		const char *then, *now, *want; /* NULL: no change is seen */
	} cases[] = {
		{ NULL, "a: x 1\n", NULL },
		{ "a: x 1\n", NULL, NULL },
		{ "", "a: x 1\n", NULL },
		{ "a: x 1\n", "a: x 1\n", NULL },
		{ "a: x 1\n", "b: x 2\n", NULL },
		{ "a: x 1\nb: y: 1, 2\n", "b: y: 1, 3\na: x 1\n",
		    "the code of step b was y: 1, 2, and is y: 1, 3" },
		{ "a: x 1", "a: x 2",
		    "the code of step a was x 1, and is x 2" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char change[CODE_PRINT_TEXT] = "";
		const bool differs =
		    code_print_differs(cases[i].then, cases[i].now, change);

		assert_int_equal(differs, cases[i].want != NULL);
		if (differs)
			assert_string_equal(change, cases[i].want);
	}
}

/* Reads a pipeline with one step, and says how that failed. */
static void check_refused(const char *lines, const char *want)
{
	struct chained chained;
	struct error err = ERROR_INIT;

	assert_int_equal(chained_open(&chained, lines, &text, NULL, &err), -1);
	assert_int_equal(err.code, ERROR_USAGE);
	if (!strstr(err.text, want))
		fail_msg("'%s' is not in '%s'", want, err.text);
	chained_close(&chained);
}

static void test_own_lines_are_refused_in_words(void **state)
{
	(void)state;
	check_refused("x = command",
	    "p.conf:2: step command: takes 'PROGRAM ARGUMENT ...' as the next "
	    "word");
	check_refused("x = command ''", "as the next word");
	check_refused("x = command ' '", "the command is empty");
	check_refused("x = command 'tr a b", "a quote (') is not closed");
	check_refused("x = command \"tr a 'b\"", "a quote (') is not closed");
	check_refused("x = command presto-nope",
	    "p.conf:2: step command: no program 'presto-nope' in PATH");
	check_refused(
	    "x = command ./presto-nope", "no program './presto-nope'");
	check_refused("x = command cat frmed=yes", "did you mean 'framed'?");
	check_refused("x = command cat framed", "of the form NAME=VALUE");
	check_refused("x = command cat timeout=0s", "timeout");
	check_refused("x = command cat gives=uint8:?x?",
	    "one dim may be ?, which follows from the number of bytes");
	check_refused("x = comand cat", "did you mean 'command'?");
}

static void test_own_folder_is_that_of_the_file(void **state)
{
	char *dir = test_scratch(), *file = test_path(dir, "p.conf");
	char *absolute, *tool = test_path(dir, "tool");
	struct pipeline pipeline = PIPELINE_INIT;
	struct ini ini = INI_INIT;
	struct error err = ERROR_INIT;
	struct schema schema = { .count = 1,
		.fields = { { .name = "data", .type = text } } };
	struct buf code = BUF_INIT;

	(void)state;
	test_write(dir, "p.conf",
	    "[pipeline]\na = identity\nb = command './tool x' version=7 "
	    "random=yes lossy=yes\n");
	test_write(dir, "tool", "#!/bin/sh\ncat\n");
	assert_int_equal(chmod(tool, 0755), 0);
	absolute = realpath(dir, NULL);
	test_ok(ini_read(&ini, file, &err), &err);
	test_ok(pipeline_read(&pipeline, &ini, &err), &err);
	assert_string_equal(pipeline.steps[1].folder, absolute);
	assert_null(own_step(&pipeline.steps[0]));
	assert_string_equal(own_step(&pipeline.steps[1])->target, "./tool x");
	/* Twice: it is opened once. */
	test_ok(pipeline_bind(&pipeline, &schema, &err), &err);
	test_ok(pipeline_bind(&pipeline, &schema, &err), &err);
	assert_int_equal(pipeline_last_split(&pipeline), 1);
	assert_true(pipeline.steps[1].lossy);
	test_ok(code_print(&pipeline, 1, &code, &err), &err);
	assert_int_equal(code.len, 0);
	test_ok(code_print(&pipeline, 2, &code, &err), &err);
	assert_memory_equal(code.data, "b: tool ", 8);
	assert_string_equal((const char *)code.data + 24, ", version 7\n");
	buf_release(&code);
	pipeline_release(&pipeline);
	ini_release(&ini);
	free(absolute);
	free(tool);
	free(file);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_own_types_are_declared),
		cmocka_unit_test(test_own_types_are_refused_in_words),
		cmocka_unit_test(test_own_types_are_those_that_were_found),
		cmocka_unit_test(test_own_layouts_are_guessed),
		cmocka_unit_test(test_own_print_tells_files_and_versions),
		cmocka_unit_test(test_own_code_that_changed_is_told),
		cmocka_unit_test(test_own_lines_are_refused_in_words),
		cmocka_unit_test(test_own_folder_is_that_of_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
