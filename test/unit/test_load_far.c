/* test_load_far.c - what a forecast knows of a server that was not probed. */
#include <math.h>

#include "lib/base/array.h"
#include "strategies/forecast/load_time.h"
#include "strategies/forecast/rehearsal.h"
#include "test/unit/modelled.h"
#include "test/unit/test.h"

static const char text[] = "[pipeline]\n"
                           "small = center_crop size=32\n"
                           "done = hflip\n";

enum { SAMPLES = 100, PARTS = 20 };

static const struct strategy unprocessed = { .label = "unprocessed",
	.unprocessed = true };

/* The disk here gives 1 GB/s, whatever the server gives. */
static int set_up(void **state)
{
	static struct modelled setup;
	struct modelled *s = &setup;

	modelled_init(s, text, PARTS, SAMPLES / PARTS, 3072);
	s->fake.reader.is_far = true;
	s->model->source_bytes = 1e6;
	s->model->sync.alone.byte_s = 1e-9;
	*state = s;
	return 0;
}

static const struct load loads[] = {
	{ .samples = SAMPLES, .threads = 1, .cache = CACHE_NONE },
	{ .samples = SAMPLES, .threads = 1, .cache = CACHE_SYSTEM },
};

/* Whatever the cache mode: the time that it took from there, and no disk's. */
static void test_load_far_takes_what_was_rehearsed(void **state)
{
	static struct rehearsed rehearsed = { .unprocessed = true,
		.threads = 1,
		.sample_s = 20e-3,
		.cpu_s = 2e-3 };
	struct modelled *s = *state;
	struct load busy = loads[0];

	s->model->rehearsed.list = &rehearsed;
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
	const struct modelled *s = *state;

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
		    test_load_far_takes_what_was_rehearsed, set_up,
		    modelled_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_load_far_is_wide_without_a_rehearsal, set_up,
		    modelled_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
