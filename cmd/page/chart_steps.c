/*
 * chart_steps.c - how the time of a sample is spent: a bar for each strategy,
 * divided into phases of the threads and steps.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cmd/page/axes.h"
#include "cmd/page/chart.h"
#include "cmd/page/facts.h"
#include "cmd/page/rows.h"
#include "lib/base/array.h"
#include "lib/base/units.h"
#include "lib/pipeline/pipeline.h"

enum { AFTER = 66, BAR = 16 };

/* The phases, with the names used if only steps were measured. */
static const struct {
	const char *phase, *name, *step;
	bool waits; /* drawn for an emulated storage, which takes no CPU time */
	enum svg_pattern pattern;
} phases[] = {
	{ "open", "open files", NULL, true, SVG_SOLID },
	{ "read", "read", NULL, true, SVG_HATCH },
	{ "decompress", "decompress", "unpack", false, SVG_DOTS },
	{ "parse", "parse", "parse", false, SVG_CROSS },
	{ "batch", "into batches", "copy", false, SVG_LINES },
};

enum { PARTS = ARRAY_LEN(phases) + PIPELINE_STEPS };

/* A part of a bar. */
struct part {
	int phase;        /* index of the phase; -1: a step */
	const char *step; /* the representation that the step makes */
	char text[96];    /* text in the legend */
	unsigned colour;
	enum svg_pattern pattern;
	bool is_there; /* occurs in some bar */
};

struct plot {
	const struct chart *chart;
	struct scale x;
	struct part parts[PARTS];
	size_t count;
};

static bool is_there(const struct facts *facts)
{
	return facts->steps.row_count > 0;
}

/* ---- parts ---- */

/* Is it a step of the file? Phases stand for the work of the loader. */
static bool is_step(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(phases); i++)
		if (phases[i].step && strcmp(phases[i].step, name) == 0)
			return false;
	return true;
}

static void add_phase(struct plot *plot, int phase)
{
	struct part *part = &plot->parts[plot->count++];

	*part = (struct part){ .phase = phase,
		.colour = SVG_COLOURS,
		.pattern = phases[phase].pattern };
	snprintf(part->text, sizeof(part->text), "%s", phases[phase].name);
}

/*
 * Adds a part for a step.  After the last colour, they repeat with a pattern.
 */
static void add_step(struct plot *plot, const char *name, const char *step)
{
	unsigned number = 0;
	struct part *part;

	for (size_t i = 0; i < plot->count; i++) {
		if (plot->parts[i].phase >= 0)
			continue;
		if (strcmp(plot->parts[i].step, name) == 0)
			return;
		number++;
	}
	if (number == PIPELINE_STEPS)
		return;
	part = &plot->parts[plot->count++];
	*part = (struct part){ .phase = -1,
		.step = name,
		.colour = number % SVG_COLOURS,
		.pattern =
		    (enum svg_pattern)(number / SVG_COLOURS % SVG_PATTERNS) };
	snprintf(part->text, sizeof(part->text), "%s (%s)", name, step);
}

static void add_steps_of(struct plot *plot, const struct fact *fact)
{
	const struct grid *steps = &plot->chart->facts->steps;

	for (size_t row = 0; row < steps->row_count; row++) {
		const char *name = grid_text(steps, row, "name");

		if (is_step(name) &&
		    figures_are_of(&fact->candidate->trial, steps, row))
			add_step(plot, name, grid_text(steps, row, "step"));
	}
}

/* The strategy with the most online steps, which gives their order. */
static size_t longest_strategy(const struct facts *facts)
{
	size_t longest = 0, most = 0;

	for (size_t g = 0; g < facts->strategy_count; g++) {
		const struct fact *fact = facts_first(facts, g);
		size_t count = 0;

		for (size_t row = 0; row < facts->steps.row_count; row++)
			count += figures_are_of(
			    &fact->candidate->trial, &facts->steps, row);
		if (count > most) {
			most = count;
			longest = g;
		}
	}
	return longest;
}

/* Lists the parts in the order in which they happen. */
static void find_parts(struct plot *plot)
{
	const struct facts *facts = plot->chart->facts;
	const int last = ARRAY_LEN(phases) - 1;

	for (int i = 0; i < last; i++)
		add_phase(plot, i);
	add_steps_of(plot, facts_first(facts, longest_strategy(facts)));
	for (size_t i = 0; i < chart_strategies(facts); i++)
		add_steps_of(
		    plot, facts_first(facts, chart_strategy(facts, i)));
	add_phase(plot, last);
}

/* ---- how long they take ---- */

static bool is_emulated(const struct facts *facts)
{
	return storage_limits_any(&facts->session.info.limits);
}

static double of_step(
    const struct facts *facts, const struct fact *fact, const char *name)
{
	for (size_t row = 0; row < facts->steps.row_count; row++)
		if (strcmp(grid_text(&facts->steps, row, "name"), name) == 0 &&
		    figures_are_of(&fact->candidate->trial, &facts->steps, row))
			return grid_number(
			           &facts->steps, row, "cpu_us_per_sample") /
			       1e6;
	return NAN;
}

/* Samples of the traced epoch, which may be a part of a whole one. */
static double traced_samples(const struct facts *facts, const struct fact *fact)
{
	const struct grid *view = &facts->phases;

	for (size_t row = 0; row < view->row_count; row++)
		if (strcmp(grid_text(view, row, "phase"), "batch") == 0 &&
		    figures_are_of(&fact->candidate->trial, view, row))
			return grid_number(view, row, "calls");
	return NAN;
}

static double of_phase(
    const struct facts *facts, const struct fact *fact, int phase)
{
	const struct grid *view = &facts->phases;
	const char *seconds =
	    phases[phase].waits && is_emulated(facts) ? "wall_s" : "cpu_s";

	for (size_t row = 0; row < view->row_count; row++)
		if (strcmp(grid_text(view, row, "phase"),
		        phases[phase].phase) == 0 &&
		    figures_are_of(&fact->candidate->trial, view, row))
			return grid_number(view, row, seconds) /
			       traced_samples(facts, fact);
	return phases[phase].step ? of_step(facts, fact, phases[phase].step)
	                          : NAN;
}

/* Thread time for a sample in seconds; 0: nothing, or not known. */
static double part_time(
    const struct plot *plot, const struct part *part, const struct fact *fact)
{
	const struct facts *facts = plot->chart->facts;
	const double seconds = part->phase < 0
	                           ? of_step(facts, fact, part->step)
	                           : of_phase(facts, fact, part->phase);

	return seconds > 0 && isfinite(seconds) ? seconds : 0;
}

static double longest(struct plot *plot)
{
	const struct facts *facts = plot->chart->facts;
	double most = 0;

	for (size_t i = 0; i < chart_strategies(facts); i++) {
		const struct fact *fact =
		    facts_first(facts, chart_strategy(facts, i));
		double sum = 0;

		for (size_t k = 0; k < plot->count; k++) {
			const double time =
			    part_time(plot, &plot->parts[k], fact);

			sum += time;
			plot->parts[k].is_there |= time > 0;
		}
		most = fmax(most, sum);
	}
	return most;
}

/* ---- drawing ---- */

static void draw_part(const struct plot *plot, const struct part *part,
    double time, double from, double y)
{
	const struct svg *svg = &plot->chart->svg;
	const double x = scale_at(&plot->x, from);
	const double width = scale_at(&plot->x, from + time) - x;
	const char *name =
	    part->phase < 0 ? part->step : phases[part->phase].name;
	char text[UNITS_TEXT], tooltip[160];

	if (width < 0.2)
		return;
	snprintf(tooltip, sizeof(tooltip), "%s: %s a sample", part->text,
	    units_time(time, text));
	svg_group_begin(svg, NULL, tooltip);
	/* Neighbouring parts are separated by a thin gap. */
	svg_rect(svg, &(struct svg_rect){ .x = x,
	                  .y = y - BAR / 2.0,
	                  .width = width > 2 ? width - 1 : width,
	                  .height = BAR,
	                  .colour = part->colour,
	                  .pattern = part->pattern });
	if (part->pattern == SVG_SOLID &&
	    svg_text_width(name, CHART_SMALL) + 8 < width)
		svg_text(svg, x + 5, y + 4, SVG_START, "on", name);
	svg_group_end(svg, NULL);
}

static void draw_row(void *arg, const struct fact *fact, double y)
{
	const struct plot *plot = arg;
	const struct svg *svg = &plot->chart->svg;
	char text[UNITS_TEXT];
	double sum = 0;

	for (size_t i = 0; i < plot->count; i++) {
		const double time = part_time(plot, &plot->parts[i], fact);

		draw_part(plot, &plot->parts[i], time, sum, y);
		sum += time;
	}
	if (sum > 0)
		svg_text(svg, scale_at(&plot->x, sum) + 5, y + 4, SVG_START,
		    "value", units_time(sum, text));
	else
		svg_text(svg, plot->x.from + 5, y + 4, SVG_START, "value soft",
		    strcmp(fact->status, "done") ? fact->status : "not traced");
}

static size_t make_legend(
    const struct plot *plot, struct legend_item legend[PARTS])
{
	size_t count = 0;

	for (size_t i = 0; i < plot->count; i++)
		if (plot->parts[i].is_there)
			legend[count++] =
			    (struct legend_item){ .text = plot->parts[i].text,
				    .rect = { .colour = plot->parts[i].colour,
				        .pattern = plot->parts[i].pattern } };
	return count;
}

static int draw(struct chart *chart, struct error *err)
{
	struct plot plot = { .chart = chart };
	struct legend_item legend[PARTS];
	const double width = chart->svg.width - 4;
	struct rows rows;
	double most, top;
	size_t items;

	(void)err;
	find_parts(&plot);
	most = longest(&plot);
	items = make_legend(&plot, legend);
	top = legend_height(legend, items, width) + 6;
	rows = rows_layout(chart, true, top, AFTER);
	plot.x = scale_from_zero(most);
	plot.x.from = rows.left;
	plot.x.to = rows.right;
	rows_chart_draw(chart, &(struct rows_chart){ .rows = &rows,
	                           .legend = legend,
	                           .legend_items = items,
	                           .x = &plot.x,
	                           .unit = SCALE_TIME,
	                           .title = "thread time for a sample",
	                           .draw = draw_row,
	                           .arg = &plot });
	return 0;
}

static void describe(const struct facts *facts, char text[CHART_TEXT])
{
	const struct candidate *c = facts->advice.winner;

	snprintf(text, CHART_TEXT, "Stacked bars of %zu strategies.%s%s%s%s",
	    chart_strategies(facts),
	    facts->nothing.code == ERROR_NONE ? " The bottleneck of " : "",
	    facts->nothing.code == ERROR_NONE ? c->trial.strategy : "",
	    facts->nothing.code == ERROR_NONE ? " is: " : "",
	    facts->nothing.code == ERROR_NONE ? c->trial.bottleneck : "");
}

const struct chart_ops chart_steps = {
	.name = "steps",
	.title = "How the time of a sample is spent",
	.explanation =
	    "CPU time for one sample in each epoch; shorter is better. It was "
	    "measured in a warm epoch apart from the timed ones. Colours are "
	    "steps of the pipeline, grey patterns the work of the loader. With "
	    "an emulated storage, opening and reading include the wait for the "
	    "bytes. Each strategy is shown by the trial that caches least.",
	.is_there = is_there,
	.missing = "No steps were traced: the session is of an older presto, "
	           "or ended too early.",
	.describe = describe,
	.draw = draw,
};
