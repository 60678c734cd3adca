/*
 * picture.h - a study as an SVG picture: lines over the values, or bars.
 */
#ifndef CMD_STUDY_PICTURE_H
#define CMD_STUDY_PICTURE_H

#include <stdio.h>

struct error;
struct study;

/* Draws the picture of the factor.  ERROR_DATA: nothing was measured. */
int picture_draw(const struct study *study, FILE *out, struct error *err);

#endif
