/*
 * human.h - tables for people, made from tables for programs: the important
 * columns, in readable units.
 */
#ifndef CMD_REPORT_HUMAN_H
#define CMD_REPORT_HUMAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/writers/table.h"

struct error;
struct grid;

enum { HUMAN_CELL = 160 };

enum human_table {
	HUMAN_TRIALS,
	HUMAN_RUNS,
	HUMAN_STEPS,
	HUMAN_PHASES,
	HUMAN_LEVELS,
	HUMAN_SYSTEM,
	HUMAN_HOSTS,
	HUMAN_RANKING
};

/*
 * Adds the rows of this session (0: all) from `from`, a view or the ranking of
 * cmd/recommend, to `to`, which is empty.  Trials are ordered by rank.  Except
 * in a ranking, threads and cache are left empty if human_common.
 */
int human_table(enum human_table table, const struct grid *from,
    int64_t session, struct grid *to, struct error *err);

/* Is this a row of the session? Session 0 has all rows. */
bool human_is_of(const struct grid *grid, size_t row, int64_t session);

/* The column of `from` behind column `column` of this table. */
const char *human_source(enum human_table table, size_t column);

/* Sets how its columns fit a narrow terminal. */
void human_fit(
    enum human_table table, struct table_column columns[TABLE_COLUMNS]);

/* Is the value equal in all rows of the session?  `cell` gets it, or "". */
bool human_common(const struct grid *from, int64_t session, const char *column,
    char cell[HUMAN_CELL]);

#endif
