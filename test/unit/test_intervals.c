/* test_intervals.c - the intervals of the trials of a session. */
#include <math.h>
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/derived.h"
#include "strategies/decide/intervals.h"
#include "strategies/decide/trial_figures.h"
#include "test/unit/test.h"

enum { TRIALS = 2, RUNS = 80 };

struct session {
	struct run_figures runs[TRIALS][RUNS];
	struct run_list lists[TRIALS];
	struct rate_interval figures[TRIALS];
};

/* Sets the intervals of trials whose n-th run has rates[n % period]. */
static void set(struct session *s, const double rates[TRIALS][10],
    size_t period, const size_t counts[TRIALS],
    const uint64_t rounds_ns[TRIALS])
{
	struct interval_trial trials[TRIALS];
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < TRIALS; i++) {
		for (size_t k = 0; k < counts[i]; k++)
			s->runs[i][k] = (struct run_figures){
				.run = (unsigned)k + 1,
				.samples_per_s = rates[i][k % period],
			};
		s->lists[i] =
		    (struct run_list){ .runs = s->runs[i], .count = counts[i] };
		trials[i] = (struct interval_trial){
			.runs = &s->lists[i],
			.rounds_ns = rounds_ns[i],
		};
	}
	test_ok(intervals_find(s->figures, trials, TRIALS, &err), &err);
}

/* Both move together, but neither resembles its run before. */
static const double alike[TRIALS][10] = {
	{ 10, 12, 11, 10, 12, 10, 11, 12, 10, 11 },
	{ 20, 24, 22, 20, 24, 20, 22, 24, 20, 22 },
};

static void test_intervals_ask_trials_of_the_same_rounds_together(void **state)
{
	static const size_t counts[] = { 10, 10 };
	struct session s;

	UNUSED(state);
	set(&s, alike, 10, counts, (const uint64_t[]){ 7, 7 });
	for (size_t i = 0; i < TRIALS; i++) {
		assert_true(s.figures[i].drift == 1);
		assert_true(s.figures[i].low == alike[i][0]);
		assert_true(s.figures[i].high == alike[i][1]);
	}
	set(&s, alike, 10, counts, (const uint64_t[]){ 7, 8 });
	assert_true(isnan(s.figures[0].drift) && isnan(s.figures[1].drift));
	/* Rounds that are not known are not the same. */
	set(&s, alike, 10, counts, (const uint64_t[]){ 0, 0 });
	assert_true(isnan(s.figures[0].drift) && isnan(s.figures[1].drift));
}

/* A trial of few runs takes what is known from the others of its rounds. */
static void test_intervals_of_few_runs_are_not_called_calm(void **state)
{
	struct session s;

	UNUSED(state);
	set(&s, alike, 10, (const size_t[]){ 10, 4 },
	    (const uint64_t[]){ 7, 7 });
	assert_true(isnan(s.figures[0].drift) && isnan(s.figures[1].drift));
	assert_true(s.figures[1].low == 20 && s.figures[1].high == 24);
	set(&s, alike, 10, (const size_t[]){ 10, 0 },
	    (const uint64_t[]){ 7, 7 });
	assert_true(isnan(s.figures[1].low) && isnan(s.figures[1].high));
	assert_true(isnan(s.figures[1].drift));
}

/* 80 runs in turns: 30 are left out at each end. 5 slow, 5 fast: fewer. */
static void test_intervals_widen_where_runs_resemble_the_last(void **state)
{
	static const double turns[TRIALS][10] = {
		{ 1, 9, 2, 8, 3, 7, 4, 6, 5, 10 },
		{ 9, 1, 8, 2, 7, 3, 6, 4, 10, 5 },
	};
	static const double states[TRIALS][10] = {
		{ 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 },
		{ 10, 9, 8, 7, 6, 5, 4, 3, 2, 1 },
	};
	static const size_t counts[] = { RUNS, RUNS };
	static const uint64_t rounds_ns[] = { 7, 7 };
	struct session s;

	UNUSED(state);
	set(&s, turns, 10, counts, rounds_ns);
	assert_true(s.figures[0].low == 4 && s.figures[0].high == 7);
	assert_true(s.figures[0].drift == 0);
	set(&s, states, 10, counts, rounds_ns);
	assert_true(s.figures[0].low < 4 && s.figures[0].high > 7);
	assert_true(s.figures[0].low == s.figures[1].low);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
		    test_intervals_ask_trials_of_the_same_rounds_together),
		cmocka_unit_test(
		    test_intervals_of_few_runs_are_not_called_calm),
		cmocka_unit_test(
		    test_intervals_widen_where_runs_resemble_the_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
