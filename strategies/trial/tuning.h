/*
 * tuning.h - finds the numbers of a load that the plan leaves to `auto`: a
 * measured ascent, one number after the other.
 *
 *	fetchers	as many as hide the latency: a warm load says how many
 *			samples the steps can take, one with the storage how
 *			many as few fetchers bring.  From their ratio on, twice
 *			as many are tried while that is faster.
 *	read-ahead	from the default on, likewise
 *	batch		from the default on, up or down
 *	threads		at most as many as there are cores
 *
 * A larger number must be faster by TUNING_GAIN, and of all numbers within it
 * of the fastest the smallest is taken.
 */
#ifndef STRATEGIES_TRIAL_TUNING_H
#define STRATEGIES_TRIAL_TUNING_H

#include <stdbool.h>
#include <stdint.h>

#include "strategies/plan/plan.h"

struct error;

/* A difference of less than this is none. */
#define TUNING_GAIN 0.02

enum {
	TUNING_FETCHERS = 256, /* the most that are tried */
	TUNING_READ_AHEAD = 4096,
	TUNING_BATCH = 1024
};

struct tuning {
	struct trial_mode mode; /* `chosen` says which numbers to find */
	uint64_t samples;       /* more fetchers, or in a batch, are useless */
	/*
	 * Measures samples/s of a short load in this mode; 0: there is no room
	 * for it.  `warm`: the storage makes nobody wait.
	 */
	int (*rate)(void *arg, const struct trial_mode *mode, bool warm,
	    double *rate, struct error *err);
	/* Is the time over?  Then the best so far is taken. */
	bool (*is_late)(void *arg);
	void *arg;
};

/* Sets the numbers in *found, a copy of tuning->mode. */
int tuning_find(
    const struct tuning *tuning, struct trial_mode *found, struct error *err);

#endif
