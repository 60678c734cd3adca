/*
 * derived_session.h - the figures of all trials of a session, in memory.
 *
 * A trial is judged by the runs that outgrow.h names.  Runs of the same round
 * were made one after the other, so what disturbed the machine hit all of them.
 * Trials that have rounds in common with the reference of their cache mode are
 * compared with it round by round: figures.relative_low and relative_high.  The
 * reference is the trial whose interval begins highest, since a noisy one would
 * make all ratios noisy.
 */
#ifndef STRATEGIES_DECIDE_DERIVED_SESSION_H
#define STRATEGIES_DECIDE_DERIVED_SESSION_H

#include <stdint.h>

#include "lib/db/derived.h"
#include "lib/db/measured.h"
#include "strategies/decide/trial_figures.h"

struct error;

/* The runs by which a trial is judged; samples/s. */
struct judged {
	const struct run_list *runs; /* of this trial, or of another one */
	uint64_t rounds_ns;          /* 0: they have no rounds */
	double median, low;
};

struct derived_trial {
	const struct measured_trial *measured;
	struct trial_figures figures;
	struct run_list runs;   /* steady epochs */
	struct run_list firsts; /* the first epochs of the runs */
	struct judged judged;
};

struct derived_session {
	const struct measured_session *measured; /* borrowed */
	struct derived_trial *trials;            /* owned; as in `measured` */
};

#define DERIVED_SESSION_INIT                     \
	{                                        \
		.measured = NULL, .trials = NULL \
	}

/* `measured` outlives the session.  Release it also after an error. */
int derived_session_compute(struct derived_session *session,
    const struct measured_session *measured, struct error *err);
void derived_session_release(struct derived_session *session);

#endif
