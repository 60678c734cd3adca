/* rows.c - see rows.h. */
#include "cmd/page/rows.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/page/axes.h"
#include "cmd/page/chart.h"
#include "cmd/page/facts.h"
#include "cmd/page/svg.h"

enum { ROW = 20, BETWEEN = 10, NAME = 18, WIDEST = 300, NARROWEST = 90 };

static size_t row_count(const struct fact_group *group, bool one_each)
{
	return one_each ? 1 : group->count;
}

static double widest_name(const struct facts *facts, size_t count)
{
	double widest = NARROWEST;

	for (size_t i = 0; i < count; i++)
		widest = fmax(widest,
		    svg_text_width(
		        facts->strategies[chart_strategy(facts, i)].name,
		        CHART_SIZE));
	return fmin(widest + 8, WIDEST);
}

static double widest_load(const struct facts *facts, bool one_each)
{
	char text[FACTS_TEXT];
	double widest = 0;

	for (size_t i = 0; !one_each && i < facts->trial_count; i++)
		widest = fmax(widest,
		    svg_text_width(facts_load(facts, &facts->trials[i], text),
		        CHART_SMALL));
	return widest > 0 ? widest + 8 : 0;
}

struct rows rows_layout(
    const struct chart *chart, bool one_each, double top, double after)
{
	const struct facts *facts = chart->facts;
	const size_t count = chart_strategies(facts);
	struct rows rows = {
		.top = top,
		.bottom = top,
		.height = ROW,
		.one_each = one_each,
		.name_width = chart->is_narrow ? 0 : widest_name(facts, count),
		.load_width = widest_load(facts, one_each),
		.name_height = chart->is_narrow ? NAME : 0,
	};

	rows.left = fmax(rows.name_width + rows.load_width, 6);
	rows.right = chart->svg.width - after;
	for (size_t i = 0; i < count; i++)
		rows.bottom +=
		    rows.name_height + BETWEEN +
		    ROW * (double)row_count(
		              &facts->strategies[chart_strategy(facts, i)],
		              one_each);
	return rows;
}

static const struct fact *trial_of(const struct facts *facts,
    const struct rows *rows, size_t strategy, size_t i)
{
	if (rows->one_each)
		return facts_first(facts, strategy);
	return &facts->trials
	            [facts->by_strategy[facts->strategies[strategy].first + i]];
}

static void draw_name(const struct chart *chart, const struct rows *rows,
    size_t strategy, double y)
{
	const struct facts *facts = chart->facts;
	const char *name = facts->strategies[strategy].name;
	const int is_best =
	    facts->nothing.code == ERROR_NONE &&
	    strcmp(name, facts->advice.winner->trial.strategy) == 0;
	const double room =
	    chart->is_narrow ? chart->svg.width - 4 : rows->name_width - 6;
	char text[FACTS_TEXT], link[32];
	const char *href = chart_link(chart, strategy, link);

	svg_group_begin(&chart->svg, href, name);
	svg_text(&chart->svg, 2, y, SVG_START, is_best ? "label best" : "label",
	    svg_fit(name, is_best ? CHART_SIZE * 1.06 : CHART_SIZE, room, text,
	        sizeof(text)));
	svg_group_end(&chart->svg, href);
}

static void draw_row(const struct chart *chart, const struct rows *rows,
    const struct fact *trial, double y)
{
	char text[FACTS_TEXT];

	if (rows->load_width > 0)
		svg_text(&chart->svg, rows->left - 6, y + 4, SVG_END, "tick",
		    facts_load(chart->facts, trial, text));
}

static void rows_draw(const struct chart *chart, const struct rows *rows,
    rows_draw_one *draw, void *arg)
{
	const struct facts *facts = chart->facts;
	double y = rows->top;

	for (size_t k = 0; k < chart_strategies(facts); k++) {
		const size_t g = chart_strategy(facts, k);
		const size_t count =
		    row_count(&facts->strategies[g], rows->one_each);

		y += BETWEEN / 2.0;
		draw_name(chart, rows, g,
		    y + (rows->name_height > 0 ? 13 : ROW / 2.0 + 4));
		y += rows->name_height;
		for (size_t i = 0; i < count; i++, y += ROW) {
			const struct fact *trial = trial_of(facts, rows, g, i);

			draw_row(chart, rows, trial, y + ROW / 2.0);
			draw(arg, trial, y + ROW / 2.0);
		}
		y += BETWEEN / 2.0;
	}
}

static double rows_note_height(const struct chart *chart)
{
	return chart_strategies(chart->facts) < chart->facts->strategy_count
	           ? 20
	           : 0;
}

static void rows_note(const struct chart *chart, double y)
{
	const struct facts *facts = chart->facts;
	char text[FACTS_TEXT];

	if (!(rows_note_height(chart) > 0))
		return;
	snprintf(text, sizeof(text),
	    "The best %zu of %zu strategies; the table has all.",
	    chart_strategies(facts), facts->strategy_count);
	svg_text(&chart->svg, 2, y + 14, SVG_START, "tick", text);
}

void rows_chart_draw(struct chart *chart, const struct rows_chart *it)
{
	const struct rows *rows = it->rows;
	const double below = rows->bottom + AXIS_BELOW;

	chart->svg.height = below + rows_note_height(chart);
	svg_begin(&chart->svg, &chart->about);
	legend_draw(&chart->svg, it->legend, it->legend_items, 2, 0,
	    chart->svg.width - 4);
	axis_below(&chart->svg, &(struct axis){ .scale = it->x,
	                            .unit = it->unit,
	                            .title = it->title,
	                            .near = rows->bottom,
	                            .far = rows->top });
	rows_draw(chart, rows, it->draw, it->arg);
	rows_note(chart, below);
	svg_end(&chart->svg);
}
