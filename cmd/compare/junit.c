/*
 * junit.c - see print.h: a comparison as JUnit XML, the form
 * of test results that CI services show.  A trial is a testcase: a failure
 * where it is a regression, skipped where it is unclear.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/compare/print.h"
#include "cmd/html/html.h"
#include "lib/base/units.h"

enum {
	MESSAGE = 512,
	STARTED = 20, /* "2026-11-21T08:04:17", without its zone */
};

enum outcome { PASSED, FAILED, SKIPPED, OUTCOMES };

static enum outcome outcome_of(const struct compared *c)
{
	switch (c->verdict) {
	case COMPARE_FINE:
		return PASSED;
	case COMPARE_SLOWER:
	case COMPARE_BROKEN:
		return FAILED;
	default:
		return SKIPPED;
	}
}

/* ---- testcases for the whole comparison: only where they decide ---- */

static bool fails_together(const struct comparison *comparison)
{
	return comparison_is_slower_together(comparison);
}

static bool is_cut(const struct comparison *comparison)
{
	return compare_is_cut(comparison->base_state) ||
	       compare_is_cut(comparison->new_state);
}

/* ---- time ---- */

/* Seconds that all its runs in NEW took; 0: not known. */
static double seconds_of(const struct compared *c)
{
	const struct figures *figures = &c->new_one.figures;
	const double seconds = (double)c->new_one.runs *
	                       figures->profiled.samples /
	                       figures->throughput.median;

	return isfinite(seconds) ? seconds : 0;
}

/* ---- words ---- */

static void say_ratio(const struct compare_page *page, const struct compared *c,
    const char *verb, char message[MESSAGE])
{
	char base[UNITS_TEXT], is[UNITS_TEXT];

	snprintf(message, MESSAGE,
	    "%s by more than %.3g %%: %s samples/s, before %s; the ratio is "
	    "%.3f (%.3f to %.3f)",
	    verb, 100 * page->comparison->threshold,
	    units_number(c->new_one.figures.throughput.median, is),
	    units_number(c->base.figures.throughput.median, base), c->ratio,
	    c->ratio_low, c->ratio_high);
}

static void say_broken(const struct compared *c, char message[MESSAGE])
{
	if (compare_side_is_done(&c->new_one))
		snprintf(message, MESSAGE,
		    "its data differs from that of unprocessed, which it did "
		    "not in BASE");
	else
		snprintf(message, MESSAGE, "it %s, and did not in BASE%s%.300s",
		    compare_side_state(&c->new_one),
		    *c->new_one.figures.message ? ": " : "",
		    c->new_one.figures.message);
}

static void say_missing(const struct compared *c, char message[MESSAGE])
{
	if (c->new_one.is_there)
		snprintf(message, MESSAGE, "%s in NEW%s%.300s",
		    compare_side_state(&c->new_one),
		    *c->new_one.figures.message ? ": " : "",
		    c->new_one.figures.message);
	else
		snprintf(message, MESSAGE, "not measured in NEW");
}

static void say_unclear(const struct compare_page *page,
    const struct compared *c, char message[MESSAGE])
{
	if (c->is_tested)
		say_ratio(page, c,
		    "the noise does not tell whether it is slower", message);
	else
		snprintf(message, MESSAGE,
		    "too few runs to compare: %zu in BASE, %zu in NEW; "
		    "profile with --runs %d",
		    c->base.runs, c->new_one.runs, COMPARE_RUNS_ADVISED);
}

static void say(const struct compare_page *page, const struct compared *c,
    char message[MESSAGE])
{
	switch (c->verdict) {
	case COMPARE_SLOWER:
		say_ratio(page, c, "slower", message);
		break;
	case COMPARE_BROKEN:
		say_broken(c, message);
		break;
	case COMPARE_MISSING:
		say_missing(c, message);
		break;
	case COMPARE_UNCLEAR:
		say_unclear(page, c, message);
		break;
	default:
		snprintf(message, MESSAGE, "not measured in BASE");
		break;
	}
}

/* ---- XML ---- */

static void write_attribute(const char *name, const char *value, FILE *out)
{
	fprintf(out, " %s=\"", name);
	html_text(value, out);
	fputc('"', out);
}

/* Begins a testcase; services sort by name and class. */
static void begin_case(const struct compare_page *page, const char *name,
    double seconds, FILE *out)
{
	fputs("    <testcase", out);
	write_attribute("name", name, out);
	write_attribute("classname", page->new_one->record.info.pipeline, out);
	fprintf(out, " time=\"%.3f\">\n", seconds);
}

static void write_outcome(
    enum outcome outcome, const char *type, const char *message, FILE *out)
{
	if (outcome == FAILED) {
		fputs("      <failure", out);
		write_attribute("type", type, out);
		write_attribute("message", message, out);
		fputc('>', out);
		html_text(message, out);
		fputs("</failure>\n", out);
	} else if (outcome == SKIPPED) {
		fputs("      <skipped", out);
		write_attribute("message", message, out);
		fputs("/>\n", out);
	}
	fputs("    </testcase>\n", out);
}

static void write_trial(
    const struct compare_page *page, const struct compared *c, FILE *out)
{
	char name[MESSAGE], message[MESSAGE], load[LOAD_FIGURES_TEXT];

	snprintf(name, sizeof(name), "%.300s threads=%u cache=%s%s",
	    c->strategy, c->threads, cache_word(c->cache),
	    load_figures_name(&c->load, load));
	begin_case(page, name, seconds_of(c), out);
	say(page, c, message);
	write_outcome(
	    outcome_of(c), compare_verdict_name(c->verdict), message, out);
}

static void write_whole(const struct compare_page *page, FILE *out)
{
	const struct comparison *comparison = page->comparison;

	if (fails_together(comparison)) {
		begin_case(page, "all trials together", 0, out);
		write_outcome(FAILED, "slower", page->summary, out);
	}
	if (is_cut(comparison)) {
		begin_case(page, "sessions", 0, out);
		write_outcome(SKIPPED, "unclear", page->summary, out);
	}
}

struct totals {
	size_t cases, outcomes[OUTCOMES];
	double seconds;
};

static struct totals count(const struct compare_page *page)
{
	const struct comparison *comparison = page->comparison;
	struct totals totals = { .cases = comparison->count };

	for (size_t i = 0; i < comparison->count; i++) {
		const struct compared *c = &comparison->list[i];

		totals.outcomes[outcome_of(c)]++;
		totals.seconds += seconds_of(c);
	}
	totals.outcomes[FAILED] += fails_together(comparison);
	totals.outcomes[SKIPPED] += is_cut(comparison);
	totals.cases += fails_together(comparison) + is_cut(comparison);
	return totals;
}

static void write_totals(const struct totals *totals, FILE *out)
{
	fprintf(out,
	    " tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"%zu\" "
	    "time=\"%.3f\"",
	    totals->cases, totals->outcomes[FAILED], totals->outcomes[SKIPPED],
	    totals->seconds);
}

static void write_property(
    const char *name, const struct compare_operand *side, FILE *out)
{
	char place[COMPARE_PLACE], value[COMPARE_PLACE + 128];

	snprintf(value, sizeof(value), "%s, %.40s, presto %.40s",
	    compare_operand_place(side, place), side->record.started,
	    side->record.version);
	fputs("      <property", out);
	write_attribute("name", name, out);
	write_attribute("value", value, out);
	fputs("/>\n", out);
}

static void write_suite(const struct compare_page *page, FILE *out)
{
	const struct comparison *comparison = page->comparison;
	const struct totals totals = count(page);
	char started[STARTED];

	fputs("<testsuites name=\"presto compare\"", out);
	write_totals(&totals, out);
	fputs(">\n  <testsuite", out);
	write_attribute("name", page->new_one->record.info.pipeline, out);
	write_totals(&totals, out);
	snprintf(started, sizeof(started), "%s", page->new_one->record.started);
	write_attribute("timestamp", started, out);
	fputs(">\n    <properties>\n", out);
	write_property("base", page->base, out);
	write_property("new", page->new_one, out);
	fputs("    </properties>\n", out);
	for (size_t i = 0; i < comparison->count; i++)
		write_trial(page, &comparison->list[i], out);
	write_whole(page, out);
	fputs("    <system-out>", out);
	html_text(page->summary, out);
	fputs("</system-out>\n  </testsuite>\n</testsuites>\n", out);
}

void compare_print_junit(const struct compare_page *page, FILE *out)
{
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
	write_suite(page, out);
}
