/*
 * chart_storage.c - storage against throughput, as in the PRESTO paper: a point
 * for each trial, and the front of trials that no other beats.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/page/axes.h"
#include "cmd/page/chart.h"
#include "cmd/page/facts.h"
#include "cmd/page/labels.h"
#include "cmd/page/spots.h"
#include "lib/base/units.h"

enum {
	NAMED = 12,    /* named trials, by rank; others have numbers */
	NUMBERED = 60, /* most numbers in one chart */
	CROWD = 150,   /* from so many points on, points are small */
	SPLITS = 16,   /* most splits in the legend */
	MARKS = SPLITS + CACHE_COUNT + 3,
	TOP = 30,
	TICKS = 6
};

struct plot {
	struct chart *chart;
	struct scale x, y;
	struct spots spots;
	double bottom, radius;
	struct legend_item legend[MARKS];
	size_t legend_count;
};

static bool is_there(const struct facts *facts)
{
	for (size_t i = 0; i < facts->trial_count; i++)
		if (spot_is_shown(&facts->trials[i]))
			return true;
	return false;
}

/* ---- legend ---- */

static enum svg_shape shape_of(const struct fact *fact)
{
	return fact->cache == CACHE_NONE     ? SVG_CIRCLE
	       : fact->cache == CACHE_SYSTEM ? SVG_SQUARE
	                                     : SVG_TRIANGLE;
}

static unsigned colour_of(const struct facts *facts, const struct fact *fact)
{
	return facts->strategies[fact->strategy].split % SVG_COLOURS;
}

static struct legend_item *add_item(struct plot *plot, const char *text)
{
	struct legend_item *item = &plot->legend[plot->legend_count];

	plot->legend_count++;
	*item = (struct legend_item){ .text = text };
	return item;
}

/* A colour for each split, a shape for each cache mode. */
static void make_legend(struct plot *plot)
{
	static const char *const names[] = { "cache none", "cache system",
		"cache application" };
	const struct facts *facts = plot->chart->facts;
	bool has[CACHE_COUNT] = { false }, outgrows = false;

	for (size_t i = 0; i < facts->split_count && i < SPLITS; i++)
		add_item(plot, facts->splits[i])->point =
		    (struct svg_point){ .radius = plot->radius,
			    .colour = (unsigned)i % SVG_COLOURS };
	for (size_t i = 0; i < plot->spots.count; i++)
		has[plot->spots.list[i].fact->cache] = true;
	for (unsigned i = 0; i < CACHE_COUNT && !facts->one_cache; i++)
		if (has[i])
			add_item(plot, names[i])->point =
			    (struct svg_point){ .radius = plot->radius,
				    .colour = SVG_COLOURS,
				    .shape = shape_of(&(struct fact){
				        .cache = (enum cache_mode)i }) };
	for (size_t i = 0; i < plot->spots.count; i++)
		outgrows |=
		    plot->spots.list[i].fact->candidate->full.outgrows_memory;
	if (outgrows)
		add_item(plot, "larger than memory: not cached")->point =
		    (struct svg_point){ .radius = plot->radius,
			    .colour = SVG_COLOURS,
			    .is_hollow = true };
	add_item(plot, "Pareto front")->line = "front";
}

/* ---- drawing ---- */

/* Draws the front as stairs: up at each point, then to the right. */
static void draw_front(const struct plot *plot)
{
	FILE *out = plot->chart->svg.out;

	if (!plot->spots.front_count)
		return;
	fprintf(out, "<path class=\"front\" d=\"M%.1f %.1f",
	    plot->spots.front[0].x, plot->bottom);
	for (size_t i = 0; i < plot->spots.front_count; i++)
		fprintf(out, "H%.1fV%.1f", plot->spots.front[i].x,
		    plot->spots.front[i].y);
	fprintf(out, "H%.1f\"/>\n", plot->x.to);
}

static void draw_spot(const struct plot *plot, const struct spot *spot)
{
	const struct chart *chart = plot->chart;
	const struct svg *svg = &chart->svg;
	char link[32], text[2 * FACTS_TEXT];
	const char *href = chart_link(chart, spot->fact->strategy, link);

	svg_group_begin(
	    svg, href, facts_tooltip(chart->facts, spot->fact, text));
	if (spot->low > spot->high)
		svg_line(
		    svg, spot->x, spot->low, spot->x, spot->high, "whisker");
	svg_point(svg,
	    &(struct svg_point){ .x = spot->x,
	        .y = spot->y,
	        .radius = plot->radius,
	        .colour = colour_of(chart->facts, spot->fact),
	        .shape = shape_of(spot->fact),
	        .is_hollow = spot->fact->candidate->full.outgrows_memory });
	if (spot->fact->is_winner)
		fprintf(svg->out,
		    "<circle class=\"ring\" cx=\"%.1f\" cy=\"%.1f\" "
		    "r=\"%.1f\"/>\n",
		    spot->x, spot->y, plot->radius + 4);
	svg_group_end(svg, href);
}

static const char *name_of(
    const struct plot *plot, size_t i, char text[2 * FACTS_TEXT])
{
	const struct fact *fact = plot->spots.list[i].fact;
	const double room = plot->chart->is_narrow ? 150 : 260;
	char load[FACTS_TEXT], name[FACTS_TEXT - 4];

	facts_load(plot->chart->facts, fact, load);
	svg_fit(fact->candidate->trial.strategy, CHART_SMALL, room, name,
	    sizeof(name));
	snprintf(text, 2 * FACTS_TEXT, "%s%s%s", name, *load ? ", " : "", load);
	return text;
}

static void number_of(const struct plot *plot, size_t i, char text[UNITS_TEXT])
{
	const unsigned rank = plot->spots.list[i].fact->candidate->rank;

	snprintf(text, UNITS_TEXT, rank ? "%u" : "-", rank);
}

static void measure_labels(const struct plot *plot, struct label *list)
{
	const double bold = 1.1; /* bold text is wider */
	char name[2 * FACTS_TEXT], number[UNITS_TEXT];

	for (size_t i = 0; i < plot->spots.count; i++) {
		const bool is_named =
		    i < NAMED || spot_importance(&plot->spots.list[i]) > 0;

		number_of(plot, i, number);
		list[i] = (struct label){
			.x = plot->spots.list[i].x,
			.y = plot->spots.list[i].y,
			.around = plot->spots.list[i].fact->is_winner ? 4 : 0,
		};
		if (is_named || i < NUMBERED)
			list[i].brief_width =
			    svg_text_width(number, CHART_SMALL);
		list[i].width =
		    1e9; /* a name that fits nowhere; the number may */
		if (!is_named)
			continue;
		list[i].width =
		    svg_text_width(name_of(plot, i, name), CHART_SMALL);
		if (plot->spots.list[i].fact->is_winner)
			list[i].width *= bold;
	}
}

static void draw_label(
    const struct plot *plot, size_t i, const struct label *label)
{
	const struct svg *svg = &plot->chart->svg;
	const struct box *box = &label->box;
	char text[2 * FACTS_TEXT];

	if (!label->is_placed)
		return;
	if (label->is_far)
		svg_line(svg, label->x, label->y,
		    fmax(box->x, fmin(label->x, box->x + box->width)),
		    fmax(box->y, fmin(label->y, box->y + box->height)),
		    "leader");
	if (label->is_brief)
		number_of(plot, i, text);
	else
		name_of(plot, i, text);
	svg_text(svg, box->x + box->width / 2, box->y + box->height - 3,
	    SVG_MIDDLE,
	    plot->spots.list[i].fact->is_winner ? "halo best" : "halo", text);
}

/* Boxes of the intervals and the front's lines, which names must not cover. */
static size_t find_taken(const struct plot *plot, struct box *taken)
{
	size_t used = 0;

	for (size_t i = 0; i < plot->spots.count; i++) {
		const struct spot *spot = &plot->spots.list[i];

		taken[used++] = (struct box){ .x = spot->x - 1,
			.y = spot->high,
			.width = 2,
			.height = spot->low - spot->high };
	}
	for (size_t i = 0; i < plot->spots.front_count; i++) {
		const struct spot *spot = &plot->spots.front[i];
		const bool is_last = i + 1 == plot->spots.front_count;
		const double end = is_last ? plot->x.to : spot[1].x;
		const double below = i ? spot[-1].y : plot->bottom;

		taken[used++] = (struct box){ .x = spot->x,
			.y = spot->y - 2,
			.width = end - spot->x,
			.height = 4 };
		taken[used++] = (struct box){ .x = spot->x - 2,
			.y = spot->y,
			.width = 4,
			.height = below - spot->y };
	}
	return used;
}

static int draw_labels(const struct plot *plot, struct error *err)
{
	struct label *list = calloc(plot->spots.count + 1, sizeof(*list));
	struct box *taken = calloc(3 * plot->spots.count + 1, sizeof(*taken));
	struct labels labels = {
		.list = list,
		.count = plot->spots.count,
		.height = CHART_SMALL + 3,
		.radius = plot->radius + 1,
		.inside = { .x = plot->x.from + 2,
		    .y = plot->y.to - 8,
		    .width = plot->chart->svg.width - plot->x.from - 3,
		    .height = plot->bottom - plot->y.to + 8 },
		.taken = taken,
	};
	int rc = -1;

	if (list && taken) {
		labels.taken_count = find_taken(plot, taken);
		measure_labels(plot, list);
		labels_place(&labels);
		for (size_t i = 0; i < plot->spots.count; i++)
			draw_label(plot, i, &list[i]);
		rc = 0;
	} else {
		error_memory(err, plot->spots.count * sizeof(*list));
	}
	free(list);
	free(taken);
	return rc;
}

static int draw_plot(struct plot *plot, struct error *err)
{
	const struct svg *svg = &plot->chart->svg;

	axis_below(svg, &(struct axis){ .scale = &plot->x,
	                    .unit = SCALE_BYTES,
	                    .title = "storage of the full dataset",
	                    .near = plot->bottom,
	                    .far = plot->y.to });
	axis_left(svg, &(struct axis){ .scale = &plot->y,
	                   .title = "samples/s",
	                   .near = plot->x.from,
	                   .far = plot->x.to });
	draw_front(plot);
	for (size_t i = plot->spots.count; i > 0; i--)
		draw_spot(plot, &plot->spots.list[i - 1]);
	return draw_labels(plot, err);
}

static int draw(struct chart *chart, struct error *err)
{
	struct plot plot = { .chart = chart };
	double below;
	int rc = spots_find(&plot.spots, chart->facts, err);

	if (rc) {
		spots_release(&plot.spots);
		return rc;
	}
	plot.radius = plot.spots.count > CROWD ? 3.5 : 5.5;
	plot.bottom = TOP + (chart->is_narrow ? 290 : 380);
	spots_scales(&plot.spots, TICKS, &plot.x, &plot.y);
	plot.x.from = axis_left_width(&plot.y, SCALE_NUMBER, plot.bottom - TOP);
	plot.x.to = chart->svg.width - 24;
	plot.y.from = plot.bottom;
	plot.y.to = TOP;
	spots_place(&plot.spots, &plot.x, &plot.y);
	make_legend(&plot);
	below = plot.bottom + AXIS_BELOW + 10;
	chart->svg.height = below +
	                    legend_height(plot.legend, plot.legend_count,
	                        chart->svg.width - 4) +
	                    4;
	svg_begin(&chart->svg, &chart->about);
	rc = draw_plot(&plot, err);
	legend_draw(&chart->svg, plot.legend, plot.legend_count, 2, below,
	    chart->svg.width - 4);
	svg_end(&chart->svg);
	spots_release(&plot.spots);
	return rc;
}

static void describe(const struct facts *facts, char text[CHART_TEXT])
{
	char rate[UNITS_TEXT], bytes[UNITS_TEXT];
	const struct candidate *c = facts->advice.winner;

	snprintf(text, CHART_TEXT, "A point for each of %zu trials.",
	    facts->trial_count);
	if (facts->nothing.code == ERROR_NONE)
		snprintf(text, CHART_TEXT,
		    "A point for each of %zu trials; %s is recommended, with "
		    "%s samples per second and %s.",
		    facts->trial_count, c->trial.strategy,
		    units_number(c->trial.throughput.median, rate),
		    isnan(c->full.storage_bytes)
		        ? "unknown storage"
		        : units_bytes(c->full.storage_bytes, bytes));
}

const struct chart_ops chart_storage = {
	.name = "storage",
	.title = "Storage against throughput",
	.explanation =
	    "Each point is a trial; up and left is better. The dashed line is "
	    "the Pareto front: no other trial beats these in both figures. The "
	    "ring marks the recommendation. A hollow point is a trial whose "
	    "full data does not fit in the cache; its speed is that without a "
	    "cache. Vertical lines are 95 % intervals. Numbers are ranks, as "
	    "in the table; - is no rank.",
	.is_there = is_there,
	.missing = "No trial has both a throughput and a size.",
	.describe = describe,
	.draw = draw,
};
