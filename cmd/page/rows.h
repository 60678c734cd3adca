/*
 * rows.h - charts with a row for each trial, its strategies one below the
 * other: where the names are, and where the plot.  On a phone a name is above
 * its rows, else beside them.
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

/* A row is drawn by `draw`, with its middle; all borrowed. */
typedef void rows_draw_one(void *arg, const struct fact *trial, double y);
struct rows_chart {
	const struct rows *rows;
	const struct legend_item *legend;
	size_t legend_items;
	const struct scale *x;
	enum scale_unit unit;
	const char *title; /* of the axis */
	rows_draw_one *draw;
	void *arg;
};

/* The whole chart: legend, axis, names and rows, and what was left out. */
void rows_chart_draw(struct chart *chart, const struct rows_chart *it);

#endif
