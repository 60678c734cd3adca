/*
 * monitor.h - samples the machine during a session: every half second, and when
 * an activity begins or ends, so that even the shortest run has a row.
 *
 * The monitor is a thread that takes some thousandths of a core. All functions
 * accept NULL, a monitor that records nothing.
 */
#ifndef STRATEGIES_MONITOR_MONITOR_H
#define STRATEGIES_MONITOR_MONITOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/db/results.h"

struct error;
struct monitor;

/* The strategy or trial of an activity; the label is borrowed for the call. */
struct monitor_target {
	const char *label; /* the strategy's */
	unsigned threads;  /* 0: it is no trial */
	enum cache_mode cache;
};

/*
 * `began_ns`: when the session began, by clock_monotonic; `root` is put in
 * front of /proc. NULL if there is no memory or no thread for it.
 */
struct monitor *monitor_new(const char *root, uint64_t began_ns);
void monitor_free(struct monitor *monitor);

/*
 * Ends the last activity and begins another: "prepare", "check" or "run", a
 * static text. `run` is its number; 0: none.
 */
void monitor_begin(struct monitor *monitor, const char *activity,
    const struct monitor_target *target, unsigned run);
/* Ends the activity; the next rows are between activities. */
void monitor_end(struct monitor *monitor);

/*
 * Stores all rows and forgets them, if there are at least `least`. Called now
 * and then by the thread that owns the database; until then, rows of an
 * activity are joined to bound memory.
 */
int monitor_flush(struct monitor *monitor, size_t least,
    struct results *results, int64_t session, struct error *err);

/* Sets the mean over all activities "run" so far; false: there was none. */
bool monitor_runs(struct monitor *monitor, struct system_rates *rates);

#endif
