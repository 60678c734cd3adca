/* page.c - see page.h. */
#include "cmd/report/page.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/html/html.h"
#include "cmd/program/terminal.h"
#include "cmd/program/wrap.h"
#include "cmd/report/next.h"
#include "cmd/writers/markdown.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"
#include "strategies/search/search.h"

void report_page_line(
    const struct report_page *page, const char *name, const char *text)
{
	char head[32];

	if (page->html) {
		html_term(name, text, page->out);
		return;
	}
	if (page->markdown) {
		markdown_write_item(name, text, page->out);
		return;
	}
	snprintf(head, sizeof(head), "  %-9s", name);
	terminal_print(page->out, head, "%s", text);
}

static void print_item(const struct report_page *page, const char *text)
{
	if (!page->html && !page->markdown) {
		wrap_write(text, 0, 2, terminal_columns(page->out), page->out);
		fputc('\n', page->out);
		return;
	}
	if (page->html) {
		html_element("li", text, page->out);
		return;
	}
	fputs("- ", page->out);
	markdown_write_text(text, page->out);
	fputc('\n', page->out);
}

/* ---- why trials failed ---- */

/* Were both left out for the same reason? */
static bool is_alike(const struct grid *trials, size_t a, size_t b)
{
	static const char *const same[] = { "message", "status", "cache" };

	for (size_t i = 0; i < ARRAY_LEN(same); i++)
		if (strcmp(grid_text(trials, a, same[i]),
		        grid_text(trials, b, same[i])) != 0)
			return false;
	return true;
}

/* Prints the strategies whose trials have the same reason, each once. */
static int print_alike(const struct grid *trials, size_t first,
    struct buf *text, struct error *err)
{
	const char *last = NULL; /* trials of a strategy are neighbours */

	for (size_t i = first; i < trials->row_count; i++) {
		const char *strategy = grid_text(trials, i, "strategy");

		if (!is_alike(trials, first, i) ||
		    (last && strcmp(last, strategy) == 0))
			continue;
		if (buf_printf(text, err, "%s%s", last ? ", " : "", strategy))
			return -1;
		last = strategy;
	}
	return 0;
}

static bool is_left_out(const struct grid *trials, size_t row)
{
	return strcmp(grid_text(trials, row, "source"), "predicted") == 0;
}

/* The bound of a beaten forecast is another one for each: the table has it. */
static bool is_said_in_table(const struct grid *trials, size_t row)
{
	return is_left_out(trials, row) &&
	       strncmp(grid_text(trials, row, "message"), SEARCH_CANNOT_WIN,
	           strlen(SEARCH_CANNOT_WIN)) == 0;
}

/* Prints "skipped, cache none: STRATEGY, STRATEGY: why". */
static int print_message(const struct report_page *page,
    const struct grid *trials, size_t first, struct error *err)
{
	struct buf text = BUF_INIT;
	int rc = -1;

	if (buf_printf(&text, err, "%s, cache %s: ",
	        is_left_out(trials, first) ? "not measured"
	                                   : grid_text(trials, first, "status"),
	        grid_text(trials, first, "cache")) == 0 &&
	    print_alike(trials, first, &text, err) == 0 &&
	    buf_printf(
	        &text, err, ": %s", grid_text(trials, first, "message")) == 0)
		rc = 0;
	if (rc == 0)
		print_item(page, (const char *)text.data);
	buf_release(&text);
	return rc;
}

int report_page_messages(
    const struct report_page *page, int64_t session, struct error *err)
{
	struct grid trials = GRID_INIT;
	int rc =
	    results_read(page->results, RESULTS_TRIALS, session, &trials, err);
	bool first = true;

	for (size_t i = 0; rc == 0 && i < trials.row_count; i++) {
		bool known = !*grid_text(&trials, i, "message") ||
		             is_said_in_table(&trials, i);

		for (size_t k = 0; k < i && !known; k++)
			known = is_alike(&trials, k, i);
		if (known)
			continue;
		if (first && !page->html)
			fputc('\n', page->out);
		first = false;
		rc = print_message(page, &trials, i, err);
	}
	grid_release(&trials);
	return rc;
}

/* ---- warnings of the session ---- */

static int print_warning(const struct report_page *page,
    const struct grid *warnings, size_t row, struct error *err)
{
	struct buf text = BUF_INIT;
	const int rc = buf_printf(
	    &text, err, "warning: %s", grid_text(warnings, row, "text"));

	if (rc == 0)
		print_item(page, (const char *)text.data);
	buf_release(&text);
	return rc;
}

/* Prints a line with the number of warnings and the command to see them. */
static int print_count(const struct report_page *page, int64_t session,
    size_t count, struct error *err)
{
	struct buf command = BUF_INIT;
	char many[32];
	int rc = -1;

	snprintf(
	    many, sizeof(many), "%zu warning%s", count, count == 1 ? "" : "s");
	if (buf_printf(&command, err, "presto report") == 0 &&
	    next_options(&command, page->results, session, err) == 0 &&
	    buf_printf(&command, err, " --warnings") == 0)
		rc = 0;
	if (rc == 0 && page->markdown) {
		fputs("- ", page->out);
		markdown_write_text(many, page->out);
		fputs(": see ", page->out);
		markdown_write_code((const char *)command.data, page->out);
		fputc('\n', page->out);
	} else if (rc == 0) {
		terminal_line(
		    page->out, "%s: see %s", many, (const char *)command.data);
	}
	buf_release(&command);
	return rc;
}

int report_page_warnings(
    const struct report_page *page, int64_t session, struct error *err)
{
	struct grid warnings = GRID_INIT;
	int rc = results_read(
	    page->results, RESULTS_WARNINGS, session, &warnings, err);

	if (warnings.row_count)
		fputc('\n', page->out);
	if (rc == 0 && warnings.row_count && !page->warnings)
		rc = print_count(page, session, warnings.row_count, err);
	for (size_t i = 0; rc == 0 && page->warnings && i < warnings.row_count;
	     i++)
		rc = print_warning(page, &warnings, i, err);
	grid_release(&warnings);
	return rc;
}

/* A missing time is 0. */
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
