/*
 * rows.h - charts with a row for each trial, its strategies one below the
 * other: where the names are, and where the plot.  On a phone a name is above
 * its rows, else beside them.
 */
#ifndef CMD_PAGE_ROWS_H
#define CMD_PAGE_ROWS_H

#include <stdbool.h>

struct chart;
struct fact;

struct rows {
	double left, right; /* of the plot */
	double top, bottom;
	double height; /* of a row */
	bool one_each; /* one row a strategy: facts_first */
	double name_width, load_width;
	double name_height; /* above the rows; 0: beside them */
};

/* For a plot with room for `after` pixels of text at its right. */
struct rows rows_layout(
    const struct chart *chart, bool one_each, double top, double after);

/* Draws the names, and calls `draw` for each row with its middle. */
typedef void rows_draw_one(void *arg, const struct fact *trial, double y);
void rows_draw(const struct chart *chart, const struct rows *rows,
    rows_draw_one *draw, void *arg);

/* "24 of 100 strategies, the best": below the axis; nothing if all are. */
void rows_note(const struct chart *chart, double y);
double rows_note_height(const struct chart *chart);

#endif
