/*
 * human_columns.h - the columns of the tables for people: where their cells
 * come from, in which words, and which are left out of a narrow terminal.
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
	const char *title; /* NULL ends a table */
	void (*print)(
	    struct row row, const char *source, char cell[HUMAN_CELL]);
	const char *source; /* column of the other grid */
	struct table_column fit;
};

extern const struct column *const human_columns[]; /* by human_table */

#endif
