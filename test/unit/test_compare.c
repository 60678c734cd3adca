/* test_compare.c - comparing two sessions: ratios, verdicts, words. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/compare/print.h"
#include "cmd/report/benchmarks.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "strategies/compare/compare.h"
#include "strategies/figures/runs.h"
#include "test/unit/fixture.h"
#include "test/unit/test.h"

/* Sessions of one database, compared: what is read, and what comes of it. */
struct pair {
	struct fixture fixture;
	int64_t base, new_one;
	struct grid rows[2];
	struct figures_list trials[2];
	struct timed_runs runs[2];
	const char *state; /* of NEW's session */
	struct comparison comparison;
};

static void open_pair(struct pair *pair)
{
	*pair = (struct pair){ .state = "done" };
	fixture_open(&pair->fixture);
	pair->base = pair->fixture.session;
}

/* What is added from now on is of NEW. */
static void begin_new(struct pair *pair)
{
	fixture_session(&pair->fixture, NULL);
	pair->new_one = pair->fixture.session;
}

static void compare_pair(struct pair *pair, double threshold)
{
	struct error err = ERROR_INIT;
	struct compare_session sessions[2];
	struct compare_turn turns[2];

	for (size_t i = 0; i < 2; i++) {
		const int64_t session = i ? pair->new_one : pair->base;

		struct grid runs = GRID_INIT;

		test_ok(results_read(pair->fixture.results, RESULTS_TRIALS,
		            session, &pair->rows[i], &err),
		    &err);
		test_ok(
		    figures_read(&pair->trials[i], &pair->rows[i], &err), &err);
		test_ok(results_read(pair->fixture.results, RESULTS_RATES,
		            session, &runs, &err),
		    &err);
		test_ok(timed_runs_read(&pair->runs[i], &runs, &err), &err);
		grid_release(&runs);
		turns[i] = (struct compare_turn){ &pair->trials[i],
			&pair->runs[i], "2026-11-21T08:04:17Z", "db", session };
		sessions[i] = (struct compare_session){
			.trials = &pair->trials[i],
			.runs = &pair->runs[i],
			.turns = &turns[i],
			.turn_count = 1,
			.state = i ? pair->state : "done",
			.cores = 4,
		};
	}
	test_ok(comparison_make(&pair->comparison, &sessions[0], &sessions[1],
	            threshold, &err),
	    &err);
}

static void close_pair(struct pair *pair)
{
	comparison_release(&pair->comparison);
	for (size_t i = 0; i < 2; i++) {
		figures_release(&pair->trials[i]);
		timed_runs_release(&pair->runs[i]);
		grid_release(&pair->rows[i]);
	}
	fixture_close(&pair->fixture);
}

/* Runs within 2 % around `rate`. */
static void add_runs(
    struct pair *pair, const char *label, double rate, unsigned runs)
{
	static const double around[] = { 1, 0.99, 1.01, 0.995, 1.005, 0.992,
		1.008, 0.998, 1.002, 1.001, 0.997, 1.003 };
	struct fixture_trial trial = { .label = label, .storage_bytes = 1e6 };

	for (unsigned i = 0; i < runs; i++)
		trial.cold[i] = rate * around[i];
	fixture_add(&pair->fixture, &trial);
}

static void check(const struct compared *c, double ratio, const char *word,
    enum compare_verdict verdict)
{
	if (fabs(c->ratio - ratio) > 0.005)
		fail_msg("%s: ratio %g, not %g", c->strategy, c->ratio, ratio);
	assert_string_equal(compared_word(c), word);
	assert_string_equal(
	    compare_verdict_name(c->verdict), compare_verdict_name(verdict));
}

static void test_compare_says_slower_faster_and_no_difference(void **state)
{
	struct pair pair;
	const struct compared *list;

	UNUSED(state);
	open_pair(&pair);
	add_runs(&pair, "raw/tar/none", 100, 10);
	add_runs(&pair, "decoded/tar/none", 100, 10);
	add_runs(&pair, "resized/tar/none", 100, 10);
	add_runs(&pair, "centered/tar/none", 100, 10);
	begin_new(&pair);
	add_runs(&pair, "centered/tar/none", 98, 10);
	add_runs(&pair, "resized/tar/none", 100.1, 10);
	add_runs(&pair, "decoded/tar/none", 120, 10);
	add_runs(&pair, "raw/tar/none", 50, 10);
	compare_pair(&pair, 0.05);
	list = pair.comparison.list;
	assert_int_equal(pair.comparison.count, 4);
	check(&list[0], 0.5, "slower", COMPARE_SLOWER);
	check(&list[1], 1.2, "faster", COMPARE_FINE);
	check(&list[2], 1, "~", COMPARE_FINE);
	/* Slower, but by less than the rounds of a session are apart. */
	check(&list[3], 0.98, "~", COMPARE_FINE);
	assert_true(list[0].ratio_low < 0.5 && list[0].ratio_high > 0.5);
	assert_true(list[0].p < 1e-4 && list[2].p > 0.3);
	assert_true(fabs(pair.comparison.mean.ratio -
	                 pow(0.5 * 1.2 * 1.001 * 0.98, 0.25)) < 1e-3);
	assert_true(comparison_verdict(&pair.comparison) == COMPARE_SLOWER);
	close_pair(&pair);
}

/* What is as slow as the threshold, give or take, is neither. */
static void test_compare_around_the_threshold_is_no_answer(void **state)
{
	struct pair pair;

	UNUSED(state);
	open_pair(&pair);
	add_runs(&pair, "raw/tar/none", 100, 10);
	begin_new(&pair);
	add_runs(&pair, "raw/tar/none", 95, 10);
	compare_pair(&pair, 0.05);
	check(&pair.comparison.list[0], 0.95, "slower", COMPARE_UNCLEAR);
	assert_true(comparison_verdict(&pair.comparison) == COMPARE_UNCLEAR);
	close_pair(&pair);
}

/* Single sessions differ by drift: so much may be that, and no more. */
static void test_compare_drift_hides_what_is_smaller(void **state)
{
	static const struct {
		double rate;
		enum compare_verdict verdict;
	} cases[] = { { 90, COMPARE_UNCLEAR }, { 66, COMPARE_UNCLEAR },
		{ 60, COMPARE_SLOWER } };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct pair pair;
		char summary[COMPARE_SUMMARY];

		open_pair(&pair);
		add_runs(&pair, "raw/tar/none", 100, 10);
		begin_new(&pair);
		add_runs(&pair, "raw/tar/none", cases[i].rate, 10);
		compare_pair(&pair, 0.05);
		check(&pair.comparison.list[0], cases[i].rate / 100, "slower",
		    cases[i].verdict);
		/* 0.95 / 1.5 is 0.633, and then there is the noise. */
		assert_true(comparison_sees(&pair.comparison) > 0.37 &&
		            comparison_sees(&pair.comparison) < 0.4);
		compare_summarize(&pair.comparison, summary);
		if (cases[i].verdict == COMPARE_UNCLEAR)
			test_contains(summary, "measure 5 of each by turns");
		close_pair(&pair);
	}
}

/* A machine that is faster may hide a slow-down, but not if half as fast again.
 */
static void test_compare_all_faster_may_be_the_machine(void **state)
{
	static const struct {
		double rate, other;
		enum compare_verdict verdict;
	} cases[] = { { 110, 110, COMPARE_UNCLEAR }, { 103, 103, COMPARE_FINE },
		{ 160, 160, COMPARE_FINE }, { 130, 100, COMPARE_FINE } };

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const bool is_faster = cases[i].verdict == COMPARE_UNCLEAR;
		struct pair pair;
		char summary[COMPARE_SUMMARY];

		open_pair(&pair);
		add_runs(&pair, "raw/tar/none", 100, 10);
		add_runs(&pair, "decoded/tar/none", 100, 10);
		add_runs(&pair, "resized/tar/none", 100, 10);
		begin_new(&pair);
		add_runs(&pair, "raw/tar/none", cases[i].rate, 10);
		add_runs(&pair, "decoded/tar/none", cases[i].other, 10);
		add_runs(&pair, "resized/tar/none", cases[i].other, 10);
		compare_pair(&pair, 0.05);
		for (size_t t = 0; t < 3; t++)
			assert_int_equal(
			    pair.comparison.list[t].verdict, cases[i].verdict);
		assert_int_equal(pair.comparison.is_faster, is_faster);
		compare_summarize(&pair.comparison, summary);
		assert_true(
		    !strstr(summary, "all of NEW is faster") == !is_faster);
		close_pair(&pair);
	}
}

/* Runs that become slower, by 9 % in all: another session may be elsewhere. */
static void test_compare_drift_within_a_session_is_not_fine(void **state)
{
	struct fixture_trial trial = { .label = "raw/tar/none" };
	struct pair pair;

	UNUSED(state);
	for (unsigned i = 0; i < 10; i++)
		trial.cold[i] = 100 - i;
	open_pair(&pair);
	fixture_add(&pair.fixture, &trial);
	begin_new(&pair);
	add_runs(&pair, "raw/tar/none", 96, 10);
	compare_pair(&pair, 0.05);
	assert_int_equal(pair.comparison.list[0].verdict, COMPARE_UNCLEAR);
	assert_true(pair.comparison.list[0].ratio_low < 0.91);
	assert_true(pair.comparison.list[0].ratio_high > 1.09);
	close_pair(&pair);
}

/* What disturbed a round did so to all of its trials, and is one value. */
static void test_compare_rounds_are_not_more_than_they_are(void **state)
{
	static const double noise[] = { 0.8, 1.2, 0.9, 1.1, 0.85, 1.15, 0.95,
		1.05, 0.82, 1.18 };
	static const char *const labels[] = { "raw/tar/none",
		"decoded/tar/none", "resized/tar/none" };
	struct pair pair;

	UNUSED(state);
	open_pair(&pair);
	for (size_t session = 0; session < 2; session++) {
		if (session)
			begin_new(&pair);
		for (size_t i = 0; i < ARRAY_LEN(labels); i++) {
			struct fixture_trial trial = { .label = labels[i],
				.storage_bytes = 1e6 };

			for (size_t run = 0; run < ARRAY_LEN(noise); run++)
				trial.cold[run] =
				    (session ? 93 : 100) * noise[run];
			fixture_add(&pair.fixture, &trial);
		}
	}
	compare_pair(&pair, 0.05);
	assert_true(fabs(pair.comparison.mean.ratio - 0.93) < 1e-3);
	assert_true(fabs(pair.comparison.mean.high -
	                 pair.comparison.list[0].ratio_high) < 1e-6);
	assert_false(pair.comparison.mean.is_slower);
	close_pair(&pair);
}

static void test_compare_too_few_runs_are_no_answer(void **state)
{
	struct pair pair;
	char summary[COMPARE_SUMMARY];

	UNUSED(state);
	open_pair(&pair);
	add_runs(&pair, "raw/tar/none", 100, 4);
	begin_new(&pair);
	add_runs(&pair, "raw/tar/none", 50, 10);
	compare_pair(&pair, 0.05);
	check(&pair.comparison.list[0], 0.5, "?", COMPARE_UNCLEAR);
	assert_true(isnan(pair.comparison.list[0].p_adjusted));
	compare_summarize(&pair.comparison, summary);
	test_contains(summary, "measure at least 5 of each, better 10");
	close_pair(&pair);
}

static void test_compare_what_is_in_one_only_is_told(void **state)
{
	struct pair pair;
	const struct compared *list;
	char summary[COMPARE_SUMMARY];

	UNUSED(state);
	open_pair(&pair);
	add_runs(&pair, "raw/tar/none", 100, 6);
	add_runs(&pair, "decoded/tar/none", 100, 6);
	add_runs(&pair, "centered/tar/none", 100, 6);
	begin_new(&pair);
	add_runs(&pair, "raw/tar/none", 100, 6);
	add_runs(&pair, "resized/tar/none", 100, 6);
	fixture_add(&pair.fixture,
	    &(struct fixture_trial){ .label = "centered/tar/none",
	        .state = TRIAL_FAILED,
	        .message = "disk full" });
	compare_pair(&pair, 0.05);
	list = pair.comparison.list;
	assert_int_equal(pair.comparison.count, 4);
	assert_int_equal(pair.comparison.both, 1);
	assert_true(!list[1].new_one.is_there && isnan(list[1].ratio));
	assert_true(list[1].verdict == COMPARE_MISSING);
	assert_true(list[3].verdict == COMPARE_NONE);
	assert_true(list[2].verdict == COMPARE_BROKEN);
	assert_true(!list[3].base.is_there && isnan(list[3].ratio));
	compare_summarize(&pair.comparison, summary);
	test_contains(summary, "1 failed, or gave other data than before: "
	                       "centered/tar/none, 2 threads, cache none");
	assert_true(comparison_verdict(&pair.comparison) == COMPARE_BROKEN);
	close_pair(&pair);
}

/* What was measured before and is not now may be anything. */
static void test_compare_what_new_lacks_is_no_answer(void **state)
{
	struct pair pair;
	struct comparison *comparison = &pair.comparison;
	char summary[COMPARE_SUMMARY];

	UNUSED(state);
	open_pair(&pair);
	add_runs(&pair, "raw/tar/none", 100, 6);
	add_runs(&pair, "decoded/tar/none", 100, 6);
	add_runs(&pair, "centered/tar/none", 100, 6);
	fixture_add(
	    &pair.fixture, &(struct fixture_trial){ .label = "resized/tar/none",
	                       .state = TRIAL_SKIPPED,
	                       .storage_bytes = 1e6,
	                       .message = "no time is left" });
	begin_new(&pair);
	add_runs(&pair, "raw/tar/none", 100, 6);
	fixture_add(
	    &pair.fixture, &(struct fixture_trial){ .label = "decoded/tar/none",
	                       .state = TRIAL_SKIPPED,
	                       .storage_bytes = 1e6,
	                       .message = "no time is left" });
	compare_pair(&pair, 0.05);
	check(&comparison->list[0], 1, "~", COMPARE_FINE);
	for (size_t i = 1; i < 3; i++)
		assert_true(comparison->list[i].verdict == COMPARE_MISSING);
	assert_true(comparison->list[3].verdict == COMPARE_NONE);
	assert_true(comparison_verdict(comparison) == COMPARE_MISSING);
	compare_summarize(comparison, summary);
	assert_string_equal(summary,
	    "2 trials of BASE were not measured in NEW: decoded/tar/none, 2 "
	    "threads, "
	    "cache none; centered/tar/none, 2 threads, cache none");
	comparison->may_lack = true;
	assert_true(comparison_verdict(comparison) == COMPARE_FINE);
	compare_summarize(comparison, summary);
	test_contains(summary, "none of 1 trial is slower");
	close_pair(&pair);
}

static void test_compare_a_session_cut_short_is_no_answer(void **state)
{
	static const struct {
		const char *state, *says;
	} cases[] = {
		{ "failed", "NEW failed" },
		{ "interrupted", "NEW was interrupted" },
		{ "running", "NEW has not ended, or was killed" },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct pair pair;
		char summary[COMPARE_SUMMARY];

		open_pair(&pair);
		add_runs(&pair, "raw/tar/none", 100, 6);
		begin_new(&pair);
		add_runs(&pair, "raw/tar/none", 100, 6);
		pair.state = cases[i].state;
		compare_pair(&pair, 0.05);
		pair.comparison.may_lack = true; /* it is not known of what */
		check(&pair.comparison.list[0], 1, "~", COMPARE_FINE);
		assert_true(
		    comparison_verdict(&pair.comparison) == COMPARE_UNCLEAR);
		compare_summarize(&pair.comparison, summary);
		assert_string_equal(summary, cases[i].says);
		close_pair(&pair);
	}
}

/* As an older presto stored it: failed, with the runs that there were. */
static void test_compare_what_was_interrupted_is_not_broken(void **state)
{
	struct pair pair;
	char summary[COMPARE_SUMMARY];

	UNUSED(state);
	open_pair(&pair);
	add_runs(&pair, "raw/tar/none", 100, 6);
	begin_new(&pair);
	fixture_add(
	    &pair.fixture, &(struct fixture_trial){ .label = "raw/tar/none",
	                       .state = TRIAL_FAILED,
	                       .message = "stopped after 2 of 7 runs",
	                       .cold = { 1e7, 1e7 } });
	pair.state = "interrupted";
	compare_pair(&pair, 0.05);
	assert_true(pair.comparison.list[0].verdict == COMPARE_MISSING);
	assert_true(comparison_verdict(&pair.comparison) == COMPARE_UNCLEAR);
	compare_summarize(&pair.comparison, summary);
	test_contains(summary, "NEW was interrupted");
	close_pair(&pair);
}

static void test_compare_other_data_is_a_regression(void **state)
{
	static const struct {
		enum equivalence base, new_one;
		enum compare_verdict verdict;
	} cases[] = {
		{ EQUIVALENT_YES, EQUIVALENT_NO, COMPARE_BROKEN },
		{ EQUIVALENT_YES, EQUIVALENT_LOSSY, COMPARE_BROKEN },
		{ EQUIVALENT_LOSSY, EQUIVALENT_NO, COMPARE_BROKEN },
		{ EQUIVALENT_LOSSY, EQUIVALENT_LOSSY, COMPARE_FINE },
		{ EQUIVALENT_NO, EQUIVALENT_YES, COMPARE_FINE },
	};

	UNUSED(state);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct fixture_trial trial = { .label = "raw/tar/none",
			.cold = { 100, 100.1, 100.2, 100.3, 100.4, 100.5 } };
		struct pair pair;

		open_pair(&pair);
		trial.equivalent = cases[i].base;
		fixture_add(&pair.fixture, &trial);
		begin_new(&pair);
		trial.equivalent = cases[i].new_one;
		fixture_add(&pair.fixture, &trial);
		compare_pair(&pair, 0.05);
		assert_string_equal(
		    compare_verdict_name(comparison_verdict(&pair.comparison)),
		    compare_verdict_name(cases[i].verdict));
		close_pair(&pair);
	}
}

/* ---- for CI services ---- */

static void test_compare_knows_the_emulated_storage(void **state)
{
	const struct storage_limits limits = { .bandwidth = 5e7 };
	struct pair pair;

	UNUSED(state);
	open_pair(&pair);
	add_runs(&pair, "raw/tar/none", 100, 5);
	fixture_session(&pair.fixture, &limits);
	pair.new_one = pair.fixture.session;
	add_runs(&pair, "raw/tar/none", 100, 5);
	compare_pair(&pair, 0.05);
	assert_string_equal(
	    pair.comparison.list[0].base.figures.emulated_storage, "");
	assert_string_equal(
	    pair.comparison.list[0].new_one.figures.emulated_storage,
	    "50 MB/s");
	close_pair(&pair);
}

/* What a form says of a trial of so many figures. */
static void check_extra(double figures, double low, double high,
    const char *says, const char *says_not)
{
	struct figures trial = figures_none();
	const struct benchmark benchmark = { .pipeline = "photos",
		.trial = &trial };
	struct json_doc doc = benchmarks_doc(BENCHMARKS_GITHUB);
	struct error err = ERROR_INIT;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	trial.strategy = "raw/tar/none";
	trial.cache = CACHE_NONE;
	trial.state = TRIAL_DONE;
	trial.threads = 1;
	trial.throughput = (struct throughput){ .median = 10000,
		.low = low,
		.high = high,
		.runs = figures,
		.counted = figures };
	assert_non_null(out);
	test_ok(benchmarks_add(&doc, BENCHMARKS_GITHUB, &benchmark, &err) ||
	            json_doc_write(&doc, out, &err),
	    &err);
	fclose(out);
	json_doc_release(&doc);
	test_contains(text, says);
	assert_null(strstr(text, says_not));
	free(text);
}

static void test_compare_few_runs_have_no_95_percent(void **state)
{
	UNUSED(state);
	check_extra(2, 6131, 20871, "2 runs, lowest to highest: ", "95 %");
	check_extra(5, 6131, 20871, "5 runs, lowest to highest: ", "95 %");
	check_extra(6, 6131, 20871, "6 runs, 95 %: ", "lowest");
	check_extra(1, 10000, 10000, "\"1 run\"", " to ");
}

static void test_compare_nothing_in_common_is_nothing(void **state)
{
	struct pair pair;

	UNUSED(state);
	open_pair(&pair);
	add_runs(&pair, "raw/tar/none", 100, 6);
	begin_new(&pair);
	add_runs(&pair, "decoded/tar/none", 100, 6);
	compare_pair(&pair, 0.05);
	assert_true(comparison_verdict(&pair.comparison) == COMPARE_NONE);
	assert_true(isnan(pair.comparison.mean.ratio));
	close_pair(&pair);
}

/* ---- what others took, and how fast the machine was ---- */

enum { AROUND_RUNS = 8 };

/* What the machine did beside the runs. */
struct around {
	double rate, others, own, reference_ms;
};

static void make_runs(
    struct timed_run runs[AROUND_RUNS], const struct around *around)
{
	for (unsigned i = 0; i < AROUND_RUNS; i++)
		runs[i] = (struct timed_run){
			.trial = 1,
			.samples_per_s = around->rate + i * 0.01,
			.own_cores = around->own,
			.others_cores = around->others,
			/* Not before each run. */
			.reference_ns =
			    i % 4 ? 1e6 * around->reference_ms + (i % 3) * 1e3
			          : NAN,
			.started_ns = i * 1e9,
		};
}

/* One trial of one thread, on `cores`. */
static struct compared compare_around(unsigned cores,
    const struct around *before, const struct around *after,
    const char *libraries)
{
	struct figures trial = figures_none();
	const struct figures_list trials = { &trial, 1 };
	struct timed_run was[AROUND_RUNS], is[AROUND_RUNS];
	const struct timed_runs base_runs = { was, AROUND_RUNS };
	const struct timed_runs new_runs = { is, AROUND_RUNS };
	const struct compare_turn old = { &trials, &base_runs, "", "", 0 };
	const struct compare_turn later = { &trials, &new_runs, "", "", 0 };
	const struct compare_session base = { &trials, &base_runs, &old, 1,
		"done", cores, "cpu", "zlib 1" };
	const struct compare_session new_one = { &trials, &new_runs, &later, 1,
		"done", cores, "cpu", libraries };
	struct comparison comparison = COMPARISON_INIT;
	struct error err = ERROR_INIT;
	struct compared got;

	trial.trial = 1;
	trial.strategy = "raw/tar/none";
	trial.state = TRIAL_DONE;
	trial.threads = 1;
	make_runs(was, before);
	make_runs(is, after);
	test_ok(
	    comparison_make(&comparison, &base, &new_one, 0.05, &err), &err);
	got = comparison.list[0];
	comparison_release(&comparison);
	return got;
}

/* Half the speed, while others took so many cores. */
static struct compared halved(unsigned cores, double before, double after)
{
	return compare_around(cores, &(struct around){ 100, before, 1, NAN },
	    &(struct around){ 50, after, 1, NAN }, "zlib 1");
}

/* The reference took 1 ms before, and `reference_ms` after. */
static struct compared with_reference(
    double rate, double reference_ms, const char *libraries)
{
	return compare_around(2, &(struct around){ 100, 0, 1, 1 },
	    &(struct around){ rate, 0, 1, reference_ms }, libraries);
}

static void test_compare_what_others_took_is_no_regression(void **state)
{
	struct compared c = halved(2, 0.3, 1.4);

	UNUSED(state);
	/* Of each 0.2 are not noticed: 1.9 cores were left, then 0.8, and half
	 * the speed may be just that. */
	assert_true(fabs(c.left_ratio - 0.8 / 1.9) < 1e-9);
	assert_true(c.verdict == COMPARE_UNCLEAR);
	/* It is not when there were as many before, or enough. */
	assert_true(halved(2, 1.2, 1.2).verdict == COMPARE_SLOWER);
	assert_true(halved(16, 0, 8).verdict == COMPARE_SLOWER);
	assert_true(halved(16, 0, 15.5).verdict == COMPARE_UNCLEAR);
	/* Nor when it is what an idle system takes. */
	assert_true(halved(2, 0, 0.2).left_ratio >= 1);
	assert_true(halved(2, 0, 0.2).verdict == COMPARE_SLOWER);
	/* Nor when nothing is known of it. */
	assert_true(halved(2, NAN, 1.2).verdict == COMPARE_SLOWER);
	assert_true(halved(2, NAN, NAN).verdict == COMPARE_SLOWER);
	assert_true(halved(0, 0.1, 1.2).verdict == COMPARE_SLOWER);
}

/* The reference workload tells a reader why; it decides nothing. */
static void test_compare_a_slower_machine_is_told(void **state)
{
	struct compared c = with_reference(100 / 1.08, 1.08, "zlib 1");

	UNUSED(state);
	assert_true(fabs(c.speed_ratio - 1 / 1.08) < 1e-3);
	assert_true(fabs(c.ratio - 1 / 1.08) < 1e-3);
	assert_true(c.verdict == COMPARE_UNCLEAR);
	/* Of an older presto, or done by another library. */
	assert_true(with_reference(92, NAN, "zlib 1").speed_ratio == 1);
	assert_true(with_reference(92, 1.08, "zlib 2").speed_ratio == 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_compare_says_slower_faster_and_no_difference),
		cmocka_unit_test(
		    test_compare_around_the_threshold_is_no_answer),
		cmocka_unit_test(test_compare_drift_hides_what_is_smaller),
		cmocka_unit_test(test_compare_all_faster_may_be_the_machine),
		cmocka_unit_test(
		    test_compare_drift_within_a_session_is_not_fine),
		cmocka_unit_test(
		    test_compare_rounds_are_not_more_than_they_are),
		cmocka_unit_test(test_compare_too_few_runs_are_no_answer),
		cmocka_unit_test(test_compare_what_is_in_one_only_is_told),
		cmocka_unit_test(test_compare_what_new_lacks_is_no_answer),
		cmocka_unit_test(test_compare_a_session_cut_short_is_no_answer),
		cmocka_unit_test(
		    test_compare_what_was_interrupted_is_not_broken),
		cmocka_unit_test(test_compare_other_data_is_a_regression),
		cmocka_unit_test(test_compare_knows_the_emulated_storage),
		cmocka_unit_test(test_compare_few_runs_have_no_95_percent),
		cmocka_unit_test(test_compare_nothing_in_common_is_nothing),
		cmocka_unit_test(
		    test_compare_what_others_took_is_no_regression),
		cmocka_unit_test(test_compare_a_slower_machine_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
