/* report.c - presto report: the results in a format, or as a chart. */
#include "cmd/report/report.h"

#include <stdbool.h>
#include <string.h>

#include "cmd/page/page.h"
#include "cmd/page/plot.h"
#include "cmd/program/cmd.h"
#include "cmd/program/output.h"
#include "cmd/program/private.h"
#include "cmd/program/terminal.h"
#include "cmd/program/wrap.h"
#include "cmd/report/bars.h"
#include "cmd/report/benchmarks.h"
#include "cmd/report/drift.h"
#include "cmd/report/head.h"
#include "cmd/report/hosts.h"
#include "cmd/report/human.h"
#include "cmd/report/page.h"
#include "cmd/report/trace.h"
#include "cmd/writers/format.h"
#include "cmd/writers/markdown.h"
#include "cmd/writers/table.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/derived.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "lib/db/results_read.h"
#include "lib/syntax/option.h"
#include "strategies/decide/derive.h"

struct args {
	struct format_args format;
	const char *db, *html, *output, *plot, *session, *strategy, *trace;
	unsigned chart, form, what;
	bool private, rebuild, warnings;
};

enum what {
	WHAT_STRATEGIES,
	WHAT_RUNS,
	WHAT_STEPS,
	WHAT_PHASES,
	WHAT_LEVELS,
	WHAT_SYSTEM,
	WHAT_HOSTS
};

static const struct option options[] = {
	OPTION_WORDS("chart", struct args, chart,
	    "storage|throughput|steps|epochs",
	    "chart that --plot draws (default: storage)"),
	OPTION(FLAG, "csv", 0, struct args, format.csv, NULL,
	    "print CSV with the columns of presto-report(1)"),
	OPTION_DB(struct args, "read results from"),
	OPTION_WORDS("form", struct args, form, BENCHMARKS_FORMS,
	    "print JSON for a CI service (default: none)"),
	OPTION_WORDS("format", struct args, format.word, FORMAT_WORDS,
	    "print in this format (default: text)"),
	OPTION(TEXT, "html", 0, struct args, html, "FILE",
	    "write a page with charts that needs no other file; - is stdout"),
	OPTION(FLAG, "json", 0, struct args, format.json, NULL,
	    "print JSON with every run, the machine and the pipeline"),
	OPTION(FLAG, "markdown", 0, struct args, format.markdown, NULL,
	    "print a Markdown table, such as for a pull request"),
	OPTION_OUTPUT(struct args),
	OPTION(TEXT, "plot", 0, struct args, plot, "FILE",
	    "draw one chart: FILE.svg or FILE.png; - is SVG to stdout"),
	OPTION_PRIVATE(struct args),
	OPTION(FLAG, "rebuild", 0, struct args, rebuild, NULL,
	    "compute the figures in the database anew, then print"),
	OPTION(TEXT, "session", 0, struct args, session, "ID",
	    "number of the session, or all (default: the newest)"),
	OPTION(TEXT, "strategy", 0, struct args, strategy, "LABEL",
	    "strategy that --trace writes (default: the best, and "
	    "unprocessed)"),
	OPTION(TEXT, "trace", 0, struct args, trace, "FILE",
	    "write the events of a traced epoch, for Perfetto or "
	    "chrome://tracing"),
	OPTION(FLAG, "warnings", 0, struct args, warnings, NULL,
	    "print the warnings of the session, not only their number"),
	OPTION_WORDS("what", struct args, what,
	    "strategies|runs|steps|phases|levels|system|hosts",
	    "print this table (default: strategies)"),
	OPTION_TABLE_END,
};

static const struct args defaults = { .format = { .word = FORMAT_NOT_GIVEN } };

static const enum results_view views[] = {
	[WHAT_STRATEGIES] = RESULTS_REPORT,
	[WHAT_RUNS] = RESULTS_RUNS,
	[WHAT_STEPS] = RESULTS_STEPS,
	[WHAT_PHASES] = RESULTS_PHASES,
	[WHAT_LEVELS] = RESULTS_LEVELS,
	[WHAT_SYSTEM] = RESULTS_SYSTEM,
	[WHAT_HOSTS] = RESULTS_HOSTS,
};

static const enum human_table human_tables[] = {
	[WHAT_STRATEGIES] = HUMAN_TRIALS,
	[WHAT_RUNS] = HUMAN_RUNS,
	[WHAT_STEPS] = HUMAN_STEPS,
	[WHAT_PHASES] = HUMAN_PHASES,
	[WHAT_LEVELS] = HUMAN_LEVELS,
	[WHAT_SYSTEM] = HUMAN_SYSTEM,
	[WHAT_HOSTS] = HUMAN_HOSTS,
};

/* ---- for people ---- */

static void print_title(
    const struct report_page *page, const struct session_record *record)
{
	char text[512];

	snprintf(text, sizeof(text), "%s, session %lld, %s, %s",
	    record->info.pipeline, (long long)record->id, record->started,
	    record->state);
	if (page->markdown) {
		fputs("### ", page->out);
		markdown_write_text(text, page->out);
		fputs("\n\n", page->out);
		return;
	}
	wrap_write(text, 0, 2, terminal_columns(page->out), page->out);
	fputc('\n', page->out);
}

/* Prints a table; trials on a terminal get bars. */
static int print_table(const struct report_page *page, const struct grid *raw,
    int64_t session, const struct grid *table, struct error *err)
{
	const struct bars bars = bars_of_output(page->out);
	struct table_column columns[TABLE_COLUMNS];
	const struct table_page narrow = {
		.width = bars.columns, .columns = columns, .all = "--format csv"
	};
	struct grid with = GRID_INIT;
	int rc;

	if (page->markdown)
		return format_write(FORMAT_MARKDOWN, table, page->out, err);
	if (page->what != WHAT_STRATEGIES || !bars.columns ||
	    table_width(table) > bars.columns) {
		human_fit(human_tables[page->what], columns);
		table_write_page(table, &narrow, page->out);
		return 0;
	}
	rc = bars_table(&bars, raw, session, table, &with, err);
	if (rc == 0)
		rc = format_write(FORMAT_TEXT, &with, page->out, err);
	grid_release(&with);
	return rc;
}

static int print_session(const struct report_page *page, const struct grid *raw,
    int64_t session, struct error *err)
{
	struct session_record record = SESSION_RECORD_INIT;
	struct grid table = GRID_INIT;
	int rc = -1;

	if (results_read_session(page->results, session, &record, err) ||
	    human_table(human_tables[page->what], raw, session, &table, err))
		goto done;
	print_title(page, &record);
	if (report_head_lines(page, &record, raw, err))
		goto done;
	fputc('\n', page->out);
	if (!table.row_count)
		fputs("This was not measured.\n", page->out);
	else if (print_table(page, raw, session, &table, err))
		goto done;
	rc = report_page_messages(page, session, err) ||
	             (page->what == WHAT_STRATEGIES &&
	                 (report_hosts_print(page, session, err) ||
	                     report_page_drift(page, session, err))) ||
	             (!page->told && report_page_warnings(page, session, err))
	         ? -1
	         : 0;
done:
	grid_release(&table);
	session_record_release(&record);
	return rc;
}

/* A table for people says what `auto` has found, which no column of CSV has. */
static enum results_view human_view(unsigned what)
{
	return what == WHAT_STRATEGIES ? RESULTS_TRIALS : views[what];
}

/* The epochs of hosts are many: they are summed up. */
static int read_view(struct results *results, enum results_view view,
    int64_t session, struct grid *grid, struct error *err)
{
	return view == RESULTS_HOSTS
	           ? report_hosts_read(results, session, grid, err)
	           : results_read(results, view, session, grid, err);
}

/* Prints one session after the other; 0: all in the view. */
static int print_page(
    const struct report_page *page, int64_t session, struct error *err)
{
	struct grid raw = GRID_INIT;
	int64_t last = session;
	int rc = read_view(
	    page->results, human_view(page->what), session, &raw, err);

	if (rc == 0 && session)
		rc = print_session(page, &raw, session, err);
	for (size_t i = 0; rc == 0 && !session && i < raw.row_count; i++) {
		const int64_t its = grid_integer(&raw, i, "session");

		if (its == last)
			continue;
		fputs(last ? "\n" : "", page->out);
		rc = print_session(page, &raw, its, err);
		last = its;
	}
	grid_release(&raw);
	return rc;
}

int report_print(
    struct results *results, int64_t session, FILE *out, struct error *err)
{
	const struct report_page page = {
		.results = results, .told = true, .out = out
	};

	return print_page(&page, session, err);
}

/* ---- for programs ---- */

static int print_raw(const struct args *args, struct results *results,
    int64_t session, FILE *out, struct error *err)
{
	struct grid raw = GRID_INIT;
	int rc = read_view(results, views[args->what], session, &raw, err);

	if (rc == 0)
		rc = format_write(format_of(&args->format), &raw, out, err);
	grid_release(&raw);
	return rc;
}

static int print_any(const struct args *args, struct results *results,
    int64_t session, FILE *out, struct error *err)
{
	const enum format format = format_of(&args->format);
	const struct report_page page = { .results = results,
		.markdown = format == FORMAT_MARKDOWN,
		.what = args->what,
		.warnings = args->warnings,
		.out = out };

	if (args->form)
		return benchmarks_print(results, session,
		    (enum benchmarks_form)args->form, out, err);
	if (args->trace)
		return report_trace(results, session, args->strategy, out, err);
	if (args->html || format == FORMAT_HTML)
		return page_write(results, session, out, err);
	if (args->plot)
		return plot_write(
		    results, session, args->chart, args->plot, out, err);
	if (format == FORMAT_JSON && args->what == WHAT_STRATEGIES)
		return report_print_json(results, session, out, err);
	if (format == FORMAT_CSV || format == FORMAT_JSON)
		return print_raw(args, results, session, out, err);
	return print_page(&page, session, err);
}

/* ---- the command ---- */

struct printing {
	const struct args *args;
	struct results *results;
	int64_t session;
};

static int print_to(const void *arg, FILE *out, struct error *err)
{
	const struct printing *p = arg;

	return print_any(p->args, p->results, p->session, out, err);
}

static int pick_session(const struct args *args, struct results *results,
    int64_t *session, struct error *err)
{
	uint64_t wanted = 0;
	int64_t newest;

	if (!args->session)
		return results_pick_session(results, 0, session, err);
	if (strcmp(args->session, "all") == 0) {
		*session = 0;
		return results_pick_session(results, 0, &newest, err);
	}
	if (units_parse_uint(args->session, &wanted) || !wanted ||
	    wanted > INT64_MAX)
		return error_set(err, ERROR_USAGE,
		    "--session must be a number or all, got '%s'",
		    args->session);
	return results_pick_session(results, (int64_t)wanted, session, err);
}

/* In a CI form, two sessions would have the same names. */
static int check_form(const struct args *args, struct error *err)
{
	if (format_of(&args->format) == FORMAT_JSON &&
	    args->what == WHAT_STRATEGIES &&
	    !(args->session && strcmp(args->session, "all") == 0))
		return 0;
	return error_set(err, ERROR_USAGE,
	    "--form needs --format json, and the strategies of one session");
}

/* Options that choose what is written, and where. */
static int check_outputs(const struct args *args, struct error *err)
{
	if (format_count(&args->format) + !!args->html + !!args->plot +
	        !!args->trace >
	    1)
		return error_set(err, ERROR_USAGE,
		    "give only one of --csv, --format, --html, --json, "
		    "--markdown, --plot and --trace");
	if ((args->html || args->plot || args->trace) && args->output)
		return error_set(err, ERROR_USAGE,
		    "--output does not go with --html, --plot and --trace, "
		    "which name their own file");
	return 0;
}

static int check_args(const struct args *args, struct error *err)
{
	const bool is_page = args->html || args->plot || args->trace ||
	                     format_of(&args->format) == FORMAT_HTML;

	if (is_page && args->what)
		return error_set(err, ERROR_USAGE,
		    "--what does not go with HTML, --plot and --trace, which "
		    "choose their own tables");
	if (args->chart && !args->plot)
		return error_set(err, ERROR_USAGE, "--chart needs --plot");
	if (args->strategy && !args->trace)
		return error_set(err, ERROR_USAGE, "--strategy needs --trace");
	if (is_page && args->session && strcmp(args->session, "all") == 0)
		return error_set(err, ERROR_USAGE,
		    "--session all does not go with HTML, --plot and --trace: "
		    "give the number of one session");
	return 0;
}

static const char *output_path(const struct args *args)
{
	const char *const paths[] = { args->html, args->plot, args->trace };

	for (size_t i = 0; i < ARRAY_LEN(paths); i++)
		if (paths[i])
			return paths[i];
	return args->output;
}

/* Opening it as a reader says whether there is a database, and makes none. */
static int rebuild(const char *path, struct error *err)
{
	struct results *results = results_open(path, false, err);
	size_t count = 0;
	int rc = -1;

	if (!results)
		return -1;
	results_close(results);
	results = results_open(path, true, err);
	if (results) {
		results_set_rule(results, &derive_rule);
		rc = results_rebuild(results, &count, err);
	}
	results_close(results);
	if (rc == 0)
		cmd_note("computed the figures of %zu session%s again", count,
		    count == 1 ? "" : "s");
	return rc;
}

static int report(
    const void *arg, char **operands, int count, struct error *err)
{
	const struct args *args = arg;
	const char *path = output_path(args);
	struct results *results;
	int64_t session = 0;
	int rc = -1;

	UNUSED(operands);
	UNUSED(count);
	if (check_outputs(args, err) || check_args(args, err) ||
	    (args->form && check_form(args, err)) || output_check(path, err) ||
	    (args->plot && plot_check(args->plot, err)))
		return -1;
	if (args->rebuild && rebuild(cmd_database(args->db), err))
		return -1;
	results = derive_open(cmd_database(args->db), false, err);
	if (!results)
		return -1;
	if ((args->private && results_hide(results, err)) ||
	    pick_session(args, results, &session, err))
		goto done;
	rc = output_to(
	    path, print_to, &(struct printing){ args, results, session }, err);
done:
	results_close(results);
	return rc;
}

const struct cmd cmd_report = {
	.name = "report",
	.summary = "print what was measured",
	.usage = "",
	.options = options,
	.args_size = sizeof(struct args),
	.defaults = &defaults,
	.run = report,
};
