/*
 * session_state.h - one session at work: its state, for the files of this room.
 *
 *	session.c            divides the strategies into groups; ends the
 *session session_begin.c      begins it, or resumes one that did not end
 *	group.c              prepares, checks and runs the strategies of a group
 *	measured_strategy.c  one strategy of a group
 *	session_host.c       the machine: its storage, and what disturbs a trial
 *	memory_room.c        what fits into memory
 *	duration.c           how long all of it will take
 *	messages.c           what the user is told
 */
#ifndef STRATEGIES_SESSION_SESSION_STATE_H
#define STRATEGIES_SESSION_SESSION_STATE_H

#include "lib/files/lock.h"
#include "strategies/session/memory_room.h"
#include "strategies/session/messages.h"
#include "strategies/session/outputs.h"
#include "strategies/session/session.h"
#include "strategies/session/session_host.h"

struct batch_freelist;

struct session_folder { /* all data of the session is below it */
	char *path;     /* as the user writes it; owned */
	struct lock lock;
};

struct session_times {
	uint64_t began_ns;    /* CLOCK_MONOTONIC */
	uint64_t deadline_ns; /* as well: the end of the budget; 0: none */
	uint64_t derived_ns;  /* as well: figures were last computed */
	uint64_t rounds_ns;   /* Unix time when the group's rounds began */
};

struct session_storage {  /* what trials found out about it */
	bool drop_failed; /* its files stay in the page cache */
	double cold_rate; /* bytes per second; 0: not known */
};

struct session {
	const struct session_plan *plan;
	struct results *results;
	int64_t id;
	char fingerprint[32];
	unsigned threads;        /* of preparations: the most of the plan */
	unsigned failed;         /* strategies */
	struct outputs expected; /* the output of unprocessed */
	struct session_folder folder;
	struct session_times times;
	struct session_storage source, work; /* of the dataset; of the folder */
	struct session_host host;
	struct memory_room memory;
	struct batch_freelist
	    *freelist; /* batches of open trials; owned, or NULL */
	struct messages messages;
};

#endif
