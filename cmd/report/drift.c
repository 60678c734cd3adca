/* drift.c - see drift.h. */
#include "cmd/report/drift.h"

#include <stdio.h>
#include <string.h>

#include "cmd/html/html.h"
#include "cmd/program/terminal.h"
#include "cmd/program/wrap.h"
#include "cmd/report/next.h"
#include "cmd/report/page.h"
#include "cmd/report/session_data.h"
#include "cmd/writers/markdown.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"
#include "lib/stats/dependence.h"
#include "lib/stats/statistics.h"

enum { DRIFT_TEXT = 320 };

/* The command has a line of its own, since a wrapped one cannot be copied. */
static void print_advice(
    const struct report_page *page, const char *text, const char *command)
{
	FILE *out = page->out;

	if (page->html) {
		fputs("<ul class=\"messages\">\n<li>", out);
		html_text(text, out);
		html_element("code", command, out);
		fputs("</li>\n</ul>\n", out);
	} else if (page->markdown) {
		fputs("\n- ", out);
		markdown_write_text(text, out);
		markdown_write_code(command, out);
		fputc('\n', out);
	} else {
		fputc('\n', out);
		wrap_write(text, 0, 2, terminal_columns(out), out);
		fputc('\n', out);
		terminal_line(out, "  %s", command);
	}
}

/* Trials with enough runs for an interval. */
struct counts {
	size_t measured, drifting, unknown;
};

static struct counts count_trials(const struct grid *trials)
{
	struct counts counts = { 0, 0, 0 };

	for (size_t i = 0; i < trials->row_count; i++) {
		const char *drift = grid_text(trials, i, "drift");

		if (!(grid_number(trials, i, "figures") >= INTERVAL_LEAST))
			continue;
		counts.measured++;
		counts.drifting += strcmp(drift, "yes") == 0;
		counts.unknown += *drift == '\0';
	}
	return counts;
}

static void write_drift(
    const struct counts *counts, char text[DRIFT_TEXT], const char *end)
{
	if (counts->drifting)
		snprintf(text, DRIFT_TEXT,
		    "drift: the machine changed its speed during %zu of %zu "
		    "trials, so later runs may lie outside their +/-; measure "
		    "longer:%s",
		    counts->drifting, counts->measured, end);
	else
		snprintf(text, DRIFT_TEXT,
		    "drift: not known of %zu of %zu trials; fewer than %d runs "
		    "do not show whether the machine changes its speed slowly; "
		    "measure longer:%s",
		    counts->unknown, counts->measured, DEPENDENCE_ENOUGH, end);
}

static int print_drift(const struct report_page *page, int64_t session,
    const struct counts *counts, struct error *err)
{
	struct session_data data = SESSION_DATA_INIT;
	struct buf command = BUF_INIT;
	char text[DRIFT_TEXT];
	int rc = session_data_from_results(&data, page->results, session, err);

	write_drift(counts, text, page->html || page->markdown ? " " : "");
	if (rc == 0)
		rc = next_measure(&command, &data, err);
	if (rc == 0)
		print_advice(page, text, (const char *)command.data);
	buf_release(&command);
	session_data_release(&data);
	return rc;
}

int report_page_drift(
    const struct report_page *page, int64_t session, struct error *err)
{
	struct grid trials = GRID_INIT;
	int rc =
	    results_read(page->results, RESULTS_TRIALS, session, &trials, err);
	const struct counts counts = count_trials(&trials);

	grid_release(&trials);
	if (rc == 0 && (counts.drifting || counts.unknown))
		rc = print_drift(page, session, &counts, err);
	return rc;
}
