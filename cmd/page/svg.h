/*
 * svg.h - the marks that charts are made of.  Colours are classes: see
 * chart.css; c0 to c7 are told apart by people who see colours differently,
 * on light and on dark, and patterns say the same as they do.
 */
#ifndef CMD_PAGE_SVG_H
#define CMD_PAGE_SVG_H

#include <stddef.h>
#include <stdio.h>

enum { SVG_COLOURS = 8 };

/* Where is text from x, y, which is on its base line? */
enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* Drawn over a colour, so that it is not told by that alone. */
enum svg_pattern {
	SVG_SOLID,
	SVG_HATCH,
	SVG_DOTS,
	SVG_CROSS,
	SVG_LINES,
	SVG_PATTERNS
};

/* Of a point. */
enum svg_shape { SVG_CIRCLE, SVG_SQUARE, SVG_TRIANGLE, SVG_DIAMOND };

struct svg {
	FILE *out;
	const char *id; /* in front of the names of its patterns */
	double width, height;
};

struct svg_about {
	const char *title;       /* a phrase */
	const char *description; /* what is seen, in words */
	const char *css;         /* style of its own; NULL: the page's */
	const char *heading;     /* seen above it; NULL: none */
	const char *class;
};

void svg_begin(const struct svg *svg, const struct svg_about *about);
void svg_end(const struct svg *svg);

void svg_text(const struct svg *svg, double x, double y, enum svg_anchor anchor,
    const char *class, const char *text);
void svg_line(const struct svg *svg, double x1, double y1, double x2, double y2,
    const char *class);

struct svg_rect {
	double x, y, width, height;
	unsigned colour; /* its class; SVG_COLOURS and more: p0, p1, ... */
	enum svg_pattern pattern;
};

void svg_rect(const struct svg *svg, const struct svg_rect *rect);
/* Something that was not measured: an outline. */
void svg_outline(const struct svg *svg, const struct svg_rect *rect);

struct svg_point {
	double x, y, radius;
	unsigned colour;
	enum svg_shape shape;
	int is_hollow;
};

void svg_point(const struct svg *svg, const struct svg_point *point);

/* What follows, up to its end, has this tooltip and leads there; either may
 * be NULL. */
void svg_group_begin(
    const struct svg *svg, const char *href, const char *tooltip);
void svg_group_end(const struct svg *svg, const char *href);

/* How wide is text of this size, in a font that is rather wide? */
double svg_text_width(const char *text, double size);
/* The text, or as much of its both ends as fits, with "..." between. */
const char *svg_fit(
    const char *text, double size, double width, char *out, size_t out_size);

#endif
