/*
 * results_write.h - stores sessions, strategies, trials and what was observed.
 */
#ifndef LIB_DB_RESULTS_WRITE_H
#define LIB_DB_RESULTS_WRITE_H

#include "lib/db/results.h"

int results_begin_session(struct results *results,
    const struct session_info *info, int64_t *session, struct error *err);
/* state: "done", "failed" or "interrupted". */
int results_end_session(struct results *results, int64_t session,
    const char *state, struct error *err);

/*
 * Adds a strategy, or finds the stored one with this label, and as many shards
 * asked for and samples.
 */
int results_add_strategy(struct results *results, int64_t session,
    const struct strategy_row *row, int64_t *strategy, struct error *err);

/* Stores a preparation; it replaces an earlier one of the strategy. */
int results_set_preparation(struct results *results, int64_t strategy,
    const struct preparation_row *row, struct error *err);

/*
 * Stores a trial with its runs and steps in one transaction.  It replaces a
 * trial of the strategy that is loaded in the same way.
 */
int results_add_trial(struct results *results, int64_t strategy,
    const struct trial_row *trial, struct error *err);

/*
 * Drops the events of all trials of the session but the two fastest of each
 * cache mode, and the fastest of unprocessed: they take more bytes than all
 * else that is stored of a trial.
 */
int results_keep_best_events(
    struct results *results, int64_t session, struct error *err);

/*
 * While it hurries, nobody waits until the disk has what is stored: a loss of
 * power may undo it, and leaves the database whole.  Whatever is stored
 * afterwards keeps that, too.  A killed program loses nothing.
 */
void results_hurry(struct results *results, bool hurries);

/* Stores a warning that the user was given. */
int results_add_warning(struct results *results, int64_t session,
    const char *text, struct error *err);

/* Stores all rows in one transaction. */
int results_add_system(struct results *results, int64_t session,
    const struct system_row *rows, size_t count, struct error *err);

/*
 * Stores a rate that a storage was seen to give.  It replaces the one of the
 * same day, origin, pattern, threads and length, but for a higher rate that was
 * as cold: that stays the most that was seen.
 */
int results_set_ceiling(struct results *results,
    const struct ceiling_place *place, const struct ceiling *ceiling,
    struct error *err);

#endif
