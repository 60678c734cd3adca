/*
 * labels.h - names beside points: placed so that none covers a point or
 * another name.  Who comes first is served first.
 */
#ifndef CMD_PAGE_LABELS_H
#define CMD_PAGE_LABELS_H

#include <stdbool.h>
#include <stddef.h>

struct error;

struct box {
	double x, y, width, height; /* x, y: its left upper corner */
};

bool box_overlaps(const struct box *a, const struct box *b);

struct label {
	double x, y;        /* of the point */
	double around;      /* what there is around it, besides the radius */
	double width;       /* of the text */
	double brief_width; /* of what may stand instead; 0: nothing */
	bool is_placed;     /* false: there was no room */
	bool is_brief;      /* what stands instead was */
	bool is_far;        /* a line leads to it */
	struct box box;     /* where, once it is placed */
};

struct labels {
	struct label *list;
	size_t count;
	double height; /* of a line of text */
	double radius; /* of a point */
	struct box inside;
	const struct box *taken; /* besides the points */
	size_t taken_count;
};

void labels_place(struct labels *labels);

#endif
