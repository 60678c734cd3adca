/* test_rivals.c - which trials compete, and when the winner is uncertain. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/stores/readable.h"
#include "strategies/decide/rank.h"
#include "strategies/whatif/prices.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

/* Strategies in the order of the ranking, with their ranks: "1 a, 1 b, - c" */
static void check_ranking(const struct fixture_row *rows, double samples,
    const struct request *request, const char *want)
{
	struct ranking ranking = RANKING_INIT;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;
	char got[512] = "";

	fixture_report(&grid, rows, samples);
	test_ok(fixture_rank(&ranking, &grid, request, &err), &err);
	for (size_t i = 0; i < ranking.count; i++) {
		const struct candidate *c = &ranking.list[i];
		const size_t used = strlen(got);
		char rank[16] = "-";

		if (c->rank)
			snprintf(rank, sizeof(rank), "%s%u", c->tied ? "=" : "",
			    c->rank);
		snprintf(got + used, sizeof(got) - used, "%s%s %s",
		    i ? ", " : "", rank, c->trial.strategy);
	}
	assert_string_equal(got, want);
	ranking_release(&ranking);
	grid_release(&grid);
}

/* ---- a tie is a tie among equals ---- */

static void test_rivals_clearly_beaten_is_not_tied(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 100, 0, 43e6), .low = 95,
		    .high = 105 },
		{ FIXTURE_ROW("tokens", 200, 2, 50e6), .low = 196,
		    .high = 204 },
		{ FIXTURE_ROW("raw", 210, 1, 44e6), .low = 100, .high = 320 },
		{ .strategy = NULL },
	};
	const struct request request = request_default();

	(void)state;
	check_ranking(rows, 1000, &request, "=1 tokens, =1 raw, 3 unprocessed");
}

static void test_rivals_cheaper_is_what_the_objective_pays(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 225.8, 0, 8350e9), .low = 60,
		    .high = 700 },
		{ FIXTURE_ROW("resized", 661, 3600, 23650e9), .low = 600,
		    .high = 720 },
		{ .strategy = NULL },
	};
	struct prices prices = prices_none();
	struct request request = request_default();

	(void)state;
	request.epochs = 100;
	request.objective = &objective_time;
	check_ranking(rows, 1e6, &request, "=1 resized, =1 unprocessed");
	prices.vcpu_hour = 1;
	prices.vcpus = 10;
	prices.gb_month = 0.02;
	request.prices = &prices;
	request.objective = &objective_cost;
	check_ranking(rows, 1e6, &request, "=1 resized, =1 unprocessed");
}

static void test_rivals_balanced_is_the_formula_of_the_paper(void **state)
{
	static const struct fixture_row clear[] = {
		{ FIXTURE_ROW("unprocessed", 100, 0, 43e6), .low = 98,
		    .high = 102 },
		{ FIXTURE_ROW("resized", 500, 1, 109e6), .low = 490,
		    .high = 510 },
		{ .strategy = NULL },
	};
	static const struct fixture_row noisy[] = {
		{ FIXTURE_ROW("unprocessed", 100, 0, 43e6), .low = 98,
		    .high = 102 },
		{ FIXTURE_ROW("resized", 500, 1, 109e6), .low = 90,
		    .high = 910 },
		{ FIXTURE_ROW("centered", 300, 10, 500e6), .low = 290,
		    .high = 310 },
		{ .strategy = NULL },
	};
	/* Equal scores: fewer bytes first, then less preparation. */
	static const struct fixture_row equal[] = {
		{ FIXTURE_ROW("a", 100, 2, 5), .low = 99, .high = 101 },
		{ FIXTURE_ROW("b", 100, 1, 5), .low = 99, .high = 101 },
		{ FIXTURE_ROW("c", 100, 9, 4), .low = 99, .high = 101 },
		{ .strategy = NULL },
	};
	struct request request = request_default();

	(void)state;
	request.objective = &objective_balanced;
	check_ranking(clear, 1000, &request, "1 unprocessed, 2 resized");
	check_ranking(
	    noisy, 1000, &request, "=1 resized, =1 unprocessed, 3 centered");
	request.weights = (struct weights){ .throughput = 1 };
	check_ranking(equal, 1000, &request, "=1 c, =1 b, =1 a");
}

/* ---- readers ---- */

static const struct fixture_row stored[] = {
	{ FIXTURE_ROW("unprocessed", 100, 0, 43e6), .portable = "yes" },
	{ FIXTURE_ROW("r/tar/none", 200, 1, 44e6), .portable = "yes" },
	{ FIXTURE_ROW("r/tfrecord/none", 220, 1, 44e6), .portable = "yes" },
	{ FIXTURE_ROW("r/npy/none", 240, 1, 44e6), .portable = "yes" },
	{ FIXTURE_ROW("r/tfrecord/zlib:6", 260, 1, 44e6), .portable = "yes" },
	{ FIXTURE_ROW("r/tar/zstd:1", 280, 1, 40e6), .portable = "no" },
	{ .strategy = NULL },
};

static void check_winner(
    const struct fixture_row *rows, const char *reader, const char *winner)
{
	struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;

	request.reader = reader ? stock_reader_find(reader) : NULL;
	fixture_report(&grid, rows, 1000);
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	assert_string_equal(ranking.list[0].trial.strategy, winner);
	ranking_release(&ranking);
	grid_release(&grid);
}

static void test_rivals_are_what_the_reader_takes(void **state)
{
	static const struct {
		const char *reader, *winner;
	} cases[] = {
		{ NULL, "r/tfrecord/zlib:6" },
		{ "any", "r/tar/zstd:1" },
		{ "presto", "r/tar/zstd:1" },
		{ "webdataset", "r/tar/none" },
		{ "tensorflow", "r/tfrecord/zlib:6" },
		{ "numpy", "r/npy/none" },
		{ "pytorch", "r/npy/none" },
		{ "dali", "r/tfrecord/none" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check_winner(stored, cases[i].reader, cases[i].winner);
}

/* A report without the column: the store and the codec say it. */
static void test_rivals_of_a_report_without_portable(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 100, 0, 43e6) },
		{ FIXTURE_ROW("r/tar/none", 200, 1, 44e6) },
		{ FIXTURE_ROW("r/tar/delta+gzip:1", 280, 1, 40e6) },
		{ FIXTURE_ROW("r/zip/none", 290, 1, 40e6) },
		{ .strategy = NULL },
	};

	(void)state;
	check_winner(rows, NULL, "r/tar/none");
	check_winner(rows, "numpy", "unprocessed");
}

static void test_rivals_need_a_reader(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("r/tar/zstd:1", 280, 1, 40e6), .portable = "no" },
		{ .strategy = NULL },
	};
	const struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;

	(void)state;
	fixture_report(&grid, rows, 1000);
	assert_int_equal(fixture_rank(&ranking, &grid, &request, &err), -1);
	assert_int_equal(err.code, ERROR_GATE);
	test_contains(err.text, "--readable-by any");
	ranking_release(&ranking);
	grid_release(&grid);
}

/* ---- cache modes ---- */

static void test_rivals_are_of_one_cache_mode(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("u", 100, 0, 40), .cache = "none" },
		{ FIXTURE_ROW("r", 200, 1, 50), .cache = "none" },
		{ FIXTURE_ROW("u", 150, 0, 40), .cache = "system" },
		{ FIXTURE_ROW("r", 800, 1, 50), .cache = "system" },
		{ FIXTURE_ROW("app", 900, 1, 50), .cache = "application" },
		{ .strategy = NULL },
	};
	const struct request request = request_default();

	(void)state;
	check_ranking(rows, 1000, &request, "1 r, 2 u, - app, - r, - u");
}

/* What does not stay cached has the figure of its cold trial. */
static void test_rivals_may_fit_only_partly(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("u", 100, 0, 40), .cache = "none" },
		{ FIXTURE_ROW("r", 120, 1, 50), .cache = "none" },
		{ FIXTURE_ROW("u", 150, 0, 40), .cache = "system" },
		{ FIXTURE_ROW("r", 800, 1, 50), .cache = "system" },
		{ .strategy = NULL },
	};
	struct request request = request_default();

	(void)state;
	request.memory_bytes = 1000;
	check_ranking(rows, 1000, &request, "1 r, 2 u, - r, - u");
	request.full_samples = 22000; /* 880 and 1100 bytes */
	check_ranking(rows, 1000, &request, "1 u, 2 r, - r, - u");
}

static void check_mode(double full_samples, const char *cache)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("u", 100, 0, 40), .cache = "none" },
		{ FIXTURE_ROW("u", 150, 0, 40), .cache = "system" },
		{ .strategy = NULL },
	};
	struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;

	request.memory_bytes = 1000;
	request.full_samples = full_samples;
	fixture_report(&grid, rows, 1000);
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	assert_string_equal(cache_word(ranking.cache), cache);
	assert_string_equal(cache_word(ranking.list[0].trial.cache), cache);
	assert_int_equal(ranking.ranked, 1);
	assert_string_equal(ranking.list[1].unranked, "other cache mode");
	ranking_release(&ranking);
	grid_release(&grid);
}

static void test_rivals_are_cold_when_the_data_does_not_fit(void **state)
{
	(void)state;
	check_mode(NAN, "system");
	check_mode(25000, "system"); /* 1000 of 1000 bytes */
	check_mode(26000, "none");
	check_mode(1e15, "none");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rivals_clearly_beaten_is_not_tied),
		cmocka_unit_test(
		    test_rivals_cheaper_is_what_the_objective_pays),
		cmocka_unit_test(
		    test_rivals_balanced_is_the_formula_of_the_paper),
		cmocka_unit_test(test_rivals_are_what_the_reader_takes),
		cmocka_unit_test(test_rivals_of_a_report_without_portable),
		cmocka_unit_test(test_rivals_need_a_reader),
		cmocka_unit_test(test_rivals_are_of_one_cache_mode),
		cmocka_unit_test(test_rivals_may_fit_only_partly),
		cmocka_unit_test(
		    test_rivals_are_cold_when_the_data_does_not_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
