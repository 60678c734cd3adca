/* axes.h - axes with ticks, and legends, around the plot of a chart. */
#ifndef CMD_PAGE_AXES_H
#define CMD_PAGE_AXES_H

#include <stdbool.h>
#include <stddef.h>

#include "cmd/page/scale.h"
#include "cmd/page/svg.h"

struct axis {
	const struct scale *scale;
	enum scale_unit unit;
	const char *title;
	/* Start and end of its grid lines, across the axis. */
	double near, far;
};

/* Draws an axis below the plot; its grid lines reach up to `far`. */
void axis_below(const struct svg *svg, const struct axis *axis);
/* Draws a vertical axis at the left; its title is above its upper end. */
void axis_left(const struct svg *svg, const struct axis *axis);
/* Width of its numbers, for an axis of this length. */
double axis_left_width(
    const struct scale *scale, enum scale_unit unit, double length);

enum { AXIS_BELOW = 38 }; /* height of ticks and title */

/* An item of a legend. The items fill as many lines as needed. */
struct legend_item {
	const char *text;
	struct svg_rect
	    rect; /* colour and pattern, unless a point or a line is given */
	struct svg_point point; /* a point, if it has a radius */
	const char *line;       /* CSS class of a line */
};

double legend_height(
    const struct legend_item *items, size_t count, double width);
void legend_draw(const struct svg *svg, const struct legend_item *items,
    size_t count, double x, double y, double width);

#endif
