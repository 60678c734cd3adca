/*
 * session_state.h - the state of one session, for the files of this room.
 *
 *	session.c	divides the strategies into groups; ends the session
 *	session_begin.c	begins it, or resumes one that did not end
 *	group.c	prepares, checks and runs the strategies of a group
 *	race.c	does that for the strategies that a search picks
 *	measured_strategy.c	measures one strategy of a group
 *	session_host.c	knows the machine: storage and disturbances
 *	memory_room.c	knows what fits into memory
 *	sources.c	opens the dataset with as many samples as are swept
 *	duration.c	predicts how long all of it takes
 *	messages.c	tells the user
 */
#ifndef STRATEGIES_SESSION_SESSION_STATE_H
#define STRATEGIES_SESSION_SESSION_STATE_H

#include "lib/files/lock.h"
#include "strategies/hosts/lead.h"
#include "strategies/session/memory_room.h"
#include "strategies/session/messages.h"
#include "strategies/session/session.h"
#include "strategies/session/session_host.h"
#include "strategies/session/sources.h"

struct batch_freelist;
struct search;

struct session_folder { /* it holds all data of the session */
	char *path;     /* as the user wrote it; owned */
	struct lock lock;
};

struct session_times {
	uint64_t began_ns; /* CLOCK_MONOTONIC */
	/* end of the budget, by the same clock; 0: none */
	uint64_t deadline_ns;
	uint64_t derived_ns; /* when figures were last derived, as well */
	uint64_t rounds_ns;  /* Unix time when the group's rounds began */
};

struct session_storage {  /* as found by its trials */
	bool drop_failed; /* its files stay in the page cache */
	double cold_rate; /* bytes per second; 0: not known */
};

struct session {
	const struct session_plan *plan;
	struct results *results;
	int64_t id;
	char fingerprint[32];
	unsigned threads;  /* for preparations: the most of the plan */
	unsigned failed;   /* number of failed strategies */
	uint64_t filtered; /* samples that filters drop in an epoch */
	struct session_sources sources;
	struct session_folder folder;
	struct session_times times;
	/* the dataset's; the work folder's */
	struct session_storage source, work;
	struct session_host host;
	struct memory_room memory;
	struct batch_freelist
	    *freelist; /* batches of open trials; owned, or NULL */
	struct messages messages;
	/* It picks the trials; NULL: all are measured.  Borrowed. */
	const struct search *search;
	struct lead lead; /* of other processes that measure with this one */
};

#endif
