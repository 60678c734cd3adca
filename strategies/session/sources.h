/*
 * sources.h - the datasets of a session, one for each number of samples that
 * strategies take from the source: its reader, and the output of unprocessed
 * over these samples, which others are compared with.
 *
 * Samples are taken evenly from the whole dataset, so that fewer of them are
 * others: outputs of different numbers have nothing in common.
 */
#ifndef STRATEGIES_SESSION_SOURCES_H
#define STRATEGIES_SESSION_SOURCES_H

#include <stdint.h>

#include "strategies/trial/outputs.h"

struct error;
struct reader;
struct session_plan;
struct strategy;

struct session_source {
	uint64_t asked;              /* samples; 0: those of the session */
	const struct reader *reader; /* the plan's, or `own` */
	struct reader *own;          /* owned; or NULL */
	struct outputs expected;     /* of unprocessed; owned */
	struct session_source *next; /* owned */
};

/* Owned; NULL: none was asked for. */
struct session_sources {
	struct session_source *first;
};

/* Finds the source of a strategy, or opens it; NULL is an error. */
struct session_source *session_sources_find(struct session_sources *sources,
    const struct session_plan *plan, const struct strategy *strategy,
    struct error *err);
void session_sources_release(struct session_sources *sources);

#endif
