/* chart_epochs.c - the first epoch of a job, cold, against the later ones. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/page/axes.h"
#include "cmd/page/chart.h"
#include "cmd/page/facts.h"
#include "cmd/page/rows.h"
#include "lib/base/array.h"
#include "lib/base/units.h"

enum { AFTER = 26, TICKS = 6, TICKS_MOST = 4000 };

static const double radius = 4.5, first_radius = 6.5;

struct plot {
	const struct chart *chart;
	struct scale x;
};

static bool is_drawn(const struct fact *fact)
{
	return fact->is_measured &&
	       fact->candidate->trial.throughput.first_epoch > 0;
}

static bool is_there(const struct facts *facts)
{
	for (size_t i = 0; i < facts->trial_count; i++)
		if (is_drawn(&facts->trials[i]))
			return true;
	return false;
}

static struct scale make_scale(const struct facts *facts)
{
	double low = INFINITY, high = 0;

	for (size_t i = 0; i < facts->trial_count; i++) {
		const struct fact *fact = &facts->trials[i];
		const struct candidate *c = fact->candidate;

		if (!is_drawn(fact) || !chart_shows(facts, fact->strategy))
			continue;
		low = fmin(low, fmin(c->trial.throughput.first_epoch,
		                    c->trial.throughput.low));
		high = fmax(high, fmax(c->trial.throughput.first_epoch,
		                      c->trial.throughput.high));
	}
	return scale_of_range(low, high, TICKS);
}

static bool is_within(const struct scale *scale, double value)
{
	return value >= scale->low && value <= scale->high;
}

/* Draws a tick for each epoch of each run; first epochs are above the line. */
static void draw_epochs(
    const struct plot *plot, const struct fact *fact, double y)
{
	const struct grid *runs = &plot->chart->facts->runs;

	if (runs->row_count > TICKS_MOST)
		return;
	for (size_t row = 0; row < runs->row_count; row++) {
		const double rate = grid_number(runs, row, "samples_per_s");
		const double x = scale_at(&plot->x, rate);
		const double up = grid_number(runs, row, "epoch") > 1 ? 0 : -8;

		if (grid_number(runs, row, "warmup") > 0 ||
		    !is_within(&plot->x, rate) ||
		    !figures_are_of(&fact->candidate->trial, runs, row))
			continue;
		svg_line(&plot->chart->svg, x, y + up, x, y + up + 8, "epoch");
	}
}

static void draw_ends(
    const struct plot *plot, const struct fact *fact, double y)
{
	const struct svg *svg = &plot->chart->svg;
	const double first =
	    scale_at(&plot->x, fact->candidate->trial.throughput.first_epoch);
	const double later =
	    scale_at(&plot->x, fact->candidate->trial.throughput.median);
	const struct svg_point point = {
		.y = y,
		.radius = radius,
		.colour = fact->cache,
		.shape = fact->cache == CACHE_NONE     ? SVG_CIRCLE
		         : fact->cache == CACHE_SYSTEM ? SVG_SQUARE
		                                       : SVG_TRIANGLE,
	};
	struct svg_point end = point;

	/* If both points coincide, the smaller is seen within the other. */
	svg_line(svg, first, y, later, y, "link");
	end.x = first;
	end.radius = first_radius;
	end.is_hollow = true;
	svg_point(svg, &end);
	end = point;
	end.x = later;
	svg_point(svg, &end);
}

static void draw_row(void *arg, const struct fact *fact, double y)
{
	const struct plot *plot = arg;
	const struct svg *svg = &plot->chart->svg;
	char first[UNITS_TEXT], later[UNITS_TEXT], text[CHART_TEXT];

	svg_line(svg, plot->x.from, y, plot->x.to, y, "lane");
	if (!is_drawn(fact)) {
		svg_text(svg, plot->x.from + 5, y + 4, SVG_START,
		    "value soft halo",
		    strcmp(fact->status, "done") ? fact->status : "not known");
		return;
	}
	snprintf(text, sizeof(text),
	    "%s, cache %s\nfirst epoch: %s samples/s\nlater: %s samples/s",
	    fact->candidate->trial.strategy, cache_name(fact->cache),
	    units_number(fact->candidate->trial.throughput.first_epoch, first),
	    units_number(fact->candidate->trial.throughput.median, later));
	svg_group_begin(svg, NULL, text);
	draw_epochs(plot, fact, y);
	draw_ends(plot, fact, y);
	svg_group_end(svg, NULL);
}

static const struct legend_item legend[] = {
	{ .text = "first epoch: cold, or fills the cache",
	    .point = { .radius = 6, .colour = SVG_COLOURS, .is_hollow = 1 } },
	{ .text = "throughput: later epochs; all epochs with cache none",
	    .point = { .radius = 5, .colour = SVG_COLOURS } },
	{ .text = "each epoch of each run", .line = "epoch" },
};

static int draw(struct chart *chart, struct error *err)
{
	const double width = chart->svg.width - 4;
	const double top = legend_height(legend, ARRAY_LEN(legend), width) + 6;
	const struct rows rows = rows_layout(chart, false, top, AFTER);
	struct plot plot = { .chart = chart, .x = make_scale(chart->facts) };

	(void)err;
	plot.x.from = rows.left + 4;
	plot.x.to = rows.right;
	rows_chart_draw(chart, &(struct rows_chart){ .rows = &rows,
	                           .legend = legend,
	                           .legend_items = ARRAY_LEN(legend),
	                           .x = &plot.x,
	                           .title = "samples/s",
	                           .draw = draw_row,
	                           .arg = &plot });
	return 0;
}

static void describe(const struct facts *facts, char text[CHART_TEXT])
{
	const struct fact *most = NULL;
	double gain = 0;

	for (size_t i = 0; i < facts->trial_count; i++) {
		const struct fact *fact = &facts->trials[i];

		if (!is_drawn(fact) ||
		    fact->candidate->trial.throughput.median /
		            fact->candidate->trial.throughput.first_epoch <=
		        gain)
			continue;
		most = fact;
		gain = fact->candidate->trial.throughput.median /
		       fact->candidate->trial.throughput.first_epoch;
	}
	snprintf(text, CHART_TEXT, "First and later epochs of %zu strategies.",
	    chart_strategies(facts));
	if (most)
		snprintf(text, CHART_TEXT,
		    "First and later epochs of %zu strategies. Later epochs "
		    "gain most with %s, cache %s: %.3g times.",
		    chart_strategies(facts), most->candidate->trial.strategy,
		    cache_name(most->cache), gain);
}

const struct chart_ops chart_epochs = {
	.name = "epochs",
	.title = "Epochs, cold to warm",
	.explanation =
	    "The speed of a job when it starts, and later. With cache none "
	    "every epoch is cold, so both are alike. With the other caches, "
	    "the distance from the hollow mark to the full one is the gain.",
	.is_there = is_there,
	.missing = "No epoch was timed.",
	.describe = describe,
	.draw = draw,
};
