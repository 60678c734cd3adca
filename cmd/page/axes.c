/* axes.c - see axes.h. */
#include "cmd/page/axes.h"

#include <math.h>

enum {
	SMALL = 11,
	LINE = 19,
	MARK = 14,
	BETWEEN = 16,
	TICK_EVERY = 64,
	WIDEST = 320
};

static unsigned tick_count(double length)
{
	return (unsigned)fmax(2, fabs(length) / TICK_EVERY);
}

void axis_below(const struct svg *svg, const struct axis *axis)
{
	const struct scale *scale = axis->scale;
	double ticks[SCALE_TICKS], free_from = -INFINITY;
	const size_t count =
	    scale_ticks(scale, tick_count(scale->to - scale->from), ticks);
	char text[SCALE_TEXT];

	for (size_t i = 0; i < count; i++) {
		const double x = scale_at(scale, ticks[i]);
		const double half =
		    svg_text_width(
		        scale_text(axis->unit, ticks[i], text), SMALL) /
		    2;
		/* The number at the right end must not leave the picture. */
		const double at = fmin(x, svg->width - half - 2);

		svg_line(svg, x, axis->near, x, axis->far, "grid");
		if (at - half < free_from)
			continue;
		svg_text(svg, at, axis->near + 14, SVG_MIDDLE, "tick", text);
		free_from = at + half + 6;
	}
	svg_line(svg, scale->from, axis->near, scale->to, axis->near, "axis");
	if (axis->title)
		svg_text(svg, (scale->from + scale->to) / 2, axis->near + 31,
		    SVG_MIDDLE, "name", axis->title);
}

static size_t left_ticks(
    const struct scale *scale, double length, double ticks[SCALE_TICKS])
{
	return scale_ticks(scale, tick_count(2 * length), ticks);
}

double axis_left_width(
    const struct scale *scale, enum scale_unit unit, double length)
{
	double ticks[SCALE_TICKS], width = 0;
	const size_t count = left_ticks(scale, length, ticks);
	char text[SCALE_TEXT];

	for (size_t i = 0; i < count; i++)
		width = fmax(width,
		    svg_text_width(scale_text(unit, ticks[i], text), SMALL));
	return width + 12;
}

void axis_left(const struct svg *svg, const struct axis *axis)
{
	const struct scale *scale = axis->scale;
	double ticks[SCALE_TICKS];
	const size_t count = left_ticks(scale, scale->to - scale->from, ticks);
	char text[SCALE_TEXT];

	for (size_t i = 0; i < count; i++) {
		const double y = scale_at(scale, ticks[i]);

		svg_line(svg, axis->near, y, axis->far, y, "grid");
		svg_text(svg, axis->near - 6, y + 4, SVG_END, "tick",
		    scale_text(axis->unit, ticks[i], text));
	}
	svg_line(svg, axis->near, scale->from, axis->near, scale->to, "axis");
	if (axis->title)
		svg_text(
		    svg, 2, scale->to - 12, SVG_START, "name", axis->title);
}

/* ---- legends ---- */

static double item_width(const struct legend_item *item, double width)
{
	const double text = fmin(svg_text_width(item->text, SMALL), WIDEST);

	return fmin(MARK + 6 + text + BETWEEN, width);
}

/* Sets the position of the next item; returns the number of lines so far. */
static unsigned advance(double *x, double item, double width, unsigned lines)
{
	if (*x > 0 && *x + item > width + BETWEEN) {
		*x = 0;
		lines++;
	}
	return lines;
}

double legend_height(
    const struct legend_item *items, size_t count, double width)
{
	unsigned lines = 1;
	double x = 0;

	for (size_t i = 0; i < count; i++) {
		const double item = item_width(&items[i], width);

		lines = advance(&x, item, width, lines);
		x += item;
	}
	return count ? LINE * lines : 0;
}

static void draw_mark(
    const struct svg *svg, const struct legend_item *item, double x, double y)
{
	struct svg_point point = item->point;
	struct svg_rect rect = item->rect;

	if (item->line) {
		svg_line(svg, x, y + 7, x + MARK, y + 7, item->line);
	} else if (point.radius > 0) {
		point.x = x + MARK / 2.0;
		point.y = y + 7;
		svg_point(svg, &point);
	} else {
		rect.x = x;
		rect.y = y + 1;
		rect.width = MARK;
		rect.height = 12;
		svg_rect(svg, &rect);
	}
}

void legend_draw(const struct svg *svg, const struct legend_item *items,
    size_t count, double x, double y, double width)
{
	double at = 0;
	unsigned line = 0;
	char text[256];

	for (size_t i = 0; i < count; i++) {
		const double item = item_width(&items[i], width);

		line = advance(&at, item, width, line);
		draw_mark(svg, &items[i], x + at, y + LINE * line);
		svg_text(svg, x + at + MARK + 6, y + LINE * line + 11,
		    SVG_START, "key",
		    svg_fit(items[i].text, SMALL,
		        fmin(width - MARK - 6, WIDEST) + 0.1, text,
		        sizeof(text)));
		at += item;
	}
}
