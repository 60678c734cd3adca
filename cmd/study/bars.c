/*
 * bars.c - bars in groups, one group for each series and one bar for each
 * value: the throughput, and for some factors the storage beside it.
 */
#include <math.h>
#include <string.h>

#include "cmd/study/picture_parts.h"
#include "lib/base/array.h"
#include "lib/base/units.h"

enum {
	ROW = 20,
	BAR = 13,
	GROUP = 22, /* height of the name of a group */
	TOP = 2,
	AFTER = 150, /* text behind the longest bar */
	BETWEEN = 24,
	NAMES_MOST = 190, /* widest names of values */
};

/* The bars of one figure, side by side with those of the other. */
struct panel {
	struct scale x;
	enum scale_unit unit;
	const char *title;
};

struct plot {
	struct picture picture;
	struct svg svg;
	struct panel panels[2];
	unsigned panel_count;
	double names; /* width of the names of values */
	double bottom;
};

static double figure_of(
    const struct study *study, const struct study_point *point, unsigned panel)
{
	return panel ? point->storage_bytes : picture_shown(study, point).value;
}

static bool is_row(const struct plot *plot, size_t group, size_t i)
{
	const struct study *study = plot->picture.study;

	return study->points[i].series == plot->picture.series[group] &&
	       picture_shown(study, &study->points[i]).value > 0;
}

static double most(const struct plot *plot, unsigned panel)
{
	const struct study *study = plot->picture.study;
	double most = 0;

	for (size_t g = 0; g < plot->picture.count; g++)
		for (size_t i = 0; i < study->point_count; i++) {
			const struct study_point *point = &study->points[i];

			if (!is_row(plot, g, i))
				continue;
			most = fmax(most, figure_of(study, point, panel));
			if (!panel && point->high > 0)
				most = fmax(
				    most, picture_shown(study, point).high);
		}
	return most;
}

static const char *name_of(
    const struct study *study, const struct study_point *point)
{
	const char *value = study_value_text(study, point);

	return *value ? value : "as it is";
}

static void lay_out(struct plot *plot)
{
	const struct study *study = plot->picture.study;
	double y = TOP, width, left;

	for (size_t g = 0; g < plot->picture.count; g++) {
		y += GROUP;
		for (size_t i = 0; i < study->point_count; i++)
			y += is_row(plot, g, i) ? ROW : 0;
	}
	for (size_t i = 0; i < study->point_count; i++)
		plot->names = fmax(plot->names,
		    svg_text_width(
		        name_of(study, &study->points[i]), PICTURE_SMALL));
	plot->names = fmin(plot->names, NAMES_MOST) + 12;
	plot->bottom = y + 4;
	plot->svg.width = PICTURE_WIDTH;
	plot->svg.height =
	    plot->bottom + AXIS_BELOW + picture_note_height(&plot->picture);
	width =
	    (PICTURE_WIDTH - plot->names - BETWEEN * (plot->panel_count - 1)) /
	    plot->panel_count;
	left = plot->names;
	for (unsigned p = 0; p < plot->panel_count; p++) {
		struct scale *x = &plot->panels[p].x;

		*x = scale_from_zero(most(plot, p));
		x->from = left;
		x->to = left + width - AFTER;
		left += width + BETWEEN;
	}
}

static void draw_axes(const struct plot *plot)
{
	for (unsigned p = 0; p < plot->panel_count; p++) {
		const struct panel *panel = &plot->panels[p];

		axis_below(&plot->svg, &(struct axis){ .scale = &panel->x,
		                           .unit = panel->unit,
		                           .title = panel->title,
		                           .near = plot->bottom,
		                           .far = TOP });
	}
}

static void draw_whisker(
    const struct plot *plot, const struct study_point *point, double y)
{
	const struct shown shown = picture_shown(plot->picture.study, point);
	const double low = scale_at(&plot->panels[0].x, shown.low);
	const double high = scale_at(&plot->panels[0].x, shown.high);

	if (!(high - low > 0.5))
		return;
	svg_line(&plot->svg, low, y, high, y, "whisker wide-line");
	svg_line(&plot->svg, low, y, high, y, "whisker");
	svg_line(&plot->svg, low, y - 4, low, y + 4, "whisker");
	svg_line(&plot->svg, high, y - 4, high, y + 4, "whisker");
}

/* "1 234 (x 0.87)", "12.3 MB (saves 34 %)". */
static void figure_text(const struct study *study,
    const struct study_point *point, unsigned panel, char text[64])
{
	const struct study_point *first = study_first(study, point->series);
	const bool compares =
	    first && first != point && point->value != STUDY_BASELINE;
	char number[UNITS_TEXT];
	double saved;

	if (!panel) {
		units_number(point->rate, number);
		if (compares)
			snprintf(text, 64, "%s (x %.2f)", number,
			    study_ratio(study, point));
		else
			snprintf(text, 64, "%s", number);
		return;
	}
	units_bytes(point->storage_bytes, number);
	saved = compares && first->storage_bytes > 0
	            ? 100 * (1 - point->storage_bytes / first->storage_bytes)
	            : 0;
	if (fabs(saved) >= 0.5)
		snprintf(text, 64, "%s (%s %.0f %%)", number,
		    saved > 0 ? "saves" : "adds", fabs(saved));
	else
		snprintf(text, 64, "%s", number);
}

static void draw_bar(const struct plot *plot, const struct study_point *point,
    unsigned panel, double y)
{
	const struct study *study = plot->picture.study;
	const struct scale *x = &plot->panels[panel].x;
	const double value = figure_of(study, point, panel);
	const bool is_baseline = point->value == STUDY_BASELINE;
	double end = scale_at(x, value);
	char text[64];

	if (isnan(value))
		return;
	svg_rect(&plot->svg,
	    &(struct svg_rect){ .x = x->from,
	        .y = y - BAR / 2.0,
	        .width = fmax(end - x->from, 1),
	        .height = BAR,
	        .colour =
	            is_baseline ? SVG_COLOURS : point->value % SVG_COLOURS,
	        .pattern = is_baseline ? SVG_SOLID
	                               : (enum svg_pattern)(
	                                     point->value % SVG_PATTERNS) });
	if (!panel) {
		draw_whisker(plot, point, y);
		if (point->high > 0)
			end = fmax(
			    end, scale_at(x, picture_shown(study, point).high));
	}
	figure_text(study, point, panel, text);
	svg_text(&plot->svg, end + 6, y + 4, SVG_START, "value", text);
}

static void draw_row(
    const struct plot *plot, const struct study_point *point, double y)
{
	const struct study *study = plot->picture.study;
	char text[PICTURE_TEXT], name[STUDY_TEXT];

	picture_tooltip(study, point, text);
	svg_group_begin(&plot->svg, NULL, text);
	svg_text(&plot->svg, plot->names - 6, y + 4, SVG_END, "tick",
	    svg_fit(name_of(study, point), PICTURE_SMALL, plot->names - 12,
	        name, sizeof(name)));
	for (unsigned p = 0; p < plot->panel_count; p++)
		draw_bar(plot, point, p, y);
	svg_group_end(&plot->svg, NULL);
}

static void draw_groups(const struct plot *plot)
{
	const struct study *study = plot->picture.study;
	double y = TOP;
	char name[STUDY_TEXT];

	for (size_t g = 0; g < plot->picture.count; g++) {
		y += GROUP;
		svg_text(&plot->svg, 2, y - 5, SVG_START, "name halo",
		    svg_fit(study->series[plot->picture.series[g]],
		        PICTURE_SMALL, PICTURE_WIDTH - 4, name, sizeof(name)));
		for (size_t i = 0; i < study->point_count; i++) {
			if (!is_row(plot, g, i))
				continue;
			draw_row(plot, &study->points[i], y + ROW / 2.0);
			y += ROW;
		}
	}
}

int bars_draw(const struct study *study, FILE *out, struct error *err)
{
	struct plot plot = { .picture = picture_of(study),
		.svg = { .out = out, .id = "study" },
		.panels = { { .title = "samples/s" },
		    { .title = "storage", .unit = SCALE_BYTES } },
		.panel_count =
		    study->factor->picture == PICTURE_SAVING ? 2 : 1 };

	(void)err;
	lay_out(&plot);
	picture_begin(&plot.picture, &plot.svg);
	draw_axes(&plot);
	draw_groups(&plot);
	picture_end(&plot.picture, &plot.svg);
	return 0;
}
