/* report_page.c - see report_page.h. */
#include "cmd/report_page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/page/html.h"
#include "cmd/writers/markdown.h"
#include "lib/base/array.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"

void report_page_text(const struct report_page *page, const char *text)
{
	if (page->html)
		html_text(text, page->out);
	else if (page->markdown)
		markdown_write_text(text, page->out);
	else
		fputs(text, page->out);
}

void report_page_line(
    const struct report_page *page, const char *name, const char *text)
{
	if (page->html) {
		html_term(name, text, page->out);
		return;
	}
	fprintf(page->out, page->markdown ? "- %s: " : "  %-9s", name);
	report_page_text(page, text);
	fputc('\n', page->out);
}

/* An item of a list of messages. */
static void begin_item(const struct report_page *page)
{
	fputs(page->html ? "<li>" : page->markdown ? "- " : "", page->out);
}

static void end_item(const struct report_page *page)
{
	fputs(page->html ? "</li>\n" : "\n", page->out);
}

/* ---- why trials failed ---- */

/* Were both passed over for the same reason? */
static bool is_alike(const struct grid *trials, size_t a, size_t b)
{
	static const char *const same[] = { "message", "status", "cache" };

	for (size_t i = 0; i < ARRAY_LEN(same); i++)
		if (strcmp(grid_text(trials, a, same[i]),
		        grid_text(trials, b, same[i])) != 0)
			return false;
	return true;
}

/* The strategies whose trials are like this one, each once. */
static void print_alike(
    const struct report_page *page, const struct grid *trials, size_t first)
{
	const char *last = NULL; /* those of a strategy are neighbours */

	for (size_t i = first; i < trials->row_count; i++) {
		const char *strategy = grid_text(trials, i, "strategy");

		if (!is_alike(trials, first, i) ||
		    (last && strcmp(last, strategy) == 0))
			continue;
		fputs(last ? ", " : " ", page->out);
		report_page_text(page, strategy);
		last = strategy;
	}
}

int report_page_messages(
    const struct report_page *page, int64_t session, struct error *err)
{
	struct grid trials = GRID_INIT;
	int rc =
	    results_read(page->results, RESULTS_TRIALS, session, &trials, err);
	bool first = true;

	for (size_t i = 0; rc == 0 && i < trials.row_count; i++) {
		bool known = !*grid_text(&trials, i, "message");

		for (size_t k = 0; k < i && !known; k++)
			known = is_alike(&trials, k, i);
		if (known)
			continue;
		if (first && !page->html)
			fputc('\n', page->out);
		first = false;
		begin_item(page);
		fprintf(page->out,
		    "%s, cache %s:", grid_text(&trials, i, "status"),
		    grid_text(&trials, i, "cache"));
		print_alike(page, &trials, i);
		fputs(": ", page->out);
		report_page_text(page, grid_text(&trials, i, "message"));
		end_item(page);
	}
	grid_release(&trials);
	return rc;
}

/* ---- what the user was told ---- */

int report_page_warnings(
    const struct report_page *page, int64_t session, struct error *err)
{
	struct grid warnings = GRID_INIT;
	int rc = results_read(
	    page->results, RESULTS_WARNINGS, session, &warnings, err);

	if (warnings.row_count)
		fputc('\n', page->out);
	for (size_t i = 0; i < warnings.row_count; i++) {
		fputs(page->markdown ? "- warning: " : "warning: ", page->out);
		report_page_text(page, grid_text(&warnings, i, "text"));
		fputc('\n', page->out);
	}
	grid_release(&warnings);
	return rc;
}

/* What was not there took no time. */
static double or_zero(double number)
{
	return isnan(number) ? 0 : number;
}

int report_page_time(
    const struct report_page *page, int64_t session, struct error *err)
{
	struct grid time = GRID_INIT;
	char all[UNITS_TEXT], prepare[UNITS_TEXT], check[UNITS_TEXT];
	char run[UNITS_TEXT], text[5 * UNITS_TEXT];
	const int rc =
	    results_read(page->results, RESULTS_TIME, session, &time, err);

	if (rc == 0 && time.row_count == 1) {
		snprintf(text, sizeof(text),
		    "%s: preparing %s, checking %s, epochs of runs %s",
		    units_time(grid_number(&time, 0, "all_s"), all),
		    units_time(
		        or_zero(grid_number(&time, 0, "prepare_s")), prepare),
		    units_time(
		        or_zero(grid_number(&time, 0, "check_s")), check),
		    units_time(or_zero(grid_number(&time, 0, "run_s")), run));
		report_page_line(page, "time", text);
	}
	grid_release(&time);
	return rc;
}
