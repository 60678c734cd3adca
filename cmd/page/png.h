/*
 * png.h - an SVG picture as PNG, for programs that show no SVG (wraps librsvg
 * and cairo).
 */
#ifndef CMD_PAGE_PNG_H
#define CMD_PAGE_PNG_H

#include <stdio.h>

#include "lib/base/bytes.h"

struct error;

/*
 * ERROR_USAGE where presto was built without the library, or it is not
 * installed; ERROR_SYSTEM where no font is, since a chart is not to be read
 * without letters.
 */
int png_check(struct error *err);
int png_write(struct span svg, FILE *out, struct error *err);

#endif
