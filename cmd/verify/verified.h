/* verified.h - prints whether a plan still wins. */
#ifndef CMD_VERIFY_VERIFIED_H
#define CMD_VERIFY_VERIFIED_H

#include <stdio.h>

#include "cmd/writers/format.h"
#include "strategies/decide/verdict.h"

struct error;
struct plan_file;
struct ranking;
struct request;

enum { VERIFIED_TEXT = 768 };

/* The findings; all borrowed. */
struct verified {
	const char *path; /* the plan's */
	const struct plan_file *plan;
	const struct ranking *ranking; /* made of the new figures */
	const struct request *request;
	const struct candidate *candidate; /* the plan's, in the ranking */
	struct judgement judgement;
	char summary[VERIFIED_TEXT];
	enum format format;
};

/* Writes the summary in words; all else is set. */
void verified_say(struct verified *verified);

/*
 * Prints the strategies that were measured, and the summary.  `arg` is a
 * struct verified.  The verdict is the error: none, ERROR_GATE if the plan is
 * beaten, ERROR_INCONCLUSIVE if noise hides it.
 */
int verified_print(const void *arg, FILE *out, struct error *err);

#endif
