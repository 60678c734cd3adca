/*
 * measured_strategy.h - one strategy on its way through a session: its data is
 *made, loaded in every way that the plan asks for, checked, and removed. Inside
 * strategies only.
 *
 *	subject_begin	what of it is missing in the database, and is there room
 *	subject_open	its data is prepared, or is the source's
 *	subject_check	each trial's untimed pass; from then on it can be run
 *	subject_close	its data is removed
 */
#ifndef STRATEGIES_SESSION_MEASURED_STRATEGY_H
#define STRATEGIES_SESSION_MEASURED_STRATEGY_H

#include "strategies/session/session_state.h"
#include "strategies/session/trial.h"

enum { SUBJECT_TRIALS = PLAN_LIST * CACHE_COUNT };

struct subject {
	struct session *session;
	const struct strategy *strategy;
	int64_t id;
	const struct reader *reader; /* of the data to load */
	struct reader *stored;       /* the same, owned; NULL: the source */
	char *dir;                   /* of the stored data; owned */
	struct shard_cost *costs;    /* of its preparation; owned */
	struct frame_sums *sums;     /* of what it stored; owned */
	unsigned shards;
	struct preparation_row prep;
	struct trial *trials[SUBJECT_TRIALS]; /* to be run; owned */
	unsigned trial_count;
	struct outputs stored_hashes; /* sorted; no list: not known; owned */
	bool proven; /* its data is that of another that was verified */
	const struct subject *framed; /* whose frames it has; NULL: own ones */
	struct subject *others;       /* before it in its group; borrowed */
	size_t other_count;
	bool verified; /* its output was compared with unprocessed */
	/* Memory is too small for these: they are noted as skipped. */
	bool no_room[PLAN_LIST][CACHE_COUNT];
	bool too_large;   /* for the application cache: such trials are noted */
	bool over;        /* failed, or nothing is left to do */
	bool broken;      /* failed */
	bool drop_failed; /* the stored data stays in the page cache */
};

/* Sets `over` when there is nothing to do. */
int subject_begin(struct subject *subject, struct session *session,
    const struct strategy *strategy, struct error *err);
/*
 * Prepares the data, of what the `count` subjects at `others` have stored where
 * that saves time, and checks all trials.  What is wrong with this strategy
 * alone is noted in the database, and it is `over`; -1 ends the session.
 */
int subject_open(struct subject *subject, struct subject *others, size_t count,
    struct error *err);
/*
 * Another run of one of its trials, which is then in the database.  As
 * subject_open for errors.
 */
int subject_run(
    struct subject *subject, struct trial *trial, struct error *err);
/* The trial's last word: why it has no more runs. */
int subject_end_trial(struct subject *subject, struct trial *trial,
    const char *ended, struct error *err);
/* Its missing trials are skipped, since there is no time; *err says so. */
int subject_skip(struct subject *subject, struct error *err);
/* Returns rc, or -1 when the data cannot be removed. */
int subject_close(struct subject *subject, int rc, struct error *err);

/* ---- of missing_trials.c, for measured_strategy.c ---- */

/* 1: not in the database yet, and to be measured; 0, or -1. */
int subject_misses(struct subject *subject, unsigned threads,
    enum cache_mode cache, struct error *err);
/* How many trials are missing; or -1. */
int subject_count_missing(struct subject *subject, struct error *err);
/* A trial that was not made, if it is missing, and why. */
int subject_note_trial(struct subject *subject, unsigned threads,
    enum cache_mode cache, enum trial_state state, const char *why,
    struct error *err);
/* All that are missing, and a warning; `err` says why. */
int subject_note_trials(
    struct subject *subject, enum trial_state state, struct error *err);
/* Trials with the application cache are skipped, whatever the threads. */
int subject_skip_application(struct subject *subject, struct error *err);
/* Skips those that are sure not to fit into memory. */
int subject_check_memory(struct subject *subject, struct error *err);

/* ---- of memory_room.c, for measured_strategy.c ---- */

/* ERROR_LIMIT when memory is too small for it, and what makes it less. */
int subject_check_preparation(const struct subject *subject, struct error *err);
int subject_check_load(const struct subject *subject, unsigned threads,
    enum cache_mode cache, struct error *err);
/* Trials that wait rest, where what comes next needs their memory. */
void subject_make_room_to_prepare(struct subject *subject);
void subject_make_room_to_load(
    struct subject *subject, unsigned threads, enum cache_mode cache);

/* ---- of stored_data.c, for measured_strategy.c ---- */

/*
 * Is there room on the disk?  Looked at before anything is written;
 * ERROR_LIMIT when there is not.
 */
int subject_check_room(const struct subject *subject, struct error *err);
/* The reader of what the strategy loads: the source itself, or the stored. */
int subject_make_data(struct subject *subject, const struct subject *others,
    size_t count, struct error *err);

/* ---- of equivalence.c, for measured_strategy.c ---- */

/*
 * The trial of the subject whose frames it has that loads in the same way; NULL
 * when there is none, and where an epoch, of `epoch_s` seconds, is short: in
 * the check buffers grow, which would count in its first run.
 */
const struct trial *subject_like(const struct subject *subject,
    unsigned threads, enum cache_mode cache, double epoch_s);
/*
 * Outputs of the first trial, and from the cache, against unprocessed; with the
 * frames of another that was verified there are none.
 */
int subject_note_outputs(
    struct subject *subject, struct trial *trial, struct error *err);
/*
 * Looks whether one of `others` that was verified gives the same steps the same
 * samples, where that takes less than to run them over all: then it is
 * `proven`, and the output of a part of the samples is compared.
 */
int subject_prove(struct subject *subject, struct subject *others, size_t count,
    struct error *err);

#endif
