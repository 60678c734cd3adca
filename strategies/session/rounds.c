/* rounds.c - see rounds.h. */
#include "strategies/session/rounds.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/random.h"
#include "lib/stats/dependence.h"
#include "lib/stats/statistics.h"

const char rounds_enough[] = "runs";

struct state {
	const struct rounds_plan *plan;
	struct scheduled_trial *trials;
	size_t count;
	size_t *order;
	struct rate_series *series; /* for looks */
	uint64_t deadline_ns;
};

static void draw_order(struct state *state, unsigned round)
{
	struct random random =
	    random_stream(state->plan->seed, round, 0, UINT32_MAX - 2);

	for (size_t i = 0; i < state->count; i++) {
		const size_t j = random_below(&random, (uint32_t)i + 1);

		state->order[i] = state->order[j];
		state->order[j] = i;
	}
}

/* ---- looks: are trials known precisely? ---- */

/* After 60 rounds, 120, 240 and so on, but not before the least. */
static bool is_look(const struct rounds_plan *plan, unsigned round)
{
	unsigned look = ROUNDS_FIRST_LOOK;

	while (look < round)
		look *= 2;
	return look == round && round >= plan->least;
}

static bool is_precise(const struct rounds_plan *plan,
    const struct scheduled_trial *trial, const struct dependence *dependence)
{
	double rates[PLAN_RUNS];
	struct interval interval;

	if (dependence_drift(dependence, trial->runs) != DRIFT_NO)
		return false;
	memcpy(rates, trial->rates, sizeof(rates));
	interval = interval_inflated(
	    rates, trial->runs, dependence_inflation(dependence));
	return interval_width(&interval) <= plan->precision;
}

static int end_precise(const struct state *state, struct error *err)
{
	struct dependence dependence;

	for (size_t i = 0; i < state->count; i++)
		state->series[i] = (struct rate_series){
			.rates = state->trials[i].rates,
			.count = state->trials[i].runs,
		};
	if (dependence_of(&dependence, state->series, state->count, err))
		return -1;
	for (size_t i = 0; i < state->count; i++) {
		struct scheduled_trial *trial = &state->trials[i];

		if (!trial->ended &&
		    is_precise(state->plan, trial, &dependence))
			trial->ended = "precise";
	}
	return 0;
}

/* ---- rounds ---- */

/* Would another run take too long? The first run is always made. */
static bool is_late(
    const struct state *state, const struct scheduled_trial *trial)
{
	const uint64_t trial_ns = state->plan->trial_ns;

	if (trial->runs == 0)
		return false;
	if (trial_ns > 0 && trial->total_run_ns + trial->run_ns > trial_ns)
		return true;
	return state->deadline_ns > 0 &&
	       clock_now(state->plan->clock) + trial->run_ns >
	           state->deadline_ns;
}

static int run_one(
    struct state *state, struct scheduled_trial *trial, struct error *err)
{
	const struct rounds_plan *plan = state->plan;
	const uint64_t start = clock_now(plan->clock);
	double rate = 0;
	int rc;

	if (is_late(state, trial)) {
		trial->ended = "budget";
		return 0;
	}
	rc = plan->run(plan->arg, trial, &rate, err);
	if (rc)
		return rc < 0 ? -1 : 0;
	trial->run_ns = clock_now(plan->clock) - start;
	trial->total_run_ns += trial->run_ns;
	trial->rates[trial->runs++] = rate;
	if (trial->runs >= plan->most)
		trial->ended = rounds_enough;
	return 0;
}

static int run_each(struct state *state, unsigned round, struct error *err)
{
	draw_order(state, round);
	for (size_t i = 0; i < state->count; i++) {
		struct scheduled_trial *trial = &state->trials[state->order[i]];

		if (!trial->ended && !trial->rests &&
		    run_one(state, trial, err))
			return -1;
	}
	return 0;
}

/* 1: some trials go on; 0: all have ended; -1. */
static int run_round(struct state *state, unsigned round, struct error *err)
{
	int going = 0;

	if (run_each(state, round, err))
		return -1;
	if (is_look(state->plan, round) && end_precise(state, err))
		return -1;
	for (size_t i = 0; i < state->count; i++)
		going |= !state->trials[i].ended;
	return going;
}

int rounds_run(const struct rounds_plan *plan, struct scheduled_trial *trials,
    size_t count, struct error *err)
{
	const uint64_t start = clock_now(plan->clock);
	struct state state = {
		.plan = plan,
		.trials = trials,
		.count = count,
		.order = calloc(count + 1, sizeof(*state.order)),
		.series = calloc(count + 1, sizeof(*state.series)),
		.deadline_ns = plan->deadline_ns,
	};
	int rc = 1;

	if (!state.order || !state.series)
		rc = error_memory(err, (count + 1) * sizeof(*state.series));
	for (unsigned round = 1; rc > 0; round++) {
		rc = run_round(&state, round, err);
		if (round == plan->least && plan->twice && !state.deadline_ns &&
		    !plan->trial_ns)
			state.deadline_ns = 2 * clock_now(plan->clock) - start;
	}
	free(state.series);
	free(state.order);
	return rc;
}

int rounds_once(const struct rounds_plan *plan, struct scheduled_trial *trials,
    size_t count, unsigned round, struct error *err)
{
	struct state state = {
		.plan = plan,
		.trials = trials,
		.count = count,
		.order = calloc(count + 1, sizeof(*state.order)),
		.deadline_ns = plan->deadline_ns,
	};
	int rc;

	if (!state.order)
		return error_memory(err, (count + 1) * sizeof(*state.order));
	rc = run_each(&state, round, err);
	free(state.order);
	return rc;
}
