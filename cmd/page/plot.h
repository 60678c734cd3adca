/* plot.h - writes a chart of a session as a picture, by the file's name. */
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

#endif
