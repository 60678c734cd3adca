/* test_plan_scale.c - what materializing takes on many machines, as formulas.
 */
#include <math.h>

#include "lib/base/array.h"
#include "lib/sample/permutation.h"
#include "strategies/plan/shard_count.h"
#include "strategies/whatif/prices.h"
#include "strategies/whatif/scale.h"
#include "test/unit/test.h"

/* A machine with 4 cores prepares 1000 samples of 100 kB a second. */
static const struct scale_rates rates = {
	.prep_per_s = { 1000, 900, 1250 },
	.stored_bytes = { 50e3, 45e3, 55e3 },
	.source_bytes = 100e3,
	.source_files = 1,
	.memory_bytes = 1e9,
	.cores = 4,
	.shuffled = true,
};

static void test_plan_scale_divides_the_work_among_machines(void **state)
{
	const struct scale_wanted one = { .samples = 36e6, .machines = 1 };
	const struct scale_wanted ten = {
		.samples = 36e6, .machines = 10, .shards = 3600
	};
	const struct scale_plan alone = scale_plan_make(&rates, &one);
	const struct scale_plan plan = scale_plan_make(&rates, &ten);

	UNUSED(state);
	assert_float_equal(alone.hours.value, 10, 1e-9);
	assert_float_equal(alone.hours.low, 8, 1e-9);
	assert_float_equal(alone.hours.high, 11.111111, 1e-5);
	assert_float_equal(plan.hours.value, 1, 1e-9);
	assert_float_equal(plan.core_hours, 40, 1e-9);
	assert_float_equal(plan.shards_each, 360, 0);
	assert_int_equal(plan.limit, SCALE_CPU);
}

/* Shards are whole: of 11 on 10 machines one machine has two. */
static void test_plan_scale_waits_for_the_machine_with_most_shards(void **state)
{
	const struct scale_wanted wanted = {
		.samples = 36e6, .machines = 10, .shards = 11
	};
	const struct scale_plan plan = scale_plan_make(&rates, &wanted);

	UNUSED(state);
	assert_float_equal(plan.shards_each, 2, 0);
	assert_float_equal(plan.hours.value, 20.0 / 11, 1e-9);
}

static void test_plan_scale_names_the_slowest_limit(void **state)
{
	static const struct {
		struct scale_wanted wanted;
		enum scale_limit limit;
		double hours;
	} cases[] = {
		/* 5.4e12 bytes in all */
		{ { .samples = 36e6,
		      .machines = 10,
		      .network = 100e6,
		      .shards = 10 },
		    SCALE_NETWORK, 1.5 },
		{ { .samples = 36e6,
		      .machines = 10,
		      .storage = 1e9,
		      .shards = 10 },
		    SCALE_STORAGE, 1.5 },
		{ { .samples = 36e6,
		      .machines = 10,
		      .requests = 5000,
		      .shards = 10 },
		    SCALE_REQUESTS, 2 },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct scale_plan plan =
		    scale_plan_make(&rates, &cases[i].wanted);

		assert_int_equal(plan.limit, cases[i].limit);
		assert_float_equal(plan.hours.value, cases[i].hours, 0.02);
		assert_float_equal(plan.hours_by[SCALE_CPU].value, 1, 1e-9);
	}
}

static void test_plan_scale_bounds_shards_and_memory(void **state)
{
	const struct scale_wanted few = { .samples = 1e8, .machines = 1 };
	const struct scale_wanted many = { .samples = 1e12, .machines = 100 };
	const struct scale_wanted small = { .samples = 3, .machines = 100 };
	const struct scale_plan a = scale_plan_make(&rates, &few);
	const struct scale_plan b = scale_plan_make(&rates, &many);
	const struct scale_plan c = scale_plan_make(&rates, &small);

	UNUSED(state);
	assert_float_equal(a.shards, ceil(5e12 / SCALE_SHARD), 0);
	assert_true(a.memory_bytes >= 1e9 + 4e8); /* the order in memory */
	assert_float_equal(b.shards, SHARDS_MOST, 0);
	assert_true(b.memory_bytes < 1e9 + 4.0 * PERMUTATION_HELD);
	assert_float_equal(c.shards, 3, 0);
}

static void test_plan_scale_asks_for_no_price_that_is_not_given(void **state)
{
	struct prices prices = prices_none();
	struct scale_wanted wanted = { .samples = 36e6, .machines = 1 };
	struct scale_plan plan = scale_plan_make(&rates, &wanted);

	UNUSED(state);
	assert_true(isnan(plan.compute_cost));
	prices.vcpu_hour = 0.05;
	wanted.prices = &prices;
	plan = scale_plan_make(&rates, &wanted);
	assert_float_equal(plan.compute_cost, 2, 1e-9);
	assert_true(isnan(plan.month_cost));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_plan_scale_divides_the_work_among_machines),
		cmocka_unit_test(
		    test_plan_scale_waits_for_the_machine_with_most_shards),
		cmocka_unit_test(test_plan_scale_names_the_slowest_limit),
		cmocka_unit_test(test_plan_scale_bounds_shards_and_memory),
		cmocka_unit_test(
		    test_plan_scale_asks_for_no_price_that_is_not_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
