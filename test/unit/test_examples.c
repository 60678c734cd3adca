/* test_examples.c - samples on which code of the user's is tried. */
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/pipeline/examples.h"
#include "lib/syntax/ini.h"
#include "test/unit/fake_reader.h"
#include "test/unit/test.h"

struct trial {
	struct fake fake;
	struct ini ini;
	struct pipeline pipeline;
	struct examples examples;
};

static void begin(struct trial *trial, size_t streams, uint64_t each)
{
	static const char text[] = "[pipeline]\na = center_crop size=4\n";
	struct error err = ERROR_INIT;

	*trial = (struct trial){ .ini = INI_INIT, .examples = EXAMPLES_INIT };
	fake_init(&trial->fake, streams, each);
	test_ok(
	    ini_parse_text(&trial->ini, "p", text, strlen(text), &err), &err);
	test_ok(pipeline_read(&trial->pipeline, &trial->ini, &err), &err);
	test_ok(pipeline_bind_reader(
	            &trial->pipeline, &trial->fake.reader, false, &err),
	    &err);
}

static int take(
    struct trial *trial, unsigned rep, bool skips, struct error *err)
{
	return examples_take(&trial->examples, &trial->pipeline, rep,
	    &trial->fake.reader, skips, err);
}

static void end(struct trial *trial)
{
	examples_release(&trial->examples);
	pipeline_release(&trial->pipeline);
	ini_release(&trial->ini);
}

static void test_examples_are_spread_over_the_dataset(void **state)
{
	static const struct {
		size_t streams;
		uint64_t each;
		unsigned count, last; /* the byte of the last one's pixels */
	} cases[] = {
		{ 1, 1, 1, 0 },
		{ 1, 20, 8, 7 },
		{ 3, 10, 6, 21 },
		{ 2, 1, 2, 1 },
		{ 16, 2, 8, 28 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = ERROR_INIT;
		struct trial trial;
		const struct sample *last;

		begin(&trial, cases[i].streams, cases[i].each);
		test_ok(take(&trial, 0, false, &err), &err);
		assert_int_equal(trial.examples.count, cases[i].count);
		last = &trial.examples.samples[cases[i].count - 1];
		assert_int_equal(last->fields[0].bytes, 8 * 8 * 3);
		assert_int_equal(
		    *(unsigned char *)last->fields[0].data, cases[i].last);
		assert_true(trial.examples.where[0]);
		end(&trial);
	}
}

static void test_examples_went_through_the_steps_before(void **state)
{
	struct error err = ERROR_INIT;
	struct trial trial;

	(void)state;
	begin(&trial, 1, 3);
	test_ok(take(&trial, 1, false, &err), &err);
	assert_int_equal(trial.examples.count, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(
		    trial.examples.samples[i].fields[0].bytes, 4 * 4 * 3);
	end(&trial);
}

static void test_examples_leave_out_what_a_step_refuses(void **state)
{
	struct error err = ERROR_INIT;
	struct trial trial;

	(void)state;
	begin(&trial, 1, 8);
	trial.fake.bad = 2;
	assert_int_equal(take(&trial, 1, false, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	test_contains(err.text, "sample ");
	test_contains(err.text, "step center_crop: ");
	examples_release(&trial.examples);
	test_ok(take(&trial, 1, true, &err), &err);
	assert_int_equal(trial.examples.count, 4);
	examples_release(&trial.examples);
	trial.fake.bad = 1;
	assert_int_equal(take(&trial, 1, true, &err), -1);
	test_contains(err.text,
	    "none of the first samples could be used; the last: sample ");
	end(&trial);
}

static void test_examples_of_nothing_are_an_error(void **state)
{
	struct error err = ERROR_INIT;
	struct trial trial;

	(void)state;
	begin(&trial, 0, 0);
	test_error_is(
	    take(&trial, 0, false, &err), &err, "the dataset has no samples");
	end(&trial);
	begin(&trial, 1, 8);
	trial.fake.fail_at = 1;
	assert_int_equal(take(&trial, 0, true, &err), -1);
	end(&trial);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_examples_are_spread_over_the_dataset),
		cmocka_unit_test(test_examples_went_through_the_steps_before),
		cmocka_unit_test(test_examples_leave_out_what_a_step_refuses),
		cmocka_unit_test(test_examples_of_nothing_are_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
