/*
 * coverage.c - does the interval of a trial's throughput hold its long-run
 * median?
 *
 * Sessions of two trials: 10 runs of each, and as many as the scheduler of a
 * session makes until the trials are precise, 60 at most.
 */
#include <math.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "strategies/decide/trial_figures.h"
#include "strategies/session/rounds.h"
#include "test/simulate/generated_session.h"
#include "test/simulate/noise_models.h"
#include "test/simulate/simulate.h"

enum { TRIALS = 2, FIXED = 10, MOST = 60 };

static const double rate = 1000;

struct counts {
	double rows, wrong, widths, runs;
};

/* ---- the intervals of a session ---- */

/* Counts the rows of a session whose trial i has made runs[i] runs. */
static void count_session(struct counts *counts, const double *rates,
    size_t rounds, const unsigned *runs, double truth)
{
	struct measured_session session =
	    generated_session(rates, TRIALS, rounds);

	for (size_t i = 0; i < TRIALS; i++) {
		struct trial_figures f;
		struct run_list list = RUN_LIST_INIT;
		struct error err = ERROR_INIT;

		session.trials[i].epoch_count = runs[i];
		if (trial_figures_compute(
		        &session, &session.trials[i], &f, &list, &err))
			simulate_fail(err.text);
		counts->rows++;
		counts->runs += runs[i];
		counts->wrong += f.low > truth || f.high < truth;
		counts->widths += (f.high - f.low) / 2 / f.throughput;
		run_list_release(&list);
	}
	measured_release(&session);
}

/* ---- stopping ---- */

struct schedule {
	struct scheduled_trial trials[TRIALS];
	double rates[TRIALS * MOST];
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

static void run(const struct noise_model *model, unsigned sessions,
    uint64_t seed, double *cells)
{
	const double long_run = noise_model_median(model);
	struct counts fixed = { 0 }, stopped = { 0 };

	for (unsigned s = 0; s < sessions; s++) {
		struct noisy_machine machine =
		    noisy_machine_init(model, seed, s);
		const double truth = rate * exp(machine.session + long_run);
		const double rates[TRIALS] = { rate, rate };
		unsigned runs[TRIALS] = { FIXED, FIXED };
		struct schedule schedule = { .trials = { { 0 } } };

		generated_rates(&machine, rates, TRIALS, MOST, schedule.rates);
		count_session(&fixed, schedule.rates, MOST, runs, truth);
		schedule_runs(&schedule, seed, runs);
		count_session(&stopped, schedule.rates, MOST, runs, truth);
	}
	cells[0] = 100 * (1 - fixed.wrong / fixed.rows);
	cells[1] = 100 * fixed.widths / fixed.rows;
	cells[2] = 100 * (1 - stopped.wrong / stopped.rows);
	cells[3] = stopped.runs / stopped.rows;
}

const struct simulate_section simulate_coverage = {
	.name = "coverage",
	.sessions = 2000,
	.columns = {
		{ .title = "coverage, 10 runs",
		    .meaning = "intervals that hold the long-run median",
		    .unit = " %",
		    .decimals = 1 },
		{ .title = "half width",
		    .meaning = "half of these intervals, mean, of the median",
		    .unit = " %",
		    .decimals = 1 },
		{ .title = "coverage, until precise",
		    .meaning = "the same where 60 runs are allowed, and fewer "
		               "made where they are precise to 2 %",
		    .unit = " %",
		    .decimals = 1 },
		{ .title = "runs",
		    .meaning = "runs of a trial then, mean",
		    .decimals = 1 },
	},
	.run = run,
};
