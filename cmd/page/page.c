/* page.c - see page.h. */
#include "cmd/page/page.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "cmd/html/assets.h"
#include "cmd/html/frame.h"
#include "cmd/html/html.h"
#include "cmd/page/chart.h"
#include "cmd/page/facts.h"
#include "cmd/page/tables.h"
#include "cmd/recommend/recommend.h"
#include "cmd/report/drift.h"
#include "cmd/report/head.h"
#include "cmd/report/page.h"
#include "lib/base/units.h"
#include "lib/db/results_read.h"

struct page {
	const struct facts *facts;
	struct results *results;
	FILE *out;
};

/* ---- head ---- */

static void write_head(const struct page *page)
{
	const struct session_record *session = &page->facts->session;
	char title[512];

	snprintf(title, sizeof(title), "%s, session %lld",
	    session->info.pipeline, (long long)session->id);
	frame_begin(title, page->out);
}

/* The results of an unfinished session are valid but incomplete. */
static void write_state(const struct page *page)
{
	const char *state = page->facts->session.state;

	if (strcmp(state, "done") == 0)
		return;
	fputs("<p class=\"notice\">", page->out);
	if (strcmp(state, "running") == 0)
		fputs("This session has not ended, or was killed", page->out);
	else
		html_textf(page->out, "This session: %s", state);
	fputs("; its results so far follow.</p>\n", page->out);
}

static void write_header(const struct page *page)
{
	const struct session_record *session = &page->facts->session;
	FILE *out = page->out;

	fputs("<header>\n<p class=\"brand\">presto report</p>\n<h1>", out);
	html_text(session->info.pipeline, out);
	fputs("</h1>\n<p class=\"meta\">", out);
	html_textf(out, "session %lld", (long long)session->id);
	fputs(" <span class=\"dot\">&middot;</span> ", out);
	html_text(session->started, out);
	fputs(
	    " <span class=\"dot\">&middot;</span> <span class=\"state\">", out);
	html_text(session->state, out);
	fputs("</span></p>\n"
	      "<nav aria-label=\"Parts of this page\">"
	      "<a href=\"#recommendation\">Recommendation</a> "
	      "<a href=\"#charts\">Charts</a> <a href=\"#trials\">Trials</a> "
	      "<a href=\"#machine\">Machine</a> "
	      "<a href=\"#how\">How to read this page</a> "
	      "<a href=\"#pipeline\">Pipeline</a></nav>\n</header>\n<main>\n",
	    out);
	write_state(page);
}

/* ---- recommendation ---- */

static void write_tile(
    const struct page *page, const char *value, const char *name)
{
	fputs("<div class=\"tile\">", page->out);
	html_element("b", value, page->out);
	html_element("span", name, page->out);
	fputs("</div>\n", page->out);
}

static void write_tiles(const struct page *page)
{
	const struct advice *advice = &page->facts->advice;
	const struct candidate *winner = advice->winner;
	char text[UNITS_TEXT], times[2 * UNITS_TEXT];

	fputs("<div class=\"tiles\">\n", page->out);
	write_tile(page, units_number(winner->trial.throughput.median, text),
	    "samples/s");
	if (advice->unprocessed && advice->unprocessed != winner) {
		snprintf(times, sizeof(times), "%.3g\xc3\x97",
		    advice->speedup_over_unprocessed);
		write_tile(page, times, "as fast as unprocessed");
	}
	if (advice->yours.candidate) {
		snprintf(times, sizeof(times), "%.3g\xc3\x97",
		    advice->yours.speedup);
		write_tile(page, times, "as fast as your loader");
	}
	if (!isnan(winner->full.storage_bytes))
		write_tile(page, units_bytes(winner->full.storage_bytes, text),
		    "storage of the full dataset");
	if (!isnan(winner->full.prep_s))
		write_tile(page, units_time(winner->full.prep_s, text),
		    "preparation of the full dataset");
	fputs("</div>\n", page->out);
}

static int write_recommendation(const struct page *page, struct error *err)
{
	const struct request request = request_default();
	const struct recommend_page form = { .format = FORMAT_HTML,
		.out = page->out };
	int rc = 0;

	fputs("<section id=\"recommendation\">\n<h2>Recommendation</h2>\n",
	    page->out);
	if (page->facts->nothing.code != ERROR_NONE) {
		html_element(
		    "p class=\"notice\"", page->facts->nothing.text, page->out);
	} else {
		write_tiles(page);
		rc =
		    recommend_session(&page->facts->data, &request, &form, err);
	}
	fputs("</section>\n", page->out);
	return rc;
}

/* ---- charts ---- */

/* Draws it for wide screens and for phones; the style sheet shows one. */
static int write_chart(
    const struct page *page, const struct chart_ops *ops, struct error *err)
{
	char id[64];
	struct chart_form form = { .id = id, .has_links = true };

	fprintf(page->out, "<figure id=\"chart-%s\">\n<figcaption>", ops->name);
	html_element("h3", ops->title, page->out);
	if (!ops->is_there(page->facts)) {
		html_element("p", ops->missing, page->out);
		fputs("</figcaption>\n</figure>\n", page->out);
		return 0;
	}
	html_element("p", ops->explanation, page->out);
	fputs("</figcaption>\n", page->out);
	for (int narrow = 0; narrow < 2; narrow++) {
		snprintf(id, sizeof(id), "%s-%s", ops->name,
		    narrow ? "narrow" : "wide");
		form.is_narrow = narrow;
		if (chart_draw(ops, page->facts, &form, page->out, err))
			return -1;
	}
	fputs("</figure>\n", page->out);
	return 0;
}

static int write_charts(const struct page *page, struct error *err)
{
	const struct chart_ops *ops;
	int rc = 0;

	fputs("<section id=\"charts\">\n<h2>Charts</h2>\n", page->out);
	for (size_t i = 0; rc == 0 && (ops = chart_at(i)); i++)
		rc = write_chart(page, ops, err);
	fputs("</section>\n", page->out);
	return rc;
}

/* ---- machine, help, pipeline ---- */

static bool has_messages(const struct facts *facts)
{
	const struct grid *report = &facts->data.trials;

	for (size_t row = 0; row < report->row_count; row++)
		if (*grid_text(report, row, "message"))
			return true;
	return false;
}

static int write_messages(
    const struct page *page, const struct report_page *lines, struct error *err)
{
	const int64_t session = page->facts->session.id;
	int rc = report_page_drift(lines, session, err);

	if (rc || !has_messages(page->facts))
		return rc;
	fputs("<h3>Why trials failed or were skipped</h3>\n"
	      "<ul class=\"messages\">\n",
	    page->out);
	rc = report_page_messages(lines, session, err);
	fputs("</ul>\n", page->out);
	return rc;
}

static void write_setting(
    const struct report_page *lines, const char *name, const char *text)
{
	if (text && *text)
		report_page_line(lines, name, text);
}

static int write_machine(
    const struct page *page, const struct report_page *lines, struct error *err)
{
	const struct session_record *session = &page->facts->session;
	char text[256];
	int rc;

	fputs("<section id=\"machine\">\n<h2>Machine and settings</h2>\n<dl>\n",
	    page->out);
	rc = report_head_lines(lines, session, &page->facts->data.trials, err);
	snprintf(text, sizeof(text), "%u samples per batch, seed %llu",
	    session->info.batch, (unsigned long long)session->info.seed);
	write_setting(lines, "settings", text);
	write_setting(lines, "compiler", session->info.machine.compiler);
	write_setting(lines, "libraries", session->info.machine.libraries);
	write_setting(lines, "work folder", session->info.work_dir);
	write_setting(lines, "ended", session->ended);
	fputs("</dl>\n</section>\n", page->out);
	return rc;
}

static void write_foot(const struct page *page)
{
	const struct session_info *info = &page->facts->session.info;
	FILE *out = page->out;
	char foot[128];

	fputs("<section id=\"how\">\n<h2>How to read this page</h2>\n", out);
	fputs(asset_help_html, out);
	fputs("</section>\n<section id=\"pipeline\">\n<h2>Pipeline</h2>\n<p>",
	    out);
	html_text(*info->path ? info->path : info->pipeline, out);
	fputs("</p>\n<pre tabindex=\"0\">", out);
	html_text(info->text, out);
	fputs("</pre>\n</section>\n</main>\n", out);
	snprintf(foot, sizeof(foot), "presto %s, measured with %s",
	    PRESTO_VERSION, page->facts->session.version);
	frame_end(foot, asset_page_js, out);
}

static int write_page(const struct page *page, struct error *err)
{
	const struct report_page lines = {
		.results = page->results, .html = true, .out = page->out
	};

	write_head(page);
	write_header(page);
	if (write_recommendation(page, err) || write_charts(page, err) ||
	    page_trials(page->facts, page->out, err) ||
	    write_messages(page, &lines, err) ||
	    page_details(page->facts, page->out, err))
		return -1;
	fputs("</section>\n", page->out); /* end of the section of trials */
	if (write_machine(page, &lines, err))
		return -1;
	write_foot(page);
	return 0;
}

int page_write(
    struct results *results, int64_t session, FILE *out, struct error *err)
{
	struct facts facts = FACTS_INIT;
	const struct page page = {
		.facts = &facts, .results = results, .out = out
	};
	int rc = facts_read(&facts, results, session, err);

	if (rc == 0)
		rc = write_page(&page, err);
	facts_release(&facts);
	return rc;
}

int page_plot(struct results *results, int64_t session, unsigned chart,
    FILE *out, struct error *err)
{
	const struct chart_ops *ops = chart_at(chart);
	const struct chart_form form = { .id = "presto",
		.css = asset_chart_css };
	struct facts facts = FACTS_INIT;
	int rc = facts_read(&facts, results, session, err);

	if (rc == 0 && !ops->is_there(&facts))
		rc = error_set(err, ERROR_DATA, "no chart '%s': %s", ops->name,
		    ops->missing);
	else if (rc == 0)
		rc = chart_draw(ops, &facts, &form, out, err);
	facts_release(&facts);
	return rc;
}
