/*
 * monitor.h - the machine, looked at while a session works: every half second,
 * and when an activity begins and ends, so that the shortest run has a row of
 * its own.
 *
 * A thread of its own looks; it takes some thousandths of a core.  NULL is a
 * monitor that sees nothing: every function takes it.
 */
#ifndef STRATEGIES_SESSION_MONITOR_H
#define STRATEGIES_SESSION_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/db/results.h"

struct error;
struct monitor;

/* Who it goes on for; the label is borrowed for the call. */
struct monitor_target {
	const char *label; /* of the strategy */
	unsigned threads;  /* 0: of no trial */
	enum cache_mode cache;
};

/*
 * `began_ns` is when the session began, by clock_monotonic; `root` is put in
 * front of /proc.  NULL when there is no memory or no thread for it.
 */
struct monitor *monitor_new(const char *root, uint64_t began_ns);
void monitor_free(struct monitor *monitor);

/*
 * From now on this goes on: "prepare", "check" or "run", a static text; `run`
 * is its number, 0 for none.  What went on before has ended.
 */
void monitor_begin(struct monitor *monitor, const char *activity,
    const struct monitor_target *target, unsigned run);
/* It has ended: what follows is between activities. */
void monitor_end(struct monitor *monitor);

/*
 * Stores what was seen so far, and forgets it, unless that is fewer than
 * `least` rows.  Called by the thread that has the database, at least now and
 * then: in between memory is bounded by making the rows of an activity longer.
 */
int monitor_flush(struct monitor *monitor, size_t least,
    struct results *results, int64_t session, struct error *err);

/* The mean over all activities "run" so far, by time; false before one. */
bool monitor_runs(struct monitor *monitor, struct system_rates *rates);

#endif
