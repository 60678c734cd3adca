/*
 * axes.h - what charts have around them: axes with ticks, and legends.
 */
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
	/* Where its grid lines begin and end, across it. */
	double near, far;
};

/* Below: x; grid lines up to `far`, numbers and title under `near`. */
void axis_below(const struct svg *svg, const struct axis *axis);
/* At the left: y; its title is above its upper end. */
void axis_left(const struct svg *svg, const struct axis *axis);
/* Room for its numbers, if it is that long. */
double axis_left_width(
    const struct scale *scale, enum scale_unit unit, double length);

enum { AXIS_BELOW = 38 }; /* the height of ticks and title */

/* A legend: what stands for what, in lines as wide as there is room. */
struct legend_item {
	const char *text;
	struct svg_rect rect;   /* its colour and pattern, unless ... */
	struct svg_point point; /* it has a radius */
	const char *line;       /* class of a line, instead */
};

double legend_height(
    const struct legend_item *items, size_t count, double width);
void legend_draw(const struct svg *svg, const struct legend_item *items,
    size_t count, double x, double y, double width);

#endif
