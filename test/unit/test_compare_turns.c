/*
 * test_compare_turns.c - comparing sessions by turns: what drift, a neighbour
 * and layout do, and what is found all the same.  How often the answers are
 * wrong is counted by test/simulate/compare.c.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/compare/print.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "strategies/compare/compare.h"
#include "strategies/figures/runs.h"
#include "test/unit/test.h"

enum { TURNS = 5, RUNS = 5, TRIALS = 3 };

static const char *const labels[TRIALS] = { "raw/tar/none", "decoded/tar/none",
	"resized/tar/none" };

/* What a side is: logarithms, added to the rates. */
struct plan {
	double changes[TRIALS];
	double drift[TURNS];          /* of its sessions */
	double layout[TURNS][TRIALS]; /* of a build, a session each */
	/* Rounds in which a neighbour takes a fifth: a bit for each. */
	unsigned slowed[TURNS];
	const char *started[TURNS]; /* NULL: by turns */
	size_t turns;               /* 0: all */
};

struct side {
	struct figures trials[TRIALS];
	struct figures_list list;
	struct timed_run runs[TURNS][TRIALS * RUNS];
	struct timed_run all[TURNS * TRIALS * RUNS];
	struct timed_runs parts[TURNS], whole;
	struct compare_turn turns[TURNS];
	struct compare_session session;
};

/* A little noise, the same every time: within one percent. */
static double noise(size_t turn, size_t trial, size_t run)
{
	return 0.002 * ((double)((turn * 7 + trial * 3 + run * 5) % 11) - 5);
}

static void make_turn(
    struct side *side, const struct plan *plan, size_t turn, size_t salt)
{
	static const char *const started[TURNS] = { "1", "2", "3", "4", "5" };

	side->parts[turn] = (struct timed_runs){ side->runs[turn], 0 };
	for (size_t t = 0; t < TRIALS; t++)
		for (size_t r = 0; r < RUNS; r++) {
			const bool slowed = plan->slowed[turn] >> r & 1;
			const struct timed_run run = {
				.trial = (int64_t)t + 1,
				.samples_per_s =
				    100 * exp((double)t + plan->changes[t] +
				              plan->drift[turn] +
				              plan->layout[turn][t] +
				              noise(turn + salt, t, r) -
				              (slowed ? 0.2 : 0)),
				.own_cores = NAN,
				.others_cores = NAN,
				.reference_ns = NAN,
			};

			side->runs[turn][side->parts[turn].count++] = run;
			side->all[side->whole.count++] = run;
		}
	side->turns[turn] =
	    (struct compare_turn){ &side->list, &side->parts[turn],
		    plan->started[turn] ? plan->started[turn] : started[turn],
		    "db", 0 };
}

static void make_side(struct side *side, const struct plan *plan, size_t salt)
{
	const size_t turns = plan->turns ? plan->turns : TURNS;

	*side = (struct side){ .list = { side->trials, TRIALS },
		.whole = { side->all, 0 } };
	for (size_t t = 0; t < TRIALS; t++) {
		side->trials[t] = figures_none();
		side->trials[t].trial = (int64_t)t + 1;
		side->trials[t].strategy = labels[t];
		side->trials[t].threads = 1;
		side->trials[t].state = TRIAL_DONE;
	}
	for (size_t i = 0; i < turns; i++)
		make_turn(side, plan, i, salt);
	side->session = (struct compare_session){ .trials = &side->list,
		.runs = &side->whole,
		.turns = side->turns,
		.turn_count = turns,
		.state = "done" };
}

/* Release it. */
static struct comparison compare(
    const struct plan *base, const struct plan *new_one)
{
	static struct side sides[2];
	struct comparison comparison;
	struct error err = ERROR_INIT;

	make_side(&sides[0], base, 0);
	make_side(&sides[1], new_one, 4);
	test_ok(comparison_make(&comparison, &sides[0].session,
	            &sides[1].session, 0.05, &err),
	    &err);
	return comparison;
}

static void check(const struct plan *base, const struct plan *new_one,
    enum compare_verdict verdict, const char *says)
{
	struct comparison got = compare(base, new_one);
	char summary[COMPARE_SUMMARY];

	assert_string_equal(compare_verdict_name(comparison_verdict(&got)),
	    compare_verdict_name(verdict));
	compare_summarize(&got, summary);
	test_contains(summary, says);
	comparison_release(&got);
}

#define SLOWER                   \
	{                        \
		-0.1, -0.1, -0.1 \
	}

static void test_turns_find_ten_percent(void **state)
{
	const struct plan base = { .turns = TURNS };
	const struct plan all = { .changes = SLOWER };
	const struct plan one = { .changes = { 0, -0.1, 0 } };
	struct comparison got = compare(&base, &all);

	UNUSED(state);
	assert_int_equal(got.turns, TURNS);
	assert_true(got.is_alike);
	assert_int_equal(got.verdicts[COMPARE_SLOWER], TRIALS);
	assert_true(fabs(got.mean.ratio - exp(-0.1)) < 0.003);
	assert_true(got.mean.low < exp(-0.1) && got.mean.high > exp(-0.1));
	/* The threshold, and the noise. */
	assert_true(got.mean.sees > 0.05 && got.mean.sees < 0.06);
	assert_true(comparison_sees(&got) >= got.mean.sees);
	comparison_release(&got);
	check(&base, &one, COMPARE_SLOWER,
	    "1 of 3 trials is slower by more than 5 %: decoded/tar/none");
	check(&base, &base, COMPARE_FINE, "none of 3 trials is slower");
}

/* Ten percent and more, but the same for both programs. */
static void test_turns_drift_in_common_is_no_change(void **state)
{
	const struct plan base = { .drift = { 0, 0.1, 0.03, -0.07, -0.1 } };
	const struct plan same = { .drift = { 0.01, 0.09, 0.03, -0.08, -0.1 } };
	struct plan slower = same;

	UNUSED(state);
	for (size_t t = 0; t < TRIALS; t++)
		slower.changes[t] = -0.1;
	check(&base, &same, COMPARE_FINE, "none of 3 trials is slower");
	check(&base, &slower, COMPARE_SLOWER, "3 of 3 trials are slower");
}

/* The scatter of sessions is the doubt, however many runs they have. */
static void test_turns_drift_of_its_own_is_a_doubt(void **state)
{
	const struct plan base = { .drift = { 0 } };
	const struct plan drifts = { .drift = {
		                         -0.1, -0.05, 0, -0.08, -0.02 } };

	UNUSED(state);
	check(&base, &drifts, COMPARE_UNCLEAR,
	    "measure more turns, or on a quieter machine");
}

/* Noise beyond the threshold: a change must not be none, either. */
static void test_turns_wild_noise_must_be_surer(void **state)
{
	const struct plan base = { .drift = { 0 } };
	const struct plan wild = { .drift = {
		                       -0.3, -0.08, -0.19, -0.135, -0.245 } };
	struct comparison got = compare(&base, &wild);

	UNUSED(state);
	assert_true(got.mean.high < 0.95 && got.mean.p < 0.01);
	assert_false(got.mean.is_slower);
	comparison_release(&got);
	check(&base, &wild, COMPARE_UNCLEAR, "3 of 3 trials may be slower");
}

static void test_turns_layout_is_a_doubt(void **state)
{
	const struct plan base = { .layout = { { 0 } } };
	const struct plan builds = { .layout = { { 0, -0.12 }, { 0, 0 },
		                         { 0, -0.1 }, { 0, -0.01 },
		                         { 0, -0.12 } } };

	UNUSED(state);
	check(&base, &builds, COMPARE_UNCLEAR,
	    "1 of 3 trials may be slower by more than 5 %: decoded");
}

/* Both saw the machine without its neighbour, now and then. */
static void test_turns_a_neighbour_is_taken_out(void **state)
{
	const struct plan base = { .slowed = { 0, 3, 0, 0, 16 } };
	const struct plan same = { .slowed = { 31, 31, 7, 15, 31 } };
	struct plan slower = same;
	struct comparison got = compare(&base, &same);

	UNUSED(state);
	assert_true(got.is_alike);
	assert_true(fabs(got.list[0].ratio - 1) < 0.02);
	comparison_release(&got);
	for (size_t t = 0; t < TRIALS; t++)
		slower.changes[t] = -0.1;
	check(&base, &same, COMPARE_FINE, "none of 3 trials is slower");
	check(&base, &slower, COMPARE_SLOWER, "3 of 3 trials are slower");
}

/* NEW never saw it so: it may be slower by a fifth, or not at all. */
static void test_turns_fastest_moments_must_be_alike(void **state)
{
	const struct plan base = { .slowed = { 31, 31, 0, 0, 3 } };
	const struct plan same = { .slowed = { 31, 31, 31, 31, 31 } };
	struct comparison got = compare(&base, &same);

	UNUSED(state);
	assert_false(got.is_alike);
	assert_true(got.list[0].ratio_low < 0.85);
	assert_true(got.list[0].ratio_high > 0.99);
	comparison_release(&got);
	check(&base, &same, COMPARE_UNCLEAR, "measure more turns");
}

/* Five sessions that saw it, and five that did not: that is no chance. */
static void test_turns_groups_so_unequal_are_a_change(void **state)
{
	const struct plan base = { .slowed = { 0, 0, 0, 0, 0 } };
	struct plan slower = { .slowed = { 0, 0, 1, 0, 0 } };

	UNUSED(state);
	for (size_t t = 0; t < TRIALS; t++)
		slower.changes[t] = -0.1;
	check(&base, &slower, COMPARE_SLOWER, "3 of 3 trials are slower");
}

static void test_turns_must_be_in_turn(void **state)
{
	const struct plan base = { .turns = TURNS };
	const struct plan later = { .changes = SLOWER,
		.started = { "6", "6", "7", "8", "9" } };
	const struct plan few = { .changes = SLOWER, .turns = 4 };
	struct comparison got = compare(&base, &later);

	UNUSED(state);
	assert_int_equal(got.turns, 0);
	comparison_release(&got);
	check(&base, &later, COMPARE_UNCLEAR, "measure 5 of each by turns");
	check(&base, &few, COMPARE_UNCLEAR, "measure 5 of each by turns");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turns_find_ten_percent),
		cmocka_unit_test(test_turns_drift_in_common_is_no_change),
		cmocka_unit_test(test_turns_drift_of_its_own_is_a_doubt),
		cmocka_unit_test(test_turns_wild_noise_must_be_surer),
		cmocka_unit_test(test_turns_layout_is_a_doubt),
		cmocka_unit_test(test_turns_a_neighbour_is_taken_out),
		cmocka_unit_test(test_turns_fastest_moments_must_be_alike),
		cmocka_unit_test(test_turns_groups_so_unequal_are_a_change),
		cmocka_unit_test(test_turns_must_be_in_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
