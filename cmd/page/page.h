/*
 * page.h - a session as one HTML page.  It needs no network, no fonts, and no
 * scripts to be read or printed.
 */
#ifndef CMD_PAGE_PAGE_H
#define CMD_PAGE_PAGE_H

#include <stdint.h>
#include <stdio.h>

struct error;
struct results;

int page_write(
    struct results *results, int64_t session, FILE *out, struct error *err);

/* Writes one chart of the page as an SVG file. */
int page_plot(struct results *results, int64_t session, unsigned chart,
    FILE *out, struct error *err);

#endif
