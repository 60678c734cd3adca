/*
 * labels.h - places names beside points so that no name covers a point or
 * another name.  Labels that come first choose first.
 */
#ifndef CMD_PAGE_LABELS_H
#define CMD_PAGE_LABELS_H

#include <stdbool.h>
#include <stddef.h>

struct error;

struct box {
	double x, y, width, height; /* x, y: upper left corner */
};

bool box_overlaps(const struct box *a, const struct box *b);

struct label {
	double x, y;   /* centre of the point */
	double around; /* space to keep free around it, besides the radius */
	double width;  /* width of the text */
	double brief_width; /* width of the short text; 0: there is none */
	bool is_placed;     /* false: there was no room */
	bool is_brief;      /* the short text was placed */
	bool is_far;        /* a line leads to the point */
	struct box box;     /* its place, once it is placed */
};

struct labels {
	struct label *list;
	size_t count;
	double height; /* height of a line of text */
	double radius; /* radius of a point */
	struct box inside;
	const struct box *taken; /* boxes to keep free besides the points */
	size_t taken_count;
};

void labels_place(struct labels *labels);

#endif
