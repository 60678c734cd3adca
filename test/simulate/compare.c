/*
 * compare.c - what does comparing two programs answer, where nothing changed,
 * and where one became 10 % slower?
 *
 * Pairs of 5 sessions of each program by turns, of three trials with 5 runs
 * each; each session has another layout of code, as of several builds.  The
 * last columns are of pairs of single sessions with 10 runs of each trial.
 */
#include <math.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "strategies/compare/compare.h"
#include "strategies/figures/figures.h"
#include "strategies/figures/runs.h"
#include "test/simulate/noise_models.h"
#include "test/simulate/simulate.h"

enum { TRIALS = 3, TURNS_MOST = 5, RUNS_MOST = 10 };

static const double threshold = 0.05, slower_by = 0.1;

enum changed { NOTHING, ALL, ONE };

struct plan {
	size_t turns;
	unsigned runs;
	enum changed changed;
};

struct session {
	struct figures trials[TRIALS];
	struct figures_list list;
	struct timed_run all[TRIALS * RUNS_MOST];
	struct timed_runs runs;
};

/* The sessions of one program, and all of their runs. */
struct side {
	struct session sessions[TURNS_MOST];
	struct compare_turn turns[TURNS_MOST];
	struct timed_run all[TURNS_MOST * TRIALS * RUNS_MOST];
	struct timed_runs runs;
};

static bool is_changed(enum changed changed, size_t trial)
{
	return changed == ALL || (changed == ONE && trial == 1);
}

static void make_trials(struct session *session)
{
	static const char *const labels[TRIALS] = { "unprocessed",
		"raw/tar/none", "raw/tar/zstd:1" };

	session->list = (struct figures_list){ session->trials, TRIALS };
	for (size_t t = 0; t < TRIALS; t++) {
		session->trials[t] = figures_none();
		session->trials[t].trial = (int64_t)t + 1;
		session->trials[t].strategy = labels[t];
		session->trials[t].threads = 1;
		session->trials[t].state = TRIAL_DONE;
	}
}

static void make_session(struct side *side, size_t turn,
    struct noisy_machine *machine, const struct plan *plan, bool is_new)
{
	struct session *session = &side->sessions[turn];
	double levels[TRIALS];

	make_trials(session);
	session->runs = (struct timed_runs){ session->all, 0 };
	for (size_t t = 0; t < TRIALS; t++)
		levels[t] =
		    noisy_machine_offset(machine) +
		    (is_new && is_changed(plan->changed, t) ? log(1 - slower_by)
		                                            : 0);
	for (unsigned r = 0; r < plan->runs; r++) {
		noisy_machine_next_round(machine);
		for (size_t t = 0; t < TRIALS; t++) {
			const struct timed_run run = {
				.trial = (int64_t)t + 1,
				.samples_per_s =
				    1000 *
				    exp(levels[t] + noisy_machine_run(machine)),
				.own_cores = NAN,
				.others_cores = NAN,
				.reference_ns = NAN,
				.started_ns = 1e9 * r,
			};

			session->all[session->runs.count++] = run;
			side->all[side->runs.count++] = run;
		}
	}
	side->turns[turn] = (struct compare_turn){
		.trials = &session->list,
		.runs = &session->runs,
		.started = "2026-11-21T08:04:17Z",
		.database = is_new ? "new.db" : "base.db",
	};
	noisy_machine_next_session(machine);
}

static struct compare_session session_of(
    const struct side *side, const struct plan *plan)
{
	return (struct compare_session){ .trials = &side->sessions[0].list,
		.runs = &side->runs,
		.turns = side->turns,
		.turn_count = plan->turns,
		.state = "done" };
}

static enum compare_verdict compare(struct side sides[2],
    struct noisy_machine *machine, const struct plan *plan)
{
	struct compare_session base, new_one;
	struct comparison comparison;
	struct error err = ERROR_INIT;
	enum compare_verdict verdict;

	for (size_t k = 0; k < 2; k++)
		sides[k].runs = (struct timed_runs){ sides[k].all, 0 };
	for (size_t i = 0; i < plan->turns; i++)
		for (size_t k = 0; k < 2; k++)
			make_session(&sides[k], i, machine, plan, k == 1);
	base = session_of(&sides[0], plan);
	new_one = session_of(&sides[1], plan);
	if (comparison_make(&comparison, &base, &new_one, threshold, &err))
		simulate_fail(err.text);
	verdict = comparison_verdict(&comparison);
	comparison_release(&comparison);
	return verdict;
}

/* The answers of so many pairs, in percent. */
struct answers {
	double fine, slower, unclear;
};

static struct answers ask(const struct noise_model *model,
    const struct plan *plan, unsigned pairs, uint64_t seed)
{
	struct side *sides = calloc(2, sizeof(*sides));
	struct answers answers = { 0, 0, 0 };

	if (!sides)
		simulate_fail("no memory");
	for (unsigned i = 0; i < pairs; i++) {
		struct noisy_machine machine =
		    noisy_machine_init(model, seed, i);
		const enum compare_verdict verdict =
		    compare(sides, &machine, plan);

		answers.fine += verdict == COMPARE_FINE;
		answers.slower += verdict == COMPARE_SLOWER;
		answers.unclear += verdict == COMPARE_UNCLEAR;
	}
	free(sides);
	answers.fine *= 100.0 / pairs;
	answers.slower *= 100.0 / pairs;
	answers.unclear *= 100.0 / pairs;
	return answers;
}

/* The same machine, with ten times the noise. */
static struct noise_model make_wild(const struct noise_model *model)
{
	struct noise_model wild = *model;

	wild.own *= 10;
	wild.spike_by *= 10;
	wild.drift *= 10;
	wild.slow_by *= 10;
	wild.session *= 10;
	wild.offset *= 10;
	return wild;
}

enum cell {
	FALSE_ALARMS,
	WILD_FALSE,
	FINE,
	FOUND,
	DENIED,
	ONE_DENIED,
	ONE_FOUND,
	SINGLE_FALSE,
	SINGLE_FINE,
	SINGLE_DENIED,
};

static void run(const struct noise_model *model, unsigned sessions,
    uint64_t seed, double *cells)
{
	const struct plan same = { TURNS_MOST, 5, NOTHING };
	const struct plan all = { TURNS_MOST, 5, ALL };
	const struct plan one = { TURNS_MOST, 5, ONE };
	const struct plan single = { 1, RUNS_MOST, NOTHING };
	const struct plan slower = { 1, RUNS_MOST, ALL };
	const struct noise_model wild = make_wild(model);
	struct answers answers = ask(model, &same, sessions, seed);

	cells[WILD_FALSE] = ask(&wild, &same, sessions, seed).slower;
	cells[FALSE_ALARMS] = answers.slower;
	cells[FINE] = answers.fine;
	answers = ask(model, &all, sessions, seed);
	cells[FOUND] = answers.slower;
	cells[DENIED] = answers.fine;
	answers = ask(model, &one, sessions, seed);
	cells[ONE_FOUND] = answers.slower;
	cells[ONE_DENIED] = answers.fine;
	answers = ask(model, &single, sessions, seed);
	cells[SINGLE_FALSE] = answers.slower;
	cells[SINGLE_FINE] = answers.fine;
	cells[SINGLE_DENIED] = ask(model, &slower, sessions, seed).fine;
}

static bool is_independent(const struct noise_model *model)
{
	const double other = model->drift + model->slow_by + model->session +
	                     model->offset + model->spikes;

	return other <= 0 && !model->tails;
}

static bool is_often(const struct noise_model *model, double percent)
{
	(void)model;
	return percent > 1;
}

static bool is_denied_often(const struct noise_model *model, double percent)
{
	(void)model;
	return percent > 2;
}

/* Sessions that differ by more than 5 % hide 10 % from five turns. */
static bool is_found_seldom(const struct noise_model *model, double percent)
{
	return model->drift < 0.05 &&
	       percent < (is_independent(model) ? 99 : 95);
}

static bool is_fine_seldom(const struct noise_model *model, double percent)
{
	return is_independent(model) && model->own <= 0.03 && percent < 70;
}

const struct simulate_section simulate_compare = {
	.name = "compare",
	.sessions = 1000,
	.columns = {
		[FALSE_ALARMS] = { "false alarms",
		    "nothing changed, and it was called slower; goal: 1 %",
		    " %", 1, is_often },
		[WILD_FALSE] = { "at ten times the noise",
		    "the same with ten times the noise; goal: 1 %", " %", 1,
		    is_often },
		[FINE] = { "fine",
		    "nothing changed, and it was called fine; goal: 70 % where "
		    "noise is independent and 3 %",
		    " %", 0, is_fine_seldom },
		[FOUND] = { "all found",
		    "all trials 10 % slower, and found; goal: 95 %, 99 % where "
		    "noise is independent",
		    " %", 1, is_found_seldom },
		[DENIED] = { "all missed",
		    "all trials 10 % slower, and called fine; goal: 1 %", " %",
		    1, is_often },
		[ONE_FOUND] = { "one found",
		    "one trial 10 % slower, and found; the others are "
		    "inconclusive, but for those missed", " %", 0, NULL },
		[ONE_DENIED] = { "one missed",
		    "one trial 10 % slower, and called fine; goal: 2 %", " %",
		    1, is_denied_often },
		[SINGLE_FALSE] = { "single: false alarms",
		    "single sessions, nothing changed, and called slower; "
		    "goal: 1 %",
		    " %", 1, is_often },
		[SINGLE_FINE] = { "single: fine",
		    "single sessions, nothing changed, and called fine", " %",
		    0, NULL },
		[SINGLE_DENIED] = { "single: missed",
		    "single sessions, all trials 10 % slower, and called "
		    "fine; goal: 1 %",
		    " %", 1, is_often },
	},
	.run = run,
};
