/* test_ties.c - trials of the same rounds, compared by the views. */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

struct pair_case {
	const char *what;
	double fast[FIXTURE_RUNS], slow[FIXTURE_RUNS];
	uint64_t rounds; /* of the slow one; those of the fast one are 7 */
	double low, high;
	bool tied;
};

/* `unprocessed` is the slow one: it comes first when it is tied. */
static void check_pair(const struct pair_case *c)
{
	struct fixture_trial fast = {
		.label = "raw/tar/none", .storage_bytes = 1, .rounds_ns = 7
	};
	struct fixture_trial slow = { .label = "unprocessed",
		.storage_bytes = 1,
		.rounds_ns = c->rounds };
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	memcpy(fast.cold, c->fast, sizeof(fast.cold));
	memcpy(slow.cold, c->slow, sizeof(slow.cold));
	fixture_open(&fixture);
	fixture_add(&fixture, &slow);
	fixture_add(&fixture, &fast);
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	print_message("%s\n", c->what);
	fixture_near(&grid, 0, "relative_low", c->low);
	fixture_near(&grid, 0, "relative_high", c->high);
	fixture_near(&grid, 1, "relative_low", 1);
	fixture_near(&grid, 1, "relative_high", 1);
	fixture_near(&grid, 0, "rank", c->tied ? 1 : 2);
	fixture_near(&grid, 1, "rank", c->tied ? 2 : 1);
	grid_release(&grid);
	fixture_close(&fixture);
}

static void test_ties_are_found_round_by_round(void **state)
{
	static const struct pair_case cases[] = {
		{ "a drift that is common to both leaves a tie a tie",
		    { 1000, 800, 600, 400, 202 }, { 980, 808, 594, 396, 200 },
		    7, 0.98, 1.01, true },
		{ "nor does it make one of what differs in each round",
		    { 1000, 800, 600, 400, 200 }, { 950, 768, 582, 388, 194 },
		    7, 0.95, 0.97, false },
		{ "unless it is next to none", { 1000, 800, 600, 400, 200 },
		    { 950, 768, 582, 388, 197 }, 7, 0.95, 0.985, true },
		{ "more rounds need not all say the same",
		    { 100, 100, 100, 100, 100, 100, 100, 100, 100, 100 },
		    { 110, 90, 91, 92, 93, 94, 95, 96, 97, 97 }, 7, 0.91, 0.97,
		    false },
		{ "nor are the first ones enough when one ended early",
		    { 100, 100, 100, 100, 100, 100, 100 },
		    { 99, 99, 99, 99, 100 }, 7, 0.99, 1, true },
		{ "too few rounds: intervals that overlap are a tie",
		    { 1000, 800, 600, 400 }, { 950, 768, 582, 392 }, 7, NAN,
		    NAN, true },
		{ "too few rounds: those that do not overlap are none",
		    { 1000, 800, 600, 400 }, { 350, 368, 382, 392 }, 7, NAN,
		    NAN, false },
		{ "of other rounds: by their intervals as well",
		    { 1000, 800, 600, 400, 200 }, { 950, 768, 582, 388, 194 },
		    8, NAN, NAN, true },
		{ "of rounds that are not known", { 1000, 800, 600, 400, 200 },
		    { 950, 768, 582, 388, 194 }, 0, NAN, NAN, true },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check_pair(&cases[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ties_are_found_round_by_round),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
