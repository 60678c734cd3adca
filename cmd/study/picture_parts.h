/* picture_parts.h - parts of the pictures of a study; for cmd/study only. */
#ifndef CMD_STUDY_PICTURE_PARTS_H
#define CMD_STUDY_PICTURE_PARTS_H

#include "cmd/page/axes.h"
#include "cmd/page/svg.h"
#include "cmd/study/study.h"

enum {
	PICTURE_WIDTH = 920,
	PICTURE_SMALL = 11,  /* size of small text */
	PICTURE_SERIES = 16, /* the most series; others are left out */
	PICTURE_TICKS = 6,
	PICTURE_TEXT = 512
};

/* The drawn figure of a point, with its interval; NAN: nothing is drawn. */
struct shown {
	double value, low, high;
};

struct shown picture_shown(
    const struct study *study, const struct study_point *point);

/* Series with something to draw, in the order of the study. */
struct picture {
	const struct study *study;
	size_t series[PICTURE_SERIES];
	size_t count, left_out;
};

struct picture picture_of(const struct study *study);
/* Writes the head of the picture once its size is known. */
void picture_begin(const struct picture *picture, const struct svg *svg);
/* Says at the bottom how many series are left out; returns its height. */
double picture_note_height(const struct picture *picture);
void picture_end(const struct picture *picture, const struct svg *svg);
/* "resized/tar/none, 2 threads: 1 234 samples/s, 1 200 to 1 250". */
void picture_tooltip(const struct study *study, const struct study_point *point,
    char text[PICTURE_TEXT]);

int lines_draw(const struct study *study, FILE *out, struct error *err);
int bars_draw(const struct study *study, FILE *out, struct error *err);

#endif
