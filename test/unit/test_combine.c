/* test_combine.c - several sessions combined to one. */
#include <math.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/compare/combine.h"
#include "strategies/figures/figures.h"
#include "strategies/figures/runs.h"
#include "test/unit/test.h"

enum { MOST = 4 }; /* trials of a session */

/* Three sessions, whose trials have numbers of their own. */
struct three {
	struct figures trials[3][MOST];
	struct timed_run runs[3][2 * MOST];
	struct figures_list trial_lists[3];
	struct timed_runs run_lists[3];
	struct combine_part parts[3];
	struct figures_list all;
	struct timed_runs all_runs;
};

static void begin(struct three *three)
{
	*three = (struct three){ .all = { .list = NULL } };
	for (size_t part = 0; part < 3; part++) {
		three->trial_lists[part].list = three->trials[part];
		three->run_lists[part].list = three->runs[part];
		three->parts[part] =
		    (struct combine_part){ &three->trial_lists[part],
			    &three->run_lists[part] };
	}
}

static void end(struct three *three)
{
	figures_release(&three->all);
	timed_runs_release(&three->all_runs);
}

/* With two runs, of `rate` and a tenth more. */
static void add_trial(struct three *three, size_t part, const char *strategy,
    enum trial_state state, double rate)
{
	struct figures_list *trials = &three->trial_lists[part];
	struct timed_runs *runs = &three->run_lists[part];
	const int64_t id = (int64_t)(10 * part + trials->count + 3);
	struct figures *trial = &trials->list[trials->count++];

	*trial = figures_none();
	trial->trial = id;
	trial->strategy = strategy;
	trial->cache = CACHE_SYSTEM;
	trial->threads = 2;
	trial->state = state;
	trial->answers.equivalent = EQUIVALENT_YES;
	trial->throughput.median = rate;
	trial->profiled.prep_s = rate / 10;
	for (int64_t i = 0; i < 2; i++)
		runs->list[runs->count++] = (struct timed_run){ .trial = id,
			.samples_per_s = rate * (1 + (double)i / 10),
			.started_ns = (double)(1000 * id + i) };
}

static void check_near(double got, double want)
{
	if (isnan(want) ? !isnan(got) : !(fabs(got - want) <= 1e-9 * want))
		fail_msg("%g, not %g", got, want);
}

static void combine(struct three *three)
{
	struct error err = ERROR_INIT;

	test_ok(combine_sessions(
	            three->parts, 3, &three->all, &three->all_runs, &err),
	    &err);
}

static void check_refused(struct three *three, const char *message)
{
	struct error err = ERROR_INIT;

	assert_true(combine_sessions(three->parts, 3, &three->all,
	                &three->all_runs, &err) < 0);
	assert_true(err.code == ERROR_USAGE);
	assert_non_null(strstr(err.text, message));
	end(three);
}

static void test_combine_has_the_runs_of_all(void **state)
{
	struct three three;
	const struct figures *png;
	double last = -1;

	UNUSED(state);
	begin(&three);
	for (size_t part = 0; part < 3; part++) {
		/* In another order each time. */
		if (part % 2)
			add_trial(&three, part, "raw", TRIAL_DONE, 70);
		add_trial(&three, part, "png", TRIAL_DONE,
		    100 + 100.0 * (double)part);
		if (part % 2 == 0)
			add_trial(&three, part, "raw", TRIAL_DONE, 70);
	}
	combine(&three);
	assert_true(three.all.count == 2 && three.all_runs.count == 12);
	png = &three.all.list[0];
	assert_string_equal(png->strategy, "png");
	/* 100, 110, 200, 220, 300, 330 */
	check_near(png->throughput.median, 210);
	check_near(png->throughput.counted, 6);
	check_near(png->profiled.prep_s, 20);
	check_near(png->cpu_us, NAN);
	for (size_t i = 0; i < 6; i++) {
		const struct timed_run *run = &three.all_runs.list[i];

		assert_true(run->trial == png->trial);
		/* One after the other. */
		assert_true(run->started_ns > last);
		last = run->started_ns;
	}
	check_near(three.all_runs.list[5].samples_per_s, 330);
	check_near(three.all.list[1].throughput.median, 73.5);
	end(&three);
}

static void test_combine_what_failed_once_has_failed(void **state)
{
	struct three three;

	UNUSED(state);
	begin(&three);
	for (size_t part = 0; part < 3; part++) {
		add_trial(&three, part, "raw",
		    part == 1 ? TRIAL_FAILED : TRIAL_DONE, 70);
		add_trial(&three, part, "png",
		    part == 0 ? TRIAL_SKIPPED : TRIAL_DONE, 50);
	}
	combine(&three);
	assert_true(three.all.list[0].state == TRIAL_FAILED);
	assert_true(three.all.list[1].state == TRIAL_SKIPPED);
	/* What failed has no runs that could be compared. */
	assert_true(three.all_runs.count == 6);
	check_near(three.all_runs.list[0].samples_per_s, 50);
	end(&three);
}

static void test_combine_keeps_the_worst_data(void **state)
{
	struct three three;

	UNUSED(state);
	begin(&three);
	for (size_t part = 0; part < 3; part++) {
		add_trial(&three, part, "raw", TRIAL_DONE, 70);
		three.trials[part][0].answers.equivalent =
		    part == 0   ? EQUIVALENT_LOSSY
		    : part == 1 ? EQUIVALENT_NO
		                : EQUIVALENT_YES;
	}
	combine(&three);
	assert_true(three.all.list[0].answers.equivalent == EQUIVALENT_NO);
	end(&three);
}

static void test_combine_needs_the_same_trials(void **state)
{
	struct three three;

	UNUSED(state);
	begin(&three);
	for (size_t part = 0; part < 3; part++)
		add_trial(&three, part, "raw", TRIAL_DONE, 70);
	add_trial(&three, 0, "png", TRIAL_DONE, 70);
	check_refused(&three, "png, 2 threads, cache system, is not in all");
	begin(&three);
	for (size_t part = 0; part < 3; part++)
		add_trial(&three, part, "raw", TRIAL_DONE, 70);
	add_trial(&three, 2, "npy", TRIAL_DONE, 70);
	check_refused(&three, "npy, 2 threads, cache system, is not in all");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_combine_has_the_runs_of_all),
		cmocka_unit_test(test_combine_what_failed_once_has_failed),
		cmocka_unit_test(test_combine_keeps_the_worst_data),
		cmocka_unit_test(test_combine_needs_the_same_trials),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
