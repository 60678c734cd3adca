/*
 * session.h - one `presto profile`: every strategy is prepared, measured,
 * stored in the result database, and its data removed.
 *
 * What is measured is in the database when it ends; a session that was stopped
 * at any moment is taken up again by `resume`.
 */
#ifndef STRATEGIES_SESSION_SESSION_H
#define STRATEGIES_SESSION_SESSION_H

#include <stdatomic.h>
#include <stdbool.h>

#include "strategies/forecast/predict.h"
#include "strategies/plan/plan.h"
#include "strategies/plan/strategies.h"

struct error;
struct inventory;

struct session_plan {
	const struct plan *plan;
	const struct pipeline *pipeline; /* bound */
	const struct strategies *strategies;
	struct model *model;         /* the session tells it of the storage */
	const struct reader *source; /* the samples to profile */
	struct medium *medium;
	const char *name;          /* of the pipeline */
	const char *dataset;       /* its path, resolved; for the database */
	const char *dataset_given; /* as the user wrote it; NULL: none */
	/* The files of the source; a session that goes on has the same. */
	const struct inventory *inventory;
	const char *work_dir; /* the session makes a folder in it */
	uint64_t full_samples;
	const char *warning; /* of what was asked for; NULL: none */
	uint64_t max_disk;   /* 0: what is free */
	bool skip_errors;
	struct skipped *skipped; /* is told of these; borrowed, or NULL */
	bool keep;               /* leave the materialised data */
	bool resume;             /* go on with the session that did not end */
	const atomic_bool *stop;
	/*
	 * What goes on: seconds done and in all, as predicted, and a phrase.
	 * note: where something is; warn: something the user must know.
	 * Called by any thread, one at a time.
	 */
	void (*progress)(
	    void *arg, double done_s, double all_s, const char *what);
	void (*note)(void *arg, const char *text);
	void (*warn)(void *arg, const char *text);
	void *arg;
};

/* The most bytes on the disk at one time, as predicted. */
double session_disk_bytes(const struct session_plan *plan);

/*
 * Runs it; *session is its number in the database.  A strategy that fails is
 * noted, and the others are measured all the same; then it is an error.
 */
int session_run(const struct session_plan *plan, struct results *results,
    int64_t *session, struct error *err);

#endif
