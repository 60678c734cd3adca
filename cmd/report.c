/* report.c - the results as a table, CSV, JSON or Markdown. */
#include "cmd/report.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/benchmarks.h"
#include "cmd/cmd.h"
#include "cmd/human.h"
#include "cmd/report_page.h"
#include "cmd/writers/csv.h"
#include "cmd/writers/json.h"
#include "cmd/writers/markdown.h"
#include "cmd/writers/table.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/option.h"
#include "lib/base/path.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"

struct args {
	bool csv, json, markdown;
	const char *db, *output, *session;
	unsigned form, what;
};

enum what {
	WHAT_STRATEGIES,
	WHAT_RUNS,
	WHAT_STEPS,
	WHAT_PHASES,
	WHAT_LEVELS,
	WHAT_SYSTEM
};

static const struct option options[] = {
	OPTION(FLAG, "csv", 0, struct args, csv, NULL,
	    "as RFC 4180, the columns of presto-report(1)"),
	OPTION(TEXT, "db", 0, struct args, db, "FILE",
	    "result database (default: $PRESTO_DB, else presto.db)"),
	OPTION_WORDS("form", struct args, form, BENCHMARKS_FORMS,
	    "with --json, what a CI service reads (default: none)"),
	OPTION(FLAG, "json", 0, struct args, json, NULL,
	    "with every run, the machine and the pipeline"),
	OPTION(FLAG, "markdown", 0, struct args, markdown, NULL,
	    "as a table for a pull request"),
	OPTION(TEXT, "output", 'o', struct args, output, "FILE",
	    "where it goes; - is stdout (default: -)"),
	OPTION(TEXT, "session", 0, struct args, session, "ID",
	    "number of the session, or all (default: the newest)"),
	OPTION_WORDS("what", struct args, what,
	    "strategies|runs|steps|phases|levels|system",
	    "which table (default: strategies)"),
	OPTION_TABLE_END,
};

static const enum results_view views[] = {
	[WHAT_STRATEGIES] = RESULTS_REPORT,
	[WHAT_RUNS] = RESULTS_RUNS,
	[WHAT_STEPS] = RESULTS_STEPS,
	[WHAT_PHASES] = RESULTS_PHASES,
	[WHAT_LEVELS] = RESULTS_LEVELS,
	[WHAT_SYSTEM] = RESULTS_SYSTEM,
};

static const enum human_table human_tables[] = {
	[WHAT_STRATEGIES] = HUMAN_TRIALS,
	[WHAT_RUNS] = HUMAN_RUNS,
	[WHAT_STEPS] = HUMAN_STEPS,
	[WHAT_PHASES] = HUMAN_PHASES,
	[WHAT_LEVELS] = HUMAN_LEVELS,
	[WHAT_SYSTEM] = HUMAN_SYSTEM,
};

/* ---- for people ---- */

/* The most samples that an epoch passed over, with on_error = skip. */
static int count_skipped(const struct report_page *page, int64_t session,
    double *skipped, struct error *err)
{
	struct grid runs = GRID_INIT;
	int rc = results_read(page->results, RESULTS_RUNS, session, &runs, err);

	*skipped = 0;
	for (size_t i = 0; i < runs.row_count; i++)
		*skipped = fmax(*skipped, grid_number(&runs, i, "skipped"));
	grid_release(&runs);
	return rc;
}

static void print_data(const struct report_page *page,
    const struct session_info *info, double skipped)
{
	char taken[UNITS_TEXT], all[UNITS_TEXT], full[UNITS_TEXT];
	char left[UNITS_TEXT], text[1024];

	snprintf(text, sizeof(text),
	    "%s of %s sample%s%s%s%s, extrapolated to %s%s%s%s%s%s",
	    units_number((double)info->samples, taken),
	    units_number((double)info->total_samples, all),
	    info->total_samples == 1 ? "" : "s", skipped > 0 ? ", " : "",
	    skipped > 0 ? units_number(skipped, left) : "",
	    skipped > 0 ? " skipped" : "",
	    units_number((double)info->full_samples, full),
	    *info->dataset || *info->source_fs ? "; " : "", info->dataset,
	    *info->source_fs ? " (" : "", info->source_fs,
	    *info->source_fs ? ")" : "");
	report_page_line(page, "data", text);
}

static void print_machine(
    const struct report_page *page, const struct session_record *record)
{
	const struct machine *machine = &record->info.machine;
	const uint64_t memory =
	    machine->memory_limit &&
	            machine->memory_limit < machine->memory_bytes
	        ? machine->memory_limit
	        : machine->memory_bytes;
	char text[512], bytes[UNITS_TEXT];

	snprintf(text, sizeof(text),
	    "%s, %u %s, %s of memory; %s%s%s; presto %s",
	    *machine->cpu ? machine->cpu : "unknown CPU", machine->cores,
	    machine->cores == 1 ? "core" : "cores",
	    units_bytes((double)memory, bytes), machine->kernel,
	    *machine->virtual ? ", virtual: " : "", machine->virtual,
	    record->version);
	report_page_line(page, "machine", text);
}

static void print_storage(
    const struct report_page *page, const struct session_info *info)
{
	const struct storage_limits *limits = &info->limits;
	char text[512], number[UNITS_TEXT];
	size_t used;

	if (limits->bandwidth <= 0 && limits->latency <= 0 &&
	    limits->iops <= 0 && limits->open <= 0) {
		if (*info->work_fs)
			report_page_line(page, "storage", info->work_fs);
		return;
	}
	used = (size_t)snprintf(text, sizeof(text), "emulated");
	if (limits->bandwidth > 0)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    ", %s/s", units_bytes(limits->bandwidth, number));
	if (limits->latency > 0)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    ", %s a request", units_time(limits->latency, number));
	if (limits->iops > 0)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    ", %s requests/s", units_number(limits->iops, number));
	if (limits->open > 0)
		snprintf(text + used, sizeof(text) - used, ", %s a file",
		    units_time(limits->open, number));
	report_page_line(page, "storage", text);
}

/* What the table leaves out, being the same for all trials. */
static void print_load(
    const struct report_page *page, const struct grid *raw, int64_t session)
{
	char threads[HUMAN_CELL], cache[HUMAN_CELL], text[3 * HUMAN_CELL];
	const bool one_way = human_common(raw, session, "threads", threads);
	const bool one_cache = human_common(raw, session, "cache", cache);

	snprintf(text, sizeof(text), "%s%s%s%s%s", threads,
	    !one_way                    ? ""
	    : strcmp(threads, "1") == 0 ? " thread"
	                                : " threads",
	    one_way && one_cache ? ", " : "", one_cache ? "cache " : "", cache);
	if (*text)
		report_page_line(page, "load", text);
}

static void print_head(const struct report_page *page,
    const struct session_record *record, double skipped)
{
	char text[512];

	snprintf(text, sizeof(text), "%s, session %lld, %s, %s",
	    record->info.pipeline, (long long)record->id, record->started,
	    record->state);
	fputs(page->markdown ? "### " : "", page->out);
	report_page_text(page, text);
	fputs(page->markdown ? "\n\n" : "\n", page->out);
	print_data(page, &record->info, skipped);
	print_machine(page, record);
	print_storage(page, &record->info);
}

static int print_session(const struct report_page *page, const struct grid *raw,
    int64_t session, struct error *err)
{
	struct session_record record = SESSION_RECORD_INIT;
	struct grid table = GRID_INIT;
	double skipped;
	int rc = -1;

	if (results_read_session(page->results, session, &record, err) ||
	    count_skipped(page, session, &skipped, err) ||
	    human_table(human_tables[page->what], raw, session, &table, err))
		goto done;
	print_head(page, &record, skipped);
	print_load(page, raw, session);
	if (report_page_time(page, session, err))
		goto done;
	fputc('\n', page->out);
	if (!table.row_count)
		report_page_text(page, "Nothing of this was noted.\n");
	else if (page->markdown)
		markdown_write(&table, page->out);
	else
		table_write(&table, page->out);
	rc = report_page_messages(page, session, err) ||
	             (!page->told && report_page_warnings(page, session, err))
	         ? -1
	         : 0;
done:
	grid_release(&table);
	session_record_release(&record);
	return rc;
}

/* One session after the other; 0: all that are in the view. */
static int print_page(
    const struct report_page *page, int64_t session, struct error *err)
{
	struct grid raw = GRID_INIT;
	int64_t last = session;
	int rc =
	    results_read(page->results, views[page->what], session, &raw, err);

	if (rc == 0 && session)
		rc = print_session(page, &raw, session, err);
	for (size_t i = 0; rc == 0 && !session && i < raw.row_count; i++) {
		const int64_t its = (int64_t)grid_number(&raw, i, "session");

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
	int rc = results_read(results, views[args->what], session, &raw, err);

	if (rc == 0 && args->csv)
		csv_write(&raw, out);
	else if (rc == 0)
		rc = json_write_grid(&raw, out, err);
	grid_release(&raw);
	return rc;
}

static int print_any(const struct args *args, struct results *results,
    int64_t session, FILE *out, struct error *err)
{
	const struct report_page page = { .results = results,
		.markdown = args->markdown,
		.what = args->what,
		.out = out };

	if (args->form)
		return benchmarks_print(results, session,
		    (enum benchmarks_form)args->form, out, err);
	if (args->json && args->what == WHAT_STRATEGIES)
		return report_print_json(results, session, out, err);
	if (args->csv || args->json)
		return print_raw(args, results, session, out, err);
	return print_page(&page, session, err);
}

/* ---- the command ---- */

/* The file is complete or as it was. */
static int print_to_file(const struct args *args, struct results *results,
    int64_t session, struct error *err)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int rc;

	if (!out)
		return error_memory(err, len);
	rc = print_any(args, results, session, out, err);
	if (fclose(out) && rc == 0)
		rc = error_memory(err, len);
	if (rc == 0)
		rc = path_write(args->output,
		    (struct span){ .data = (unsigned char *)text, .len = len },
		    err);
	free(text);
	return rc;
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

/* The names of two sessions would be the same. */
static int check_form(const struct args *args, struct error *err)
{
	if (args->json && args->what == WHAT_STRATEGIES &&
	    !(args->session && strcmp(args->session, "all") == 0))
		return 0;
	return error_set(err, ERROR_USAGE,
	    "--form needs --json, of the strategies of one session");
}

static int report(
    const void *arg, char **operands, int count, struct error *err)
{
	const struct args *args = arg;
	struct results *results;
	int64_t session = 0;
	int rc = -1;

	UNUSED(operands);
	UNUSED(count);
	if (args->csv + args->json + args->markdown > 1)
		return error_set(err, ERROR_USAGE,
		    "--csv, --json and --markdown: one of them");
	if (args->form && check_form(args, err))
		return -1;
	results = results_open(cmd_database(args->db), false, err);
	if (!results)
		return -1;
	if (pick_session(args, results, &session, err))
		goto done;
	if (args->output && strcmp(args->output, "-") != 0)
		rc = print_to_file(args, results, session, err);
	else
		rc = print_any(args, results, session, stdout, err);
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
	.run = report,
};
