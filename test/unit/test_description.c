/* test_description.c - dataset.json: writing, reading, damaged files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/folder/description.h"
#include "lib/folder/description_read.h"
#include "lib/folder/description_write.h"
#include "lib/media/medium.h"
#include "lib/pipeline/pipeline.h"
#include "lib/stores/manifest_parse.h"
#include "lib/syntax/ini.h"
#include "test/unit/test.h"

static const char pipeline_text[] = "[dataset]\n"
                                    "source = folder ; of photographs\n"
                                    "[pipeline]\n"
                                    "small = resize size=8x8\n"
                                    "centered = center fixed=yes\n"
                                    "cropped = random_crop size=4 "
                                    "field=data,mask\n";

static const char manifest_text[] = "[manifest]\nversion = 1\nstore = tar\n"
                                    "codec = gzip:6\nsamples = 5\n"
                                    "shards = 2\n"
                                    "strategy = small/tar/gzip:6\n"
                                    "fingerprint = 00112233aabbccdd\n"
                                    "[fields]\ndata = uint8 hwc 8x8x3\n"
                                    "mask = uint8 hwc ?x?x1\n"
                                    "[shards]\n"
                                    "000000 = 3 4096 0011223344556677\n"
                                    "000001 = 2 2048 8899aabbccddeeff\n";

struct made {
	struct ini ini;
	struct pipeline *pipeline;
	struct manifest manifest;
	struct description description;
};

static void make_of(struct made *made, const char *pipeline)
{
	static const struct span names[] = {
		{ (const unsigned char *)"cat \"", 5 },
		{ (const unsigned char *)"dog\xff", 4 },
	};
	struct classes classes = CLASSES_INIT;
	struct description_parts parts = { .split = 1, .seed = UINT64_MAX };
	struct schema source = { .count = 2 };
	struct error err = ERROR_INIT;

	*made = (struct made){ .description = DESCRIPTION_INIT };
	made->pipeline = calloc(1, sizeof(*made->pipeline));
	assert_non_null(made->pipeline);
	source.fields[0] = (struct field){ "data",
		{ DTYPE_U8, LAYOUT_HWC, { 3, { -1, -1, 3 } }, "" } };
	source.fields[1] = (struct field){ "mask",
		{ DTYPE_U8, LAYOUT_HWC, { 3, { -1, -1, 1 } }, "" } };
	if (ini_parse_text(
	        &made->ini, "a.conf", pipeline, strlen(pipeline), &err) ||
	    pipeline_read(made->pipeline, &made->ini, &err) ||
	    pipeline_bind(made->pipeline, &source, &err) ||
	    manifest_parse(&made->manifest, "presto.manifest",
	        span_text(manifest_text), &err) ||
	    classes_set(&classes, names, ARRAY_LEN(names), &err))
		fail_msg("%s", err.text);
	parts.pipeline = made->pipeline;
	parts.classes = &classes;
	test_ok(
	    description_make(&made->description, &parts, &made->manifest, &err),
	    &err);
	classes_release(&classes);
}

static void make(struct made *made)
{
	make_of(made, pipeline_text);
}

static void release(struct made *made)
{
	description_release(&made->description);
	manifest_release(&made->manifest);
	pipeline_release(made->pipeline);
	free(made->pipeline);
	ini_release(&made->ini);
}

static int parse(const char *text, struct description *back, struct error *err)
{
	*back = (struct description)DESCRIPTION_INIT;
	if (manifest_parse(&back->manifest, "presto.manifest",
	        span_text(manifest_text), err))
		fail_msg("%s", err->text);
	return description_parse(
	    back, "DIR/dataset.json", span_text(text), err);
}

static char *text_of(const struct description *description)
{
	struct buf text = BUF_INIT;
	struct error err = ERROR_INIT;
	char *copy;

	test_ok(description_print(description, &text, &err), &err);
	copy = strndup((const char *)text.data, text.len);
	assert_non_null(copy);
	buf_release(&text);
	return copy;
}

static void test_description_is_read_back(void **state)
{
	struct description back;
	struct error err = ERROR_INIT;
	struct buf step = BUF_INIT;
	struct made made;
	char *text;

	UNUSED(state);
	make(&made);
	made.description.steps[1].folder = "/a/folder";
	text = text_of(&made.description);
	test_ok(parse(text, &back, &err), &err);
	assert_null(back.steps[0].folder);
	assert_string_equal(back.steps[1].folder, "/a/folder");
	assert_true(back.is_whole);
	assert_string_equal(back.split, "small");
	assert_true(back.seed == UINT64_MAX);
	assert_int_equal(back.classes.count, 2);
	assert_string_equal(back.classes.names[0], "cat \"");
	/* What is no UTF-8 is kept as an escape. */
	assert_string_equal(back.classes.names[1], "dog\\xff");
	assert_non_null(strstr(back.pipeline, "small = resize size=8x8"));
	assert_int_equal(back.step_count, 2);
	assert_string_equal(back.steps[0].step, "center");
	assert_int_equal(back.steps[0].option_count, 0);
	assert_false(back.steps[0].random);
	assert_int_equal(back.steps[0].fields, 1);
	assert_string_equal(back.steps[1].name, "cropped");
	assert_true(back.steps[1].random);
	assert_int_equal(back.steps[1].fields, 3);
	assert_string_equal(described_option(&back.steps[1], "size"), "4");
	assert_null(described_option(&back.steps[1], "field"));
	for (size_t i = 0; i < 2; i++)
		for (unsigned f = 0; f < 2; f++)
			assert_true(
			    type_equal(&back.steps[i].gives.fields[f].type,
			        &made.pipeline->schemas[i + 2].fields[f].type));
	assert_int_equal(described_step_text(&back.steps[1], &step, &err), 0);
	assert_string_equal((const char *)step.data, "random_crop size=4");
	buf_release(&step);
	description_release(&back);
	free(text);
	release(&made);
}

static void test_description_keeps_the_order_of_the_steps(void **state)
{
	struct description back;
	struct error err = ERROR_INIT;
	struct made made;
	char *text;

	(void)state;
	make(&made);
	text = text_of(&made.description);
	test_contains(text, "\"version\": 1");
	assert_null(strstr(text, "\"order\""));
	free(text);
	/* Of a pipeline with its steps in the order given there is none. */
	made.description.order = "second,first";
	text = text_of(&made.description);
	test_contains(text, "\"version\": 2");
	test_ok(parse(text, &back, &err), &err);
	assert_string_equal(back.order, "second,first");
	description_release(&back);
	free(text);
	release(&made);
}

static void test_description_keeps_code_of_the_users(void **state)
{
	static const char text[] = "[pipeline]\nsmall = resize size=8x8\n"
	                           "own = command 'tr a \"b c\"' suffix=bin "
	                           "fixed=yes version='1 2'\n";
	struct description back;
	struct error err = ERROR_INIT;
	struct buf words = BUF_INIT;
	struct made made;
	char *json;

	UNUSED(state);
	make_of(&made, text);
	json = text_of(&made.description);
	test_ok(parse(json, &back, &err), &err);
	assert_string_equal(back.steps[0].target, "tr a \"b c\"");
	assert_int_equal(back.steps[0].option_count, 2);
	test_ok(described_step_text(&back.steps[0], &words, &err), &err);
	assert_string_equal((const char *)words.data,
	    "command 'tr a \"b c\"' suffix=bin version='1 2'");
	assert_string_equal(back.code, made.description.code);
	assert_memory_equal(back.code, "own: tr ", 8);
	test_contains(back.code, ", version 1 2\n");
	buf_release(&words);
	description_release(&back);
	free(json);
	release(&made);
}

/* The same text with `to` in place of the first `from`; to be freed. */
static char *replaced(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	char *out;

	if (!at)
		fail_msg("'%s' is not in it", from);
	out = malloc(strlen(text) + strlen(to) + 1);
	assert_non_null(out);
	sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	return out;
}

static void test_description_that_is_damaged_names_what_is_wrong(void **state)
{
	static const struct {
		const char *from, *to, *why;
	} cases[] = {
		{ "{", "[", "DIR/dataset.json:" },
		{ "\"version\": 1", "\"version\": 3",
		    "has version 3, this presto reads 2" },
		{ "\"split\":", "\"order\": 1, \"split\":",
		    "'order' must be an array" },
		{ "\"split\":", "\"order\": [ \"a,b\" ], \"split\":",
		    "'order' must be a list of names" },
		{ "\"version\": 1,", "", "'version' is missing" },
		{ "00112233aabbccdd", "ff",
		    "does not belong to the presto.manifest beside it" },
		{ "\"presto\": \"", "\"presto\": 1, \"old\": \"",
		    "'presto' must be a text" },
		{ "\"classes\": [", "\"classes\": [ 1, ",
		    "'classes' must be a list of texts" },
		{ "\"online\": [", "\"online\": [ 1, ",
		    "'online' must be a list of objects" },
		{ "\"online\"", "\"onlin\"", "'online' is missing" },
		{ "\"options\": {}", "\"options\": { \"a\": 1 }",
		    "online: step 1: option 'a' must be a text" },
		{ "\"random\": false", "\"random\": 0",
		    "online: step 1: 'random' must be true or false" },
		{ "\"works_on\": [\n        \"data\"",
		    "\"works_on\": [ \"date\"",
		    "'works_on' names no field of its input" },
		{ "\"random_crop\"", "\"\\nimport os\"",
		    "online: step 2: 'step' has a control character" },
		{ "\"size\": \"4\"", "\"size\": \"4\\n5\"",
		    "online: step 2: 'size' has a control character" },
		{ "float32", "float31", "gives: 'dtype' is 'float31'" },
		{ "\"dtype\": \"float32\",\n          \"layout\": \"hwc\"",
		    "\"dtype\": \"float32\", \"layout\": \"whc\"",
		    "'layout' is 'whc'" },
		{ "\"shape\": [\n            8", "\"shape\": [ -8",
		    "'shape' must have whole numbers, or null" },
		{ "\"shape\": [\n            8", "\"shape\": [ 1, 8",
		    "'shape' has 4 dimensions, its layout 3" },
		{ "\"shape\": [\n            8",
		    "\"shape\": [ 1, 1, 1, 1, 1, 1, 1, 8",
		    "'shape' has 10 dimensions, more than 8" },
	};
	struct made made;
	char *text;

	UNUSED(state);
	make(&made);
	text = text_of(&made.description);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char *damaged = replaced(text, cases[i].from, cases[i].to);
		struct description back;
		struct error err = ERROR_INIT;

		if (parse(damaged, &back, &err) == 0)
			fail_msg("'%s' was taken", cases[i].to);
		assert_false(back.is_whole);
		assert_int_equal(err.code, ERROR_DATA);
		if (!strstr(err.text, cases[i].why) ||
		    strncmp(err.text, "DIR/dataset.json", 16) != 0)
			fail_msg("'%s': %s", cases[i].to, err.text);
		description_release(&back);
		free(damaged);
	}
	free(text);
	release(&made);
}

static void test_description_that_is_cut_is_an_error(void **state)
{
	struct made made;
	char *text;

	UNUSED(state);
	make(&made);
	text = text_of(&made.description);
	for (size_t len = strlen(text) - 2; len > 0; len -= len / 37 + 1) {
		struct description back;
		struct error err = ERROR_INIT;

		text[len] = '\0';
		assert_int_equal(parse(text, &back, &err), -1);
		assert_int_equal(err.code, ERROR_DATA);
		description_release(&back);
	}
	free(text);
	release(&made);
}

static void test_description_is_not_there(void **state)
{
	struct description description = DESCRIPTION_INIT;
	struct error err = ERROR_INIT;
	struct medium *medium = medium_new_local(&err);
	char *dir = test_scratch();

	UNUSED(state);
	assert_int_equal(description_read(&description, medium, dir, &err), -1);
	assert_non_null(strstr(err.text, "holds no complete dataset"));
	test_write(dir, "presto.manifest", manifest_text);
	test_ok(description_read(&description, medium, dir, &err), &err);
	assert_false(description.is_whole);
	assert_string_equal(description.split, "small");
	assert_int_equal(description.manifest.samples, 5);
	assert_int_equal(description.step_count, 0);
	medium_free(medium);
	description_release(&description);
	test_scratch_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_description_is_read_back),
		cmocka_unit_test(test_description_keeps_the_order_of_the_steps),
		cmocka_unit_test(test_description_keeps_code_of_the_users),
		cmocka_unit_test(
		    test_description_that_is_damaged_names_what_is_wrong),
		cmocka_unit_test(test_description_that_is_cut_is_an_error),
		cmocka_unit_test(test_description_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
