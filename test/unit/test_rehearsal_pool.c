/* test_rehearsal_pool.c - rehearsals of a representation, put together. */
#include <math.h>

#include "lib/base/array.h"
#include "strategies/forecast/predict.h"
#include "strategies/forecast/rehearsal_pool.h"
#include "test/unit/test.h"

static bool is_near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

/*
 * Three stores of representation 1 with a codec that takes 0.1 ms, on two
 * cores; one of them was disturbed.
 */
static void test_rehearsal_pool_moves_half_of_the_way(void **state)
{
	static struct model model;
	struct rehearsed list[] = {
		{ .rep = 1, .threads = 1, .sample_s = 1e-3 },
		{ .rep = 1, .store = 1, .threads = 1, .sample_s = 1e-3 },
		{ .rep = 1, .store = 2, .threads = 1, .sample_s = 1.7e-3 },
		/* Others: two threads, the dataset, a cache. */
		{ .rep = 1, .threads = 2, .sample_s = 0.6e-3 },
		{ .unprocessed = true, .threads = 1, .sample_s = 5e-3 },
		{ .rep = 1, .cached = true, .threads = 1, .sample_s = 9e-3 },
	};

	UNUSED(state);
	model = (struct model){ .machine.cores = 2,
		.rehearsed = { .list = list, .count = ARRAY_LEN(list) } };
	model.packing[1][2][0].decode_s = 1e-4;
	model.online_s[1] = 0.9e-3;
	rehearsal_pool(&model);
	assert_true(is_near(list[0].sample_s, 1e-3));
	assert_true(is_near(list[2].sample_s, sqrt(1.7e-3 * 1.1e-3)));
	assert_true(list[3].sample_s == 0.6e-3);
	assert_true(list[4].sample_s == 5e-3 && list[5].sample_s == 9e-3);
}

/* Decompressing takes half of the time of the third: it says nothing. */
static void test_rehearsal_pool_leaves_codecs_alone(void **state)
{
	static struct model model;
	struct rehearsed list[] = {
		{ .rep = 1, .threads = 1, .sample_s = 1e-3 },
		{ .rep = 1, .store = 1, .threads = 1, .sample_s = 2e-3 },
		{ .rep = 1, .codec = 1, .threads = 1, .sample_s = 2e-3 },
	};

	UNUSED(state);
	model = (struct model){ .machine.cores = 2,
		.rehearsed = { .list = list, .count = ARRAY_LEN(list) } };
	model.packing[1][0][1].decode_s = 1e-3;
	model.online_s[1] = 2e-3;
	rehearsal_pool(&model);
	assert_true(list[0].sample_s == 1e-3 && list[1].sample_s == 2e-3);
	assert_true(list[2].sample_s == 2e-3);
}

/* Nearly nothing is left to do: one store is read faster than the others. */
static void test_rehearsal_pool_leaves_stores_alone(void **state)
{
	static struct model model;
	struct rehearsed list[] = {
		{ .rep = 1, .threads = 1, .sample_s = 2e-3 },
		{ .rep = 1, .store = 1, .threads = 1, .sample_s = 2e-3 },
		{ .rep = 1, .store = 2, .threads = 1, .sample_s = 1e-3 },
	};

	UNUSED(state);
	model = (struct model){ .machine.cores = 2,
		.rehearsed = { .list = list, .count = ARRAY_LEN(list) } };
	model.online_s[1] = 0.4e-3;
	rehearsal_pool(&model);
	assert_true(list[0].sample_s == 2e-3 && list[2].sample_s == 1e-3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rehearsal_pool_moves_half_of_the_way),
		cmocka_unit_test(test_rehearsal_pool_leaves_codecs_alone),
		cmocka_unit_test(test_rehearsal_pool_leaves_stores_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
