/* text.c - a recommendation for people, as text and Markdown. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "cmd/html/html.h"
#include "cmd/program/terminal.h"
#include "cmd/recommend/findings.h"
#include "cmd/recommend/recommend.h"
#include "cmd/report/human.h"
#include "cmd/writers/markdown.h"
#include "cmd/writers/table.h"
#include "lib/base/bytes.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "strategies/decide/advice.h"
#include "strategies/decide/rank.h"
#include "strategies/trial/bottleneck.h"

enum { LINE = 1024, TIED_SHOWN = 3 };

static bool is_markdown(const struct findings *f)
{
	return f->page->format == FORMAT_MARKDOWN;
}

static bool is_html(const struct findings *f)
{
	return f->page->format == FORMAT_HTML;
}

void recommend_say(
    const struct findings *f, const char *name, const char *format, ...)
{
	char line[LINE], head[32];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (is_html(f)) {
		html_term(name, line, f->page->out);
		return;
	}
	if (is_markdown(f)) {
		markdown_write_item(name, line, f->page->out);
		return;
	}
	snprintf(head, sizeof(head), "  %-13s", name);
	terminal_print(f->page->out, head, "%s", line);
}

/* A command is copied by the user: it is never cut, broken or escaped. */
static void say_command(
    const struct findings *f, const char *name, const char *command)
{
	FILE *out = f->page->out;

	if (!command)
		return;
	if (is_html(f)) {
		html_term(name, command, out);
	} else if (is_markdown(f)) {
		fputs("- ", out);
		markdown_write_text(name, out);
		fputs(": ", out);
		markdown_write_code(command, out);
		fputc('\n', out);
	} else {
		terminal_line(out, "  %-13s%s", name, command);
	}
}

/* " (95 %: 990 to 1 010)"; one run has no interval, a few none of 95 %. */
static const char *interval_or(
    double low, double high, double runs, char text[LINE / 2])
{
	char from[UNITS_TEXT], to[UNITS_TEXT];

	if (!(low < high))
		return "";
	snprintf(text, LINE / 2, " (%s%s to %s)",
	    runs > FEW_RUNS    ? "95 %: "
	    : runs <= FEW_RUNS ? "lowest to highest: "
	                       : "",
	    units_number(low, from), units_number(high, to));
	return text;
}

/* The runs by which the winner is judged where its data outgrows the memory. */
static const char *how_judged(const struct candidate *winner)
{
	switch (winner->full.judged_by) {
	case JUDGED_BY_COLD_TRIAL:
		return ", not cached";
	case JUDGED_BY_FIRST_EPOCHS:
		return ", not cached, as in its first epochs";
	case JUDGED_BY_ITS_RUNS:
	case JUDGED_BY_NOTHING:
		break;
	}
	return "";
}

static void say_throughput(const struct findings *f)
{
	const struct candidate *winner = f->advice->winner;
	const struct throughput *rate = &winner->trial.throughput;
	const struct full_figures *full = &winner->full;
	char number[UNITS_TEXT], interval[LINE / 2];

	recommend_say(f, "throughput", "%s samples/s%s",
	    units_number(rate->median, number),
	    interval_or(rate->low, rate->high, rate->counted, interval));
	if (full->judged_by == JUDGED_BY_NOTHING)
		recommend_say(f, "in full",
		    "at most that: it was measured only while its data stayed "
		    "in memory");
	else if (full->outgrows_memory)
		recommend_say(f, "in full", "%s samples/s%s%s",
		    units_number(full->throughput, number),
		    full->is_assumed ? ""
		                     : interval_or(full->low, full->high,
		                           full->runs, interval),
		    how_judged(winner));
}

/* The knee is where more hosts begin to wait.  Cached data is not read. */
static void say_together(const struct findings *f)
{
	const struct hosts_throughput *all =
	    &f->advice->winner->trial.throughput.together;
	char mb[UNITS_TEXT];

	if (all->hosts > 1 && all->mb_per_s > 0)
		recommend_say(f, "together",
		    "read by %.0f hosts: %s MB/s in total, knee at %.0f",
		    all->hosts, units_number(all->mb_per_s, mb), all->knee);
}

static void print_heading(const struct findings *f)
{
	const struct candidate *winner = f->advice->winner;
	FILE *out = f->page->out;
	char load[LINE], cache[FIGURES_CACHE], swept[LOAD_FIGURES_TEXT];

	snprintf(load, sizeof(load), "%u %s, cache %s%s%s",
	    winner->trial.threads,
	    winner->trial.threads > 1 ? "threads" : "thread",
	    figures_cache_words(&winner->trial, cache),
	    load_figures_words(&winner->trial.load, swept),
	    f->settle ? "; not settled" : "");
	if (is_html(f)) {
		fputs("<p class=\"pick\">", out);
		html_element("b", winner->trial.strategy, out);
		html_element("span", load, out);
		fputs("</p>\n", out);
	} else if (is_markdown(f)) {
		fputs("### recommended: ", out);
		markdown_write_text(winner->trial.strategy, out);
		fputs(", ", out);
		markdown_write_text(load, out);
		fputs("\n\n", out);
	} else {
		terminal_line(
		    out, "recommended: %s, %s", winner->trial.strategy, load);
		fputc('\n', out);
	}
}

static void say_winner(const struct findings *f)
{
	const struct candidate *winner = f->advice->winner;

	say_command(f, "to settle it", f->settle);
	if (*f->advice->open)
		recommend_say(f, "open", "%s", f->advice->open);
	if (candidate_is_unprocessed(winner))
		recommend_say(f, "do nothing", "%s", f->advice->nothing);
	say_throughput(f);
	say_together(f);
	if (*winner->trial.emulated_storage)
		recommend_say(f, "emulated",
		    "a storage of %s: the figures do not hold for the real one",
		    winner->trial.emulated_storage);
}

static bool has_modes(const struct ranking *ranking)
{
	for (size_t i = 1; i < ranking->count; i++)
		if (ranking->list[i].trial.cache !=
		    ranking->list[0].trial.cache)
			return true;
	return false;
}

/* Tells which of several cache modes is ranked. */
static void say_assumed(const struct findings *f)
{
	const enum cache_mode cache = f->ranking->cache;

	if (!has_modes(f->ranking))
		return;
	if (cache == CACHE_NONE)
		recommend_say(f, "assumes",
		    "a dataset larger than memory: every epoch is read from "
		    "storage (cache none)");
	else if (cache == CACHE_DISK)
		recommend_say(f, "assumes",
		    "a dataset that the local disk keeps from the first epoch "
		    "on, where it fits (cache disk)");
	else
		recommend_say(f, "assumes",
		    "a dataset that stays in memory after the first epoch, "
		    "where it fits (cache %s)",
		    cache_word(cache));
}

static void say_speedups(const struct findings *f)
{
	const struct advice *a = f->advice;
	char over_base[LINE / 3] = "", over_full[LINE / 3] = "";
	char over_yours[LINE / 3] = "";
	char rate[UNITS_TEXT];

	if (a->unprocessed && a->unprocessed != a->winner)
		snprintf(over_base, sizeof(over_base),
		    "%.3g times unprocessed (%s samples/s)",
		    a->speedup_over_unprocessed,
		    units_number(a->unprocessed->full.throughput, rate));
	if (a->full && a->full != a->winner)
		snprintf(over_full, sizeof(over_full),
		    "%.3g times fully preprocessed (%s, %s samples/s)",
		    a->speedup_over_full, a->full->trial.strategy,
		    units_number(a->full->full.throughput, rate));
	if (a->yours.candidate)
		snprintf(over_yours, sizeof(over_yours),
		    "%s%.3g times yours (%s samples/s)", *over_base ? ", " : "",
		    a->yours.speedup,
		    units_number(
		        a->yours.candidate->trial.throughput.median, rate));
	if (*over_base || *over_yours || *over_full)
		recommend_say(f, "speed-up", "%s%s%s%s", over_base, over_yours,
		    (*over_base || *over_yours) && *over_full ? ", " : "",
		    over_full);
}

static const char *bytes_or(double bytes, char text[UNITS_TEXT])
{
	return isnan(bytes) ? "not known" : units_bytes(bytes, text);
}

static const char *time_or(double seconds, char text[UNITS_TEXT])
{
	return isnan(seconds) ? "not known" : units_time(seconds, text);
}

static const char *fits(const struct findings *f)
{
	switch (f->advice->fits_memory) {
	case ANSWER_YES:
		return ", which fits in memory";
	case ANSWER_NO:
		return ", more than the memory";
	case ANSWER_UNKNOWN:
		break;
	}
	return "";
}

static void say_costs(const struct findings *f)
{
	const struct candidate *winner = f->advice->winner;
	const struct candidate *base = f->advice->unprocessed;
	char here[UNITS_TEXT], full[UNITS_TEXT];

	recommend_say(f, "storage",
	    "%s for the samples, %s for the full dataset%s",
	    bytes_or(winner->trial.profiled.storage_bytes, here),
	    bytes_or(winner->full.storage_bytes, full),
	    isnan(f->advice->full_cache_bytes) ? fits(f) : "");
	if (base && base != winner)
		recommend_say(f, "dataset", "%s for the full dataset, as it is",
		    bytes_or(base->full.storage_bytes, full));
	recommend_say(f, "preparation",
	    "%s for the samples, %s for the full dataset",
	    time_or(winner->trial.profiled.prep_s, here),
	    time_or(winner->full.prep_s, full));
	if (!isnan(f->advice->full_cache_bytes))
		recommend_say(f, "memory",
		    "%s for the samples, %s for the full dataset%s",
		    units_bytes(winner->trial.cached.bytes, here),
		    units_bytes(f->advice->full_cache_bytes, full), fits(f));
	if (!isnan(winner->total_s))
		recommend_say(f, "total", "%s for preparation and all epochs",
		    units_time(winner->total_s, here));
}

/* "3 epochs" */
static const char *epochs_or(double epochs, char text[2 * UNITS_TEXT])
{
	char number[UNITS_TEXT];

	if (isnan(epochs))
		return "never";
	snprintf(text, 2 * UNITS_TEXT, "%s%s%s",
	    epochs > EPOCHS_IN_PRACTICE ? "never in practice: " : "",
	    units_number(epochs, number), epochs > 1 ? " epochs" : " epoch");
	return text;
}

static void say_payback(const struct findings *f)
{
	const struct candidate *winner = f->advice->winner;
	const struct candidate *next = f->advice->next;
	char number[2 * UNITS_TEXT], line[LINE];

	if (candidate_is_unprocessed(winner))
		return;
	/* Unprocessed must have been loaded in the same way. */
	snprintf(line, sizeof(line), "%s, against unprocessed",
	    ranking_unprocessed(f->ranking, winner)
	        ? epochs_or(winner->break_even_epochs, number)
	        : "not known");
	if (f->advice->yours.candidate) {
		const size_t used = strlen(line);

		snprintf(line + used, sizeof(line) - used,
		    "; %s, against yours",
		    epochs_or(f->advice->yours.break_even, number));
	}
	if (next && !candidate_is_unprocessed(next)) {
		const size_t used = strlen(line);

		snprintf(line + used, sizeof(line) - used, "; %s, against %s",
		    epochs_or(f->advice->break_even_next, number),
		    next->trial.strategy);
	}
	recommend_say(f, "pays after", "%s", line);
}

/* "cpu:jpeg_decode, 71 %" */
static const char *bottleneck_or(
    const struct candidate *candidate, char text[BOTTLENECK_TEXT])
{
	if (!*candidate->trial.bottleneck)
		return "not known";
	return bottleneck_text(
	    candidate->trial.bottleneck, candidate->trial.evidence, text);
}

static void say_bottleneck(const struct findings *f)
{
	const struct candidate *winner = f->advice->winner;
	const struct candidate *base = f->advice->unprocessed;

	char before[BOTTLENECK_TEXT], now[BOTTLENECK_TEXT];

	if (!base || base == winner)
		recommend_say(
		    f, "bottleneck", "%s", bottleneck_or(winner, now));
	else
		recommend_say(f, "bottleneck", "%s; unprocessed: %s",
		    bottleneck_or(winner, now), bottleneck_or(base, before));
}

static void say_tied(const struct findings *f)
{
	const struct ranking *ranking = f->ranking;
	const char *name =
	    f->advice->winner->sufficient ? "sufficient" : "tied";
	char line[LINE] = "", more[32] = "";
	unsigned shown = 0;

	for (size_t i = 1; i < ranking->count && shown < TIED_SHOWN; i++) {
		const struct candidate *c = &ranking->list[i];
		const size_t used = strlen(line);
		char load[LOAD_FIGURES_TEXT];

		if (!c->tied)
			continue;
		snprintf(line + used, sizeof(line) - used,
		    "%s%s (%u thread%s%s)", shown ? ", " : "",
		    c->trial.strategy, c->trial.threads,
		    c->trial.threads == 1 ? "" : "s",
		    load_figures_words(&c->trial.load, load));
		shown++;
	}
	if (!shown)
		return;
	if (f->advice->tied > shown)
		snprintf(more, sizeof(more), " and %u more",
		    f->advice->tied - shown);
	recommend_say(f, name, "%s%s; %s", line, more,
	    f->request->objective->is_rate ? "the cheaper comes first"
	                                   : "the better median comes first");
}

/* Names the better strategy for another reader, and its option. */
static void say_unread(const struct findings *f)
{
	const struct candidate *c = f->advice->unread;

	if (c)
		recommend_say(f,
		    c->trial.answers.portable == ANSWER_NO ? "presto only"
		                                           : "other reader",
		    "%s (--readable-by any)", f->advice->unread_words);
}

/* Warnings of profile are counted, and printed only on request. */
static int say_told(const struct findings *f, struct error *err)
{
	const size_t count = f->page->brief ? 0 : f->told->row_count;
	struct buf command = BUF_INIT;
	char name[32];

	if (f->page->warnings || is_html(f)) {
		for (size_t i = 0; i < count; i++)
			recommend_say(
			    f, "warning", "%s", grid_text(f->told, i, "text"));
		return 0;
	}
	if (!count)
		return 0;
	if (buf_printf(
	        &command, err, "presto recommend%s --warnings", f->options)) {
		buf_release(&command);
		return -1;
	}
	snprintf(
	    name, sizeof(name), "%zu warning%s", count, count == 1 ? "" : "s");
	say_command(f, name, (const char *)command.data);
	buf_release(&command);
	return 0;
}

static int say_warnings(const struct findings *f, struct error *err)
{
	for (unsigned i = 0; i < f->advice->warning_count; i++)
		recommend_say(f, "warning", "%s", f->advice->warnings[i]);
	return say_told(f, err);
}

static void write_ranking(const struct findings *f, const struct grid *table)
{
	struct table_column columns[TABLE_COLUMNS];
	const struct table_page page = {
		.width = terminal_columns(f->page->out),
		.columns = columns,
		.all = "--format csv",
	};

	human_fit(HUMAN_RANKING, columns);
	table_write_page(table, &page, f->page->out);
}

int recommend_text(const struct findings *f, struct error *err)
{
	struct grid table = GRID_INIT;
	int rc;

	if (f->page->brief && !is_html(f))
		fputc('\n', f->page->out);
	print_heading(f);
	fputs(is_html(f) ? "<dl>\n" : "", f->page->out);
	say_winner(f);
	say_assumed(f);
	say_speedups(f);
	say_costs(f);
	say_payback(f);
	recommend_say_cost(f);
	recommend_say_sensitivity(f);
	say_bottleneck(f);
	recommend_say_allocation(f);
	recommend_say_accelerators(f);
	recommend_say_offload(f);
	say_tied(f);
	recommend_say_searched(f);
	say_unread(f);
	if (say_warnings(f, err))
		return -1;
	say_command(f, "next", f->command);
	fputs(is_html(f) ? "</dl>\n" : "", f->page->out);
	if (f->page->brief || (is_html(f) && !f->page->alone))
		return 0; /* a report has a table of its own */
	fputs(is_html(f) ? "</section>\n<section id=\"trials\">\n"
	                   "<h2>Ranking</h2>\n<div class=\"scroll\">\n"
	                 : "\n",
	    f->page->out);
	rc = human_table(HUMAN_RANKING, f->rows, 0, &table, err);
	if (rc == 0 && f->page->format == FORMAT_TEXT)
		write_ranking(f, &table);
	else if (rc == 0)
		rc = format_write(f->page->format, &table, f->page->out, err);
	fputs(is_html(f) ? "</div>\n" : "", f->page->out);
	grid_release(&table);
	return rc;
}
