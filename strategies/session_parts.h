/*
 * session_parts.h - what the parts of a session share; inside strategies only.
 *
 * session.c begins and ends a session, measure.c takes one strategy through
 * preparation, trials and check.
 */
#ifndef STRATEGIES_SESSION_PARTS_H
#define STRATEGIES_SESSION_PARTS_H

#include <pthread.h>

#include "strategies/session.h"
#include "strategies/verify.h"

enum { WARNED_MOST = 256 };

struct session {
	const struct session_plan *plan;
	struct results *results;
	int64_t id;
	struct machine machine;
	char fingerprint[32];
	char *work_dir;           /* owned */
	int lock_fd;              /* of the work folder; -1: none */
	struct outputs reference; /* of unprocessed */
	unsigned threads;         /* of preparations: the most of the plan */
	unsigned failed;          /* strategies */

	pthread_mutex_t lock; /* of what follows: callbacks of any thread */
	double done_s, all_s;
	double unit_s; /* of a sample prepared, or an epoch, now */
	char what[RESULTS_LABEL + 32];
	uint64_t warned[WARNED_MOST];
	unsigned warned_count;
};

/* Progress: `seconds` of the predicted ones are over. */
void session_tell(struct session *session, double seconds);
/* Callbacks; `arg` is the session.  The same warning is given once. */
void session_warn(void *arg, const char *text);
/*
 * Warns that a strategy was passed over ("skipped", "failed"), and why; of
 * those with the same reason only the first is named, the report has all.
 */
void session_pass_over(struct session *session, const char *how,
    const char *label, const struct error *why);
void session_skipped(void *arg, const char *why);

/* Predicted seconds of a strategy, preparation and all trials. */
double session_strategy_seconds(
    const struct session *session, const struct strategy *strategy);

/* ... of one trial of it, all epochs. */
double session_trial_seconds(const struct session_plan *plan,
    const struct strategy *strategy, const struct load *load);

/* Prepares a strategy, runs the trials that are missing, removes its data. */
int measure_strategy(struct session *session, const struct strategy *strategy,
    struct error *err);

#endif
