/* page.h - the lines of a report above and below its table. */
#ifndef CMD_REPORT_PAGE_H
#define CMD_REPORT_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct error;
struct results;

struct report_page {
	struct results *results;
	bool markdown, html;
	unsigned what; /* the chosen table */
	bool told;     /* the warnings were printed just before */
	bool warnings; /* print all warnings, not only their number */
	FILE *out;
};

/* Prints "  machine  A CPU, 2 cores", or the same as an item of HTML. */
void report_page_line(
    const struct report_page *page, const char *name, const char *text);

/* Prints why trials failed or were skipped, a line for each reason. */
int report_page_messages(
    const struct report_page *page, int64_t session, struct error *err);
/* Prints the warnings of the session, or their number. */
int report_page_warnings(
    const struct report_page *page, int64_t session, struct error *err);

/* Prints how the time of the session was spent; nothing for an old session. */
int report_page_time(
    const struct report_page *page, int64_t session, struct error *err);

#endif
