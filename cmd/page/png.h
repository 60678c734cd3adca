/*
 * png.h - converts an SVG picture to PNG, for programs that cannot show SVG
 * (wraps librsvg and cairo).
 */
#ifndef CMD_PAGE_PNG_H
#define CMD_PAGE_PNG_H

#include <stdio.h>

#include "lib/base/bytes.h"

struct error;

/*
 * ERROR_USAGE if presto was built without librsvg, or it is not installed.
 * ERROR_SYSTEM if there is no font: a chart without letters is useless.
 */
int png_check(struct error *err);
int png_write(struct span svg, FILE *out, struct error *err);

#endif
