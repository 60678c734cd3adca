/*
 * human_columns.h - the columns of tables for people: their sources, how their
 * cells are printed, and their importance on a narrow terminal.
 */
#ifndef CMD_REPORT_HUMAN_COLUMNS_H
#define CMD_REPORT_HUMAN_COLUMNS_H

#include "cmd/report/human.h"
#include "cmd/writers/table.h"

struct row {
	const struct grid *grid;
	size_t index;
};

struct column {
	const char *title; /* NULL after the last column */
	void (*print)(
	    struct row row, const char *source, char cell[HUMAN_CELL]);
	const char *source; /* column of the source grid */
	struct table_column fit;
};

/* Do application caches of the table keep different representations? */
bool human_places_differ(const struct grid *grid);

extern const struct column
    *const human_columns[]; /* the columns of each human_table */

#endif
