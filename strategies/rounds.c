/* rounds.c - see rounds.h. */
#include "strategies/rounds.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/random.h"

const char rounds_precise[] = "precise";
const char rounds_budget[] = "budget";
const char rounds_enough[] = "runs";

struct state {
	const struct rounds_plan *plan;
	struct entrant *entrants;
	size_t count;
	size_t *order;
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

static bool is_precise(const struct state *state, const struct entrant *entrant)
{
	double rates[ROUNDS_MOST];
	struct interval interval;

	if (entrant->runs < INTERVAL_LEAST)
		return false;
	memcpy(rates, entrant->rates, sizeof(rates));
	interval = interval_of(rates, entrant->runs);
	return interval_width(&interval) <= state->plan->precision;
}

/* Would another run take too long?  The first is made in any case. */
static bool is_late(const struct state *state, const struct entrant *entrant)
{
	const uint64_t trial_ns = state->plan->trial_ns;

	if (entrant->runs == 0)
		return false;
	if (trial_ns > 0 && entrant->spent_ns + entrant->run_ns > trial_ns)
		return true;
	return state->deadline_ns > 0 &&
	       clock_now(state->plan->clock) + entrant->run_ns >
	           state->deadline_ns;
}

static int run_one(
    struct state *state, struct entrant *entrant, struct error *err)
{
	const struct rounds_plan *plan = state->plan;
	const uint64_t start = clock_now(plan->clock);
	double rate = 0;
	int rc;

	if (is_late(state, entrant)) {
		entrant->ended = rounds_budget;
		return 0;
	}
	rc = plan->run(plan->arg, entrant, &rate, err);
	if (rc)
		return rc < 0 ? -1 : 0;
	entrant->run_ns = clock_now(plan->clock) - start;
	entrant->spent_ns += entrant->run_ns;
	entrant->rates[entrant->runs++] = rate;
	if (entrant->runs >= plan->least && is_precise(state, entrant))
		entrant->ended = rounds_precise;
	else if (entrant->runs >= plan->most)
		entrant->ended = rounds_enough;
	return 0;
}

/* 1: some go on, 0: all have ended, -1. */
static int run_round(struct state *state, unsigned round, struct error *err)
{
	int going = 0;

	draw_order(state, round);
	for (size_t i = 0; i < state->count; i++) {
		struct entrant *entrant = &state->entrants[state->order[i]];

		if (!entrant->ended && run_one(state, entrant, err))
			return -1;
	}
	for (size_t i = 0; i < state->count; i++)
		going |= !state->entrants[i].ended;
	return going;
}

int rounds_run(const struct rounds_plan *plan, struct entrant *entrants,
    size_t count, struct error *err)
{
	const uint64_t start = clock_now(plan->clock);
	struct state state = {
		.plan = plan,
		.entrants = entrants,
		.count = count,
		.order = calloc(count + 1, sizeof(size_t)),
		.deadline_ns = plan->deadline_ns,
	};
	int rc = 1;

	if (!state.order)
		return error_memory(err, (count + 1) * sizeof(size_t));
	for (unsigned round = 1; rc > 0; round++) {
		rc = run_round(&state, round, err);
		if (round == plan->least && plan->twice && !state.deadline_ns &&
		    !plan->trial_ns)
			state.deadline_ns = 2 * clock_now(plan->clock) - start;
	}
	free(state.order);
	return rc;
}
