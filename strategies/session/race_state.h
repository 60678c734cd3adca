/*
 * race_state.h - the state of a race, for the files that make it.
 *
 *	race.c		rounds, time, and the end
 *	race_look.c	tells the search what is measured; stores what is not
 *	race_entry.c	opens and closes strategies
 */
#ifndef STRATEGIES_SESSION_RACE_STATE_H
#define STRATEGIES_SESSION_RACE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "strategies/search/search.h"

struct error;
struct measured_strategy;
struct scheduled_trial;
struct session;
struct trial;

struct racer { /* a trial that can be run */
	struct prospect *prospect;
	struct measured_strategy *owner;
	struct trial *trial; /* NULL: its strategy is closed */
};

struct race {
	struct session *session;
	struct search search;
	/* Its prospects by the labels of their strategies; owned. */
	const struct prospect **by_label;
	double *seconds; /* [strategies] to measure each, in one run; owned */
	struct measured_strategy *measured; /* in the order they were begun */
	size_t count;
	struct racer *racers;              /* [prospects] */
	struct scheduled_trial *scheduled; /* [prospects]; one a racer */
	size_t racer_count;
	unsigned round; /* the last one */
	uint64_t deadline_ns;
	bool late; /* there was no time to measure an open prospect */
};

/* ---- race_look.c ---- */

/* The request of the session's plan, with what is known of the machine. */
struct request race_request(const struct session *session);
/* Adds a prospect for each trial of the plan, and sets by_label. */
int race_add_prospects(
    struct race *race, double memory_bytes, struct error *err);
/* Lets the search judge by the figures that a report would show now. */
int race_look(struct race *race, struct error *err);
/* Stores the prospects that were not measured, and why. */
int race_store_left_out(struct race *race, struct error *err);

/* ---- race_entry.c ---- */

bool race_was_begun(const struct race *race, const struct strategy *strategy);
/* The open strategy of a race; NULL: it is closed, or was never opened. */
struct measured_strategy *race_find_open(
    const struct race *race, const struct strategy *strategy);
/*
 * Prepares the strategy of the picked prospect, unless it is open, and checks
 * the trial, which is the last racer then.  If that fails, the prospect has.
 */
int race_enter(struct race *race, struct prospect *picked, struct error *err);
/*
 * Makes room on the disk for the strategy, at the cost of those that need no
 * more runs.  As in a group, all together take at most half of it, if they can.
 * 1: there is not enough; or -1.
 */
int race_make_room(
    struct race *race, const struct strategy *strategy, struct error *err);
/* Stores why its trials have no more runs, and removes its data. */
int race_close(struct race *race, struct measured_strategy *measured, int rc,
    struct error *err);

#endif
