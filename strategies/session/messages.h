/*
 * messages.h - tells the user of a session its progress, notes and warnings.
 *
 * They go to the callbacks of the session's plan, one call at a time, from any
 * thread.  Each warning is given once and kept until the database has it.
 */
#ifndef STRATEGIES_SESSION_MESSAGES_H
#define STRATEGIES_SESSION_MESSAGES_H

#include <pthread.h>
#include <stdint.h>

#include "lib/db/results.h"

struct error;
struct session_plan;

enum { MESSAGES_WARNINGS = 256 };

struct progress { /* in predicted seconds */
	double done_s, all_s;
	double unit_s; /* one sample prepared or one epoch run, at present */
	char what[RESULTS_LABEL + 32]; /* the work at hand */
};

struct messages {
	const struct session_plan *plan; /* borrowed */
	uint64_t began_ns;               /* the session, by CLOCK_MONOTONIC */

	pthread_mutex_t lock; /* guards the rest, and the callbacks */
	struct progress progress;
	uint64_t reasons[MESSAGES_WARNINGS]; /* hashes: one warning each */
	char *unstored[MESSAGES_WARNINGS];   /* owned; NULL: is stored */
	unsigned warning_count;
};

void messages_init(struct messages *messages, const struct session_plan *plan,
    uint64_t began_ns);
void messages_release(struct messages *messages);

/* Names the work at hand, and how many seconds one unit of it takes. */
void messages_begin(struct messages *messages, double unit_s,
    const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Shows that so many units of the work at hand are done. */
void messages_advance(struct messages *messages, double units);
/* Corrects the seconds that are done; nothing is shown. */
void messages_set_done(struct messages *messages, double seconds);

/* Callbacks for others; `arg` is the messages. */
void messages_note(void *arg, const char *text);
void messages_warn(void *arg, const char *text);
/*
 * Warns that `label` was passed over ("skipped", "failed"), and why.  A reason
 * is given once, for its first label; the report names all of them.
 */
void messages_pass_over(struct messages *messages, const char *how,
    const char *label, const struct error *why);
/* Warns if the database was removed and is elsewhere now. */
void messages_warn_moved(
    struct messages *messages, const struct results *results);

/* Stores the warnings so far; for the thread that owns the database. */
int messages_store(struct messages *messages, struct results *results,
    int64_t session, struct error *err);

#endif
