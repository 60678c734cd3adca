/* test_contest.c - which runners-up a plan is measured against. */
#include <string.h>

#include "cmd/verify/contest.h"
#include "lib/base/array.h"
#include "strategies/plan/strategies.h"
#include "test/unit/test.h"

static void test_contest_leaves_out_what_is_no_strategy_here(void **state)
{
	struct strategy list[2] = { { .label = "resized/tar/none" },
		{ .label = "o1:raw/tar/none" } };
	const struct strategies strategies = { .list = list,
		.count = ARRAY_LEN(list) };
	struct contest contest = { .labels = { "o1:raw/tar/none",
		                       "o2:raw/tar/none", "resized/tar/none",
		                       "o3:raw/tar/none" },
		.count = 4 };

	UNUSED(state);
	assert_int_equal(contest_leave_unknown(&contest, &strategies), 2);
	assert_int_equal(contest.count, 2);
	assert_string_equal(contest.labels[0], "o1:raw/tar/none");
	assert_string_equal(contest.labels[1], "resized/tar/none");
	for (size_t i = 2; i < 4; i++)
		assert_int_equal(strncmp(contest.labels[i], "o", 1), 0);
}

/* Without its own strategy there is nothing to verify: that stays an error. */
static void test_contest_keeps_the_strategy_of_the_plan(void **state)
{
	const struct strategies none = { .count = 0 };
	struct contest contest = { .labels = { "resized/tar/none" },
		.count = 1 };

	UNUSED(state);
	assert_int_equal(contest_leave_unknown(&contest, &none), 0);
	assert_int_equal(contest.count, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_contest_leaves_out_what_is_no_strategy_here),
		cmocka_unit_test(test_contest_keeps_the_strategy_of_the_plan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
