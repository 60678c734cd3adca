/*
 * svg.h - shapes and text of charts, as SVG.
 *
 * Colours are classes of chart.css.  c0 to c7 can be told apart with all kinds
 * of colour vision, on light and on dark.  Patterns repeat what colours say.
 */
#ifndef CMD_PAGE_SVG_H
#define CMD_PAGE_SVG_H

#include <stddef.h>
#include <stdio.h>

enum { SVG_COLOURS = 8 };

/* Which end of the text is at x, y, on its base line? */
enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* Patterns drawn over a colour. */
enum svg_pattern {
	SVG_SOLID,
	SVG_HATCH,
	SVG_DOTS,
	SVG_CROSS,
	SVG_LINES,
	SVG_PATTERNS
};

/* Shapes of points. */
enum svg_shape { SVG_CIRCLE, SVG_SQUARE, SVG_TRIANGLE, SVG_DIAMOND };

struct svg {
	FILE *out;
	const char *id; /* prefix of the names of its patterns */
	double width, height;
};

struct svg_about {
	const char *title;       /* a phrase */
	const char *description; /* the picture in words */
	const char *css;         /* style sheet of its own; NULL: the page's */
	const char *heading;     /* heading above the picture; NULL: none */
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
	unsigned
	    colour; /* class of the colour; SVG_COLOURS and more: p0, p1, ... */
	enum svg_pattern pattern;
};

void svg_rect(const struct svg *svg, const struct svg_rect *rect);
/* Draws an outline, for something that was not measured. */
void svg_outline(const struct svg *svg, const struct svg_rect *rect);

struct svg_point {
	double x, y, radius;
	unsigned colour;
	enum svg_shape shape;
	int is_hollow;
};

void svg_point(const struct svg *svg, const struct svg_point *point);

/* All up to svg_group_end has this tooltip and this link; both may be NULL. */
void svg_group_begin(
    const struct svg *svg, const char *href, const char *tooltip);
void svg_group_end(const struct svg *svg, const char *href);
/* Lines of class "curve" up to svg_group_end have this colour. */
void svg_colour_begin(const struct svg *svg, unsigned colour);

/* The width of text of this size, in a rather wide font. */
double svg_text_width(const char *text, double size);
/* The text, or its two ends with "..." between them if it is too wide. */
const char *svg_fit(
    const char *text, double size, double width, char *out, size_t out_size);

#endif
