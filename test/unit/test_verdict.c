/* test_verdict.c - does a plan still win, by a ranking of its rivals? */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "strategies/decide/rank.h"
#include "strategies/decide/verdict.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

/* The plan is "a"; intervals are those of the throughputs. */
struct verdict_case {
	const char *what;
	double a, a_low, a_high, b, b_low, b_high;
	double runs;
	enum verdict verdict;
};

static const struct verdict_case cases[] = {
	{ "far in front", 200, 198, 202, 100, 99, 101, 9, VERDICT_WINS },
	{ "just in front", 104, 103, 105, 100, 99, 101, 9, VERDICT_WINS },
	{ "tied and first", 101, 100, 102, 100, 99, 101, 9, VERDICT_WINS },
	{ "far behind", 100, 99, 101, 200, 198, 202, 9, VERDICT_BEATEN },
	{ "behind, by what does not count", 100, 99.8, 100.2, 104, 103.8, 104.2,
	    9, VERDICT_AS_GOOD },
	{ "behind by more", 100, 99.8, 100.2, 110, 109, 111, 9,
	    VERDICT_BEATEN },
	{ "wide intervals", 100, 70, 130, 110, 80, 140, 9, VERDICT_NOISE },
	{ "few runs", 200, 198, 202, 100, 99, 101, 3, VERDICT_NOISE },
};

static const struct candidate *find(
    const struct ranking *ranking, const char *strategy)
{
	for (size_t i = 0; i < ranking->count; i++)
		if (strcmp(ranking->list[i].trial.strategy, strategy) == 0)
			return &ranking->list[i];
	fail_msg("no %s in the ranking", strategy);
	return NULL;
}

static void check(const struct verdict_case *c)
{
	const struct fixture_row rows[] = {
		{ FIXTURE_ROW("a/tar/none", c->a, 1, 10), .low = c->a_low,
		    .high = c->a_high },
		{ FIXTURE_ROW("b/tar/none", c->b, 1, 20), .low = c->b_low,
		    .high = c->b_high },
		{ .strategy = NULL },
	};
	const struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;
	struct judgement found;

	fixture_report(&grid, rows, 10);
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	for (size_t i = 0; i < ranking.count; i++)
		ranking.list[i].full.runs = c->runs;
	found = verdict_of(&ranking, find(&ranking, "a/tar/none"), &request);
	if (found.verdict != c->verdict)
		fail_msg("%s: %s, not %s", c->what, verdict_word(found.verdict),
		    verdict_word(c->verdict));
	assert_string_equal(found.rival->trial.strategy, "b/tar/none");
	assert_true(
	    fabs(found.ratio - fmax(c->a, c->b) / fmin(c->a, c->b)) < 1e-9);
	ranking_release(&ranking);
	grid_release(&grid);
}

static void test_verdict_weighs_medians_and_intervals(void **state)
{
	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check(&cases[i]);
}

static void test_verdict_of_one_alone_and_of_an_unranked_one(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("a/tar/none", 100, 1, 10) },
		{ FIXTURE_ROW("b/tar/none", 200, 1, 10), .equivalent = "no" },
		{ .strategy = NULL },
	};
	const struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;
	struct judgement found;

	UNUSED(state);
	fixture_report(&grid, rows, 10);
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	found = verdict_of(&ranking, find(&ranking, "a/tar/none"), &request);
	assert_int_equal(found.verdict, VERDICT_WINS);
	assert_null(found.rival);
	found = verdict_of(&ranking, find(&ranking, "b/tar/none"), &request);
	assert_int_equal(found.verdict, VERDICT_BEATEN);
	ranking_release(&ranking);
	grid_release(&grid);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_verdict_weighs_medians_and_intervals),
		cmocka_unit_test(
		    test_verdict_of_one_alone_and_of_an_unranked_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
