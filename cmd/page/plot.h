/* plot.h - writes a chart as SVG or PNG, by the file's name. */
#ifndef CMD_PAGE_PLOT_H
#define CMD_PAGE_PLOT_H

#include <stdint.h>
#include <stdio.h>

struct error;
struct results;

/* Can the picture be written?  "-" is SVG.  Else ERROR_USAGE says why not. */
int plot_check(const char *path, struct error *err);

/* Writes the chart of this number to the path. */
int plot_write(struct results *results, int64_t session, unsigned chart,
    const char *path, FILE *out, struct error *err);

/* Draws a picture as SVG. */
typedef int plot_draw(const void *arg, FILE *out, struct error *err);
/* Writes any picture in the form that the path asks for. */
int plot_picture(const char *path, plot_draw *draw, const void *arg, FILE *out,
    struct error *err);

#endif
