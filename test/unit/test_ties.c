/* test_ties.c - comparing trials round by round, by derived rows. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "strategies/decide/rank.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

struct pair_case {
	const char *what;
	double fast[FIXTURE_RUNS], slow[FIXTURE_RUNS];
	uint64_t rounds; /* of the slow one; those of the fast one are 7 */
	double low, high;
	enum { BEATEN, TIED, AS_GOOD } slow_is;
};

/* `unprocessed` is the slow one: it comes first when it is as good. */
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
	fixture_near(&grid, 0, "rank", c->slow_is == BEATEN ? 2 : 1);
	fixture_near(&grid, 1, "rank", 1);
	fixture_near(&grid, 0, "place", c->slow_is == AS_GOOD ? 1 : 2);
	fixture_near(&grid, 1, "place", c->slow_is == AS_GOOD ? 2 : 1);
	assert_string_equal(
	    grid_text(&grid, 0, "tied"), c->slow_is == BEATEN ? "no" : "yes");
	grid_release(&grid);
	fixture_close(&fixture);
}

static void test_ties_are_found_round_by_round(void **state)
{
	const struct pair_case cases[] = {
		{ "a drift that is common to both leaves a tie a tie",
		    { 1000, 800, 600, 400, 202 }, { 980, 808, 594, 396, 200 },
		    7, 0.98, 1.01, AS_GOOD },
		{ "nor does it make one of what differs in each round",
		    { 1000, 800, 600, 400, 200 }, { 950, 768, 582, 388, 194 },
		    7, 0.95, 0.97, BEATEN },
		{ "unless it is next to none", { 1000, 800, 600, 400, 200 },
		    { 960, 768, 582, 388, 197 }, 7, 0.96, 0.985, AS_GOOD },
		{ "one that may lose 6 % does not win by a tie",
		    { 1000, 800, 600, 400, 200 }, { 940, 768, 582, 388, 197 },
		    7, 0.94, 0.985, TIED },
		{ "more rounds need not all say the same",
		    { 100, 100, 100, 100, 100, 100, 100, 100, 100, 100 },
		    { 100, 90, 91, 92, 93, 94, 95, 96, 97, 97 }, 7, 0.92,
		    sqrt(0.94), BEATEN },
		{ "but one that says otherwise by much counts among ten",
		    { 100, 100, 100, 100, 100, 100, 100, 100, 100, 100 },
		    { 110, 90, 91, 92, 93, 94, 95, 96, 97, 97 }, 7, 0.92,
		    sqrt(0.91 * 1.10), TIED },
		{ "nor does one that is probably slower by a tenth",
		    { 100, 100, 100, 100, 100 }, { 70, 75, 80, 85, 105 }, 7,
		    0.7, 1.05, TIED },
		{ "nor are the first ones enough when one ended early",
		    { 100, 100, 100, 100, 100, 100, 100 },
		    { 99, 99, 99, 99, 100 }, 7, 0.99, 1, AS_GOOD },
		{ "too few rounds: intervals that overlap are a tie",
		    { 1000, 800, 600, 400 }, { 950, 768, 582, 392 }, 7, NAN,
		    NAN, TIED },
		{ "too few rounds: those that do not overlap are none",
		    { 1000, 800, 600, 400 }, { 350, 368, 382, 392 }, 7, NAN,
		    NAN, BEATEN },
		{ "of other rounds: by their intervals as well",
		    { 1000, 800, 600, 400, 200 }, { 950, 768, 582, 388, 194 },
		    8, NAN, NAN, TIED },
		{ "of rounds that are not known", { 1000, 800, 600, 400, 200 },
		    { 950, 768, 582, 388, 194 }, 0, NAN, NAN, TIED },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check_pair(&cases[i]);
}

/* Their pairs are too many: as the interval of a single figure. */
static void test_many_rounds_are_compared_by_order(void **state)
{
	struct pair_case c = { .what = "64 rounds", .rounds = 7 };

	UNUSED(state);
	for (unsigned i = 0; i < FIXTURE_RUNS; i++) {
		c.fast[i] = 1000;
		c.slow[i] = 800 + (i * 37) % FIXTURE_RUNS;
	}
	/* P(X < 24) = 1.6 %, P(X < 25) = 3.0 %, X binomial (64, 1/2). */
	c.low = 0.823;
	c.high = 0.840;
	check_pair(&c);
}

/*
 * The session may use 16 GB, and the dataset is 10 times what was profiled:
 * 2 GB here are 20 GB then.
 */
static void test_what_outgrows_the_memory_is_ranked_as_not_cached(void **state)
{
	static const struct fixture_trial trials[] = {
		{ .label = "raw/tar/none",
		    .prep_s = 1,
		    .storage_bytes = 2e9,
		    .cold = { 200, 201, 202, 203, 204 } },
		{ .label = "raw/tar/none",
		    .cache = CACHE_SYSTEM,
		    .prep_s = 1,
		    .storage_bytes = 2e9,
		    .cold = { 199, 199, 199, 199, 199 },
		    .warm = { 9000, 9001, 9002, 9003, 9004 } },
		{ .label = "resized/tar/none",
		    .cache = CACHE_SYSTEM,
		    .prep_s = 2,
		    .storage_bytes = 1e9,
		    .cold = { 300, 300, 300, 300, 300 },
		    .warm = { 800, 801, 802, 803, 804 } },
		{ .label = "unprocessed",
		    .cache = CACHE_APPLICATION,
		    .storage_bytes = 1e8,
		    .cold = { 100, 100, 100, 100, 100 },
		    .warm = { 7000, 7001, 7002, 7003, 7004 },
		    .cache_bytes = 3000000000 },
		/* As fast as its cold one. */
		{ .label = "raw/tar/none",
		    .cache = CACHE_APPLICATION,
		    .prep_s = 1,
		    .storage_bytes = 2e9,
		    .cold = { 100, 100, 100, 100, 100 },
		    .warm = { 8000, 8001, 8002, 8003, 8004 },
		    .cache_bytes = 3000000000 },
	};
	static const double in_full[] = { 202, 202, 202, 802, 100 };
	static const double ranks[] = { NAN, NAN, 2, 1, NAN };
	static const double places[] = { 3, 5, 2, 1, 4 };
	const struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct error err = ERROR_INIT;
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(trials); i++)
		fixture_add(&fixture, &trials[i]);
	fixture_read(&fixture, RESULTS_REPORT, &grid);
	for (size_t i = 0; i < ARRAY_LEN(trials); i++) {
		fixture_near(
		    &grid, i, "full_throughput_samples_per_s", in_full[i]);
		fixture_near(&grid, i, "rank", ranks[i]);
		fixture_near(&grid, i, "place", places[i]);
	}
	/* A ranking of the report is the stored one. */
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	assert_string_equal(cache_word(ranking.cache), "system");
	for (size_t i = 0; i < ranking.count; i++) {
		const struct candidate *c =
		    &ranking.list[(size_t)places[i] - 1];

		assert_string_equal(
		    c->trial.strategy, grid_text(&grid, i, "strategy"));
		assert_string_equal(
		    cache_word(c->trial.cache), grid_text(&grid, i, "cache"));
	}
	assert_true(ranking.list[1].full.outgrows_memory);
	ranking_release(&ranking);
	grid_release(&grid);
	fixture_close(&fixture);
}

/*
 * Of a dataset that fits only in part.  The cold runs of what does not fit are
 * known to 1 %, the warm ones to a factor: interval, rounds and rank are those
 * of the cold ones.  `raw` has no cold trial: its first epochs count.
 */
static void test_what_outgrows_the_memory_has_its_cold_runs(void **state)
{
	static const struct fixture_trial trials[] = {
		{ .label = "decoded/tar/none",
		    .cache = CACHE_NONE,
		    .storage_bytes = 2e9,
		    .rounds_ns = 7,
		    .cold = { 800, 640, 480, 320, 161 } },
		{ .label = "decoded/tar/none",
		    .cache = CACHE_SYSTEM,
		    .storage_bytes = 2e9,
		    .rounds_ns = 7,
		    .cold = { 1, 1, 1, 1, 1 },
		    .warm = { 500, 9000, 900, 2000, 100 } },
		{ .label = "raw/tar/none",
		    .cache = CACHE_SYSTEM,
		    .storage_bytes = 2e9,
		    .rounds_ns = 7,
		    .cold = { 600, 480, 361, 240, 120 },
		    .warm = { 9000, 9000, 9000, 9000, 9000 } },
		{ .label = "resized/tar/none",
		    .cache = CACHE_SYSTEM,
		    .storage_bytes = 1e9,
		    .rounds_ns = 7,
		    .cold = { 1, 1, 1, 1, 1 },
		    .warm = { 1000, 800, 600, 400, 200 } },
	};
	/* Of rounds; the fastest is `resized`. */
	static const double low[] = { 1, 0.8, 0.6, 1 };
	static const double high[] = { 1, 0.805, 0.6 * 361 / 360, 1 };
	static const double ranks[] = { NAN, 2, 3, 1 };
	const struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct error err = ERROR_INIT;
	struct fixture fixture;
	struct grid grid = GRID_INIT;

	UNUSED(state);
	fixture_open(&fixture);
	for (size_t i = 0; i < ARRAY_LEN(trials); i++)
		fixture_add(&fixture, &trials[i]);
	fixture_read(&fixture, RESULTS_TRIALS, &grid);
	for (size_t i = 0; i < ARRAY_LEN(trials); i++) {
		fixture_near(&grid, i, "relative_low", low[i]);
		fixture_near(&grid, i, "relative_high", high[i]);
		fixture_near(&grid, i, "rank", ranks[i]);
	}
	fixture_near(&grid, 2, "first_low", 120);
	fixture_near(&grid, 2, "first_high", 600);
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	assert_string_equal(ranking.list[1].trial.strategy, "decoded/tar/none");
	assert_int_equal(ranking.list[1].full.judged_by, JUDGED_BY_COLD_TRIAL);
	assert_int_equal(lround(ranking.list[1].full.low), 161);
	assert_int_equal(lround(ranking.list[1].full.high), 800);
	assert_int_equal(lround(ranking.list[1].full.throughput), 480);
	assert_int_equal(
	    ranking.list[2].full.judged_by, JUDGED_BY_FIRST_EPOCHS);
	assert_int_equal(lround(ranking.list[2].full.high), 600);
	ranking_release(&ranking);
	grid_release(&grid);
	fixture_close(&fixture);
}

/* What fits now, or no longer, is not what the ratios are about. */
static void test_ratios_of_another_dataset_do_not_hold(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("a/tar/none", 1000, 1, 40), .cache = "system",
		    .low = 900, .high = 1100, .relative_low = 1,
		    .relative_high = 1, .fits_memory = "yes" },
		{ FIXTURE_ROW("b/tar/none", 1000, 1, 50), .cache = "system",
		    .low = 900, .high = 1100, .relative_low = 0.5,
		    .relative_high = 0.6, .fits_memory = "no" },
		{ .strategy = NULL },
	};
	static const struct {
		double memory_bytes;
		bool holds;
	} cases[] = { { 45, true }, { 100, false } };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct request request = request_default();
		struct ranking ranking = RANKING_INIT;
		struct grid grid = GRID_INIT;
		struct error err = ERROR_INIT;

		request.memory_bytes = cases[i].memory_bytes;
		fixture_report(&grid, rows, 1000);
		test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
		assert_true(candidate_ratios_hold(&ranking.list[0]));
		assert_int_equal(
		    candidate_ratios_hold(&ranking.list[1]), cases[i].holds);
		assert_int_equal(
		    isnan(ranking.list[1].worth.paired.low), !cases[i].holds);
		ranking_release(&ranking);
		grid_release(&grid);
	}
}

/* A preparation that is 2 % shorter is chance; one of a third is not. */
static void test_ties_keep_the_order_of_the_file(void **state)
{
	static const struct {
		double given_s, other_s;
		const char *first;
	} cases[] = {
		{ 10.2, 10, "centered/tar/none" },
		{ 10, 10.2, "centered/tar/none" },
		{ 15, 10, "o1:centered/tar/none" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct fixture_trial trials[] = {
			{ .label = "unprocessed",
			    .cold = { 100, 101, 100, 101, 100 } },
			{ .label = "centered/tar/none",
			    .storage_bytes = 1e6,
			    .prep_s = cases[i].given_s,
			    .cold = { 1000, 1001, 1000, 1001, 1000 } },
			{ .label = "o1:centered/tar/none",
			    .storage_bytes = 1e6,
			    .prep_s = cases[i].other_s,
			    .cold = { 1000, 1001, 1000, 1001, 1000 } },
		};
		struct fixture fixture;
		struct grid grid = GRID_INIT;

		fixture_open(&fixture);
		for (size_t k = 0; k < ARRAY_LEN(trials); k++)
			fixture_add(&fixture, &trials[k]);
		fixture_read(&fixture, RESULTS_REPORT, &grid);
		for (size_t k = 0; k < grid.row_count; k++)
			if (grid_number(&grid, k, "place") == 1)
				assert_string_equal(
				    grid_text(&grid, k, "strategy"),
				    cases[i].first);
		grid_release(&grid);
		fixture_close(&fixture);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ties_are_found_round_by_round),
		cmocka_unit_test(test_many_rounds_are_compared_by_order),
		cmocka_unit_test(
		    test_what_outgrows_the_memory_is_ranked_as_not_cached),
		cmocka_unit_test(
		    test_what_outgrows_the_memory_has_its_cold_runs),
		cmocka_unit_test(test_ratios_of_another_dataset_do_not_hold),
		cmocka_unit_test(test_ties_keep_the_order_of_the_file),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
