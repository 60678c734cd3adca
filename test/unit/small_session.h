/*
 * small_session.h - a session over 48 generated images in 8 streams: run as
 * presto profile does, within a second, into a database of its own.
 */
#ifndef TEST_UNIT_SMALL_SESSION_H
#define TEST_UNIT_SMALL_SESSION_H

#include <stdatomic.h>

#include "lib/db/grid.h"
#include "lib/db/results_read.h"
#include "strategies/session/session.h"
#include "test/unit/fake_reader.h"
#include "test/unit/planned.h"

enum { SMALL_SAMPLES = 48, SMALL_TOLD = 4096 };

struct small_session {
	struct planned planned;
	struct fake fake;
	struct session_plan plan; /* to be changed before a run */
	char *scratch, *db;
	struct results *results;
	/* The session is stopped once it does this: part of its progress. */
	const char *stop_at;
	atomic_bool stop;

	int64_t id; /* of the last run, with what it told */
	char warnings[SMALL_TOLD], notes[SMALL_TOLD];
};

/* Reads the pipeline file; *state is the session, for a set_up. */
int small_session_open(void **state, const char *text);
int small_session_close(void **state);

/* As session_run. */
int small_session_run(struct small_session *s, struct error *err);
/* A view of the last run; grid_release. */
struct grid small_session_read(
    const struct small_session *s, enum results_view view);
/* The row of a strategy; fails the test if there is none. */
size_t small_session_row(
    const struct grid *grid, const char *strategy, unsigned threads);

#endif
