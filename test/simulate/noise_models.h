/*
 * noise_models.h - models of what disturbs the runs of a session, and the
 * series of runs that they give.
 *
 * The speed of a run is a product, so its logarithm is a sum:
 *
 *	ln(speed) = trial + change + session + offset + common + own
 *
 * trial and change are the truth: the rate of the undisturbed trial, and what a
 * new build changed.  The others are noise:
 *
 * session	the machine of this session.  The next session has
 *		s' = s / 2 + sqrt(3/4) N(0, session)
 * offset	layout of code and data, drawn for each build and trial:
 *		N(0, offset)
 * common	shared by all trials of a round; round by round it is the sum of
 *		drift	x' = keep x + sqrt(1 - keep^2) N(0, drift), and
 *		state	-slow_by while the machine is slow, else 0: a Markov
 *			chain, slow with P(to_slow) after a fast round, and
 *			fast with P(to_fast) after a slow one
 * own		of this run: N(0, own), or own t where t is Student's with
 *		`tails` degrees of freedom, or less by `spike_by` with
 *		P(spikes)
 *
 * Each process begins in its long-run distribution.  A fifth of the speed that
 * a neighbour takes is slow_by = 0.2.
 */
#ifndef TEST_SIMULATE_NOISE_MODELS_H
#define TEST_SIMULATE_NOISE_MODELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/random.h"

/* Numbers without a unit are deviations of a logarithm: 0.05 is about 5 %. */
struct noise_model {
	const char *name;
	double own;
	unsigned tails; /* degrees of freedom; 0: normal */
	double spikes, spike_by;
	double drift, keep;
	double slow_by, to_slow, to_fast;
	double session, offset;
};

static const struct noise_model noise_models[] = {
	{ .name = "independent, 3 %", .own = 0.03 },
	{ .name = "independent, 5 %", .own = 0.05 },
	{ .name = "heavy tails (t, 3 df)", .own = 0.02, .tails = 3 },
	{ .name = "spikes in 5 % of runs",
	    .own = 0.015,
	    .spikes = 0.05,
	    .spike_by = 0.5 },
	{ .name = "drift (AR 0.9)", .own = 0.01, .drift = 0.05, .keep = 0.9 },
	{ .name = "two states",
	    .own = 0.01,
	    .slow_by = 0.2,
	    .to_slow = 0.1,
	    .to_fast = 0.19 },
	{ .name = "neighbour half of the time",
	    .own = 0.01,
	    .slow_by = 0.2,
	    .to_slow = 0.1,
	    .to_fast = 0.1,
	    .session = 0.01,
	    .offset = 0.003 },
	{ .name = "neighbour 90 % of the time",
	    .own = 0.01,
	    .slow_by = 0.2,
	    .to_slow = 0.18,
	    .to_fast = 0.02,
	    .session = 0.01,
	    .offset = 0.003 },
	{ .name = "layout of builds, 2 %",
	    .own = 0.01,
	    .session = 0.005,
	    .offset = 0.02 },
	{ .name = "drift from session to session",
	    .own = 0.015,
	    .session = 0.021,
	    .offset = 0.003 },
};

/* The state of a machine under a model: a value, nothing to release. */
struct noisy_machine {
	const struct noise_model *model;
	struct random random;
	double session; /* the level of the current session */
	double drift;   /* of the current round */
	bool is_slow;   /* in the current round */
	double common;  /* of the current round: drift and state */
};

/* A machine in its first session; sessions with another number differ. */
struct noisy_machine noisy_machine_init(
    const struct noise_model *model, uint64_t seed, uint64_t number);

/* Draws the level of the next session, and a new state of the machine. */
void noisy_machine_next_session(struct noisy_machine *machine);
/* Goes on to the next round.  Call it before the first round, too. */
void noisy_machine_next_round(struct noisy_machine *machine);
/* Draws the offset of a trial in a build. */
double noisy_machine_offset(struct noisy_machine *machine);
/*
 * Draws the noise of one run in the current round: session, common and own.
 * The offset is the caller's to add.
 */
double noisy_machine_run(struct noisy_machine *machine);

/*
 * Returns the long-run median of common and own, which an interval of a session
 * is about.  The session's level and the offset stay as they are while it
 * lasts: no number of rounds tells them.
 */
double noise_model_median(const struct noise_model *model);

/*
 * Returns the median of the runs that a session could have made in its rounds:
 * of `common` and own.  The random numbers are the machine's.
 */
double noisy_machine_median(
    struct noisy_machine *machine, const double *common, size_t rounds);

#endif
