/* test_rounds.c - the number of runs of a trial. */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "strategies/session/rounds.h"
#include "test/unit/test.h"

/* ---- rounds ---- */

enum { TRIALS = 4, TIME = 1000 };

struct world { /* where a run takes TIME */
	struct scheduled_trial trials[TRIALS];
	double spread[TRIALS]; /* of its rates, in percent */
	double drift;          /* the fraction that a run is slower */
	uint64_t now;
	unsigned order[1000], made;
	unsigned fails; /* trial 3 does, at this run; 0: never */
	int code;
};

static uint64_t world_now(void *arg)
{
	return ((struct world *)arg)->now;
}

static int world_run(
    void *arg, struct scheduled_trial *trial, double *rate, struct error *err)
{
	struct world *world = arg;
	const size_t i = (size_t)(trial - world->trials);
	const double sign = trial->runs % 2 ? 1 : -1;

	world->now += TIME;
	world->order[world->made++] = (unsigned)i;
	*rate = 100 + (trial->runs % 7 ? sign * world->spread[i] : 0);
	*rate *= 1 - world->drift * trial->runs;
	if (i != 3 || world->fails == 0 || trial->runs + 1 < world->fails)
		return 0;
	trial->ended = "failed";
	return world->code < 0 ? error_set(err, ERROR_DATA, "it broke") : 1;
}

static int go(struct world *world, struct rounds_plan plan, struct error *err)
{
	const struct clock clock = { .now_ns = world_now, .arg = world };

	plan.clock = &clock;
	plan.run = world_run;
	plan.arg = world;
	return rounds_run(&plan, world->trials, TRIALS, err);
}

static void test_rounds_end_at_a_look_where_it_is_known(void **state)
{
	struct world world = { .spread = { 0.5, 1, 30, 1 } };
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(go(&world,
	            (struct rounds_plan){
	                .least = 5, .most = 80, .precision = 0.02 },
	            &err),
	    &err);
	assert_string_equal(world.trials[0].ended, "precise");
	assert_int_equal(world.trials[0].runs, ROUNDS_FIRST_LOOK);
	assert_string_equal(world.trials[2].ended, "runs");
	assert_int_equal(world.trials[2].runs, 80);
	assert_int_equal(world.made, 3 * ROUNDS_FIRST_LOOK + 80);
	assert_true(world.trials[0].rates[1] == 100.5);
}

/* Whichever it is that is not known: rounds go on for it alone. */
static void test_rounds_go_on_for_a_single_trial(void **state)
{
	UNUSED(state);
	for (size_t i = 0; i < TRIALS; i++) {
		struct world world = { .spread = { 1, 1, 1, 1 } };
		struct error err = ERROR_INIT;

		world.spread[i] = 30;
		test_ok(go(&world,
		            (struct rounds_plan){
		                .least = 5, .most = 80, .precision = 0.02 },
		            &err),
		    &err);
		for (size_t k = 0; k < TRIALS; k++)
			assert_int_equal(world.trials[k].runs,
			    k == i ? 80 : ROUNDS_FIRST_LOOK);
	}
}

/* The next look is after twice as many rounds, and none before the least. */
static void test_rounds_look_again_when_they_have_doubled(void **state)
{
	struct world world = { .spread = { 0.5, 1, 1, 1 } };
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(go(&world,
	            (struct rounds_plan){ .least = ROUNDS_FIRST_LOOK + 1,
	                .most = 200,
	                .precision = 0.02 },
	            &err),
	    &err);
	for (unsigned i = 0; i < TRIALS; i++) {
		assert_string_equal(world.trials[i].ended, "precise");
		assert_int_equal(world.trials[i].runs, 2 * ROUNDS_FIRST_LOOK);
	}
}

/* All runs are within 2 %, but each is slower than the one before. */
static void test_rounds_go_on_while_the_machine_drifts(void **state)
{
	struct world world = { .drift = 0.0003 };
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(go(&world,
	            (struct rounds_plan){
	                .least = 5, .most = 100, .precision = 0.02 },
	            &err),
	    &err);
	for (unsigned i = 0; i < TRIALS; i++) {
		assert_string_equal(world.trials[i].ended, "runs");
		assert_int_equal(world.trials[i].runs, 100);
	}
}

/* Every round has each trial once, and not always in the same order. */
static void test_rounds_are_interleaved(void **state)
{
	struct world world = { .spread = { 50, 50, 50, 50 } }, again;
	const struct rounds_plan plan = { .least = 50, .most = 50, .seed = 7 };
	struct error err = ERROR_INIT;
	unsigned first[TRIALS] = { 0 };

	UNUSED(state);
	again = world;
	test_ok(go(&world, plan, &err), &err);
	assert_int_equal(world.made, 200);
	for (unsigned round = 0; round < 50; round++) {
		unsigned seen = 0;

		for (unsigned i = 0; i < TRIALS; i++)
			seen |= 1u << world.order[round * TRIALS + i];
		assert_int_equal(seen, 15);
		first[world.order[round * TRIALS]]++;
	}
	for (unsigned i = 0; i < TRIALS; i++)
		assert_in_range(first[i], 3, 25);
	test_ok(go(&again, plan, &err), &err);
	assert_memory_equal(world.order, again.order, sizeof(world.order));
}

static void test_rounds_end_with_the_budget(void **state)
{
	struct world world = { .spread = { 50, 50, 50, 50 } };
	struct world short_one = world, twice = world, each = world;
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(go(&world,
	            (struct rounds_plan){
	                .least = 5, .most = 50, .deadline_ns = 30 * TIME },
	            &err),
	    &err);
	assert_int_equal(world.made, 30);
	for (unsigned i = 0; i < TRIALS; i++)
		assert_string_equal(world.trials[i].ended, "budget");
	/* Each has one run, however short the time. */
	test_ok(go(&short_one,
	            (struct rounds_plan){
	                .least = 5, .most = 50, .deadline_ns = 1 },
	            &err),
	    &err);
	assert_int_equal(short_one.made, TRIALS);
	test_ok(
	    go(&twice,
	        (struct rounds_plan){ .least = 5, .most = 50, .twice = true },
	        &err),
	    &err);
	assert_int_equal(twice.made, 2 * 5 * TRIALS);
	/* A budget of each trial, and nothing else that ends it. */
	test_ok(go(&each,
	            (struct rounds_plan){ .least = 5,
	                .most = 50,
	                .trial_ns = 14 * TIME + TIME / 2,
	                .twice = true },
	            &err),
	    &err);
	assert_int_equal(each.made, 14 * TRIALS);
	assert_string_equal(each.trials[0].ended, "budget");
}

static void test_rounds_leave_out_what_fails(void **state)
{
	struct world world = { .fails = 2, .code = 1 };
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(go(&world, (struct rounds_plan){ .least = 3, .most = 3 }, &err),
	    &err);
	assert_int_equal(world.made, 3 * 3 + 2);
	assert_string_equal(world.trials[3].ended, "failed");
	world = (struct world){ .fails = 2, .code = -1 };
	assert_int_equal(
	    go(&world, (struct rounds_plan){ .least = 3, .most = 3 }, &err),
	    -1);
	assert_string_equal(err.text, "it broke");
	assert_in_range(world.made, TRIALS + 1, 2 * TRIALS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounds_end_at_a_look_where_it_is_known),
		cmocka_unit_test(test_rounds_go_on_for_a_single_trial),
		cmocka_unit_test(test_rounds_look_again_when_they_have_doubled),
		cmocka_unit_test(test_rounds_go_on_while_the_machine_drifts),
		cmocka_unit_test(test_rounds_are_interleaved),
		cmocka_unit_test(test_rounds_end_with_the_budget),
		cmocka_unit_test(test_rounds_leave_out_what_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
