/*
 * bars.h - adds a bar for the throughput of each trial to the table on a
 * terminal.  Files and other programs get no bars.
 */
#ifndef CMD_REPORT_BARS_H
#define CMD_REPORT_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct error;
struct grid;

struct bars {
	size_t columns;  /* width of the terminal; 0: no bars */
	bool has_blocks; /* the terminal shows blocks (UTF-8); else bars are
	                    made of "#" */
};

struct bars bars_of_output(FILE *out);

/*
 * Copies `table`, which human_table made of the trials in `report`, to `to`.
 * Adds a column of bars after the intervals, as wide as there is room, or none
 * if there is too little.
 */
int bars_table(const struct bars *bars, const struct grid *report,
    int64_t session, const struct grid *table, struct grid *to,
    struct error *err);

/* Prints a bar of `length` columns, in eighths if blocks can be shown. */
enum { BARS_WIDEST = 30, BARS_TEXT = 3 * BARS_WIDEST + 4 };
void bars_print(const struct bars *bars, double length, char text[BARS_TEXT]);

#endif
