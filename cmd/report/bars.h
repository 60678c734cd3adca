/*
 * bars.h - a bar for the throughput of each trial, in the table that a
 * terminal shows.  What goes to a file or another program has none.
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
	size_t columns;  /* of the terminal; 0: no bars */
	bool has_blocks; /* it shows UTF-8: blocks; else "#" */
};

struct bars bars_of_output(FILE *out);

/*
 * Copies `table`, as human_table made it of the session's trials in `report`,
 * to `to`, with a column of bars behind their intervals, as wide as there is
 * room; without, where there is too little.
 */
int bars_table(const struct bars *bars, const struct grid *report,
    int64_t session, const struct grid *table, struct grid *to,
    struct error *err);

/* A bar of `length` columns, rounded to eighths where there are blocks. */
enum { BARS_WIDEST = 30, BARS_TEXT = 3 * BARS_WIDEST + 4 };
void bars_print(const struct bars *bars, double length, char text[BARS_TEXT]);

#endif
