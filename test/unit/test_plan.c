/*
 * test_plan.c - parsing the sections of a file, and the strategies they make.
 */
#include <stdio.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/stores/store.h"
#include "test/unit/planned.h"
#include "test/unit/test.h"

static const struct schema images = {
	.count = 1,
	.fields = { { .name = "data",
	    .type = { .dtype = DTYPE_U8,
	        .layout = LAYOUT_HWC,
	        .shape = { .count = 3, .dims = { -1, -1, 3 } } } } },
};

static const char steps[] = "[pipeline]\n"
                            "small = resize size=8\n"
                            "centered = center\n"
                            "cut = random_crop size=4\n"
                            "half = to_half\n";

static int read_text(struct planned *s, const char *more, struct error *err)
{
	char text[1024];

	snprintf(text, sizeof(text), "%s%s", steps, more);
	return planned_read(s, text, &images, err);
}

static void test_plan_enumerates_in_order(void **state)
{
	static const char *const wanted[] = { "unprocessed", "raw/tar/none",
		"raw/tar/gzip:6", "raw/tfrecord/none", "raw/tfrecord/gzip:6",
		"small/tar/none", "small/tar/gzip:6", "small/tfrecord/none",
		"small/tfrecord/gzip:6", "centered/tar/none",
		"centered/tar/gzip:6", "centered/tfrecord/none",
		"centered/tfrecord/gzip:6" };
	struct planned s;
	struct error err = ERROR_INIT;

	(void)state;
	test_ok(read_text(&s,
	            "[strategies]\nstore = tar, tfrecord\n"
	            "codec = none, gzip, gzip:6\n[load]\nthreads = 1,4\n"
	            "[measure]\nruns = 7\n[storage]\nbandwidth = 60MB/s\n"
	            "latency = 600us\nopen = 2ms\niops = 9853\n",
	            &err),
	    &err);
	assert_int_equal(s.strategies.count, ARRAY_LEN(wanted));
	for (size_t i = 0; i < ARRAY_LEN(wanted); i++)
		assert_string_equal(s.strategies.list[i].label, wanted[i]);
	assert_int_equal(s.plan.load.thread_count, 2);
	assert_int_equal(s.plan.load.threads[1], 4);
	assert_int_equal(s.plan.measure.runs, 7);
	assert_true(s.plan.limits.bandwidth == 60e6);
	assert_true(s.plan.limits.latency == 600e-6);
	assert_true(s.plan.limits.open == 2e-3);
	assert_true(s.plan.limits.iops == 9853);
	assert_true(plan_emulates(&s.plan));
	planned_release(&s);
}

/* Each number of threads with each cache mode. */
static void test_plan_has_a_mode_of_each_kind(void **state)
{
	static const struct {
		unsigned threads;
		enum cache_mode cache;
	} wanted[] = { { 1, CACHE_NONE }, { 1, CACHE_SYSTEM },
		{ 4, CACHE_NONE }, { 4, CACHE_SYSTEM }, { 2, CACHE_NONE },
		{ 2, CACHE_SYSTEM } };
	struct planned s;
	struct error err = ERROR_INIT;

	(void)state;
	test_ok(read_text(&s,
	            "[load]\nthreads = 1, 4, 2\ncache = none, system\n", &err),
	    &err);
	assert_int_equal(plan_mode_count(&s.plan), ARRAY_LEN(wanted));
	for (unsigned i = 0; i < ARRAY_LEN(wanted); i++) {
		const struct trial_mode mode = plan_mode(&s.plan, i);

		assert_int_equal(mode.threads, wanted[i].threads);
		assert_int_equal(mode.cache, wanted[i].cache);
	}
	planned_release(&s);
}

static void check_labels(
    const char *text, const char *const *wanted, size_t count)
{
	struct planned s;
	struct error err = ERROR_INIT;

	test_ok(read_text(&s, text, &err), &err);
	for (size_t i = 0; i < count && i < s.strategies.count; i++)
		assert_string_equal(s.strategies.list[i].label, wanted[i]);
	assert_int_equal(s.strategies.count, count);
	planned_release(&s);
}

static void test_plan_auto_depends_on_the_data(void **state)
{
	static const char *const wanted[] = { "unprocessed", "raw/tar/none",
		"raw/tar/zstd:1", "raw/tar/delta+zstd:1", "small/tar/none",
		"small/tar/zstd:1", "small/tar/delta+zstd:1",
		"centered/tar/none", "centered/tar/zstd:1" };
	static const char *const with_more[] = { "unprocessed",
		"centered/tar/none", "centered/tar/lz4:1",
		"centered/tar/zstd:1", "centered/tar/gzip:6" };

	(void)state;
	check_labels("[strategies]\ncodec = auto\n", wanted, ARRAY_LEN(wanted));
	/* What is named is taken everywhere. */
	check_labels("[strategies]\nsplit = centered\n"
	             "codec = auto, lz4, gzip\n",
	    with_more, ARRAY_LEN(with_more));
}

/* Codecs that do not take a representation, with a reason each. */
static void test_plan_leaves_out_what_does_not_go(void **state)
{
	struct planned s;
	struct error err = ERROR_INIT;

	(void)state;
	test_ok(read_text(&s,
	            "[strategies]\nstore = tar, files\n"
	            "codec = jpeg, shuffle+zstd\n",
	            &err),
	    &err);
	assert_int_equal(s.strategies.count, 1 + 2 + 2 + 2);
	assert_int_equal(s.strategies.left_count, 2);
	assert_string_equal(s.strategies.left_out[0].what,
	    "raw/*/shuffle+zstd:3, small/*/shuffle+zstd:3");
	test_contains(s.strategies.left_out[0].why, "shuffle is for numbers");
	assert_string_equal(
	    s.strategies.left_out[1].what, "centered/*/jpeg:90");
	test_contains(s.strategies.left_out[1].why, "jpeg is for images");
	assert_true(strategy_is_lossy(&s.strategies.list[1]));
	assert_false(strategy_is_lossy(&s.strategies.list[0]));
	planned_release(&s);
	assert_int_equal(read_text(&s,
	                     "[strategies]\nsplit = raw\n"
	                     "codec = shuffle+zstd\n",
	                     &err),
	    -1);
	assert_int_equal(err.code, ERROR_USAGE);
	test_contains(
	    err.text, "nothing is left to store: raw/*/shuffle+zstd:3: ");
	planned_release(&s);
}

static void test_plan_splits_by_name(void **state)
{
	struct planned s;
	struct error err = ERROR_INIT;

	(void)state;
	test_ok(
	    read_text(&s, "[strategies]\nsplit = centered,raw\n", &err), &err);
	assert_int_equal(s.strategies.count, 3);
	assert_string_equal(s.strategies.list[1].label, "raw/tar/none");
	assert_string_equal(s.strategies.list[2].label, "centered/tar/none");
	planned_release(&s);
}

static void test_plan_tells_every_mistake(void **state)
{
	static const struct {
		const char *text;
		const char *parts[3];
	} cases[] = {
		{ "[strategys]\nsplit = all\n",
		    { "test.conf:6: ", "[strategys]", "'strategies'" } },
		{ "[strategies]\nsplits = all\n",
		    { "test.conf:7: ", "'splits'", "'split'" } },
		{ "[strategies]\nsplit = smal\n",
		    { "test.conf:7: ", "'smal'", "'small'" } },
		{ "[strategies]\nsplit = cut\n",
		    { "test.conf:7: ", "'cut'", "random" } },
		{ "[strategies]\nsplit = half\n", { "'half'", "random" } },
		{ "[strategies]\ncodec = zstd:99\n",
		    { "test.conf:7: ", "zstd takes levels", "99" } },
		{ "[strategies]\ncodec = none,gzp\n",
		    { "test.conf:7: ", "'gzp'", "'gzip'" } },
		{ "[strategies]\nstore = tra\n",
		    { "test.conf:7: ", "'tra'", "'tar'" } },
		{ "[load]\nthreads = 0\n", { "test.conf:7: ", "threads" } },
		{ "[load]\ncache = sytem\n",
		    { "'sytem'", "none, system, application and disk" } },
		{ "[load]\ncache = aplication\n", { "application and disk" } },
		{ "[measure]\nverify = most\n",
		    { "test.conf:7: ", "verify must be auto or all" } },
		{ "[load]\ncache_budget = lots\n",
		    { "test.conf:7: ", "cache_budget" } },
		{ "[load]\nbatch = many\n", { "test.conf:7: ", "batch" } },
		{ "[measure]\nruns = 0\n", { "test.conf:7: ", "runs" } },
		{ "[storage]\nbandwidth = fast\n",
		    { "test.conf:7: ", "bandwidth" } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct planned s;
		struct error err = ERROR_INIT;

		if (read_text(&s, cases[i].text, &err) == 0)
			fail_msg("accepted: %s", cases[i].text);
		assert_int_equal(err.code, ERROR_USAGE);
		for (int p = 0; p < 3 && cases[i].parts[p]; p++)
			test_contains(err.text, cases[i].parts[p]);
		planned_release(&s);
	}
}

static void test_plan_strategy_labels_can_be_read_back(void **state)
{
	struct planned s;
	struct strategy strategy;
	struct error err = ERROR_INIT;

	(void)state;
	test_ok(read_text(&s, "", &err), &err);
	test_ok(strategy_parse(
	            &strategy, "small/tfrecord/zstd:5", &s.pipeline, &err),
	    &err);
	assert_string_equal(strategy.label, "small/tfrecord/zstd:5");
	assert_int_equal(strategy.split, 1);
	assert_string_equal(strategy.store->name, "tfrecord");
	assert_false(strategy_is_readable(&strategy, NULL));
	test_ok(strategy_parse(&strategy, "small/tar/png", &s.pipeline, &err),
	    &err);
	assert_true(strategy_is_readable(&strategy, NULL));
	test_ok(strategy_parse(
	            &strategy, "small/tar/delta+gzip:1", &s.pipeline, &err),
	    &err);
	assert_false(strategy_is_readable(&strategy, NULL));
	assert_int_equal(
	    strategy_parse(&strategy, "centered/tar/png", &s.pipeline, &err),
	    -1);
	test_contains(err.text, "png is for images");
	test_ok(
	    strategy_parse(&strategy, "small/tar", &s.pipeline, &err), &err);
	assert_string_equal(strategy.label, "small/tar/none");
	test_ok(
	    strategy_parse(&strategy, "unprocessed", &s.pipeline, &err), &err);
	assert_true(strategy.unprocessed);
	assert_int_equal(
	    strategy_parse(&strategy, "small", &s.pipeline, &err), -1);
	test_contains(err.text, "SPLIT/STORE/CODEC");
	assert_int_equal(
	    strategy_parse(&strategy, "smal/tar/none", &s.pipeline, &err), -1);
	test_contains(err.text, "'small'");
	planned_release(&s);
}

/* The user's own loader is in the first group: beside unprocessed. */
static void test_plan_yours_stands_beside_unprocessed(void **state)
{
	struct planned s;
	struct error err = ERROR_INIT;

	(void)state;
	test_ok(read_text(&s, "[strategies]\nsplit = raw\n", &err), &err);
	test_ok(strategies_add_yours(&s.strategies, &err), &err);
	assert_int_equal(s.strategies.count, 3);
	assert_string_equal(s.strategies.list[0].label, "unprocessed");
	assert_string_equal(s.strategies.list[1].label, "yours");
	assert_string_equal(s.strategies.list[2].label, "raw/tar/none");
	assert_true(s.strategies.list[1].yours);
	assert_false(s.strategies.list[0].yours);
	planned_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan_enumerates_in_order),
		cmocka_unit_test(test_plan_has_a_mode_of_each_kind),
		cmocka_unit_test(test_plan_auto_depends_on_the_data),
		cmocka_unit_test(test_plan_leaves_out_what_does_not_go),
		cmocka_unit_test(test_plan_splits_by_name),
		cmocka_unit_test(test_plan_tells_every_mistake),
		cmocka_unit_test(test_plan_strategy_labels_can_be_read_back),
		cmocka_unit_test(test_plan_yours_stands_beside_unprocessed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
