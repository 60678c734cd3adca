/* test_filter.c - which samples filters keep, and what they leave alone. */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/pipeline/chain.h"
#include "lib/pipeline/commute.h"
#include "lib/syntax/ini.h"
#include "test/unit/planned.h"
#include "test/unit/stepper.h"
#include "test/unit/test.h"

/* A photograph's bytes and an image of 20 x 30, with a label. */
struct made {
	struct schema schema;
	struct sample sample;
	struct tensor image;
	unsigned char bytes[1000];
	char key[16];
};

static void make(struct made *made, size_t bytes, int64_t label)
{
	struct error err = ERROR_INIT;
	const struct type file = {
		.dtype = DTYPE_U8,
		.layout = LAYOUT_ENCODED,
		.shape = { 1, { -1 } },
		.suffix = "jpg",
	};
	const struct type image = stepper_image_type(DTYPE_U8, 3);

	memset(made, 0, sizeof(*made));
	test_ok(schema_add(&made->schema, "data", &file, &err), &err);
	test_ok(schema_add(&made->schema, "image", &image, &err), &err);
	stepper_noise(&made->image, DTYPE_U8, 20, 30, 3);
	made->sample.label = label;
	made->sample.count = 2;
	snprintf(made->key, sizeof(made->key), "key %zu", bytes);
	made->sample.key = span_text(made->key);
	tensor_view_encoded(&made->sample.fields[0], made->bytes, bytes, "jpg");
	tensor_borrow(&made->sample.fields[1], &made->image);
}

/* Is the sample kept?  It must come out as it went in. */
static bool keeps(const char *words, struct made *made, unsigned fields)
{
	struct stepper stepper;
	struct sample out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	uint64_t count = 9;

	test_ok(
	    stepper_open_sample(&stepper, words, &made->schema, fields, &err),
	    &err);
	test_ok(stepper_begin(&stepper, 1, &made->sample, &count, &err), &err);
	assert_true(count <= 1);
	if (count) {
		out.count = made->sample.count;
		out.label = made->sample.label;
		test_ok(stepper_make(&stepper, 1, &made->sample, 0, &out, &err),
		    &err);
		for (unsigned f = 0; f < 2; f++)
			assert_ptr_equal(
			    out.fields[f].data, made->sample.fields[f].data);
	}
	stepper_close(&stepper);
	return count == 1;
}

static void test_filter_keeps_what_is_within(void **state)
{
	static const struct {
		const char *words;
		unsigned fields;
		bool kept;
	} cases[] = {
		/* 500 bytes, label 7, an image of 20 x 30 x 3 */
		{ "filter by=size min=500", 1, true },
		{ "filter by=size min=501", 1, false },
		{ "filter by=size max=500", 1, true },
		{ "filter by=size max=499", 1, false },
		{ "filter by=size min=1kB", 1, false },
		{ "filter by=size min=0.5kB max=0.5kB", 1, true },
		{ "filter by=length min=500 max=500", 1, true },
		{ "filter by=size min=1800", 2, true },
		{ "filter by=size min=501", 3, false }, /* each field */
		{ "filter by=length max=20", 2, true },
		{ "filter by=height min=21", 2, false },
		{ "filter by=height min=20", 2, true },
		{ "filter by=width min=30 max=30", 2, true },
		{ "filter by=width max=29", 2, false },
		{ "filter by=label min=7 max=7", 1, true },
		{ "filter by=label min=8", 1, false },
		{ "filter by=label max=-1", 1, false },
		{ "filter by=key fraction=1", 1, true },
		{ "filter by=key fraction=1e-9", 1, false },
	};
	struct made made;

	UNUSED(state);
	make(&made, 500, 7);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (keeps(cases[i].words, &made, cases[i].fields) !=
		    cases[i].kept)
			fail_msg("%s", cases[i].words);
	tensor_release(&made.image);
	make(&made, 500, -1);
	assert_true(keeps("filter by=label max=-1", &made, 1));
	tensor_release(&made.image);
}

/* About the fraction, other ones with another seed, and more of more. */
static void test_filter_by_key_draws_a_part(void **state)
{
	unsigned kept = 0, both = 0, more = 0;

	UNUSED(state);
	for (size_t i = 0; i < 1000; i++) {
		struct made made;
		bool one;

		make(&made, i, 0);
		one = keeps("filter by=key fraction=0.3", &made, 1);
		kept += one;
		both +=
		    one && keeps("filter by=key fraction=0.3 seed=1", &made, 1);
		if (keeps("filter by=key fraction=0.6", &made, 1))
			more++;
		else
			assert_false(one);
		tensor_release(&made.image);
	}
	assert_in_range(kept, 250, 350);
	assert_in_range(both, 50, 130);
	assert_in_range(more, 540, 660);
}

static void test_filter_says_what_is_wrong(void **state)
{
	static const struct {
		const char *words, *message;
	} cases[] = {
		{ "filter", "by must be given" },
		{ "filter min=3", "by must be given" },
		{ "filter by=size", "min or max must be given" },
		{ "filter by=size min=x",
		    "min must be a whole number of bytes" },
		{ "filter by=length min=-1",
		    "min must be a whole number, got" },
		{ "filter by=size min=9 max=8",
		    "min must not be larger than max, got 9 and 8" },
		{ "filter by=key", "by=key takes fraction=X" },
		{ "filter by=key fraction=0.5 max=3", "not min or max" },
		{ "filter by=size min=1 fraction=0.5",
		    "fraction and seed are for by=key" },
		{ "filter by=height min=3", "a decoded image" },
	};
	struct made made;

	UNUSED(state);
	make(&made, 10, 0);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct stepper stepper;
		struct error err = ERROR_INIT;

		assert_int_equal(stepper_open_sample(&stepper, cases[i].words,
		                     &made.schema, 1, &err),
		    -1);
		if (!strstr(err.text, cases[i].message))
			fail_msg("%s: %s", cases[i].words, err.text);
		stepper_close(&stepper);
	}
	tensor_release(&made.image);
}

/* ---- in a chain ---- */

static void test_filter_drops_and_counts_in_a_chain(void **state)
{
	struct planned planned;
	struct made made;
	struct sample out = SAMPLE_INIT;
	struct error err = ERROR_INIT;
	struct chain *chain;
	uint64_t kept = 0;

	UNUSED(state);
	make(&made, 0, 0);
	test_ok(planned_read(&planned,
	            "[pipeline]\nsmall = center_crop size=8 field=image\n"
	            "some = filter by=label min=2\nsame = center field=image\n",
	            &made.schema, &err),
	    &err);
	assert_true(pipeline_drops(&planned.pipeline, 1, 2));
	assert_false(pipeline_drops(&planned.pipeline, 0, 1));
	assert_true(pipeline_changes_count(&planned.pipeline, 0, 3));
	assert_false(pipeline_makes_many(&planned.pipeline, 0, 3));
	assert_int_equal(pipeline_last_split(&planned.pipeline), 3);
	chain = chain_new(
	    &(struct chain_plan){ .pipeline = &planned.pipeline, .to = 3 },
	    &err);
	assert_non_null(chain);
	for (int64_t label = 0; label < 5; label++) {
		made.sample.label = label;
		test_ok(chain_begin(chain, &made.sample, &err), &err);
		while (chain_more(chain)) {
			assert_int_equal(chain_next(chain, &out, &err), 1);
			assert_int_equal(out.label, label);
			assert_int_equal(out.key.len, made.sample.key.len);
			assert_int_equal(out.fields[1].bytes, 8 * 8 * 3 * 4);
			kept++;
		}
		assert_int_equal(chain_next(chain, &out, &err), 0);
	}
	assert_int_equal(kept, 3);
	assert_int_equal(chain_take_filtered(chain), 2);
	assert_int_equal(chain_take_filtered(chain), 0);
	chain_free(chain);
	sample_release(&out);
	planned_release(&planned);
	tensor_release(&made.image);
}

static void test_filter_changes_places_with_what_it_does_not_see(void **state)
{
	static const struct {
		const char *filter, *step;
		enum commute how;
	} cases[] = {
		{ "by=label min=1", "center_crop size=8", COMMUTE_EXACT },
		{ "by=key fraction=0.5", "center", COMMUTE_EXACT },
		{ "by=height min=3", "center", COMMUTE_EXACT },
		{ "by=height min=3", "hflip", COMMUTE_EXACT },
		{ "by=height min=3", "center_crop size=8", COMMUTE_NOT },
		{ "by=size min=3", "center", COMMUTE_NOT },
		{ "by=size min=3", "hflip", COMMUTE_EXACT },
		{ "by=size min=3", "filter by=label min=1", COMMUTE_EXACT },
	};
	struct made made;

	UNUSED(state);
	make(&made, 0, 0);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct planned planned;
		struct error err = ERROR_INIT;
		char text[256];

		snprintf(text, sizeof(text),
		    "[pipeline]\na = filter %s field=image\n"
		    "b = %s field=image\n",
		    cases[i].filter, cases[i].step);
		test_ok(planned_read(&planned, text, &made.schema, &err), &err);
		if (commute_steps(&planned.pipeline.steps[0],
		        &planned.pipeline.steps[1]) != cases[i].how)
			fail_msg("%s and %s", cases[i].filter, cases[i].step);
		planned_release(&planned);
	}
	tensor_release(&made.image);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_filter_keeps_what_is_within),
		cmocka_unit_test(test_filter_by_key_draws_a_part),
		cmocka_unit_test(test_filter_says_what_is_wrong),
		cmocka_unit_test(test_filter_drops_and_counts_in_a_chain),
		cmocka_unit_test(
		    test_filter_changes_places_with_what_it_does_not_see),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
