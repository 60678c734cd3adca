/*
 * coverage.c - does the interval of a trial's throughput hold the median?
 *
 * Sessions of two trials, after 10 rounds; after 60; and after as many as the
 * scheduler of a session makes until the trials are precise to 2 %, 240 at
 * most.
 *
 * There are two medians: that of the machine as it was in the session, which
 * every interval promises to hold, and that of the long run.  Only rows whose
 * `drift` is no promise the latter.  A phase of the machine that lasts as long
 * as the session cannot be seen in it, so short ones do not promise it.
 */
#include <math.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/stats/statistics.h"
#include "strategies/decide/intervals.h"
#include "strategies/decide/trial_figures.h"
#include "strategies/session/rounds.h"
#include "test/simulate/generated_session.h"
#include "test/simulate/noise_models.h"
#include "test/simulate/simulate.h"

enum { TRIALS = 2, SHORT = 10, LONG = 60, MOST = 240, ALL = TRIALS * MOST };

static const double rate = 1000;

struct counts {
	double rows, runs;
	double held; /* the median of the session */
	double drift_yes;
	double others, others_held; /* the long-run median */
	double others_widths;       /* half, as fractions of the median */
};

struct truth {
	double session, long_run;
};

/* ---- the intervals of a session ---- */

static bool holds(const struct trial_figures *f, double median)
{
	return f->low <= median && median <= f->high;
}

static void count_row(
    struct counts *counts, const struct trial_figures *f, struct truth truth)
{
	counts->rows++;
	counts->runs += f->figures;
	counts->held += holds(f, truth.session);
	if (f->drift > 0) {
		counts->drift_yes++;
		return;
	}
	counts->others++;
	counts->others_held += holds(f, truth.long_run);
	counts->others_widths += (f->high - f->low) / 2 / f->throughput;
}

/* Counts the rows of a session whose trial i has made runs[i] runs. */
static void count_session(struct counts *counts, const double *rates,
    const unsigned *runs, struct truth truth)
{
	struct measured_session session =
	    generated_session(rates, TRIALS, MOST);
	struct trial_figures figures[TRIALS];
	struct run_list lists[TRIALS] = { RUN_LIST_INIT, RUN_LIST_INIT };
	struct interval_trial trials[TRIALS];
	struct rate_interval found[TRIALS];
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < TRIALS; i++) {
		session.trials[i].epoch_count = runs[i];
		if (trial_figures_compute(&session, &session.trials[i],
		        &figures[i], &lists[i], &err))
			simulate_fail(err.text);
		trials[i] = (struct interval_trial){ &lists[i],
			session.trials[i].rounds_ns };
	}
	if (intervals_find(found, trials, TRIALS, &err))
		simulate_fail(err.text);
	for (size_t i = 0; i < TRIALS; i++) {
		figures[i].low = found[i].low;
		figures[i].high = found[i].high;
		figures[i].drift = found[i].drift;
		count_row(counts, &figures[i], truth);
		run_list_release(&lists[i]);
	}
	measured_release(&session);
}

/* ---- stopping ---- */

struct schedule {
	struct scheduled_trial trials[TRIALS];
	double rates[ALL];
};

static int take_run(
    void *arg, struct scheduled_trial *trial, double *value, struct error *err)
{
	struct schedule *schedule = arg;

	(void)err;
	*value = schedule->rates[(size_t)(trial - schedule->trials) * MOST +
	                         trial->runs];
	return 0;
}

static uint64_t no_time(void *arg)
{
	(void)arg;
	return 0;
}

/* Runs rounds until the scheduler has enough. */
static void schedule_runs(
    struct schedule *schedule, uint64_t seed, unsigned *runs)
{
	const struct clock clock = { .now_ns = no_time };
	const struct rounds_plan plan = {
		.least = INTERVAL_LEAST,
		.most = MOST,
		.precision = 0.02,
		.seed = seed,
		.clock = &clock,
		.run = take_run,
		.arg = schedule,
	};
	struct error err = ERROR_INIT;

	if (rounds_run(&plan, schedule->trials, TRIALS, &err))
		simulate_fail(err.text);
	for (size_t i = 0; i < TRIALS; i++)
		runs[i] = schedule->trials[i].runs;
}

/* ---- the section ---- */

static void set_cells(const struct counts *counts, double *cells)
{
	cells[0] =
	    100 * (1 - (counts->others - counts->others_held) / counts->rows);
	cells[1] = 100 * counts->drift_yes / counts->rows;
	cells[2] = 100 * counts->others_held / counts->others;
	cells[3] = 100 * counts->others_widths / counts->others;
}

/* The medians of a session that ends after so many rounds. */
static struct truth truth_of(struct noisy_machine *machine, double long_run,
    const double *common, const unsigned *runs)
{
	size_t rounds = 0;
	double level = rate * exp(machine->session);

	for (size_t i = 0; i < TRIALS; i++)
		rounds = runs[i] > rounds ? runs[i] : rounds;
	return (struct truth){
		.session =
		    level * exp(noisy_machine_median(machine, common, rounds)),
		.long_run = level * exp(long_run),
	};
}

static void run(const struct noise_model *model, unsigned sessions,
    uint64_t seed, double *cells)
{
	const double long_run = noise_model_median(model);
	struct counts after_short = { 0 }, after_long = { 0 }, stopped = { 0 };

	for (unsigned s = 0; s < sessions; s++) {
		struct noisy_machine machine =
		    noisy_machine_init(model, seed, s);
		unsigned runs[TRIALS] = { SHORT, SHORT };
		struct schedule schedule = { .trials = { { 0 } } };
		double common[MOST];

		generated_rates(
		    &machine, rate, TRIALS, MOST, schedule.rates, common);
		count_session(&after_short, schedule.rates, runs,
		    truth_of(&machine, long_run, common, runs));
		runs[0] = runs[1] = LONG;
		count_session(&after_long, schedule.rates, runs,
		    truth_of(&machine, long_run, common, runs));
		schedule_runs(&schedule, seed, runs);
		count_session(&stopped, schedule.rates, runs,
		    truth_of(&machine, long_run, common, runs));
	}
	set_cells(&after_short, cells);
	cells[0] = 100 * after_short.held / after_short.rows;
	set_cells(&after_long, cells + 4);
	set_cells(&stopped, cells + 8);
	cells[12] = stopped.runs / stopped.rows;
}

/* ---- goals ---- */

/* Noise that hangs together from run to run. */
static bool hangs_together(const struct noise_model *model)
{
	return model->drift > 0 || model->slow_by > 0;
}

static bool covers_too_little(const struct noise_model *model, double percent)
{
	(void)model;
	return percent < 93;
}

static bool marks_too_often(const struct noise_model *model, double percent)
{
	return percent > 10 && !hangs_together(model);
}

const struct simulate_section simulate_coverage = {
	.name = "coverage",
	.sessions = 1000,
	.run = run,
	.columns = {
		{ "holds, 10 runs",
		    "rows whose interval holds the median of the machine as it "
		    "was in the session; goal: 93 %",
		    " %", 1, covers_too_little },
		{ "drift", "rows whose drift is yes; goal: 10 % where noise is "
		    "independent", " %", 1, marks_too_often },
		{ "of the others", "the part of the rows whose drift is not "
		    "yes that holds the long-run median; after 10 runs, their "
		    "drift is not known", " %", 1, NULL },
		{ "+/-", "half of the intervals of these, of the median, mean",
		    " %", 1, NULL },
		{ "covered, 60 runs", "rows whose drift is yes, or that hold "
		    "the long-run median; goal: 93 %", " %", 1,
		    covers_too_little },
		{ "drift", NULL, " %", 1, marks_too_often },
		{ "of the others", NULL, " %", 1, NULL },
		{ "+/-", NULL, " %", 1, NULL },
		{ "covered, until precise",
		    "the same where up to 240 runs are made until the trial "
		    "is precise to 2 %",
		    " %", 1, covers_too_little },
		{ "drift", NULL, " %", 1, marks_too_often },
		{ "of the others", NULL, " %", 1, NULL },
		{ "+/-", NULL, " %", 1, NULL },
		{ "runs", "of a trial then, mean", NULL, 0, NULL },
	},
};
