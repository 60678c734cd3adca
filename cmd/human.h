/*
 * human.h - tables for people, made of those for programs: the columns that a
 * person needs, in their units, all texts.
 */
#ifndef CMD_HUMAN_H
#define CMD_HUMAN_H

#include <stdint.h>

struct error;
struct grid;

enum human_table {
	HUMAN_TRIALS,
	HUMAN_RUNS,
	HUMAN_STEPS,
	HUMAN_PHASES,
	HUMAN_LEVELS,
	HUMAN_RANKING
};

/*
 * Adds the rows of `from` (the view, or the ranking of cmd/recommend) of this
 * session (0: all) to `to`, which is empty; trials by their rank.
 */
int human_table(enum human_table table, const struct grid *from,
    int64_t session, struct grid *to, struct error *err);

#endif
