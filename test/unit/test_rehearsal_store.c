/* test_rehearsal_store.c - how many samples an epoch of a rehearsal has. */
#include "lib/base/array.h"
#include "lib/pipeline/pipeline.h"
#include "strategies/forecast/predict.h"
#include "strategies/forecast/rehearsal_store.h"
#include "test/unit/test.h"

enum { LAST = 2, SAMPLE_BYTES = 40000, ROOM_SAMPLES = 1000, SLOW_LEAST = 8 };

/*
 * A pipeline of two steps, and a pilot that took 10 ms for a sample: 1 ms of it
 * behind representation 1.
 */
static void open_rehearsal(struct rehearsal *rehearsal, unsigned steps)
{
	static const struct step_ops ops = { .name = "step" };
	static struct pipeline pipeline;
	static struct model model;

	pipeline = (struct pipeline){ .count = steps };
	for (unsigned i = 0; i < steps; i++)
		pipeline.steps[i].ops = &ops;
	model = (struct model){ .pipeline = &pipeline, .pilot_s = 10e-3 };
	model.online_s[1] = 1e-3;
	for (unsigned i = 0; i <= LAST; i++) {
		model.many[i] = 1;
		model.field_bytes[i] = SAMPLE_BYTES;
	}
	*rehearsal = (struct rehearsal){ .model = &model,
		.samples = ROOM_SAMPLES,
		.room = (double)SAMPLE_BYTES * ROOM_SAMPLES };
}

/* Fewer would stay in the caches of the processor. */
static void test_rehearsal_store_copies_many(void **state)
{
	struct rehearsal rehearsal;

	UNUSED(state);
	open_rehearsal(&rehearsal, LAST);
	assert_true(rehearsal_most_samples(&rehearsal, LAST) == ROOM_SAMPLES);
}

static void test_rehearsal_store_steps_take_time(void **state)
{
	struct rehearsal rehearsal;

	UNUSED(state);
	open_rehearsal(&rehearsal, LAST);
	assert_in_range(
	    (uint64_t)rehearsal_most_samples(&rehearsal, 1), 49, 51);
}

/* The time is not known: it is at most that of the pilot. */
static void test_rehearsal_store_unknown_takes_long(void **state)
{
	struct rehearsal rehearsal;

	UNUSED(state);
	open_rehearsal(&rehearsal, LAST);
	assert_true(rehearsal_most_samples(&rehearsal, 0) == SLOW_LEAST);
}

/* A dataset without steps may be far: it is read, not only copied. */
static void test_rehearsal_store_reads_a_dataset(void **state)
{
	struct rehearsal rehearsal;

	UNUSED(state);
	open_rehearsal(&rehearsal, 0);
	assert_true(rehearsal_most_samples(&rehearsal, 0) == SLOW_LEAST);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rehearsal_store_copies_many),
		cmocka_unit_test(test_rehearsal_store_steps_take_time),
		cmocka_unit_test(test_rehearsal_store_unknown_takes_long),
		cmocka_unit_test(test_rehearsal_store_reads_a_dataset),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
