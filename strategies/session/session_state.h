/*
 * session_state.h - what the parts of a session share; inside strategies only.
 *
 * session_begin.c begins a session or takes it up again; session.c divides its
 * strategies into groups, and ends it;
 * group.c takes one of these through preparation, check and rounds of runs,
 * measured_strategy.c is one strategy of it; session_storage.c knows the
 * storage, and duration.c what all of it will take.
 */
#ifndef STRATEGIES_SESSION_SESSION_STATE_H
#define STRATEGIES_SESSION_SESSION_STATE_H

#include <pthread.h>

#include "lib/files/lock.h"
#include "strategies/session/monitor.h"
#include "strategies/session/noise.h"
#include "strategies/session/outputs.h"
#include "strategies/session/session.h"

struct reference;
struct spare;
struct trial;

enum { WARNED_MOST = 256 };

struct session {
	const struct session_plan *plan;
	struct results *results;
	int64_t id;
	struct machine machine;
	char fingerprint[32];
	char *work_dir;          /* owned */
	struct lock work_lock;   /* of the work folder */
	struct outputs expected; /* output of unprocessed */
	unsigned threads;        /* of preparations: the most of the plan */
	unsigned failed;         /* strategies */
	uint64_t origin_ns;      /* CLOCK_MONOTONIC when it began */
	uint64_t deadline_ns;    /* of the budget; 0: none */
	uint64_t rounds_ns;      /* Unix time when those of the group began */
	bool source_drop_failed; /* it stays in the page cache */
	/* As cold levels found: bytes per second; 0: not known. */
	double source_rate, work_rate;
	uint64_t base_bytes;        /* resident when it began */
	uint64_t base_anonymous;    /* of it, no pages of files */
	uint64_t open_bytes;        /* that open trials may take besides */
	struct spare *spare;        /* of their batches; owned, or NULL */
	struct monitor *monitor;    /* owned; NULL: none */
	struct reference *workload; /* of work, done between epochs; owned */
	struct noise noise;
	struct frequency frequency; /* when it began */

	pthread_mutex_t lock; /* of what follows: callbacks of any thread */
	double done_s, all_s;
	double unit_s; /* of a sample prepared, or an epoch, now */
	char what[RESULTS_LABEL + 32];
	uint64_t warned[WARNED_MOST]; /* hashes of the reasons */
	char *warnings[WARNED_MOST];  /* owned; NULL: is stored */
	unsigned warned_count;
};

/*
 * Begins it in the database and in a work folder, of which it has the lock; or
 * goes on with one, as the plan says.
 */
int session_begin(struct session *session, struct error *err);

/* Progress: `seconds` of the predicted ones are over. */
void session_tell(struct session *session, double seconds);
/* Callbacks; `arg` is the session.  The same warning is given once. */
void session_warn(void *arg, const char *text);
/*
 * As results_add_trial; the user is told when the database was removed and is
 * elsewhere now.
 */
int session_add_trial(struct session *session, int64_t strategy,
    const struct trial_row *row, struct error *err);
/* Warnings so far into the database; by the thread that has it. */
int session_store_warnings(struct session *session, struct error *err);
/*
 * Warns that a strategy was passed over ("skipped", "failed"), and why; of
 * those with the same reason only the first is named, the report has all.
 */
void session_pass_over(struct session *session, const char *how,
    const char *label, const struct error *why);

/* ---- of memory_room.c ---- */

/* That trials which wait may hold, beside the largest that is at work. */
void session_limit_waiting(struct session *session);

/* ---- of session_host.c ---- */

/* The machine is watched from now on. */
void session_watch(struct session *session);
/* A trial has ended: may its figures be bent? */
void session_judge(struct session *session, const struct strategy *strategy,
    struct trial *trial);
/* Warns of what may have bent the figures. */
void session_tell_noise(struct session *session);

/* ---- of duration.c ---- */

/* Predicted seconds: the untimed pass of a trial, a run, the least runs. */
double session_check_seconds(const struct session_plan *plan,
    const struct strategy *strategy, const struct load *load);
double session_run_seconds(const struct session_plan *plan,
    const struct strategy *strategy, const struct load *load);
/* Preparation, of what strategies in front of it have stored. */
double session_prepare_seconds(
    const struct session_plan *plan, const struct strategy *strategy);
/* ... of a strategy: preparation, and all trials checked and run `runs` times.
 */
double session_strategy_seconds(const struct session_plan *plan,
    const struct strategy *strategy, uint64_t runs);

/*
 * Today's ceilings, into the model; those of the work folder are measured if
 * there are none and the session is long enough: it takes a twentieth of its
 * time, 2 s at most. Without cold trials, and with an emulated storage, there
 * are none.
 */
int session_learn_ceilings(struct session *session, struct error *err);

/*
 * Prepares the strategies, runs their trials in rounds, removes their data.
 * `deadline_ns` is the group's; 0: none.
 */
int group_measure(struct session *session, const struct strategy *strategies,
    size_t count, uint64_t deadline_ns, struct error *err);

#endif
