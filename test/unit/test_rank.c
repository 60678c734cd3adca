/* test_rank.c - ranking: ties, unknown figures, and the view's rank. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "strategies/decide/advice.h"
#include "strategies/decide/constraints.h"
#include "strategies/decide/rank.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

static const struct candidate *find(
    const struct ranking *ranking, const char *strategy)
{
	for (size_t i = 0; i < ranking->count; i++)
		if (strcmp(ranking->list[i].trial.strategy, strategy) == 0)
			return &ranking->list[i];
	fail_msg("no %s in the ranking", strategy);
	return NULL;
}

static void check_near(const char *what, double got, double want)
{
	if (!(fabs(got - want) <= 5e-4 * fmax(1, fabs(want))))
		fail_msg("%s: %g, not %g", what, got, want);
}

/* ---- odd reports ---- */

static void test_rank_equal_values_all_score_one(void **state)
{
	static const struct fixture_row rows[] = { { FIXTURE_ROW(
		                                       "b", 100, 5, 7) },
		{ FIXTURE_ROW("a", 100, 5, 7) }, { .strategy = NULL } };
	static const struct objective_ops *const objectives[] = {
		&objective_throughput, &objective_time
	};
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fixture_report(&grid, rows, 10);
	for (size_t i = 0; i < ARRAY_LEN(objectives); i++) {
		struct request request = request_default();
		struct ranking ranking = RANKING_INIT;

		request.objective = objectives[i];
		request.epochs = 1;
		test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
		assert_string_equal(ranking.list[0].trial.strategy, "a");
		for (size_t k = 0; k < 2; k++) {
			check_near("score", ranking.list[k].worth.score, 1);
			assert_true(ranking.list[k].tied);
			assert_true(ranking.list[k].pareto);
			assert_true(isnan(ranking.list[k].break_even_epochs));
		}
		ranking_release(&ranking);
	}
	{
		struct request request = request_default();
		struct ranking ranking = RANKING_INIT;

		request.objective = &objective_balanced;
		test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
		check_near("balanced", ranking.list[0].worth.score, 3);
		ranking_release(&ranking);
	}
	grid_release(&grid);
}

/* What keeps the limit by another option is named with it. */
static void test_rank_constraints_name_what_is_left_out(void **state)
{
	struct candidate list[] = {
		{ .trial.strategy = "plain",
		    .able = true,
		    .readable = true,
		    .full.storage_bytes = 300 },
		{ .trial.strategy = "own",
		    .able = true,
		    .full.storage_bytes = 100 },
		{ .trial.strategy = "lossy",
		    .lossy = true,
		    .readable = true,
		    .full.storage_bytes = 90 },
		{ .trial.strategy = "wrong", .full.storage_bytes = 10 },
	};
	const struct ranking ranking = { .list = list,
		.count = ARRAY_LEN(list) };
	struct request request = request_default();
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(list); i++) {
		list[i].assumed = true;
		list[i].trial.throughput.median = 1;
	}
	request.max_storage_bytes = 200;
	assert_int_equal(constraints_error(&ranking, &request, &err), -1);
	assert_string_equal(err.text,
	    "no strategy meets --max-storage 200 B; the nearest is plain with "
	    "300 B; with --lossy, lossy does; with --readable-by any, own "
	    "does");
	request.max_storage_bytes = 95;
	constraints_error(&ranking, &request, &err);
	test_contains(err.text, "with 300 B; with --lossy, lossy does");
	assert_null(strstr(err.text, "own"));
}

static void test_rank_what_is_not_known_comes_last(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("fast", 200, NAN, NAN) },
		{ FIXTURE_ROW("slow", 100, 5, 7) },
		{ FIXTURE_ROW("slower", 50, 5, 7) },
		{ FIXTURE_ROW("wrong", 900, 1, 1), .equivalent = "no" },
		{ FIXTURE_ROW("lossy", 900, 1, 1), .equivalent = "lossy" },
		{ .strategy = NULL },
	};
	struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fixture_report(&grid, rows, 10);
	request.objective = &objective_balanced;
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	assert_string_equal(ranking.list[0].trial.strategy, "slow");
	assert_string_equal(ranking.list[2].trial.strategy, "fast");
	assert_int_equal(find(&ranking, "wrong")->rank, 0);
	assert_false(find(&ranking, "wrong")->pareto);
	assert_true(isnan(find(&ranking, "lossy")->worth.score));
	ranking_release(&ranking);
	/* Lossy ones take part when they are asked for; wrong ones never. */
	request.lossy = true;
	request.objective = &objective_throughput;
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	assert_string_equal(ranking.list[0].trial.strategy, "lossy");
	assert_true(ranking.list[0].lossy);
	assert_int_equal(find(&ranking, "wrong")->rank, 0);
	ranking_release(&ranking);
	/* A constraint on what is not known is not met. */
	request = request_default();
	request.max_storage_bytes = 1e12;
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	assert_string_equal(ranking.list[0].trial.strategy, "slow");
	ranking_release(&ranking);
	grid_release(&grid);
}

static void test_rank_nothing_to_recommend(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("wrong", 900, 1, 1), .equivalent = "no" },
		{ FIXTURE_ROW("stalled", 0, 1, 1) },
		{ .strategy = NULL },
	};
	struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	assert_int_equal(fixture_rank(&ranking, &grid, &request, &err), -1);
	assert_int_equal(err.code, ERROR_GATE);
	ranking_release(&ranking);
	fixture_report(&grid, rows, 10);
	assert_int_equal(fixture_rank(&ranking, &grid, &request, &err), -1);
	assert_int_equal(err.code, ERROR_GATE);
	ranking_release(&ranking);
	grid_release(&grid);
}

static void check_first(const struct fixture_row *rows,
    const struct request *request, const char *first, bool tied)
{
	struct ranking ranking = RANKING_INIT;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;

	fixture_report(&grid, rows, 1000);
	test_ok(fixture_rank(&ranking, &grid, request, &err), &err);
	assert_string_equal(ranking.list[0].trial.strategy, first);
	assert_int_equal(ranking.list[0].tied, tied);
	ranking_release(&ranking);
	grid_release(&grid);
}

/* Of those that may lose 5 % at most the cheapest wins; the others follow. */
static void test_rank_overlapping_intervals_are_a_tie(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("big", 1000, 1, 9e9), .low = 990, .high = 1010 },
		{ FIXTURE_ROW("small", 990, 1, 1e9), .low = 980, .high = 1000 },
		{ FIXTURE_ROW("quick", 985, 0.5, 1e9), .low = 975,
		    .high = 995 },
		{ FIXTURE_ROW("unsure", 995, 0, 1), .low = 800, .high = 1020 },
		{ FIXTURE_ROW("behind", 965, 0, 1), .low = 960, .high = 968 },
		{ .strategy = NULL },
	};
	static const char *const order[] = { "quick", "small", "big", "unsure",
		"behind" };
	static const double loss[] = { 1020. / 975, 1020. / 980, 1020. / 990,
		1010. / 800, NAN };
	const struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fixture_report(&grid, rows, 10);
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		const struct candidate *c = &ranking.list[i];

		assert_string_equal(c->trial.strategy, order[i]);
		assert_int_equal(c->rank, i < 4 ? 1 : i + 1);
		assert_int_equal(c->tied, i < 4);
		assert_int_equal(c->as_good, i < 3);
		if (i < 4)
			check_near(order[i], c->loss, loss[i]);
	}
	ranking_release(&ranking);
	grid_release(&grid);
}

/* The median of an unsure one is the best, and may be a third of it. */
static void test_rank_unsure_does_not_win_by_its_median(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unsure", 210, 1, 1), .low = 70, .high = 320 },
		{ FIXTURE_ROW("sure", 200, 2, 5e9), .low = 196, .high = 204 },
		{ .strategy = NULL },
	};
	/* What is surely slower than it probably is does not win either. */
	static const struct fixture_row slow[] = {
		{ FIXTURE_ROW("unsure", 1000, 1, 9e9), .low = 600,
		    .high = 1100 },
		{ FIXTURE_ROW("sure", 630, 1, 1), .low = 620, .high = 640 },
		{ .strategy = NULL },
	};
	const struct request request = request_default();

	UNUSED(state);
	check_first(rows, &request, "sure", true);
	check_first(slow, &request, "unsure", true);
}

/* By each objective, at the ends of the intervals. */
static void test_rank_loss_is_what_the_objective_counts(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("a", 100, 5, 7), .low = 50, .high = 200 },
		{ FIXTURE_ROW("b", 110, 5, 7), .low = 80, .high = 160 },
		{ .strategy = NULL },
	};
	static const struct {
		const struct objective_ops *objective;
		const char *first;
		double loss;
	} cases[] = {
		{ &objective_throughput, "b", 200. / 80 },
		/* 10 epochs of 1000 samples, behind 5 s of preparation. */
		{ &objective_time, "b",
		    (5 + 10 * 1000. / 80) / (5 + 10 * 1000. / 200) },
		/* The noise: the scale, 100 to 110, is much narrower. */
		{ &objective_balanced, "b", 200. / 100 * 110 / 80 },
	};
	struct grid grid = GRID_INIT;

	UNUSED(state);
	fixture_report(&grid, rows, 1000);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct request request = request_default();
		struct ranking ranking = RANKING_INIT;
		struct error err = ERROR_INIT;

		request.objective = cases[i].objective;
		request.epochs = 10;
		test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
		assert_string_equal(
		    ranking.list[0].trial.strategy, cases[i].first);
		check_near(cases[i].objective->name, ranking.list[0].loss,
		    cases[i].loss);
		ranking_release(&ranking);
	}
	grid_release(&grid);
}

/* Its files are there anyway, however many they are. */
static void test_rank_does_nothing_when_that_is_as_good(void **state)
{
	static const struct fixture_row slower[] = {
		{ FIXTURE_ROW("unprocessed", 1000, 0, 9e9), .low = 600,
		    .high = 1100 },
		{ FIXTURE_ROW("small", 630, 1, 1e6), .low = 620, .high = 640 },
		{ .strategy = NULL },
	};
	static const struct fixture_row faster[] = {
		{ FIXTURE_ROW("unprocessed", 1000, 0, 9e9), .low = 980,
		    .high = 1020 },
		{ FIXTURE_ROW("small", 1015, 1, 1e6), .low = 995,
		    .high = 1028 },
		{ .strategy = NULL },
	};
	struct request request = request_default();

	UNUSED(state);
	check_first(slower, &request, "unprocessed", true);
	check_first(faster, &request, "unprocessed", true);
	/* Where it is not allowed, the others may win. */
	request.max_storage_bytes = 1e9;
	check_first(slower, &request, "small", false);
}

/*
 * Its interval reaches the best, it is small, and for all that it may be a
 * fifth slower.  By the formula of the paper it may win all the same.
 */
static void test_rank_never_what_may_be_slow_by_a_tie(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 890, 0, 9e9), .low = 880,
		    .high = 899 },
		{ FIXTURE_ROW("big", 1000, 1, 9e9), .low = 970, .high = 1030 },
		{ FIXTURE_ROW("small", 850, 1, 1e6), .low = 800, .high = 970 },
		{ .strategy = NULL },
	};
	struct request request = request_default();

	UNUSED(state);
	check_first(rows, &request, "big", true);
	request.objective = &objective_balanced;
	request.weights = (struct weights){ .storage = 5, .throughput = 1 };
	check_first(rows, &request, "small", false);
}

static void test_rank_a_single_figure_is_no_certainty(void **state)
{
	static const struct fixture_row near[] = {
		{ FIXTURE_ROW("unprocessed", 1000, 0, 1e6) },
		{ FIXTURE_ROW("big", 1001, 1, 9e9) },
		{ .strategy = NULL },
	};
	static const struct fixture_row apart[] = {
		{ FIXTURE_ROW("unprocessed", 960, 0, 1e6) },
		{ FIXTURE_ROW("big", 1000, 1, 9e9) },
		{ .strategy = NULL },
	};
	static const struct fixture_row far[] = {
		{ FIXTURE_ROW("unprocessed", 930, 0, 1e6) },
		{ FIXTURE_ROW("big", 1000, 1, 9e9) },
		{ .strategy = NULL },
	};
	const struct request request = request_default();

	UNUSED(state);
	check_first(near, &request, "unprocessed", true);
	check_first(apart, &request, "big", true);
	check_first(far, &request, "big", false);
}

static void check_tied(const struct ranking *ranking, const char *tied)
{
	for (size_t i = 0; i < ranking->count; i++) {
		const char *name = ranking->list[i].trial.strategy;

		if (ranking->list[i].tied != (strstr(tied, name) != NULL))
			fail_msg("%s: not as it should be", name);
	}
}

/* Of other rounds, or of too few, "alone" is compared by its interval. */
static void test_rank_rounds_in_common_tell_more_than_intervals(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("fastest", 1000, 2, 9e9), .low = 700,
		    .high = 1200, .relative_low = 1, .relative_high = 1 },
		{ FIXTURE_ROW("near", 970, 1, 1), .low = 700, .high = 1200,
		    .relative_low = 0.96, .relative_high = 0.97 },
		{ FIXTURE_ROW("far", 900, 1, 2), .low = 850, .high = 950,
		    .relative_low = 0.85, .relative_high = 1.01 },
		{ FIXTURE_ROW("doubtful", 800, 1, 2), .low = 500, .high = 1100,
		    .relative_low = 0.6, .relative_high = 1.1 },
		{ FIXTURE_ROW("faster", 950, 1, 3), .low = 850, .high = 960,
		    .relative_low = 1.01, .relative_high = 1.02 },
		{ FIXTURE_ROW("alone", 650, 1, 4), .low = 600, .high = 710 },
		{ .strategy = NULL },
	};
	struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fixture_report(&grid, rows, 1000);
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	assert_string_equal(ranking.list[0].trial.strategy, "faster");
	check_tied(&ranking, "fastest, far, faster, doubtful");
	ranking_release(&ranking);
	/* What is left is compared by what each is to the fastest. */
	request.max_storage_bytes = 1e9;
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	check_tied(&ranking, "near, far, faster, doubtful");
	ranking_release(&ranking);
	/* With its preparation the fastest takes longer than most of them. */
	request = request_default();
	request.objective = &objective_time;
	request.epochs = 10;
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	check_near("total", find(&ranking, "near")->total_s, 1 + 10 / 0.97);
	check_tied(&ranking, "near, far, faster, doubtful");
	ranking_release(&ranking);
	grid_release(&grid);
}

/* A report that was cut, or put together, need not have the fastest. */
static void test_rank_relative_to_nothing_is_not_known(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("a", 1000, 1, 9e9), .low = 900, .high = 1100,
		    .relative_low = 0.8, .relative_high = 0.9 },
		{ FIXTURE_ROW("unprocessed", 950, 0, 1), .low = 850,
		    .high = 1000, .relative_low = 0.5, .relative_high = 0.6 },
		{ .strategy = NULL },
	};
	const struct request request = request_default();

	UNUSED(state);
	check_first(rows, &request, "a", true);
}

static double total(
    const struct ranking *ranking, const char *strategy, double epochs)
{
	const struct candidate *c = find(ranking, strategy);

	return candidate_total_s(c, epochs, c->trial.throughput.median);
}

/* From so many epochs on the total is no more than that of doing nothing. */
static void test_rank_pays_when_the_total_does(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 1000, 0, 1), .cache = "system",
		    .first_epoch = 500 },
		{ FIXTURE_ROW("late", 2000, 3, 1), .cache = "system",
		    .first_epoch = 100 },
		{ FIXTURE_ROW("soon", 1100, 0.1, 1), .cache = "system",
		    .first_epoch = 900 },
		{ FIXTURE_ROW("never", 900, 0.1, 1), .cache = "system",
		    .first_epoch = 900 },
		{ .strategy = NULL },
	};
	static const struct {
		const char *strategy;
		double epochs;
	} cases[] = { { "late", 23 }, { "soon", 1 }, { "never", NAN } };
	const struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fixture_report(&grid, rows, 1000);
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *name = cases[i].strategy;
		const double pays = find(&ranking, name)->break_even_epochs;

		if (isnan(cases[i].epochs)) {
			assert_true(isnan(pays));
			continue;
		}
		check_near(name, pays, cases[i].epochs);
		for (double e = 1; e < 2 * pays; e++)
			assert_int_equal(
			    total(&ranking, name, e) <=
			        total(&ranking, "unprocessed", e) + 1e-9,
			    e >= pays);
	}
	ranking_release(&ranking);
	grid_release(&grid);
}

/* The epoch that fills a cache is as slow as it was. */
static void test_rank_time_begins_with_a_cold_epoch(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("warm", 1000, 2, 1), .cache = "system",
		    .first_epoch = 10 },
		{ FIXTURE_ROW("cold", 100, 2, 1), .first_epoch = 90 },
		{ .strategy = NULL },
	};
	struct request request = request_default();
	struct ranking ranking = RANKING_INIT;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;

	UNUSED(state);
	fixture_report(&grid, rows, 1000);
	request.objective = &objective_time;
	request.epochs = 3;
	request.full_samples = 10000;
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	check_near("warm", find(&ranking, "warm")->total_s, 20 + 1000 + 20);
	check_near("cold", find(&ranking, "cold")->total_s, 20 + 300);
	check_near("storage", find(&ranking, "cold")->full.storage_bytes, 10);
	ranking_release(&ranking);
	grid_release(&grid);
}

/* The fastest of all, and cheap: but nobody knows what it delivers. */
static void test_rank_yours_is_compared_with_and_never_ranked(void **state)
{
	static const struct fixture_row rows[] = {
		{ FIXTURE_ROW("unprocessed", 100, 0, 70) },
		{ FIXTURE_ROW("yours", 500, NAN, NAN) },
		{ FIXTURE_ROW("a", 250, 5, 7) }, { .strategy = NULL }
	};
	const struct request request = request_default();
	const struct surroundings surroundings = { .memory_bytes = NAN };
	struct ranking ranking = RANKING_INIT;
	struct grid grid = GRID_INIT;
	struct error err = ERROR_INIT;
	const struct candidate *yours;
	struct advice advice;

	UNUSED(state);
	fixture_report(&grid, rows, 10);
	test_ok(fixture_rank(&ranking, &grid, &request, &err), &err);
	assert_string_equal(ranking.list[0].trial.strategy, "a");
	yours = find(&ranking, "yours");
	assert_int_equal(yours->rank, 0);
	assert_string_equal(yours->unranked, "your loader");
	assert_true(isnan(yours->worth.score));
	assert_true(isnan(yours->break_even_epochs));
	advice_make(&advice, &ranking, &request, &surroundings);
	assert_ptr_equal(advice.yours.candidate, yours);
	check_near("speed-up", advice.yours.speedup, 0.5);
	assert_true(isnan(advice.yours.break_even));
	test_contains(advice.reason, "0.5 times yours (500)");
	for (unsigned i = 0; i < advice.warning_count; i++)
		assert_null(strstr(advice.warnings[i], "left out"));
	ranking_release(&ranking);
	grid_release(&grid);
}

static void test_rank_objectives_have_a_name(void **state)
{
	const struct objective_ops *objective;

	UNUSED(state);
	for (size_t i = 0; (objective = objective_at(i)); i++) {
		const size_t len = strlen(objective->summary);

		assert_ptr_equal(objective_find(objective->name), objective);
		assert_true(len > 0 && objective->summary[len - 1] != '.');
		if (i)
			assert_true(strcmp(objective_at(i - 1)->name,
			                objective->name) < 0);
	}
	assert_null(objective_find("beauty"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rank_equal_values_all_score_one),
		cmocka_unit_test(test_rank_constraints_name_what_is_left_out),
		cmocka_unit_test(test_rank_what_is_not_known_comes_last),
		cmocka_unit_test(test_rank_nothing_to_recommend),
		cmocka_unit_test(test_rank_overlapping_intervals_are_a_tie),
		cmocka_unit_test(test_rank_unsure_does_not_win_by_its_median),
		cmocka_unit_test(test_rank_loss_is_what_the_objective_counts),
		cmocka_unit_test(test_rank_does_nothing_when_that_is_as_good),
		cmocka_unit_test(test_rank_never_what_may_be_slow_by_a_tie),
		cmocka_unit_test(test_rank_a_single_figure_is_no_certainty),
		cmocka_unit_test(
		    test_rank_rounds_in_common_tell_more_than_intervals),
		cmocka_unit_test(test_rank_relative_to_nothing_is_not_known),
		cmocka_unit_test(test_rank_pays_when_the_total_does),
		cmocka_unit_test(test_rank_time_begins_with_a_cold_epoch),
		cmocka_unit_test(
		    test_rank_yours_is_compared_with_and_never_ranked),
		cmocka_unit_test(test_rank_objectives_have_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
