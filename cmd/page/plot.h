/*
 * plot.h - one chart of a session as a picture, in the form that the name of
 * its file says.
 */
#ifndef CMD_PAGE_PLOT_H
#define CMD_PAGE_PLOT_H

#include <stdint.h>
#include <stdio.h>

struct error;
struct results;

/*
 * Can it be drawn in the form that the path ends with?  "-" is SVG. ERROR_USAGE
 * names the endings that there are, or the library that a form needs.
 */
int plot_check(const char *path, struct error *err);

/* What goes to the path: a chart by its number. */
int plot_write(struct results *results, int64_t session, unsigned chart,
    const char *path, FILE *out, struct error *err);

#endif
