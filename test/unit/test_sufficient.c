/* test_sufficient.c - ranking by the needs of accelerators. */
#include <math.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "strategies/decide/advice.h"
#include "strategies/decide/rank.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

static const struct fixture_row rows[] = {
	{ FIXTURE_ROW("unprocessed", 100, 0, 9e9) },
	{ FIXTURE_ROW("fast", 900, 1, 50e9) },
	{ FIXTURE_ROW("middle", 500, 2, 10e9) },
	{ FIXTURE_ROW("small", 400, 9, 5e9) },
	{ .strategy = NULL },
};

struct ranked {
	struct grid grid;
	struct request request;
	struct ranking ranking;
	struct advice advice;
};

static void rank(
    struct ranked *ranked, double demand, const struct objective_ops *objective)
{
	const struct surroundings surroundings = { .memory_bytes = NAN };
	struct error err = ERROR_INIT;

	*ranked = (struct ranked){ .grid = GRID_INIT,
		.request = request_default(),
		.ranking = RANKING_INIT };
	ranked->request.demand = ranked->request.demand_of_host = demand;
	ranked->request.objective = objective;
	ranked->request.epochs = 1000;
	fixture_report(&ranked->grid, rows, 1000);
	test_ok(fixture_rank(
	            &ranked->ranking, &ranked->grid, &ranked->request, &err),
	    &err);
	advice_make(
	    &ranked->advice, &ranked->ranking, &ranked->request, &surroundings);
}

static void release(struct ranked *ranked)
{
	ranking_release(&ranked->ranking);
	grid_release(&ranked->grid);
}

static const struct candidate *at(const struct ranked *ranked, size_t i)
{
	return &ranked->ranking.list[i];
}

static void test_sufficient_and_cheapest_wins(void **state)
{
	struct ranked ranked;

	(void)state;
	rank(&ranked, 350, &objective_throughput);
	assert_string_equal(at(&ranked, 0)->trial.strategy, "small");
	assert_string_equal(at(&ranked, 1)->trial.strategy, "middle");
	assert_string_equal(at(&ranked, 2)->trial.strategy, "fast");
	assert_true(at(&ranked, 2)->sufficient);
	assert_false(at(&ranked, 3)->sufficient);
	assert_true(fabs(at(&ranked, 3)->covers - 100 / 350.) < 1e-9);
	test_contains(ranked.advice.reason, "enough for the accelerators");
	test_contains(ranked.advice.reason, "2 others are sufficient, too");
	release(&ranked);
}

static void test_sufficient_as_it_is(void **state)
{
	struct ranked ranked;

	(void)state;
	rank(&ranked, 99, &objective_throughput);
	assert_string_equal(at(&ranked, 0)->trial.strategy, "unprocessed");
	test_contains(ranked.advice.nothing, "your data is not the bottleneck");
	release(&ranked);
}

static void test_sufficient_nothing_is(void **state)
{
	struct ranked ranked;

	(void)state;
	rank(&ranked, 1000, &objective_throughput);
	assert_string_equal(at(&ranked, 0)->trial.strategy, "fast");
	assert_string_equal(at(&ranked, 1)->trial.strategy, "middle");
	assert_false(at(&ranked, 0)->sufficient);
	assert_true(fabs(at(&ranked, 0)->covers - 0.9) < 1e-9);
	release(&ranked);
}

/* Other objectives choose among what is sufficient. */
static void test_sufficient_before_the_objective(void **state)
{
	struct ranked ranked;

	(void)state;
	rank(&ranked, 450, &objective_time);
	assert_string_equal(at(&ranked, 0)->trial.strategy, "fast");
	assert_string_equal(at(&ranked, 1)->trial.strategy, "middle");
	assert_false(at(&ranked, 2)->sufficient);
	release(&ranked);
}

/* Not asked: nothing is sufficient, and nothing covers anything. */
static void test_sufficient_is_not_asked(void **state)
{
	struct ranked ranked;

	(void)state;
	rank(&ranked, NAN, &objective_throughput);
	assert_string_equal(at(&ranked, 0)->trial.strategy, "fast");
	assert_false(at(&ranked, 0)->sufficient);
	assert_true(isnan(at(&ranked, 0)->covers));
	release(&ranked);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sufficient_and_cheapest_wins),
		cmocka_unit_test(test_sufficient_as_it_is),
		cmocka_unit_test(test_sufficient_nothing_is),
		cmocka_unit_test(test_sufficient_before_the_objective),
		cmocka_unit_test(test_sufficient_is_not_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
