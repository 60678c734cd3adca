/*
 * lines.c - lines over the values of a factor, one for each series.  Values
 * stand at equal distances, in the order given.  Baselines are dashed.
 */
#include <math.h>
#include <string.h>

#include "cmd/study/picture_parts.h"
#include "lib/base/array.h"
#include "lib/base/units.h"

enum { HEIGHT = 300, TOP = 22, SIDE = 46, DODGE = 5, CAP = 4 };

static const double radius = 4;

struct plot {
	struct picture picture;
	struct svg svg;
	struct scale x, y; /* x: from value 0 to the last */
	struct legend_item legend[PICTURE_SERIES + 1];
	size_t items;
	double bottom;
};

static bool has_ideal(const struct study *study)
{
	for (unsigned i = 0; i < study->value_count; i++)
		if (isnan(study->values[i].number))
			return false;
	return study->factor->picture == PICTURE_SPEED_UP;
}

/* The speed-up of a value, if all of it helped. */
static double ideal(const struct study *study, unsigned value)
{
	return study->values[value].number / study->values[0].number;
}

static struct scale scale_of(const struct picture *picture)
{
	const struct study *study = picture->study;
	double low = INFINITY, high = 0;

	for (size_t i = 0; i < study->point_count; i++) {
		const struct shown shown =
		    picture_shown(study, &study->points[i]);

		if (!(shown.value > 0))
			continue;
		low = fmin(low, fmin(shown.value, shown.low));
		high = fmax(high, fmax(shown.value, shown.high));
	}
	for (unsigned i = 0; has_ideal(study) && i < study->value_count; i++)
		high = fmax(high, ideal(study, i));
	/* A speed-up is compared with the ideal: its axis is never logarithmic.
	 */
	if (study->factor->picture == PICTURE_SPEED_UP)
		low = 0;
	return scale_of_range(low, high, PICTURE_TICKS);
}

static enum scale_unit unit_of(const struct study *study)
{
	return study->factor->picture == PICTURE_BYTES ? SCALE_BYTES
	                                               : SCALE_NUMBER;
}

/* The figure on the left axis, which may be logarithmic. */
static const char *title_of(const struct plot *plot)
{
	switch (plot->picture.study->factor->picture) {
	case PICTURE_SPEED_UP:
		return "times the samples/s of the first value";
	case PICTURE_BYTES:
		return plot->y.is_log
		           ? "bytes of samples per second, logarithmic"
		           : "bytes of samples per second";
	default:
		return plot->y.is_log ? "samples/s, logarithmic" : "samples/s";
	}
}

static struct svg_point mark_of(size_t i)
{
	return (struct svg_point){
		.radius = radius,
		.colour = (unsigned)(i % SVG_COLOURS),
		.shape = (enum svg_shape)((i + i / SVG_COLOURS) % 4),
	};
}

static void make_legend(struct plot *plot)
{
	const struct study *study = plot->picture.study;

	for (size_t i = 0; i < plot->picture.count; i++)
		plot->legend[plot->items++] = (struct legend_item){
			.text = study->series[plot->picture.series[i]],
			.point = mark_of(i),
		};
	if (has_ideal(study))
		plot->legend[plot->items++] = (struct legend_item){
			.text = "ideal: as many times as threads",
			.line = "front",
		};
}

/* Places the plot below the legend, and finds the height of the picture. */
static void lay_out(struct plot *plot)
{
	const struct study *study = plot->picture.study;
	const double top =
	    legend_height(plot->legend, plot->items, PICTURE_WIDTH - 4) + TOP;
	const double last = fmax(1, study->value_count - 1.0);

	plot->bottom = top + HEIGHT;
	plot->y = scale_of(&plot->picture);
	plot->y.from = plot->bottom;
	plot->y.to = top;
	plot->x = (struct scale){ .high = last };
	plot->x.from = axis_left_width(&plot->y, unit_of(study), HEIGHT) + SIDE;
	plot->x.to = PICTURE_WIDTH - SIDE;
	plot->svg.width = PICTURE_WIDTH;
	plot->svg.height =
	    plot->bottom + AXIS_BELOW + picture_note_height(&plot->picture);
}

/* ---- axes ---- */

static double place(const struct plot *plot, unsigned value)
{
	return plot->picture.study->value_count == 1
	           ? (plot->x.from + plot->x.to) / 2
	           : scale_at(&plot->x, value);
}

static void draw_axes(const struct plot *plot)
{
	const struct study *study = plot->picture.study;
	const double left = plot->x.from - SIDE, right = plot->x.to + SIDE;
	const double room = (right - left) / study->value_count - 6;
	char text[STUDY_TEXT];

	axis_left(&plot->svg, &(struct axis){ .scale = &plot->y,
	                          .unit = unit_of(study),
	                          .title = title_of(plot),
	                          .near = left,
	                          .far = right - 2 });
	svg_line(
	    &plot->svg, left, plot->bottom, right - 2, plot->bottom, "axis");
	for (unsigned i = 0; i < study->value_count; i++)
		svg_text(&plot->svg, place(plot, i), plot->bottom + 14,
		    SVG_MIDDLE, "tick",
		    svg_fit(study->values[i].text, PICTURE_SMALL, room, text,
		        sizeof(text)));
	svg_text(&plot->svg, (left + right) / 2, plot->bottom + 31, SVG_MIDDLE,
	    "name", study->factor->axis);
}

/* ---- lines ---- */

static void draw_ideal(const struct plot *plot)
{
	const struct study *study = plot->picture.study;

	for (unsigned i = 1; i < study->value_count; i++)
		svg_line(&plot->svg, place(plot, i - 1),
		    scale_at(&plot->y, ideal(study, i - 1)), place(plot, i),
		    scale_at(&plot->y, ideal(study, i)), "front");
}

/* Where a point of the i-th series stands: beside those of other series. */
static double beside(
    const struct plot *plot, size_t i, const struct study_point *point)
{
	const double middle = ((double)plot->picture.count - 1) / 2;

	return place(plot, point->value) +
	       ((double)i - middle) * fmin(DODGE, 40.0 / (middle + 1));
}

static void draw_whisker(
    const struct plot *plot, double x, const struct shown *shown)
{
	const double low = scale_at(&plot->y, shown->low);
	const double high = scale_at(&plot->y, shown->high);

	if (!(low - high > 0.5))
		return;
	svg_line(&plot->svg, x, low, x, high, "whisker");
	svg_line(&plot->svg, x - CAP, low, x + CAP, low, "whisker");
	svg_line(&plot->svg, x - CAP, high, x + CAP, high, "whisker");
}

static void draw_point(
    const struct plot *plot, size_t i, const struct study_point *point)
{
	const struct study *study = plot->picture.study;
	const struct shown shown = picture_shown(study, point);
	struct svg_point mark = mark_of(i);
	char text[PICTURE_TEXT];

	mark.x = beside(plot, i, point);
	mark.y = scale_at(&plot->y, shown.value);
	picture_tooltip(study, point, text);
	svg_group_begin(&plot->svg, NULL, text);
	draw_whisker(plot, mark.x, &shown);
	svg_point(&plot->svg, &mark);
	svg_group_end(&plot->svg, NULL);
}

/* A baseline is drawn over the whole width. */
static void draw_baseline(
    const struct plot *plot, size_t i, const struct study_point *point)
{
	const double y =
	    scale_at(&plot->y, picture_shown(plot->picture.study, point).value);
	struct svg_point mark = mark_of(i);

	svg_line(&plot->svg, plot->x.from - SIDE, y, plot->x.to + SIDE - 2, y,
	    "front");
	mark.x = plot->x.from - SIDE;
	mark.y = y;
	svg_point(&plot->svg, &mark);
}

static void draw_series(const struct plot *plot, size_t i)
{
	const struct study *study = plot->picture.study;
	const struct study_point *last = NULL;

	svg_colour_begin(&plot->svg, (unsigned)(i % SVG_COLOURS));
	for (size_t k = 0; k < study->point_count; k++) {
		const struct study_point *point = &study->points[k];

		if (point->series != plot->picture.series[i] ||
		    point->value == STUDY_BASELINE ||
		    !(picture_shown(study, point).value > 0))
			continue;
		if (last)
			svg_line(&plot->svg, beside(plot, i, last),
			    scale_at(
			        &plot->y, picture_shown(study, last).value),
			    beside(plot, i, point),
			    scale_at(
			        &plot->y, picture_shown(study, point).value),
			    "curve");
		last = point;
	}
	svg_group_end(&plot->svg, NULL);
	for (size_t k = 0; k < study->point_count; k++) {
		const struct study_point *point = &study->points[k];

		if (point->series != plot->picture.series[i] ||
		    !(picture_shown(study, point).value > 0))
			continue;
		if (point->value == STUDY_BASELINE)
			draw_baseline(plot, i, point);
		else
			draw_point(plot, i, point);
	}
}

int lines_draw(const struct study *study, FILE *out, struct error *err)
{
	struct plot plot = { .picture = picture_of(study),
		.svg = { .out = out, .id = "study" } };

	(void)err;
	make_legend(&plot);
	lay_out(&plot);
	picture_begin(&plot.picture, &plot.svg);
	legend_draw(
	    &plot.svg, plot.legend, plot.items, 2, 0, PICTURE_WIDTH - 4);
	draw_axes(&plot);
	if (has_ideal(study))
		draw_ideal(&plot);
	for (size_t i = 0; i < plot.picture.count; i++)
		draw_series(&plot, i);
	picture_end(&plot.picture, &plot.svg);
	return 0;
}
