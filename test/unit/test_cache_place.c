/*
 * test_cache_place.c - what the application cache keeps, for budgets and costs
 * that are known.
 */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/forecast/cache_place.h"
#include "strategies/plan/cache_list.h"
#include "test/unit/modelled.h"
#include "test/unit/test.h"

/* raw, small, large, cut, done: `cut` is random. */
static const char text[] = "[pipeline]\n"
                           "small = center_crop size=32\n"
                           "large = center\n"
                           "cut = random_crop size=16\n"
                           "done = hflip\n";

enum { RAW, SMALL, LARGE, CUT, DONE, SAMPLES = 100, PARTS = 20 };

static int set_up(void **state)
{
	static struct modelled setup;
	struct modelled *s = &setup;

	modelled_init(s, text, PARTS, SAMPLES / PARTS, 0);
	s->model->field_bytes[RAW] = 64 * 64 * 3;
	s->model->field_bytes[SMALL] = 32 * 32 * 3;
	s->model->field_bytes[LARGE] = 32 * 32 * 3 * 4;
	s->model->field_bytes[CUT] = s->model->field_bytes[DONE] = 3072;
	s->model->online_s[RAW] = 4e-3;
	s->model->online_s[SMALL] = 3e-3;
	s->model->online_s[LARGE] = 1e-3;
	*state = s;
	return 0;
}

static struct cache_place find(
    const struct modelled *s, unsigned split, unsigned place, double budget)
{
	const struct strategy strategy = {
		.unprocessed = split == RAW,
		.split = split,
		.store = s->planned.plan.strategies.stores[0],
		.codec = s->planned.plan.strategies.codecs[0],
	};
	const struct load load = {
		.samples = SAMPLES,
		.threads = 1,
		.cache = CACHE_APPLICATION,
		.place = place,
	};

	return cache_place_find(s->model, &strategy, &load, (uint64_t)budget);
}

static void test_cache_place_is_the_last_that_fits(void **state)
{
	const struct modelled *s = *state;
	const double large = cache_place_bytes(s->model, LARGE, SAMPLES);
	const double small = cache_place_bytes(s->model, SMALL, SAMPLES);

	assert_true(large > small && small > SAMPLES * 3072);
	assert_int_equal(find(s, RAW, 0, large + 1).at, LARGE);
	assert_true(find(s, RAW, 0, large + 1).share >= 1);
	assert_int_equal(find(s, RAW, 0, large - 1).at, SMALL);
	assert_int_equal(find(s, RAW, 0, small + 1).at, SMALL);
	assert_true(find(s, RAW, 0, small + 1).share >= 1);
}

/* What was stored already is not made again. */
static void test_cache_place_begins_with_what_is_read(void **state)
{
	const struct modelled *s = *state;

	assert_int_equal(find(s, LARGE, 0, 1e9).at, LARGE);
	assert_int_equal(find(s, LARGE, SMALL, 1e9).at, LARGE);
	assert_int_equal(find(s, RAW, SMALL, 1e9).at, SMALL);
	assert_int_equal(find(s, RAW, PLACE_RAW, 1e9).at, RAW);
}

static void test_cache_place_is_partial_where_nothing_fits(void **state)
{
	const struct modelled *s = *state;
	const double small = cache_place_bytes(s->model, SMALL, SAMPLES);
	const struct cache_place named = find(
	    s, RAW, LARGE, cache_place_bytes(s->model, LARGE, SAMPLES) / 2 + 1);
	struct cache_place place = find(s, RAW, 0, small / 2 + 1);

	/* Half of the small ones save 0.5 ms, a tenth of the large 0.3. */
	assert_int_equal(place.at, SMALL);
	assert_true(fabs(place.share - .5) < 1e-3);
	/* 9 parts of 20 are whole. */
	assert_true(fabs(find(s, RAW, 0, small / 2 - 1).share - .45) < 1e-9);
	/* The place that was asked for stays. */
	assert_int_equal(named.at, LARGE);
	assert_true(fabs(named.share - .5) < 1e-3);
	/* Where the large ones save far more, few of them are better. */
	s->model->online_s[SMALL] = 4e-3;
	place = find(s, RAW, 0, small / 2 + 1);
	assert_int_equal(place.at, LARGE);
}

/* Hits at memory speed, misses as without a cache. */
static void test_cache_place_is_part_of_the_forecast(void **state)
{
	struct modelled *s = *state;
	const struct strategy unprocessed = { .unprocessed = true };
	struct load load = { .samples = SAMPLES, .threads = 1 };
	const double cold =
	    model_predict(s->model, &unprocessed, &load).epoch_s;
	const double hit = SAMPLES * cache_place_hit_s(s->model, SMALL);
	double epoch_s;

	load.cache = CACHE_APPLICATION;
	load.place = SMALL;
	s->model->machine.cache_budget =
	    (uint64_t)(cache_place_bytes(s->model, SMALL, SAMPLES) / 4 + 1);
	epoch_s = model_predict(s->model, &unprocessed, &load).epoch_s;
	assert_true(fabs(epoch_s / (.25 * hit + .75 * cold) - 1) < 1e-3);
	s->model->machine.cache_budget *= 5;
	epoch_s = model_predict(s->model, &unprocessed, &load).epoch_s;
	assert_true(fabs(epoch_s / hit - 1) < 1e-9);
	assert_true(fabs(cache_place_epoch_s(.25, 1, 5) - 4) < 1e-12);
}

static void test_cache_list_takes_places(void **state)
{
	const struct modelled *s = *state;
	struct plan plan = { .load.cache_count = 0 };
	struct plan_load *load = &plan.load;
	struct error err = ERROR_INIT;

	test_ok(cache_list_add(load, "none", &err), &err);
	test_ok(cache_list_add(load, "application", &err), &err);
	test_ok(cache_list_add(load, "application:small", &err), &err);
	test_ok(cache_list_add(load, "application:raw", &err), &err);
	test_ok(cache_list_add(load, "application:small", &err), &err);
	assert_int_equal(load->cache_count, 4);
	test_ok(
	    cache_list_find_places(&plan, &s->planned.pipeline, &err), &err);
	assert_int_equal(load->places[1], 0);
	assert_int_equal(load->places[2], SMALL);
	assert_int_equal(load->places[3], PLACE_RAW);
}

/* Behind a random step in the order given, but not in all orders. */
static void test_cache_list_takes_places_of_other_orders(void **state)
{
	static const char reordered[] = "[pipeline]\n"
	                                "cut = random_crop size=16\n"
	                                "done = center\n";
	const struct modelled *s = *state;
	struct plan plan = { .strategies.orders = "all" };
	struct error err = ERROR_INIT;
	const struct pipeline *pipeline;
	struct planned planned;

	test_ok(planned_read(&planned, reordered, &s->fake.reader.schema, &err),
	    &err);
	pipeline = &planned.pipeline;
	test_ok(cache_list_add(&plan.load, "application:done", &err), &err);
	test_ok(cache_list_find_places(&plan, pipeline, &err), &err);
	assert_int_equal(plan.load.places[0], pipeline_find(pipeline, "done"));
	plan.strategies.orders = "given";
	assert_int_equal(cache_list_find_places(&plan, pipeline, &err), -1);
	err = (struct error)ERROR_INIT;
	plan = (struct plan){ .strategies.orders = "all" };
	test_ok(cache_list_add(&plan.load, "application:cut", &err), &err);
	assert_int_equal(cache_list_find_places(&plan, pipeline, &err), -1);
	test_contains(err.text, "step 'cut' is random");
	planned_release(&planned);
}

static void test_cache_list_says_what_is_wrong(void **state)
{
	static const struct {
		const char *word, *message;
	} cases[] = {
		{ "sytem", "unknown cache 'sytem'" },
		{ "system:small", "only the application cache keeps a" },
		{ "application:", "the name of a representation must follow" },
		{ "application:smal", "no representation 'smal'" },
		{ "application:cut",
		    "application:cut cannot be cached: step 'cut' is random" },
		{ "application:done",
		    "application:done cannot be cached: step 'cut' is random" },
	};
	const struct modelled *s = *state;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct plan plan = { .load.cache_count = 0 };
		struct error err = ERROR_INIT;

		if (cache_list_add(&plan.load, cases[i].word, &err) == 0)
			assert_int_equal(cache_list_find_places(
			                     &plan, &s->planned.pipeline, &err),
			    -1);
		assert_int_equal(err.code, ERROR_USAGE);
		if (!strstr(err.text, cases[i].message))
			fail_msg("%s: %s", cases[i].word, err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_cache_place_is_the_last_that_fits, set_up,
		    modelled_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_cache_place_begins_with_what_is_read, set_up,
		    modelled_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_cache_place_is_partial_where_nothing_fits, set_up,
		    modelled_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_cache_place_is_part_of_the_forecast, set_up,
		    modelled_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_cache_list_takes_places, set_up, modelled_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_cache_list_takes_places_of_other_orders, set_up,
		    modelled_tear_down),
		cmocka_unit_test_setup_teardown(
		    test_cache_list_says_what_is_wrong, set_up,
		    modelled_tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
