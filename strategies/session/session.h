/*
 * session.h - one `presto profile`: prepares and measures every strategy,
 * stores the results in the database, and removes the data.
 *
 * All measurements are in the database when it ends. A session that was stopped
 * at any moment can be resumed.
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
struct meeting;
struct order_costs;
struct request;
struct results;
struct search_ops;

/* The message of a strategy that the budget left no time for begins so. */
#define SESSION_NO_TIME "no time is left of the budget of "

/* The dataset that is profiled, for the database. */
struct session_dataset {
	const char *path;  /* resolved */
	const char *given; /* as the user wrote it; NULL: none */
	/* Its files; a session is resumed only with the same. */
	const struct inventory *inventory;
};

/*
 * Opens the dataset with fewer samples, for strategies that ask for them; the
 * caller owns the reader.  `open` is NULL: all take the session's source.
 */
struct session_opener {
	struct reader *(*open)(void *arg, uint64_t samples, struct error *err);
	void *arg;
};

/*
 * Other processes that load at the same moment, and the folder where they meet.
 * This process is rank 0.
 */
struct session_together {
	struct meeting *meeting; /* NULL: none */
	const char *dir;
};

/* Callbacks, from any thread, one at a time; NULL: none. */
struct session_callbacks {
	/* Seconds done and in all, as predicted, and the work at hand. */
	void (*progress)(
	    void *arg, double done_s, double all_s, const char *what);
	/* It is worth knowing. */
	void (*note)(void *arg, const char *text);
	/* The user should do something. */
	void (*warn)(void *arg, const char *text);
	void *arg;
};

struct session_plan {
	const struct plan *plan;
	const struct pipeline *pipeline; /* bound */
	const struct strategies *strategies;
	/* Which of them are measured; NULL: all. */
	const struct search_ops *search;
	/* By which the search finds the winner; NULL: the default. */
	const struct request *request;
	/* How `yours` is loaded; NULL: it is not one of the strategies. */
	const struct user_loader_plan *user_loader;
	struct model *model; /* the session adds ceilings of the storage */
	const struct reader *source; /* the samples to profile */
	struct session_opener fewer;
	struct medium *medium;
	const char *name; /* the pipeline's */
	struct session_dataset dataset;
	const char *work_dir; /* the session makes a folder in it */
	uint64_t full_samples;
	/* The costs by which orders were chosen, to be kept; NULL: none were.
	 */
	const struct order_costs *order_costs;
	const char *warning; /* about what was asked for; NULL: none */
	uint64_t max_disk;   /* bytes; 0: limited by free space only */
	bool skip_errors;
	struct skipped *skipped; /* gets the samples left out; or NULL */
	bool keep;               /* do not remove the stored data */
	bool resume;             /* resume a session that did not end */
	struct session_together together;
	const atomic_bool *stop;
	struct session_callbacks callbacks;
};

/* Does its search leave strategies out? */
bool session_searches(const struct session_plan *plan);

/*
 * Finds the costs by which the session that --resume would continue chose its
 * orders: 1; 0: there is none.  It then has the same strategies again.
 */
int session_recall_costs(const struct session_plan *plan,
    struct results *results, struct order_costs *costs, struct error *err);

/* Predicts the most bytes on the disk at one time. */
double session_disk_bytes(const struct session_plan *plan);

/*
 * Runs the session; *session is its number in the database. If a strategy
 * fails, that is stored, the others are measured, and the result is an error.
 */
int session_run(const struct session_plan *plan, struct results *results,
    int64_t *session, struct error *err);

#endif
