/*
 * test_cache_model.c - where cedar puts one cache, on its own figures of the
 * SimCLR pipeline: costs in ms in the order that it chose, bytes as it takes
 * them from the pipeline as given.
 */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "strategies/forecast/models/cache_model.h"
#include "test/unit/test.h"

enum { LIST, READ, GRAY, CROP, BLUR, FLIP, JITTER, FLOAT, NORM, BATCH, COUNT };

static const struct cache_model_step steps[COUNT] = {
	[LIST] = { .0526, 160, false },
	[READ] = { 1.8226, 487347, false },
	[GRAY] = { .2039, 238144, false },
	[CROP] = { .1552, 714432, true },
	[BLUR] = { 1.8954, 238144, false },
	[FLIP] = { .0089, 714432, true },
	[JITTER] = { .6924, 714432, true },
	[FLOAT] = { .0302, 1949389, false },
	[NORM] = { .2060, 238144, false },
	[BATCH] = { 4.3287, 238144, false },
};

static const struct cache_model_storage disk = {
	.read_s_per_byte = 0.8e-8,
	.samples = 9472,
};

/* The costs above are rounded to four places. */
static void check_ms(double got, double want)
{
	if (!(fabs(got - want) < 2e-4))
		fail_msg("%.6f ms, not %.5f", got, want);
}

static void test_cache_model_costs_what_cedar_says(void **state)
{
	UNUSED(state);
	check_ms(cache_model_none_ms(steps, COUNT), 9.396);
	check_ms(cache_model_ms(steps, COUNT, LIST, &disk), 9.34464);
	check_ms(cache_model_ms(steps, COUNT, READ, &disk), 11.41949);
	check_ms(cache_model_ms(steps, COUNT, GRAY, &disk), 9.22194);
}

/* cedar takes 238,144 bytes from the order given; grayscale now makes less. */
static void test_cache_model_costs_less_with_the_right_size(void **state)
{
	struct cache_model_step right[COUNT];

	UNUSED(state);
	memcpy(right, steps, sizeof(right));
	right[GRAY].out_bytes = 162449;
	check_ms(cache_model_ms(right, COUNT, GRAY, &disk), 8.61638);
}

static void test_cache_model_is_in_front_of_the_first_random_step(void **state)
{
	struct cache_model_step cheap[COUNT];

	UNUSED(state);
	assert_true(cache_model_allows(steps, GRAY, &disk));
	assert_false(cache_model_allows(steps, CROP, &disk));
	assert_false(cache_model_allows(steps, BLUR, &disk));
	assert_int_equal(cache_model_best(steps, COUNT, &disk), GRAY);
	/* Even if a cache behind it would cost nothing. */
	memcpy(cheap, steps, sizeof(cheap));
	cheap[NORM].out_bytes = 0;
	assert_int_equal(cache_model_best(cheap, COUNT, &disk), GRAY);
}

static void test_cache_model_must_have_room(void **state)
{
	struct cache_model_storage small = disk;

	UNUSED(state);
	small.free_bytes = 9472.0 * 238144; /* less is asked for */
	assert_false(cache_model_allows(steps, GRAY, &small));
	assert_int_equal(cache_model_best(steps, COUNT, &small), LIST);
	small.free_bytes++;
	assert_true(cache_model_allows(steps, GRAY, &small));
	small.free_bytes = 1;
	assert_int_equal(cache_model_best(steps, COUNT, &small), COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cache_model_costs_what_cedar_says),
		cmocka_unit_test(
		    test_cache_model_costs_less_with_the_right_size),
		cmocka_unit_test(
		    test_cache_model_is_in_front_of_the_first_random_step),
		cmocka_unit_test(test_cache_model_must_have_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
