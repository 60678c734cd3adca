/* test_sweep.c - lists of numbers, and what they make of trials and strategies.
 */
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/plan/sweep.h"
#include "test/unit/planned.h"
#include "test/unit/test.h"

static const struct sweep_range range = {
	.name = "fetchers", .least = 0, .most = 64, .has_auto = true
};

static void test_sweep_reads_each_number_once(void **state)
{
	struct sweep sweep = SWEEP_OF(7);
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(sweep_parse(&sweep, " 4, 1,4 16", &range, &err), &err);
	assert_int_equal(sweep.count, 3);
	assert_int_equal(sweep.values[0], 4);
	assert_int_equal(sweep.values[1], 1);
	assert_int_equal(sweep.values[2], 16);
	assert_int_equal(sweep_most(&sweep), 16);
	assert_false(sweep.is_auto);
}

/* The default stays, to begin with. */
static void test_sweep_takes_auto(void **state)
{
	struct sweep sweep = SWEEP_OF(7);
	struct error err = ERROR_INIT;

	UNUSED(state);
	test_ok(sweep_parse(&sweep, "auto", &range, &err), &err);
	assert_true(sweep.is_auto);
	assert_int_equal(sweep.count, 1);
	assert_int_equal(sweep.values[0], 7);
}

static void test_sweep_says_what_it_takes(void **state)
{
	static const struct {
		const char *list, *says;
		bool no_auto;
	} cases[] = {
		{ "65", "fetchers must be 0 to 64, or auto, got '65'", false },
		{ "x", "got 'x'", false },
		{ "-1", "got '-1'", false },
		{ "auto", "fetchers must be 0 to 64, got 'auto'", true },
		{ "auto,4", "auto stands alone", false },
		{ "4,auto", "auto stands alone", false },
		{ " , ", "is an empty list", false },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct sweep_range with = range;
		struct sweep sweep = SWEEP_OF(7);
		struct error err = ERROR_INIT;

		with.has_auto = !cases[i].no_auto;
		assert_int_equal(
		    sweep_parse(&sweep, cases[i].list, &with, &err), -1);
		assert_int_equal(err.code, ERROR_USAGE);
		test_contains(err.text, cases[i].says);
	}
}

static void test_sweep_has_room_for_so_many(void **state)
{
	char list[4 * (SWEEP_VALUES + 1) + 1] = "";
	struct sweep sweep = SWEEP_OF(0);
	struct error err = ERROR_INIT;

	UNUSED(state);
	for (int i = 0; i <= SWEEP_VALUES; i++)
		snprintf(
		    list + strlen(list), sizeof(list) - strlen(list), "%d,", i);
	assert_int_equal(sweep_parse(&sweep, list, &range, &err), -1);
	test_contains(err.text, "more than 32 numbers");
}

/* ---- trials and strategies ---- */

static const struct schema images = {
	.count = 1,
	.fields = { { .name = "data",
	    .type = { .dtype = DTYPE_U8,
	        .layout = LAYOUT_HWC,
	        .shape = { .count = 3, .dims = { -1, -1, 3 } } } } },
};

static int read_text(struct planned *s, const char *more, struct error *err)
{
	char text[1024];

	snprintf(
	    text, sizeof(text), "[pipeline]\nsmall = resize size=8\n%s", more);
	return planned_read(s, text, &images, err);
}

static void test_sweep_gives_a_mode_for_all_numbers(void **state)
{
	static const struct trial_mode wanted[] = {
		{ 1, CACHE_NONE, 0, 4, 2, 0, 32, 0, 0 },
		{ 1, CACHE_SYSTEM, 0, 4, 2, 0, 32, 0, 1 },
		{ 1, CACHE_NONE, 0, 4, 2, 16, 32, 0, 2 },
		{ 1, CACHE_SYSTEM, 0, 4, 2, 16, 32, 0, 3 },
		{ 1, CACHE_NONE, 0, 8, 2, 0, 32, 0, 4 },
		{ 1, CACHE_SYSTEM, 0, 8, 2, 0, 32, 0, 5 },
		{ 1, CACHE_NONE, 0, 8, 2, 16, 32, 0, 6 },
		{ 1, CACHE_SYSTEM, 0, 8, 2, 16, 32, 0, 7 },
	};
	char words[PLAN_MODE_WORDS];
	struct error err = ERROR_INIT;
	struct planned s;

	UNUSED(state);
	test_ok(read_text(&s,
	            "[load]\nthreads = 1\nfetchers = 4,8\nread_ahead = 2\n"
	            "shuffle = 0,16\nbatch = 32\ncache = none, system\n",
	            &err),
	    &err);
	assert_int_equal(plan_mode_count(&s.plan), ARRAY_LEN(wanted));
	for (unsigned i = 0; i < ARRAY_LEN(wanted); i++) {
		const struct trial_mode mode = plan_mode(&s.plan, i);

		assert_memory_equal(&mode, &wanted[i], sizeof(mode));
	}
	assert_string_equal(
	    plan_mode_words(&s.plan, plan_mode(&s.plan, 2), words),
	    "1 thread, cache none, fetchers 4, shuffle 16");
	planned_release(&s);
}

static void test_sweep_marks_what_auto_is_to_find(void **state)
{
	struct error err = ERROR_INIT;
	struct trial_mode mode;
	struct planned s;

	UNUSED(state);
	test_ok(read_text(&s,
	            "[load]\nthreads = auto\nfetchers = auto\n"
	            "batch = auto\ncache = none\n"
	            "[strategies]\nshards = auto\n",
	            &err),
	    &err);
	mode = plan_mode(&s.plan, 0);
	assert_int_equal(plan_mode_count(&s.plan), 1);
	assert_int_equal(
	    mode.chosen, LOAD_THREADS | LOAD_FETCHERS | LOAD_BATCH);
	assert_int_equal(mode.batch, 64);
	assert_int_equal(mode.fetchers, 0);
	assert_int_equal(s.strategies.list[1].shards, 0);
	planned_release(&s);
}

static void test_sweep_refuses_too_many_modes(void **state)
{
	struct error err = ERROR_INIT;
	struct planned s;

	UNUSED(state);
	assert_int_equal(
	    read_text(&s,
	        "[load]\nthreads = 1,2\nfetchers = 1,2,3,4,5,6,7,8\n"
	        "read_ahead = 1,2,3,4,5,6,7,8\ncache = none,system\n"
	        "batch = 32,64\n",
	        &err),
	    -1);
	test_contains(err.text, "would be loaded in 512 ways");
	planned_release(&s);
}

/* Each label is there for each number, and says which where there are several.
 */
static void test_sweep_gives_a_strategy_for_each_size(void **state)
{
	static const struct {
		const char *title;
		uint64_t samples, shards;
	} wanted[] = {
		{ "unprocessed, 12 samples", 12, 0 },
		{ "unprocessed, 24 samples", 0, 0 },
		{ "small/tar/none, 1 shard, 12 samples", 12, 1 },
		{ "small/tar/none, 4 shards, 12 samples", 12, 4 },
		{ "small/tar/none, 1 shard, 24 samples", 0, 1 },
		{ "small/tar/none, 4 shards, 24 samples", 0, 4 },
	};
	struct error err = ERROR_INIT;
	struct planned s;

	UNUSED(state);
	test_ok(read_text(&s,
	            "[strategies]\nsplit = small\nstore = tar\n"
	            "codec = none\nshards = 1,4\n[measure]\n"
	            "samples = 12,24\n",
	            &err),
	    &err);
	assert_int_equal(s.strategies.count, ARRAY_LEN(wanted));
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		const struct strategy *one = &s.strategies.list[i];
		char title[STRATEGY_TITLE];

		assert_string_equal(
		    strategy_title(one, title), wanted[i].title);
		assert_int_equal(one->samples, wanted[i].samples);
		assert_int_equal(one->shards, wanted[i].shards);
	}
	planned_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sweep_reads_each_number_once),
		cmocka_unit_test(test_sweep_takes_auto),
		cmocka_unit_test(test_sweep_says_what_it_takes),
		cmocka_unit_test(test_sweep_has_room_for_so_many),
		cmocka_unit_test(test_sweep_gives_a_mode_for_all_numbers),
		cmocka_unit_test(test_sweep_marks_what_auto_is_to_find),
		cmocka_unit_test(test_sweep_refuses_too_many_modes),
		cmocka_unit_test(test_sweep_gives_a_strategy_for_each_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
