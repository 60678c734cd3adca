/*
 * simulated_race.h - a race of strategies whose true rates are drawn: runs are
 * random numbers, and time is counted, so that rules are tested without any
 * measuring.
 */
#ifndef TEST_UNIT_SIMULATED_RACE_H
#define TEST_UNIT_SIMULATED_RACE_H

#include <stddef.h>
#include <stdint.h>

#include "strategies/plan/strategy.h"
#include "strategies/search/search.h"

enum { SIMULATED = 16, SIMULATED_RUNS = 64 };

struct simulated { /* one strategy; the first is unprocessed */
	struct strategy strategy;
	double samples_per_s, prep_s, storage_bytes; /* the truth */
	double rates[SIMULATED_RUNS];
	unsigned runs;
};

struct simulated_race {
	struct simulated list[SIMULATED];
	double noise; /* deviation of the logarithm of a run's rate */
	struct search search;
	double seconds; /* so far: preparations, checks and runs */
};

/* How far forecasts are off: deviations of their logarithms. */
struct simulated_errors {
	double rate, prep, storage;
	double claimed; /* intervals are made for so many times these */
	double bias;    /* all rates are forecast so many times too high */
};

/* Draws the truth and the forecasts, and begins the search. */
void simulated_race_begin(struct simulated_race *race,
    const struct search_plan *plan, const struct simulated_errors *errors,
    uint64_t seed);
/* Picks, runs and looks until the search is done; at most `rounds` rounds. */
void simulated_race_run(struct simulated_race *race, unsigned rounds);
void simulated_race_end(struct simulated_race *race);

/* The strategy that a ranking of what was measured recommends. */
const struct simulated *simulated_race_winner(
    const struct simulated_race *race);
/* The best of all by the truth, under the constraints. */
const struct simulated *simulated_race_best(const struct simulated_race *race);
/* By how much the truth of one is behind another by the request: 0.02. */
double simulated_race_loss(const struct simulated_race *race,
    const struct simulated *one, const struct simulated *best);
/* The seconds for preparing, checking and running all, five runs each. */
double simulated_race_all_s(const struct simulated_race *race);
size_t simulated_race_measured(const struct simulated_race *race);

#endif
