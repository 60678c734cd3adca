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
#include "lib/base/array.h"
#include "lib/base/units.h"

enum {
	NAMED =
	    12, /* so many trials, by rank, are named; others have numbers */
	NUMBERED = 60, /* most numbers in one chart */
	CROWD = 150,   /* from so many points on, points are small */
	SPLITS = 16,   /* most splits in the legend */
	MARKS = SPLITS + CACHE_COUNT + 3,
	TOP = 30,
	TICKS = 6
};

/* A trial and its point. */
struct spot {
	const struct fact *fact;
	double x, y, low, high;
	bool is_front; /* on the front of storage and throughput */
};

struct plot {
	struct chart *chart;
	struct scale x, y;
	struct spot *spots; /* in the order in which they are named */
	size_t count;
	struct spot *front; /* the spots on the front, from left to right */
	size_t front_count;
	double bottom, radius;
	struct legend_item legend[MARKS];
	size_t legend_count;
};

static bool is_shown(const struct fact *fact)
{
	return fact->is_measured && fact->candidate->full.storage_bytes > 0;
}

static bool is_there(const struct facts *facts)
{
	for (size_t i = 0; i < facts->trial_count; i++)
		if (is_shown(&facts->trials[i]))
			return true;
	return false;
}

/* ---- points ---- */

/* Throughput and storage are those of the full dataset: see candidate.h. */
static double rate_of(const struct candidate *c)
{
	return c->full.outgrows_memory ? c->full.throughput
	                               : c->trial.throughput.median;
}

/* A predicted trial has no interval. */
static double low_of(const struct candidate *c)
{
	return c->full.outgrows_memory ? c->full.throughput
	                               : c->trial.throughput.low;
}

static double high_of(const struct candidate *c)
{
	return c->full.outgrows_memory ? c->full.throughput
	                               : c->trial.throughput.high;
}

static bool is_base(const struct spot *spot)
{
	return candidate_is_unprocessed(spot->fact->candidate);
}

/* Importance of a name: the recommended trial, the front, unprocessed. */
static int importance(const struct spot *spot)
{
	return 4 * spot->fact->is_winner + 2 * spot->is_front + is_base(spot);
}

static int compare_spots(const void *pa, const void *pb)
{
	const struct spot *a = pa, *b = pb;
	const int order = importance(b) - importance(a);

	return order ? order : (a->fact > b->fact) - (a->fact < b->fact);
}

/*
 * Marks trials of the ranking's front: no other trial of it has less storage
 * and is as fast.
 */
static void mark_front(struct plot *plot)
{
	for (size_t i = 0; i < plot->count; i++) {
		const struct candidate *a = plot->spots[i].fact->candidate;
		bool is_front = a->pareto;

		for (size_t k = 0; is_front && k < plot->count; k++) {
			const struct candidate *b =
			    plot->spots[k].fact->candidate;

			is_front =
			    !b->pareto || rate_of(b) <= rate_of(a) ||
			    b->full.storage_bytes > a->full.storage_bytes;
		}
		plot->spots[i].is_front = is_front;
	}
}

static int find_spots(struct plot *plot, struct error *err)
{
	const struct facts *facts = plot->chart->facts;

	plot->spots = calloc(facts->trial_count + 1, sizeof(*plot->spots));
	plot->front = calloc(facts->trial_count + 1, sizeof(*plot->front));
	if (!plot->spots || !plot->front)
		return error_memory(
		    err, facts->trial_count * sizeof(*plot->spots));
	for (size_t i = 0; i < facts->trial_count; i++)
		if (is_shown(&facts->trials[i]))
			plot->spots[plot->count++].fact = &facts->trials[i];
	plot->radius = plot->count > CROWD ? 3.5 : 5.5;
	mark_front(plot);
	qsort(plot->spots, plot->count, sizeof(*plot->spots), compare_spots);
	return 0;
}

static void make_scales(struct plot *plot)
{
	double least = INFINITY, most = 0, small = INFINITY, large = 0;

	for (size_t i = 0; i < plot->count; i++) {
		const struct candidate *c = plot->spots[i].fact->candidate;

		least = fmin(least, fmin(low_of(c), rate_of(c)));
		most = fmax(most, fmax(high_of(c), rate_of(c)));
		small = fmin(small, c->full.storage_bytes);
		large = fmax(large, c->full.storage_bytes);
	}
	plot->x = scale_of_range(small, large, TICKS);
	plot->y = scale_of_range(least, most, TICKS);
}

static int compare_x(const void *pa, const void *pb)
{
	const struct spot *a = pa, *b = pb;

	return (a->x > b->x) - (a->x < b->x);
}

static void place_spots(struct plot *plot)
{
	for (size_t i = 0; i < plot->count; i++) {
		struct spot *spot = &plot->spots[i];
		const struct candidate *c = spot->fact->candidate;

		spot->x = scale_at(&plot->x, c->full.storage_bytes);
		spot->y = scale_at(&plot->y, rate_of(c));
		spot->low = scale_at(&plot->y, low_of(c));
		spot->high = scale_at(&plot->y, high_of(c));
		if (spot->is_front)
			plot->front[plot->front_count++] = *spot;
	}
	if (plot->front_count)
		qsort(plot->front, plot->front_count, sizeof(*plot->front),
		    compare_x);
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
	for (size_t i = 0; i < plot->count; i++)
		has[plot->spots[i].fact->cache] = true;
	for (unsigned i = 0; i < CACHE_COUNT && !facts->one_cache; i++)
		if (has[i])
			add_item(plot, names[i])->point =
			    (struct svg_point){ .radius = plot->radius,
				    .colour = SVG_COLOURS,
				    .shape = shape_of(&(struct fact){
				        .cache = (enum cache_mode)i }) };
	for (size_t i = 0; i < plot->count; i++)
		outgrows |=
		    plot->spots[i].fact->candidate->full.outgrows_memory;
	if (outgrows)
		add_item(plot, "outgrows memory: as not cached")->point =
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

	if (!plot->front_count)
		return;
	fprintf(out, "<path class=\"front\" d=\"M%.1f %.1f", plot->front[0].x,
	    plot->bottom);
	for (size_t i = 0; i < plot->front_count; i++)
		fprintf(out, "H%.1fV%.1f", plot->front[i].x, plot->front[i].y);
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
	const struct fact *fact = plot->spots[i].fact;
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
	const unsigned rank = plot->spots[i].fact->candidate->rank;

	snprintf(text, UNITS_TEXT, rank ? "%u" : "-", rank);
}

static void measure_labels(const struct plot *plot, struct label *list)
{
	const double bold = 1.1; /* bold text is wider */
	char name[2 * FACTS_TEXT], number[UNITS_TEXT];

	for (size_t i = 0; i < plot->count; i++) {
		const bool is_named =
		    i < NAMED || importance(&plot->spots[i]) > 0;

		number_of(plot, i, number);
		list[i] = (struct label){
			.x = plot->spots[i].x,
			.y = plot->spots[i].y,
			.around = plot->spots[i].fact->is_winner ? 4 : 0,
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
		if (plot->spots[i].fact->is_winner)
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
	    SVG_MIDDLE, plot->spots[i].fact->is_winner ? "halo best" : "halo",
	    text);
}

/* Boxes of the intervals and the front's lines, which names must not cover. */
static size_t find_taken(const struct plot *plot, struct box *taken)
{
	size_t used = 0;

	for (size_t i = 0; i < plot->count; i++) {
		const struct spot *spot = &plot->spots[i];

		taken[used++] = (struct box){ .x = spot->x - 1,
			.y = spot->high,
			.width = 2,
			.height = spot->low - spot->high };
	}
	for (size_t i = 0; i < plot->front_count; i++) {
		const struct spot *spot = &plot->front[i];
		const bool is_last = i + 1 == plot->front_count;
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
	struct label *list = calloc(plot->count + 1, sizeof(*list));
	struct box *taken = calloc(3 * plot->count + 1, sizeof(*taken));
	struct labels labels = {
		.list = list,
		.count = plot->count,
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
		for (size_t i = 0; i < plot->count; i++)
			draw_label(plot, i, &list[i]);
		rc = 0;
	} else {
		error_memory(err, plot->count * sizeof(*list));
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
	for (size_t i = plot->count; i > 0; i--)
		draw_spot(plot, &plot->spots[i - 1]);
	return draw_labels(plot, err);
}

static void plot_release(struct plot *plot)
{
	free(plot->spots);
	free(plot->front);
}

static int draw(struct chart *chart, struct error *err)
{
	struct plot plot = { .chart = chart };
	double below;
	int rc = find_spots(&plot, err);

	if (rc) {
		plot_release(&plot);
		return rc;
	}
	plot.bottom = TOP + (chart->is_narrow ? 290 : 380);
	make_scales(&plot);
	plot.x.from = axis_left_width(&plot.y, SCALE_NUMBER, plot.bottom - TOP);
	plot.x.to = chart->svg.width - 24;
	plot.y.from = plot.bottom;
	plot.y.to = TOP;
	place_spots(&plot);
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
	plot_release(&plot);
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
		        ? "storage that is not known"
		        : units_bytes(c->full.storage_bytes, bytes));
}

const struct chart_ops chart_storage = {
	.name = "storage",
	.title = "Storage against throughput",
	.explanation =
	    "Each point is a trial; up and left is better. The dashed line "
	    "joins what nothing else beats in both, the Pareto front; the "
	    "ring is what is recommended. What a cache cannot hold of the full "
	    "dataset is hollow, and as fast as not cached. Vertical lines are "
	    "95 % intervals; "
	    "numbers are ranks, as in the table, and - has none.",
	.is_there = is_there,
	.missing = "No trial has both a throughput and a size.",
	.describe = describe,
	.draw = draw,
};
