/*
 * human.h - tables for people, made of those for programs: the columns that a
 * person needs, in their units, all texts.
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
	HUMAN_RANKING
};

/*
 * Adds the rows of `from` (the view, or the ranking of cmd/recommend) of this
 * session (0: all) to `to`, which is empty; trials by their rank.  But for the
 * ranking, threads and cache are left empty when human_common.
 */
int human_table(enum human_table table, const struct grid *from,
    int64_t session, struct grid *to, struct error *err);

/* Is this row of the session?  All are of session 0. */
bool human_is_of(const struct grid *grid, size_t row, int64_t session);

/* The column of `from` that column `column` of this table is made of. */
const char *human_source(enum human_table table, size_t column);

/* How its columns fit a narrow terminal. */
void human_fit(
    enum human_table table, struct table_column columns[TABLE_COLUMNS]);

/* Is this the same in all rows of the session?  Then cell has it, else "". */
bool human_common(const struct grid *from, int64_t session, const char *column,
    char cell[HUMAN_CELL]);

#endif
