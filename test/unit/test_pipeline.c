/* test_pipeline.c - parsing and binding the steps of a file; all errors. */
#include <string.h>

#include <stdio.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/pipeline/pipeline.h"
#include "lib/syntax/ini.h"
#include "test/unit/test.h"

static const struct schema photos = {
	.count = 2,
	.fields = { { .name = "data",
	                .type = { .dtype = DTYPE_U8,
	                    .layout = LAYOUT_ENCODED,
	                    .shape = { .count = 1, .dims = { -1 } },
	                    .suffix = "jpg" } },
	    { .name = "mask",
	        .type = { .dtype = DTYPE_U8,
	            .layout = LAYOUT_HWC,
	            .shape = { .count = 3, .dims = { -1, -1, 1 } } } } },
};

/* Reads and binds; 0 or -1. */
static int read_text(struct ini *ini, struct pipeline *pipeline,
    const char *text, struct error *err)
{
	*ini = (struct ini)INI_INIT;
	*pipeline = (struct pipeline)PIPELINE_INIT;
	if (ini_parse_text(ini, "p.conf", text, strlen(text), err) ||
	    pipeline_read(pipeline, ini, err))
		return -1;
	return pipeline_bind(pipeline, &photos, err);
}

static void test_pipeline_binds_names_and_shapes(void **state)
{
	struct ini ini;
	struct pipeline pipeline;
	struct error err = ERROR_INIT;
	char text[SHAPE_TEXT];

	(void)state;
	test_ok(read_text(&ini, &pipeline,
	            "[pipeline]\n"
	            "decoded = jpeg_decode\n"
	            "resized = resize size=32x48 field=data,mask "
	            "filter=nearest\n"
	            "centered = center\n"
	            "cropped = random_crop size=16 field=data,mask\n"
	            "planar = to_chw\n",
	            &err),
	    &err);
	assert_int_equal(pipeline.count, 5);
	assert_string_equal(pipeline_name(&pipeline, 0), "raw");
	assert_string_equal(pipeline_name(&pipeline, 2), "resized");
	assert_int_equal(pipeline_find(&pipeline, "centered"), 3);
	assert_int_equal(pipeline_find(&pipeline, "nope"), -1);
	assert_int_equal(pipeline_last_split(&pipeline), 3);
	assert_string_equal(
	    type_text(&pipeline.schemas[1].fields[0].type, text),
	    "uint8 ?x?x3");
	assert_string_equal(
	    type_text(&pipeline.schemas[2].fields[1].type, text),
	    "uint8 32x48x1");
	assert_string_equal(
	    type_text(&pipeline.schemas[3].fields[0].type, text),
	    "float32 32x48x3");
	assert_string_equal(
	    type_text(&pipeline.schemas[5].fields[0].type, text),
	    "float32 3x16x16");
	pipeline_release(&pipeline);
	ini_release(&ini);
}

/* This build need not have the steps that ran before the data was stored. */
static void test_pipeline_reads_what_is_behind_stored_data(void **state)
{
	static const char text[] = "[pipeline]\n"
	                           "decoded = nothing that=is known\n"
	                           "grey = nothing\n"
	                           "small = resize size=4x4 after=decoded\n"
	                           "cut = random_crop size=2\n";
	const struct schema stored = {
		.count = 1,
		.fields = { { .name = "data",
		    .type = { .dtype = DTYPE_U8,
		        .layout = LAYOUT_HWC,
		        .shape = { .count = 3, .dims = { 8, 8, 1 } } } } },
	};
	struct error err = ERROR_INIT;
	struct pipeline pipeline;
	struct ini ini;

	(void)state;
	test_ok(ini_parse_text(&ini, "p.conf", text, strlen(text), &err), &err);
	assert_int_equal(pipeline_read(&pipeline, &ini, &err), -1);
	pipeline_release(&pipeline);
	test_ok(pipeline_read_behind(&pipeline, &ini, "grey", NULL, NULL, &err),
	    &err);
	test_ok(pipeline_bind(&pipeline, &stored, &err), &err);
	assert_int_equal(pipeline.from, 2);
	assert_int_equal(pipeline.count, 4);
	assert_string_equal(pipeline_name(&pipeline, 1), "decoded");
	assert_int_equal(pipeline.schemas[4].fields[0].type.shape.dims[0], 2);
	assert_int_equal(pipeline_last_split(&pipeline), 3);
	pipeline_release(&pipeline);
	assert_int_equal(
	    pipeline_read_behind(&pipeline, &ini, "blue", NULL, NULL, &err),
	    -1);
	test_contains(err.text, "no representation 'blue'");
	pipeline_release(&pipeline);
	ini_release(&ini);
}

static void test_pipeline_reads_another_order(void **state)
{
	static const char text[] = "[pipeline]\n"
	                           "small = resize size=4x4\n"
	                           "cut = random_crop size=2\n"
	                           "centered = center\n";
	const struct schema stored = {
		.count = 1,
		.fields = { { .name = "data",
		    .type = { .dtype = DTYPE_F32,
		        .layout = LAYOUT_HWC,
		        .shape = { .count = 3, .dims = { 4, 4, 3 } } } } },
	};
	struct error err = ERROR_INIT;
	struct pipeline pipeline;
	struct ini ini;

	(void)state;
	test_ok(ini_parse_text(&ini, "p.conf", text, strlen(text), &err), &err);
	test_ok(pipeline_read_behind(&pipeline, &ini, "centered",
	            "small,centered,cut", NULL, &err),
	    &err);
	test_ok(pipeline_bind(&pipeline, &stored, &err), &err);
	assert_int_equal(pipeline.from, 2);
	assert_true(pipeline_is_reordered(&pipeline));
	assert_string_equal(pipeline_name(&pipeline, 2), "centered");
	assert_string_equal(pipeline_name(&pipeline, 3), "cut");
	/* It draws as at its place in the file. */
	assert_int_equal(pipeline.steps[2].given, 1);
	pipeline_release(&pipeline);
	assert_int_equal(pipeline_read_behind(&pipeline, &ini, "centered",
	                     "small,centered,centered", NULL, &err),
	    -1);
	test_contains(err.text, "is not that of the steps");
	pipeline_release(&pipeline);
	ini_release(&ini);
}

static void test_pipeline_tells_every_mistake(void **state)
{
	static const struct {
		const char *text;
		const char *parts[3];
	} cases[] = {
		{ "[dataset]\na = b\n", { "p.conf", "no steps" } },
		{ "[pipeline]\n\nx = jpg_decode\n",
		    { "p.conf:3: ", "'jpg_decode'", "'jpeg_decode'" } },
		{ "[pipeline]\nx = resize shorter=0\n",
		    { "p.conf:2: ", "resize", "shorter" } },
		{ "[pipeline]\nx = resize shortest=3\n",
		    { "p.conf:2: ", "'shortest'", "'shorter'" } },
		{ "[pipeline]\nx = identity fast\n",
		    { "p.conf:2: ", "'fast'", "NAME=VALUE" } },
		{ "[pipeline]\nraw = identity\n", { "'raw'", "reserved" } },
		{ "[pipeline]\nunprocessed = identity\n", { "reserved" } },
		{ "[pipeline]\nA-b = identity\n", { "'A-b'", "letters" } },
		{ "[pipeline]\nx = center\n",
		    { "p.conf:2: ", "step center", "jpg" } },
		{ "[pipeline]\nx = jpeg_decode\ny = jpeg_decode\n",
		    { "p.conf:3: ", "step jpeg_decode" } },
		{ "[pipeline]\nx = jpeg_decode field=depth\n",
		    { "p.conf:2: ", "no field 'depth'" } },
		{ "[pipeline]\nx = identity after=later\nlater = identity\n",
		    { "p.conf:2: ", "'later'" } },
		{ "[pipeline]\nx = identity random=maybe\n",
		    { "p.conf:2: ", "random" } },
		{ "[pipeline]\nx = hflip random=no\n",
		    { "p.conf:2: ", "step hflip", "random=no is wrong" } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct ini ini;
		struct pipeline pipeline;
		struct error err = ERROR_INIT;

		if (read_text(&ini, &pipeline, cases[i].text, &err) == 0)
			fail_msg("accepted: %s", cases[i].text);
		assert_int_equal(err.code, ERROR_USAGE);
		for (int p = 0; p < 3 && cases[i].parts[p]; p++)
			test_contains(err.text, cases[i].parts[p]);
		pipeline_release(&pipeline);
		ini_release(&ini);
	}
}

static void test_pipeline_random_steps_end_the_splits(void **state)
{
	static const struct {
		const char *text;
		unsigned last;
	} cases[] = {
		{ "a = jpeg_decode random=yes\nb = center\n", 0 },
		{ "a = jpeg_decode\nb = hflip\nc = center\n", 1 },
		{ "a = jpeg_decode\nb = hflip chance=1\nc = center\n", 3 },
		{ "a = jpeg_decode\nb = hflip chance=1 random=no\n", 2 },
		{ "a = jpeg_decode\nb = hflip chance=1 random=yes\n", 1 },
		{ "a = jpeg_decode random=no\n", 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct ini ini;
		struct pipeline pipeline;
		struct error err = ERROR_INIT;
		char text[128];

		snprintf(text, sizeof(text), "[pipeline]\n%s", cases[i].text);
		test_ok(read_text(&ini, &pipeline, text, &err), &err);
		assert_int_equal(pipeline_last_split(&pipeline), cases[i].last);
		pipeline_release(&pipeline);
		ini_release(&ini);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pipeline_binds_names_and_shapes),
		cmocka_unit_test(
		    test_pipeline_reads_what_is_behind_stored_data),
		cmocka_unit_test(test_pipeline_reads_another_order),
		cmocka_unit_test(test_pipeline_tells_every_mistake),
		cmocka_unit_test(test_pipeline_random_steps_end_the_splits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
