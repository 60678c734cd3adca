/* test_trial.c - runs, epochs and what holds a trial back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "lib/syntax/ini.h"
#include "strategies/plan/plan.h"
#include "strategies/trial/trial.h"
#include "test/unit/fake_trial.h"
#include "test/unit/test.h"

static const char text[] = "[pipeline]\n"
                           "large = resize size=64\n"
                           "centered = center\n"
                           "[load]\nbatch = 7\n"
                           "[measure]\nruns = 3\nepochs = 4\n"
                           "min_run_time = 0\n";

static int set_up(void **state)
{
	struct error err = ERROR_INIT;
	struct fake_trial *s;

	fake_trial_open(state, text);
	s = *state;
	s->trial.medium = medium_new_local(&err);
	s->trial.check.whole = true;
	return 0;
}

static int tear_down(void **state)
{
	struct fake_trial *s = *state;

	medium_free(s->trial.medium);
	return fake_trial_close(state);
}

/* All of a trial; its result, with what it owns, goes to *result. */
static int trial_measure(const struct trial_plan *plan,
    struct trial_result *result, struct error *err)
{
	struct trial *trial = trial_open(plan, err);
	int rc = trial ? trial_check(trial, err) : -1;

	for (uint64_t run = 0;
	     rc == 0 && run < plan->loading.plan->measure.runs; run++)
		rc = trial_run(trial, err);
	if (rc == 0) {
		*result = *trial_get_result(trial);
		*trial_get_result(trial) =
		    (struct trial_result){ .runs = NULL };
	}
	trial_close(trial);
	return rc;
}

static void trial_result_release(struct trial_result *result)
{
	outputs_release(&result->outputs);
	free(result->runs);
	free(result->events.list);
	*result = (struct trial_result){ .runs = NULL };
}

static void test_trial_cold_runs_are_one_epoch(void **state)
{
	struct fake_trial *s = *state;
	struct trial_result result = { .runs = NULL };
	struct error err = ERROR_INIT;

	s->trial.loading.mode.cache = CACHE_NONE;
	test_ok(trial_measure(&s->trial, &result, &err), &err);
	assert_int_equal(result.run_count, 3);
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(result.runs[i].run, i + 1);
		assert_int_equal(result.runs[i].epoch, 1);
		assert_int_equal(result.runs[i].samples, 40);
		assert_true(result.runs[i].resident_percent >= 0);
		assert_true(result.runs[i].wall_ns > 0);
		assert_true(result.runs[i].first_batch_ns > 0);
		assert_true(
		    result.runs[i].first_batch_ns <= result.runs[i].wall_ns);
	}
	assert_int_equal(result.outputs.count, 40);
	assert_int_equal(trial_epochs(&s->planned.plan, CACHE_NONE), 1);
	trial_result_release(&result);
}

static void test_trial_cached_runs_begin_cold(void **state)
{
	struct fake_trial *s = *state;
	struct trial_result result = { .runs = NULL };
	struct error err = ERROR_INIT;

	s->trial.loading.mode.cache = CACHE_SYSTEM;
	test_ok(trial_measure(&s->trial, &result, &err), &err);
	assert_int_equal(result.run_count, 12);
	for (unsigned i = 0; i < 12; i++) {
		assert_int_equal(result.runs[i].run, i / 4 + 1);
		assert_int_equal(result.runs[i].epoch, i % 4 + 1);
		assert_int_equal(result.runs[i].resident_percent >= 0,
		    result.runs[i].epoch == 1);
	}
	s->planned.plan.measure.epochs =
	    1; /* too few for a warm one: there are two */
	assert_int_equal(trial_epochs(&s->planned.plan, CACHE_SYSTEM), 2);
	trial_result_release(&result);
}

static void test_trial_application_runs_begin_by_filling(void **state)
{
	struct fake_trial *s = *state;
	struct trial_result result = { .runs = NULL };
	struct trial_result plain = { .runs = NULL };
	struct error err = ERROR_INIT;

	test_ok(trial_measure(&s->trial, &plain, &err), &err);
	s->trial.loading.mode.cache = CACHE_APPLICATION;
	s->trial.cache_budget = 1 << 30;
	assert_int_equal(loading_from(&s->trial.loading), 2);
	test_ok(trial_measure(&s->trial, &result, &err), &err);
	assert_int_equal(result.run_count, 12);
	for (unsigned i = 0; i < 12; i++) {
		const struct run_row *row = &result.runs[i];

		assert_int_equal(row->run, i / 4 + 1);
		assert_int_equal(row->epoch, i % 4 + 1);
		assert_int_equal(row->samples, 40);
		assert_int_equal(row->resident_percent >= 0, row->epoch == 1);
		assert_true(row->first_batch_ns > 0);
		assert_true(row->first_batch_ns <= row->wall_ns);
	}
	assert_true(outputs_equal(&plain.outputs, &result.outputs));
	assert_int_equal(
	    result.trace.chain.steps[0].cpu_ns, 0); /* not online */
	assert_int_equal(trial_epochs(&s->planned.plan, CACHE_APPLICATION), 4);
	trial_result_release(&plain);
	trial_result_release(&result);
}

/* 40 of 64x64x3 floats; 32 bytes of an item, 8 of a key: 1.97 MB. */
static void test_trial_keeps_what_fits_into_the_cache(void **state)
{
	struct fake_trial *s = *state;
	struct trial_result result = { .runs = NULL };
	struct trial_result plain = { .runs = NULL };
	struct error err = ERROR_INIT;

	test_ok(trial_measure(&s->trial, &plain, &err), &err);
	s->trial.loading.mode.cache = CACHE_APPLICATION;
	s->trial.cache_budget = 1000000;
	test_ok(trial_measure(&s->trial, &result, &err), &err);
	assert_int_equal(result.cached_samples, 20); /* 2 of 4 streams */
	assert_true(result.cache_bytes <= 1000000);
	for (unsigned i = 0; i < result.run_count; i++) {
		assert_int_equal(result.runs[i].samples, 40);
		/* The others are read in each epoch, from cold data. */
		assert_true(result.runs[i].resident_percent >= 0);
	}
	assert_true(outputs_equal(&plain.outputs, &result.outputs));
	assert_int_equal(result.trace.chain.samples, 40);
	trial_result_release(&plain);
	trial_result_release(&result);
}

static void test_trial_says_when_the_cache_is_too_small(void **state)
{
	struct fake_trial *s = *state;
	struct trial_result result = { .runs = NULL };
	struct error err = ERROR_INIT;

	s->trial.loading.mode.cache = CACHE_APPLICATION;
	s->trial.cache_budget = 100000;
	assert_int_equal(trial_measure(&s->trial, &result, &err), -1);
	assert_int_equal(err.code, ERROR_LIMIT);
	assert_non_null(strstr(err.text, "one of 4 parts of"));
	trial_result_release(&result);
}

static void test_trial_counts_what_is_delivered(void **state)
{
	struct fake_trial *s = *state;
	struct trial_result result = { .runs = NULL };
	struct error err = ERROR_INIT;

	planned_release(&s->planned);
	test_ok(
	    planned_read(&s->planned, "[pipeline]\nc = center_crop size=4\n",
	        &s->fake.reader.schema, &err),
	    &err);
	s->trial.loading.cached = 1;
	s->fake.bad = 10;
	assert_int_equal(trial_measure(&s->trial, &result, &err), -1);
	assert_int_equal(err.code, ERROR_DATA);
	trial_result_release(&result);
	s->trial.skip_errors = true;
	s->trial.cache_budget = 1 << 30;
	for (int cache = 0; cache < CACHE_COUNT; cache++) {
		s->trial.loading.mode.cache = (enum cache_mode)cache;
		test_ok(trial_measure(&s->trial, &result, &err), &err);
		assert_int_equal(result.skipped, 4);
		for (unsigned i = 0; i < result.run_count; i++) {
			assert_int_equal(result.runs[i].samples, 36);
			assert_int_equal(result.runs[i].skipped, 4);
		}
		trial_result_release(&result);
	}
}

/* Reading, and where it is of use decoding, each alone. */
static void test_trial_checks_partial_epochs(void **state)
{
	struct fake_trial *s = *state;
	struct trial_result result = { .runs = NULL };
	struct error err = ERROR_INIT;

	s->trial.cache_budget = 1 << 30;
	for (int cache = 0; cache < CACHE_COUNT; cache++) {
		const struct partial_row *rows = result.partial.rows;

		s->trial.loading.mode.cache = (enum cache_mode)cache;
		test_ok(trial_measure(&s->trial, &result, &err), &err);
		assert_true(rows[EXTENT_READ].wall_ns > 0);
		assert_int_equal(rows[EXTENT_READ].samples, 40);
		assert_int_equal(
		    rows[EXTENT_DECODE].wall_ns > 0, cache != CACHE_NONE);
		assert_int_equal(rows[EXTENT_ALL].wall_ns, 0);
		trial_result_release(&result);
	}
}

/* A part of a long epoch, if all of the output is not wanted. */
static void test_trial_traces_a_part_of_long_epochs(void **state)
{
	struct fake_trial *s = *state;
	struct trial_result result = { .runs = NULL };
	struct error err = ERROR_INIT;

	s->trial.loading.mode.cache = CACHE_NONE;
	s->trial.check.epoch_s = 1000;
	test_ok(trial_measure(&s->trial, &result, &err), &err);
	assert_true(result.traced_fraction == 1);
	assert_int_equal(result.outputs.count, 40);
	trial_result_release(&result);
	s->trial.check.whole = false;
	test_ok(trial_measure(&s->trial, &result, &err), &err);
	assert_true(result.traced_fraction == 0.25);
	assert_int_equal(result.trace.chain.samples, 10);
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(result.runs[i].samples, 40);
	trial_result_release(&result);
	assert_true(partial_epochs_fraction(0.1) == 1);
	assert_true(partial_epochs_fraction(1000) < 0.001);
}

/* Runs of a few microseconds get more epochs, all of which are cold. */
static void test_trial_lengthens_short_runs(void **state)
{
	struct fake_trial *s = *state;
	struct trial_result result = { .runs = NULL };
	struct error err = ERROR_INIT;

	s->planned.plan.measure.min_run_s = 3600;
	s->planned.plan.measure.runs = 1;
	s->trial.loading.mode.cache = CACHE_NONE;
	test_ok(trial_measure(&s->trial, &result, &err), &err);
	assert_int_equal(result.run_count, 50);
	for (unsigned i = 0; i < 50; i++) {
		assert_int_equal(result.runs[i].epoch, i + 1);
		assert_true(result.runs[i].resident_percent >= 0);
	}
	trial_result_release(&result);
	s->trial.loading.mode.cache = CACHE_SYSTEM;
	test_ok(trial_measure(&s->trial, &result, &err), &err);
	assert_int_equal(result.run_count, 50);
	assert_true(result.runs[0].resident_percent >= 0);
	assert_true(result.runs[49].resident_percent < 0);
	trial_result_release(&result);
}

/* Buffers that were given back grow in an epoch that does not count. */
static void test_trial_rests_between_runs(void **state)
{
	struct fake_trial *s = *state;
	struct error err = ERROR_INIT;

	s->trial.cache_budget = 1 << 30;
	for (int cache = 0; cache < CACHE_COUNT; cache++) {
		const unsigned epochs =
		    trial_epochs(&s->planned.plan, (enum cache_mode)cache);
		const struct trial_result *result;
		struct trial *trial;

		s->trial.loading.mode.cache = (enum cache_mode)cache;
		trial = trial_open(&s->trial, &err);
		test_ok(trial ? 0 : -1, &err);
		test_ok(trial_check(trial, &err), &err);
		test_ok(trial_run(trial, &err), &err);
		trial_rest(trial);
		test_ok(trial_run(trial, &err), &err);
		result = trial_get_result(trial);
		assert_int_equal(result->runs_made, 2);
		assert_int_equal(result->run_count, 2 * epochs + 1);
		assert_false(result->runs[0].warmup);
		assert_true(result->runs[epochs].warmup);
		assert_int_equal(result->runs[epochs].run, 2);
		assert_int_equal(result->runs[epochs + 1].run, 2);
		assert_int_equal(result->runs[epochs + 1].epoch, 1);
		assert_true(trial_last_rate(trial) > 0);
		assert_true(result->peak_rss_bytes > 0);
		trial_close(trial);
	}
}

/* What counts of a run whose first epoch is short may be most of it. */
static void test_trial_cached_runs_are_long_with_their_first(void **state)
{
	struct fake_trial *s = *state;
	struct trial_result result = { .runs = NULL };
	uint64_t first_ns, steady_ns = 0;
	struct error err = ERROR_INIT;

	s->planned.plan.measure.min_run_s = 0.002;
	s->planned.plan.measure.runs = 1;
	s->trial.loading.mode.cache = CACHE_SYSTEM;
	test_ok(trial_measure(&s->trial, &result, &err), &err);
	first_ns = result.runs[0].wall_ns;
	for (size_t i = 1; i < result.run_count; i++)
		steady_ns += result.runs[i].warmup ? 0 : result.runs[i].wall_ns;
	if (result.run_count < 50) { /* no faster machine than that */
		assert_true(steady_ns >= 2000000);
		assert_true(first_ns + steady_ns >= TRIAL_WHOLE_RUN * 2000000);
	}
	/* Without the last epoch it would not have been long enough. */
	if (result.run_count > 4) {
		steady_ns -= result.runs[result.run_count - 1].wall_ns;
		assert_true(steady_ns < 2000000 ||
		            first_ns + steady_ns < TRIAL_WHOLE_RUN * 2000000);
	}
	trial_result_release(&result);
}

static void test_trial_stops_when_told(void **state)
{
	struct fake_trial *s = *state;
	struct trial_result result = { .runs = NULL };
	struct error err = ERROR_INIT;
	atomic_bool stop = true;

	s->trial.stop = &stop;
	assert_int_equal(trial_measure(&s->trial, &result, &err), -1);
	assert_int_equal(err.code, ERROR_INTERRUPTED);
	trial_result_release(&result);
}

static void add_output(
    struct outputs *outputs, int64_t label, int64_t side, unsigned char fill)
{
	unsigned char pixels[64];
	struct sample slot = { .label = label, .count = 1 };
	struct batch batch = { .slots = &slot, .count = 1 };
	struct schema schema = { .count = 1 };
	struct error err = ERROR_INIT;

	memset(pixels, fill, sizeof(pixels));
	slot.key = span_text("a");
	tensor_view(&slot.fields[0], DTYPE_U8,
	    &(struct shape){ .count = 2, .dims = { side, 4 } }, pixels);
	test_ok(outputs_add(outputs, &batch, &schema, &err), &err);
	outputs_sort(outputs);
}

/* Lossy data may have other values, and nothing else. */
static void test_verify_tells_alike_from_equal(void **state)
{
	static const struct {
		int64_t label, side;
		unsigned char fill;
		bool equal, alike;
	} cases[] = {
		{ 3, 4, 7, true, true },
		{ 3, 4, 8, false, true },
		{ 2, 4, 7, false, false },
		{ 3, 5, 7, false, false },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct outputs wanted = OUTPUTS_INIT, got = OUTPUTS_INIT;

		add_output(&wanted, 3, 4, 7);
		add_output(&got, cases[i].label, cases[i].side, cases[i].fill);
		assert_int_equal(outputs_equal(&wanted, &got), cases[i].equal);
		assert_int_equal(outputs_alike(&wanted, &got), cases[i].alike);
		add_output(&got, 3, 4, 7);
		assert_false(outputs_alike(&wanted, &got));
		outputs_release(&wanted);
		outputs_release(&got);
	}
}

/*
 * Linked with --wrap (Makefile): each reading of the usage is 3 us of user and
 * 5 us of system time behind the one before.
 */
void __real_usage_read(struct usage *usage);
void __wrap_usage_read(struct usage *usage);

static uint64_t readings; /* 0: as it is */

void __wrap_usage_read(struct usage *usage)
{
	__real_usage_read(usage);
	if (!readings)
		return;
	usage->user_ns = 3000 * readings;
	usage->system_ns = 5000 * readings++;
}

static void test_trial_tells_user_from_system_time(void **state)
{
	struct fake_trial *s = *state;
	struct trial_result result = { .runs = NULL };
	struct error err = ERROR_INIT;

	s->trial.loading.mode.cache = CACHE_NONE;
	readings = 1;
	test_ok(trial_measure(&s->trial, &result, &err), &err);
	readings = 0;
	for (unsigned i = 0; i < result.run_count; i++) {
		assert_int_equal(result.runs[i].user_ns, 3000);
		assert_int_equal(result.runs[i].system_ns, 5000);
	}
	trial_result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
		    test_trial_tells_user_from_system_time, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_trial_cold_runs_are_one_epoch, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_trial_cached_runs_begin_cold, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_trial_application_runs_begin_by_filling, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_trial_keeps_what_fits_into_the_cache, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_trial_says_when_the_cache_is_too_small, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_trial_counts_what_is_delivered, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_trial_checks_partial_epochs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_trial_traces_a_part_of_long_epochs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_trial_lengthens_short_runs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_trial_cached_runs_are_long_with_their_first, set_up,
		    tear_down),
		cmocka_unit_test_setup_teardown(
		    test_trial_rests_between_runs, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
		    test_trial_stops_when_told, set_up, tear_down),
		cmocka_unit_test(test_verify_tells_alike_from_equal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
