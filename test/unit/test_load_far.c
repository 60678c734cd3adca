/* test_load_far.c - what a forecast knows of a server that was not probed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/forecast/load_time.h"
#include "strategies/forecast/rehearsal.h"
#include "test/unit/fake_reader.h"
#include "test/unit/planned.h"
#include "test/unit/test.h"

static const char text[] = "[pipeline]\n"
                           "small = center_crop size=32\n"
                           "done = hflip\n";

enum { SAMPLES = 100, PARTS = 20 };

static const struct strategy unprocessed = { .label = "unprocessed",
	.unprocessed = true };

struct setup {
	struct planned planned;
	struct fake fake;
	struct model *model;
	struct rehearsed rehearsed;
};

/* The disk here gives 1 GB/s, whatever the server gives. */
static int set_up(void **state)
{
	struct setup *s = calloc(1, sizeof(*s));
	struct error err = ERROR_INIT;

	assert_non_null(s);
	fake_init(&s->fake, PARTS, SAMPLES / PARTS);
	s->fake.reader.is_far = true;
	test_ok(planned_read(&s->planned, text, &s->fake.reader.schema, &err),
	    &err);
	s->model = planned_model(&s->planned, &s->fake.reader, 3072);
	s->model->source_bytes = 1e6;
	s->model->sync.alone.byte_s = 1e-9;
	s->rehearsed = (struct rehearsed){ .unprocessed = true,
		.threads = 1,
		.sample_s = 20e-3,
		.cpu_s = 2e-3 };
	*state = s;
	return 0;
}

static int tear_down(void **state)
{
	struct setup *s = *state;

	free(s->model);
	planned_release(&s->planned);
	free(s);
	return 0;
}

static const struct load loads[] = {
	{ .samples = SAMPLES, .threads = 1, .cache = CACHE_NONE },
	{ .samples = SAMPLES, .threads = 1, .cache = CACHE_SYSTEM },
};

/* Whatever the cache mode: the time that it took from there, and no disk's. */
static void test_load_far_takes_what_was_rehearsed(void **state)
{
	struct setup *s = *state;
	struct load busy = loads[0];

	s->model->rehearsed.list = &s->rehearsed;
	s->model->rehearsed.count = 1;
	for (size_t i = 0; i < ARRAY_LEN(loads); i++) {
		const struct load_time time =
		    load_time_of(s->model, &unprocessed, &loads[i]);

		assert_true(fabs(time.epoch_s / (SAMPLES * 20e-3) - 1) < 1e-6);
		assert_true(time.is_cold);
		assert_string_equal(time.limit, "storage");
		assert_true(time.error >= .35 && time.error < 1);
	}
	assert_true(fabs(load_time_far_s(s->model, 1) - 18e-3) < 1e-9);
	/* Of two cores half of one is left for the 2 ms of a sample. */
	busy.others = 1.5;
	assert_true(fabs(load_time_of(s->model, &unprocessed, &busy).epoch_s /
	                     (SAMPLES * 22e-3) -
	                 1) < 1e-6);
	s->model->rehearsed.count = 0;
}

/* Nothing is known: the interval says so. */
static void test_load_far_is_wide_without_a_rehearsal(void **state)
{
	const struct setup *s = *state;

	for (size_t i = 0; i < ARRAY_LEN(loads); i++) {
		const struct prediction p =
		    model_predict(s->model, &unprocessed, &loads[i]);

		assert_true(p.is_cold);
		assert_string_equal(p.limit, "storage");
		assert_true(p.error > 1);
	}
	assert_true(load_time_far_s(s->model, 1) <= 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_load_far_takes_what_was_rehearsed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_load_far_is_wide_without_a_rehearsal, set_up,
		    tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
