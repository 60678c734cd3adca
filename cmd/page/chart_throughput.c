/*
 * chart_throughput.c - bars of throughput with their intervals: a group for
 * each strategy, a bar for each trial.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/page/axes.h"
#include "cmd/page/chart.h"
#include "cmd/page/facts.h"
#include "cmd/page/rows.h"
#include "lib/base/units.h"

enum { AFTER = 86, BAR = 13 };

struct plot {
	const struct chart *chart;
	struct scale x;
};

static bool is_drawn(const struct fact *fact)
{
	return fact->is_measured || fact->predicted > 0;
}

static bool is_there(const struct facts *facts)
{
	for (size_t i = 0; i < facts->trial_count; i++)
		if (is_drawn(&facts->trials[i]))
			return true;
	return false;
}

static double most(const struct facts *facts)
{
	double high = 0;

	for (size_t i = 0; i < facts->trial_count; i++) {
		const struct fact *fact = &facts->trials[i];

		if (!chart_shows(facts, fact->strategy))
			continue;
		if (fact->is_measured)
			high =
			    fmax(high, fact->candidate->trial.throughput.high);
		else if (fact->predicted > 0)
			high = fmax(high, fact->predicted);
	}
	return high;
}

static enum svg_pattern pattern_of(enum cache_mode cache)
{
	return cache == CACHE_NONE     ? SVG_SOLID
	       : cache == CACHE_SYSTEM ? SVG_HATCH
	                               : SVG_DOTS;
}

/* Draws a trial without a throughput: its prediction, or why there is none. */
static void draw_missing(
    const struct plot *plot, const struct fact *fact, double y)
{
	const struct svg *svg = &plot->chart->svg;
	double x = plot->x.from;
	char text[FACTS_TEXT], number[UNITS_TEXT];

	snprintf(text, sizeof(text), "%s", fact->status);
	if (fact->predicted > 0) {
		x = scale_at(&plot->x, fact->predicted);
		svg_outline(svg, &(struct svg_rect){ .x = plot->x.from,
		                     .y = y - BAR / 2.0,
		                     .width = x - plot->x.from,
		                     .height = BAR,
		                     .colour = fact->cache });
		snprintf(text, sizeof(text), "%s predicted%s%s",
		    units_number(fact->predicted, number),
		    strcmp(fact->status, "done") ? ", " : "",
		    strcmp(fact->status, "done") ? fact->status : "");
	}
	/* A text that does not fit after the bar is written over it. */
	if (x + 5 + svg_text_width(text, CHART_SMALL) > svg->width)
		svg_text(
		    svg, svg->width - 2, y + 4, SVG_END, "value halo", text);
	else
		svg_text(svg, x + 5, y + 4, SVG_START, "value soft", text);
}

static void draw_whisker(
    const struct plot *plot, double low, double high, double y)
{
	const struct svg *svg = &plot->chart->svg;

	if (!(high - low > 0.5))
		return;
	svg_line(svg, low, y, high, y, "whisker wide-line");
	svg_line(svg, low, y, high, y, "whisker");
	svg_line(svg, low, y - 4, low, y + 4, "whisker");
	svg_line(svg, high, y - 4, high, y + 4, "whisker");
}

static void draw_bar(const struct plot *plot, const struct fact *fact, double y)
{
	const struct candidate *c = fact->candidate;
	const struct svg *svg = &plot->chart->svg;
	const double end = scale_at(&plot->x, c->trial.throughput.median);
	const double high = scale_at(&plot->x, c->trial.throughput.high);
	char text[UNITS_TEXT];

	svg_rect(svg, &(struct svg_rect){ .x = plot->x.from,
	                  .y = y - BAR / 2.0,
	                  .width = fmax(end - plot->x.from, 1),
	                  .height = BAR,
	                  .colour = fact->cache,
	                  .pattern = pattern_of(fact->cache) });
	draw_whisker(
	    plot, scale_at(&plot->x, c->trial.throughput.low), high, y);
	svg_text(svg, fmax(end, high) + 6, y + 4, SVG_START,
	    fact->is_winner ? "value best" : "value",
	    units_number(c->trial.throughput.median, text));
}

static void draw_row(void *arg, const struct fact *fact, double y)
{
	const struct plot *plot = arg;
	char text[2 * FACTS_TEXT];

	svg_group_begin(&plot->chart->svg, NULL,
	    facts_tooltip(plot->chart->facts, fact, text));
	if (fact->is_measured)
		draw_bar(plot, fact, y);
	else
		draw_missing(plot, fact, y);
	svg_group_end(&plot->chart->svg, NULL);
}

static size_t make_legend(
    const struct facts *facts, struct legend_item legend[CACHE_COUNT])
{
	static const char *const names[] = { "cache none: every epoch cold",
		"cache system: later epochs",
		"cache application: later epochs" };
	bool has[CACHE_COUNT] = { false };
	size_t count = 0;

	for (size_t i = 0; i < facts->trial_count; i++)
		has[facts->trials[i].cache] = true;
	for (unsigned i = 0; i < CACHE_COUNT; i++)
		if (has[i])
			legend[count++] = (struct legend_item){
				.text = names[i],
				.rect = { .colour = i,
				    .pattern = pattern_of((enum cache_mode)i) }
			};
	return count;
}

static int draw(struct chart *chart, struct error *err)
{
	struct legend_item legend[CACHE_COUNT];
	const size_t items = make_legend(chart->facts, legend);
	const double width = chart->svg.width - 4;
	const double top = legend_height(legend, items, width) + 6;
	const struct rows rows = rows_layout(chart, false, top, AFTER);
	struct plot plot = { .chart = chart };

	(void)err;
	plot.x = scale_from_zero(most(chart->facts));
	plot.x.from = rows.left;
	plot.x.to = rows.right;
	rows_chart_draw(chart, &(struct rows_chart){ .rows = &rows,
	                           .legend = legend,
	                           .legend_items = items,
	                           .x = &plot.x,
	                           .title = "samples/s",
	                           .draw = draw_row,
	                           .arg = &plot });
	return 0;
}

static void describe(const struct facts *facts, char text[CHART_TEXT])
{
	const struct candidate *c = NULL;
	char rate[UNITS_TEXT];

	for (size_t i = 0; i < facts->trial_count; i++)
		if (facts->trials[i].is_measured &&
		    (!c || facts->trials[i].candidate->trial.throughput.median >
		               c->trial.throughput.median))
			c = facts->trials[i].candidate;
	snprintf(text, CHART_TEXT, "Bars of %zu strategies, by rank. %s%s%s%s",
	    chart_strategies(facts), c ? "The fastest is " : "",
	    c ? c->trial.strategy : "", c ? ", samples per second: " : "",
	    c ? units_number(c->trial.throughput.median, rate) : "");
}

const struct chart_ops chart_throughput = {
	.name = "throughput",
	.title = "Throughput of each strategy",
	.explanation = "Samples per second, the best strategy first. The thin "
	               "lines are 95 % intervals, or the range of fewer than 6 "
	               "runs. Where two overlap, the difference may be noise. "
	               "Dashed bars are predicted, not measured.",
	.is_there = is_there,
	.missing = "No trial has a throughput.",
	.describe = describe,
	.draw = draw,
};
