/*
 * page.h - a report for people, on a terminal, in Markdown or in HTML:
 * its lines above and below the table.
 */
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
	unsigned what; /* which table */
	bool told;     /* the warnings, a moment ago */
	bool warnings; /* all of them, and not only how many there are */
	FILE *out;
};

/* "  machine  A CPU, 2 cores", or an item of an HTML list of terms. */
void report_page_line(
    const struct report_page *page, const char *name, const char *text);
/* An item of a list: a line of its own, or one of a Markdown or HTML list. */
void report_page_item(const struct report_page *page, const char *text);

/* Why trials failed or were skipped: a line a reason. */
int report_page_messages(
    const struct report_page *page, int64_t session, struct error *err);
/* What the user was told while it was measured, or how to see that. */
int report_page_warnings(
    const struct report_page *page, int64_t session, struct error *err);

/* What the time of the session went to; nothing of an old one. */
int report_page_time(
    const struct report_page *page, int64_t session, struct error *err);

#endif
