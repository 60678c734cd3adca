/*
 * results_read.h - reads sessions and views, for report, recommend and
 * resuming.
 */
#ifndef LIB_DB_RESULTS_READ_H
#define LIB_DB_RESULTS_READ_H

#include "lib/db/results.h"

/*
 * The newest session with this fingerprint that did not end as "done": 1 and
 * *session, with its work folder copied to work_dir; 0 when there is none.
 */
int results_find_unfinished(struct results *results, const char *fingerprint,
    int64_t *session, char *work_dir, size_t work_dir_size, struct error *err);

/*
 * Reads at most `most` ceilings of the last 24 hours, of each pattern and
 * number of threads the newest first; returns how many, or -1.
 */
int results_get_ceilings(struct results *results,
    const struct ceiling_place *place, struct ceiling *ceilings, size_t most,
    struct error *err);

/*
 * Is a trial of the strategy stored and done that is loaded in this way: 1, 0
 * or -1?  Numbers that are `chosen` may be any that `auto` has found, and an
 * empty place any place.
 */
int results_has_trial(struct results *results, int64_t strategy,
    const struct trial_row *load, struct error *err);

/* Picks the session `wanted`; 0: the newest one that has a trial. */
int results_pick_session(struct results *results, int64_t wanted,
    int64_t *session, struct error *err);
/* The same, but the newest session need not have a trial yet. */
int results_pick_begun(struct results *results, int64_t wanted,
    int64_t *session, struct error *err);

struct session_record {
	int64_t id;
	struct session_info info; /* its texts belong to the record */
	char *version;            /* presto that measured */
	char *started;
	char *ended; /* "" while it runs, or when it was killed */
	char *state;
	char *texts; /* where the texts are kept */
};

#define SESSION_RECORD_INIT \
	{                   \
		.id = 0     \
	}

int results_read_session(struct results *results, int64_t session,
    struct session_record *record, struct error *err);
void session_record_release(struct session_record *record);

/* Reads the inventory of a session: 1; 0: it was not kept. */
int results_read_inventory(struct results *results, int64_t session,
    struct buf *out, struct error *err);

/*
 * Appends the text of the costs by which the session chose orders, terminated:
 * 1; 0: there is none.
 */
int results_read_order_costs(struct results *results, int64_t session,
    struct buf *out, struct error *err);

/* Views that callers read; SQL defines their columns. */
enum results_view {
	RESULTS_REPORT, /* v_report: the contract of `report --csv` */
	RESULTS_TRIALS, /* columns of v_report first, then others */
	RESULTS_RUNS,   /* v_runs */
	RESULTS_STEPS,  /* v_steps */
	RESULTS_PHASES, /* v_phases */
	RESULTS_LEVELS, /* v_levels */
	RESULTS_SYSTEM, /* v_system */
	RESULTS_WARNINGS,
	RESULTS_TIME,    /* v_time */
	RESULTS_RATES,   /* v_rates */
	RESULTS_EFFORTS, /* v_effort */
	RESULTS_TRACE,   /* v_trace */
	RESULTS_HOSTS,   /* v_hosts */
	RESULTS_VIEW_COUNT
};

/* Adds the rows of a session (0: of all sessions) to an empty grid. */
int results_read(struct results *results, enum results_view view,
    int64_t session, struct grid *grid, struct error *err);

#endif
