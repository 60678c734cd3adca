/*
 * operand.h - an operand of presto compare: a session, or several sessions of
 * one database that are taken together (strategies/compare/combine.h).
 */
#ifndef CMD_COMPARE_OPERAND_H
#define CMD_COMPARE_OPERAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "strategies/compare/compare.h"
#include "strategies/figures/runs.h"

struct error;

enum {
	COMPARE_SESSIONS_MOST = 100,
	COMPARE_OPERAND_NAME = 512,
	COMPARE_PATH = 4096,
	COMPARE_PLACE = COMPARE_OPERAND_NAME + COMPARE_PATH + 8,
};

struct compare_operand {         /* zeroed, then made by compare_operand_name */
	bool hides;              /* leave out what is private */
	char path[COMPARE_PATH]; /* the database */
	int64_t sessions[COMPARE_SESSIONS_MOST]; /* 0: the newest */
	size_t count;
	/* Set by compare_operand_read. */
	char
	    name[COMPARE_OPERAND_NAME]; /* "session 3", "sessions 1, 3 and 5" */
	struct session_record record;   /* the first session's */
	struct figures_list trials;     /* all sessions together */
	struct timed_runs runs;         /* likewise */
	struct compare_part *parts;     /* owned: the sessions one by one */
	struct compare_turn *turns;     /* owned: likewise, oldest first */
};

/*
 * Parses an operand.  "3", "1,3,5" and "1-4" are sessions of the database `db`,
 * "FILE:3" is one of another, and "FILE" its newest.  A file that has the whole
 * text as its name comes first.
 */
int compare_operand_name(struct compare_operand *operand, const char *text,
    const char *db, struct error *err);

/*
 * Reads the sessions.  Sessions that are taken together must be done, and have
 * the same presto, machine, pipeline, data and trials: else ERROR_USAGE.
 */
int compare_operand_read(struct compare_operand *operand, struct error *err);
void compare_operand_release(struct compare_operand *operand);

/* "session 3 of FILE", or without the file where it hides; returns `place`. */
const char *compare_operand_place(
    const struct compare_operand *operand, char place[COMPARE_PLACE]);

/* The session to compare; borrows from the operand. */
struct compare_session compare_operand_session(
    const struct compare_operand *operand);

#endif
