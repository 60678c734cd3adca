/* plot.h - writes a chart of a session as a picture, by the file's name. */
#ifndef CMD_PAGE_PLOT_H
#define CMD_PAGE_PLOT_H

#include <stdint.h>
#include <stdio.h>

struct error;
struct results;

/*
 * Can a picture be written to this path?  "-" is SVG. ERROR_USAGE names the
 * valid endings, or the library that the format needs.
 */
int plot_check(const char *path, struct error *err);

/* Writes the chart of this number to the path. */
int plot_write(struct results *results, int64_t session, unsigned chart,
    const char *path, FILE *out, struct error *err);

#endif
