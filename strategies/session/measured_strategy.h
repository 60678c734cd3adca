/*
 * measured_strategy.h - one strategy while a session measures it: its data is
 * made, loaded in every way that the plan asks for, checked, and removed.
 *
 *	_begin	finds what the database lacks, and whether there is room
 *	_open	prepares the data, or takes the source; checks each trial, which
 *		can be run from then on
 *	_more	checks further trials
 *	_run	runs a trial once
 *	_close	removes the data
 */
#ifndef STRATEGIES_SESSION_MEASURED_STRATEGY_H
#define STRATEGIES_SESSION_MEASURED_STRATEGY_H

#include "strategies/plan/plan.h"
#include "strategies/session/stored_data.h"
#include "strategies/trial/outputs.h"

struct session;
struct session_source;
struct strategy;
struct trial;

struct measured_strategy {
	struct session *session;
	const struct strategy *strategy;
	int64_t id;                    /* in the database */
	struct session_source *source; /* borrowed; with as many samples */
	const struct reader *reader;   /* source->reader, or data.reader */
	struct stored_data data;       /* stays all 0 for unprocessed */
	struct preparation_row prep;
	struct trial *trials[PLAN_MODES]; /* to be run; owned */
	unsigned trial_count;
	/* Earlier strategies of the group; borrowed. */
	struct measured_strategy *others;
	size_t other_count;

	/* ---- its output ---- */
	struct outputs stored_hashes; /* sorted; no list: not known; owned */
	bool proven; /* its data equals that of a verified strategy */
	/* All of its output, or the proof and a part, was compared. */
	bool verified;
	/* The other strategy whose frames it has; NULL: it made its own. */
	const struct measured_strategy *framed;

	/* ---- work that is not to be done ---- */
	/* Memory is too small for these trials: they are skipped. */
	bool no_room[PLAN_MODES];
	bool over;   /* failed, or nothing is left to do */
	bool broken; /* failed */
};

/* Stores the strategy in the database, without any trial. */
int measured_strategy_name(struct measured_strategy *measured,
    struct session *session, const struct strategy *strategy,
    struct error *err);
/* The same; then sets `over` when there is nothing to do. */
int measured_strategy_begin(struct measured_strategy *measured,
    struct session *session, const struct strategy *strategy,
    struct error *err);
/*
 * Prepares the data, from what the `count` strategies at `others` have stored
 * where that saves time, and checks all trials.  What is wrong with this
 * strategy alone is noted in the database, and it is `over`; -1: stop all.
 */
int measured_strategy_open(struct measured_strategy *measured,
    struct measured_strategy *others, size_t count, struct error *err);
/*
 * Checks the trials that the search has picked since it was opened.  Errors are
 * as those of measured_strategy_open.
 */
int measured_strategy_more(
    struct measured_strategy *measured, struct error *err);
/*
 * Runs one of its trials once more, and stores the run.  Errors are as those of
 * measured_strategy_open.
 */
int measured_strategy_run(
    struct measured_strategy *measured, struct trial *trial, struct error *err);
/* Stores a trial that has no more runs, and why: `ended`. */
int measured_strategy_end_trial(struct measured_strategy *measured,
    struct trial *trial, const char *ended, struct error *err);
/* Skips its missing trials; *err says why. */
int measured_strategy_skip(
    struct measured_strategy *measured, struct error *err);
/* Returns rc, or -1 when the data cannot be removed. */
int measured_strategy_close(
    struct measured_strategy *measured, int rc, struct error *err);

#endif
