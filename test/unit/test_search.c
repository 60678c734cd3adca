/*
 * test_search.c - searches, in races whose true rates are known: the winner is
 * the right one, and most strategies are not measured.
 */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/decide/objectives/objective.h"
#include "test/unit/simulated_race.h"
#include "test/unit/test.h"

enum { RACES = 60, ROUNDS = 500, RUNS = 5 };

/* As the forecasts that are asked for: 10 % in the median, 95 % intervals. */
static const struct simulated_errors good = {
	.rate = 0.12, .prep = 0.15, .storage = 0.02, .claimed = 1, .bias = 1
};

static struct search_plan plan_of(
    const char *search, const struct request *request, uint64_t seed)
{
	return (struct search_plan){ .ops = search_find(search),
		.request = request,
		.least = RUNS,
		.most = 2 * RUNS,
		.seed = seed };
}

static struct request by_time(void)
{
	struct request request = request_default();

	request.objective = objective_by_epochs();
	request.epochs = 10;
	return request;
}

static struct request in_a_gigabyte(void)
{
	struct request request = request_default();

	request.max_storage_bytes = 1e9;
	return request;
}

struct tally {
	unsigned found;  /* the best, or one within 3 % */
	unsigned broken; /* constraints of winners */
	double spent, all;
	size_t measured;
	/* Seconds of preparations; of those 1.5 and 2 times behind the best. */
	double prepared_s, far_s, twice_s;
};

/* A stage on fewer samples could save these, at the most. */
static void tally_far(struct tally *tally, const struct simulated_race *race,
    const struct simulated *best)
{
	for (size_t i = 0; i < SIMULATED; i++) {
		const struct simulated *s = &race->list[i];
		const double behind = best->samples_per_s / s->samples_per_s;

		if (s->runs == 0)
			continue;
		tally->prepared_s += s->prep_s;
		tally->far_s += behind > 1.5 ? s->prep_s : 0;
		tally->twice_s += behind > 2 ? s->prep_s : 0;
	}
}

static struct tally race_many(const char *search, const struct request *request,
    const struct simulated_errors *errors)
{
	struct tally tally = { .found = 0 };

	for (uint64_t seed = 1; seed <= RACES; seed++) {
		const struct search_plan plan = plan_of(search, request, seed);
		const struct simulated *winner, *best;
		struct simulated_race race;

		simulated_race_begin(&race, &plan, errors, seed);
		simulated_race_run(&race, ROUNDS);
		winner = simulated_race_winner(&race);
		best = simulated_race_best(&race);
		tally.found += simulated_race_loss(&race, winner, best) <= 0.03;
		tally.broken += winner->storage_bytes >
		                number_or(request->max_storage_bytes, INFINITY);
		tally.spent += race.seconds;
		tally.all += simulated_race_all_s(&race);
		tally.measured += simulated_race_measured(&race);
		tally_far(&tally, &race, best);
		simulated_race_end(&race);
	}
	print_message("%s by %s: %u of %d, %.3f of the time, %.1f of %d "
	              "measured; of preparations %.3f far behind, %.3f twice\n",
	    search, request->objective->name, tally.found, RACES,
	    tally.spent / tally.all, (double)tally.measured / RACES, SIMULATED,
	    tally.far_s / tally.prepared_s, tally.twice_s / tally.prepared_s);
	return tally;
}

static void test_auto_finds_the_winner_in_a_quarter_of_the_time(void **state)
{
	const struct request requests[] = { request_default(), by_time(),
		in_a_gigabyte() };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
		const struct tally tally =
		    race_many("auto", &requests[i], &good);

		assert_true(tally.found >= 58);
		assert_int_equal(tally.broken, 0);
		assert_true(tally.spent <= 0.25 * tally.all);
	}
}

/*
 * The pilot has loaded a few dozen samples of each strategy.  So little is
 * prepared that another look at few samples would show to be far behind.
 */
static void test_what_is_far_behind_is_not_prepared(void **state)
{
	const struct request request = request_default();
	const struct tally tally = race_many("auto", &request, &good);

	UNUSED(state);
	assert_true(tally.prepared_s > 0);
	assert_true(tally.far_s <= 0.05 * tally.prepared_s);
	assert_true(tally.twice_s <= 0.01 * tally.prepared_s);
}

static void test_auto_beats_random(void **state)
{
	const struct request request = request_default();
	const struct tally chance = race_many("random", &request, &good);

	UNUSED(state);
	assert_true(chance.found < 40);
	assert_int_equal(chance.measured, RACES * (1 + 4));
	assert_true(race_many("auto", &request, &good).found > chance.found);
}

/* Forecasts that are worse, and say so, cost time and no winner. */
static void test_wide_intervals_have_more_measured(void **state)
{
	const struct simulated_errors wide = { .rate = 0.5,
		.prep = 0.5,
		.storage = 0.1,
		.claimed = 1,
		.bias = 1 };
	const struct request request = request_default();
	const struct tally bad = race_many("auto", &request, &wide);

	UNUSED(state);
	assert_true(bad.found >= 58);
	assert_true(bad.measured > race_many("auto", &request, &good).measured);
}

/* A machine that is twice as fast as the forecasts shows it at once. */
static void test_forecasts_that_are_all_too_low_are_corrected(void **state)
{
	const struct simulated_errors low = { .rate = 0.12,
		.prep = 0.15,
		.storage = 0.02,
		.claimed = 1,
		.bias = 0.5 };
	const struct request request = request_default();

	UNUSED(state);
	assert_true(race_many("auto", &request, &low).found >= 58);
}

static void test_what_is_left_out_has_a_bound_and_words(void **state)
{
	const struct request request = in_a_gigabyte();
	const struct search_plan plan = plan_of("auto", &request, 3);
	struct simulated_race race;
	unsigned beaten = 0, missed = 0;

	UNUSED(state);
	simulated_race_begin(&race, &plan, &good, 3);
	simulated_race_run(&race, ROUNDS);
	for (size_t i = 0; i < SIMULATED; i++) {
		const struct prospect *p = &race.search.list[i];

		if (p->state != PROSPECT_RULED_OUT)
			continue;
		assert_int_equal(race.list[i].runs, 0);
		assert_true(
		    p->bound_samples_per_s >= p->expected.throughput.median);
		beaten += strstr(p->why, "it cannot win: at most ") != NULL;
		missed += strstr(p->why, "it misses --max-storage ") != NULL;
	}
	assert_true(beaten > 0);
	assert_true(missed > 0);
	assert_true(race.list[0].runs > 0);
	simulated_race_end(&race);
}

/* The beaten have few runs, and the winner all of them. */
static void test_runs_are_made_where_the_decision_is_open(void **state)
{
	const struct request request = request_default();
	const struct search_plan plan = plan_of("auto", &request, 5);
	struct simulated_race race;

	UNUSED(state);
	simulated_race_begin(&race, &plan, &good, 5);
	simulated_race_run(&race, ROUNDS);
	for (size_t i = 0; i < SIMULATED; i++) {
		const struct prospect *p = &race.search.list[i];

		if (p->state == PROSPECT_KNOWN)
			assert_in_range(p->runs, RUNS, 2 * RUNS);
		if (p->state == PROSPECT_BEATEN)
			assert_in_range(p->runs, 1, 2 * RUNS);
	}
	assert_int_equal(race.list[0].runs, 1); /* its epochs are long */
	assert_true(simulated_race_winner(&race)->runs >= RUNS);
	simulated_race_end(&race);
}

static void test_what_time_was_too_short_for_may_still_win(void **state)
{
	const struct request request = request_default();
	const struct search_plan plan = plan_of("auto", &request, 1);
	struct simulated_race race;
	unsigned open = 0;

	UNUSED(state);
	simulated_race_begin(&race, &plan, &good, 1);
	simulated_race_run(&race, 1);
	search_finish(&race.search, true);
	for (size_t i = 0; i < SIMULATED; i++) {
		const struct prospect *p = &race.search.list[i];

		if (p->state != PROSPECT_OPEN)
			continue;
		open++;
		test_contains(p->why, "it may still win: the budget ended");
		assert_true(p->bound_samples_per_s > 0);
	}
	assert_true(open > 0);
	assert_int_equal(race.list[0].runs, 1);
	simulated_race_end(&race);
}

/* Of a trial that can have no more runs, nobody waits for more. */
static void test_what_has_no_more_runs_keeps_nobody_waiting(void **state)
{
	const struct request request = request_default();
	const struct search_plan plan = plan_of("auto", &request, 1);
	struct simulated_race race;
	struct error err = ERROR_INIT;
	struct prospect *picked;

	UNUSED(state);
	simulated_race_begin(&race, &plan, &good, 1);
	simulated_race_run(&race, 2);
	test_ok(search_pick(&race.search, &picked, &err), &err);
	assert_null(picked); /* the best has one run */
	for (size_t i = 0; i < SIMULATED; i++)
		race.search.list[i].over = race.list[i].runs > 0;
	test_ok(search_pick(&race.search, &picked, &err), &err);
	assert_non_null(picked);
	simulated_race_end(&race);
}

/* Strategies with the same online steps share half of the error. */
static void test_one_trial_corrects_those_that_are_like_it(void **state)
{
	const struct request request = request_default();
	const struct search_plan plan = plan_of("auto", &request, 6);
	struct simulated_race race;
	struct prospect *measured, *like;
	struct figures figures;
	struct error err = ERROR_INIT;

	UNUSED(state);
	simulated_race_begin(&race, &plan, &good, 6);
	measured = &race.search.list[3];
	like = &race.search.list[4];
	race.list[4].strategy.split = race.list[3].strategy.split;
	measured->expected.throughput.median = 1000;
	like->expected.throughput.median = 2000;
	like->high_samples_per_s = 2000 * 1.44;
	assert_true(fabs(search_bound(&race.search, like) - 2880) < 1e-6);
	figures = measured->expected;
	figures.trial = 4;
	figures.throughput.counted = 5;
	figures.throughput.median = 500 / 1.02; /* a fifth of 10 % for luck */
	test_ok(
	    search_look(&race.search,
	        &(struct figures_list){ .list = &figures, .count = 1 }, &err),
	    &err);
	assert_true(
	    fabs(search_bound(&race.search, like) - 2000 * 0.5 * 1.2) < 1e-6);
	race.list[4].strategy.unprocessed = true;
	assert_true(fabs(search_bound(&race.search, like) - 2880) < 1e-6);
	simulated_race_end(&race);
}

static void test_only_the_assumed_cache_mode_has_rivals(void **state)
{
	const struct request request = request_default();
	const struct search_plan plan = plan_of("auto", &request, 2);
	struct simulated_race race;
	struct error err = ERROR_INIT;
	struct prospect cold;

	UNUSED(state);
	simulated_race_begin(&race, &plan, &good, 2);
	cold = race.search.list[0];
	cold.mode.cache = cold.expected.cache = CACHE_NONE;
	cold.high_samples_per_s = 1e9;
	test_ok(search_add(&race.search, &cold, &err), &err);
	simulated_race_run(&race, ROUNDS);
	assert_int_equal(race.search.list[SIMULATED].state, PROSPECT_RULED_OUT);
	test_contains(race.search.list[SIMULATED].why,
	    "assumes cache system, and not cache none");
	simulated_race_end(&race);
}

static void test_lossy_strategies_are_left_out_unless_asked_for(void **state)
{
	UNUSED(state);
	for (unsigned asked = 0; asked < 2; asked++) {
		struct request request = request_default();
		struct search_plan plan;
		struct simulated_race race;

		request.lossy = asked;
		plan = plan_of("auto", &request, 4);
		simulated_race_begin(&race, &plan, &good, 4);
		race.search.list[7].expected.answers.equivalent =
		    EQUIVALENT_LOSSY;
		race.search.list[7].high_samples_per_s = 1e9;
		simulated_race_run(&race, ROUNDS);
		assert_int_equal(race.list[7].runs > 0, asked);
		simulated_race_end(&race);
	}
}

static void test_searches_are_a_family(void **state)
{
	struct error err = ERROR_INIT;
	unsigned defaults = 0;

	UNUSED(state);
	for (size_t i = 0; search_at(i); i++) {
		const struct search_ops *ops = search_at(i);

		assert_ptr_equal(search_find(ops->name), ops);
		assert_true(*ops->summary);
		assert_true(ops->is_exhaustive || (ops->judge && ops->pick));
		if (i > 0)
			assert_true(
			    strcmp(search_at(i - 1)->name, ops->name) < 0);
		defaults += ops->is_default;
	}
	assert_int_equal(defaults, 1);
	assert_ptr_equal(search_parse(NULL, &err), search_default());
	assert_null(search_parse("atuo", &err));
	assert_string_equal(err.text,
	    "unknown search 'atuo'; did you mean 'auto'? There are all, auto "
	    "and random");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_auto_finds_the_winner_in_a_quarter_of_the_time),
		cmocka_unit_test(test_what_is_far_behind_is_not_prepared),
		cmocka_unit_test(test_auto_beats_random),
		cmocka_unit_test(test_wide_intervals_have_more_measured),
		cmocka_unit_test(
		    test_forecasts_that_are_all_too_low_are_corrected),
		cmocka_unit_test(test_what_is_left_out_has_a_bound_and_words),
		cmocka_unit_test(test_runs_are_made_where_the_decision_is_open),
		cmocka_unit_test(
		    test_what_time_was_too_short_for_may_still_win),
		cmocka_unit_test(
		    test_what_has_no_more_runs_keeps_nobody_waiting),
		cmocka_unit_test(
		    test_one_trial_corrects_those_that_are_like_it),
		cmocka_unit_test(test_only_the_assumed_cache_mode_has_rivals),
		cmocka_unit_test(
		    test_lossy_strategies_are_left_out_unless_asked_for),
		cmocka_unit_test(test_searches_are_a_family),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
