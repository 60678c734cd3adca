/*
 * rows.h - charts with a row for each trial, in groups by strategy: places of
 * the names and of the plot.  On a phone, names are above their rows, else
 * beside them.
 */
#ifndef CMD_PAGE_ROWS_H
#define CMD_PAGE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/page/scale.h"

struct chart;
struct fact;
struct legend_item;

struct rows {
	double left, right; /* edges of the plot */
	double top, bottom;
	double height; /* height of a row */
	bool one_each; /* one row for each strategy: facts_first */
	double name_width, load_width;
	double name_height; /* height of a name above its rows; 0: names are
	                       beside the rows */
};

/* Leaves room for `after` pixels of text at the right of the plot. */
struct rows rows_layout(
    const struct chart *chart, bool one_each, double top, double after);

/* Draws a row, given its middle; the arguments are borrowed. */
typedef void rows_draw_one(void *arg, const struct fact *trial, double y);
struct rows_chart {
	const struct rows *rows;
	const struct legend_item *legend;
	size_t legend_items;
	const struct scale *x;
	enum scale_unit unit;
	const char *title; /* title of the axis */
	rows_draw_one *draw;
	void *arg;
};

/*
 * Draws the whole chart: legend, axis, names, rows, note of what is left out.
 */
void rows_chart_draw(struct chart *chart, const struct rows_chart *it);

#endif
