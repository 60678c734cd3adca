/* picture.c - see picture.h and picture_parts.h. */
#include "cmd/study/picture.h"

#include <math.h>
#include <string.h>

#include "cmd/html/assets.h"
#include "cmd/study/picture_parts.h"
#include "lib/base/error.h"
#include "lib/base/units.h"

enum { NOTE_HEIGHT = 20 };

struct shown picture_shown(
    const struct study *study, const struct study_point *point)
{
	const bool relates = study->factor->picture == PICTURE_SPEED_UP;
	const double value =
	    relates ? study_ratio(study, point) : study_rate(study, point);
	const double scale = value / point->rate;

	return (struct shown){
		.value = point->rate > 0 ? value : NAN,
		.low = point->low * scale,
		.high = point->high * scale,
	};
}

static bool is_drawn(const struct study *study, size_t series)
{
	for (size_t i = 0; i < study->point_count; i++)
		if (study->points[i].series == series &&
		    picture_shown(study, &study->points[i]).value > 0)
			return true;
	return false;
}

struct picture picture_of(const struct study *study)
{
	struct picture picture = { .study = study };

	for (size_t i = 0; i < study->series_count; i++) {
		if (!is_drawn(study, i))
			continue;
		if (picture.count < PICTURE_SERIES)
			picture.series[picture.count++] = i;
		else
			picture.left_out++;
	}
	return picture;
}

/* Describes the picture in words, for readers who cannot see it. */
static void describe(const struct picture *picture, char text[PICTURE_TEXT])
{
	const struct study *study = picture->study;
	const struct study_point *best = NULL;
	char rate[UNITS_TEXT];

	for (size_t i = 0; i < study->point_count; i++)
		if (study->points[i].rate > 0 &&
		    (!best || study->points[i].rate > best->rate))
			best = &study->points[i];
	snprintf(text, PICTURE_TEXT,
	    "%zu series over %u values of %s. The fastest is %s%s%s, samples "
	    "per second: %s",
	    picture->count, study->value_count, study->factor->axis,
	    best ? study->series[best->series] : "none",
	    best && best->value != STUDY_BASELINE ? " at " : "",
	    best ? study_value_text(study, best) : "",
	    best ? units_number(best->rate, rate) : "none");
}

void picture_begin(const struct picture *picture, const struct svg *svg)
{
	const struct study *study = picture->study;
	char description[PICTURE_TEXT], heading[PICTURE_TEXT];

	describe(picture, description);
	snprintf(heading, sizeof(heading), "%s%s%s", study->pipeline,
	    *study->pipeline ? ": " : "", study->factor->title);
	svg_begin(svg, &(struct svg_about){ .title = study->factor->title,
	                   .description = description,
	                   .css = asset_chart_css,
	                   .heading = heading,
	                   .class = "wide" });
}

double picture_note_height(const struct picture *picture)
{
	return picture->left_out ? NOTE_HEIGHT : 0;
}

void picture_end(const struct picture *picture, const struct svg *svg)
{
	char text[96];

	if (picture->left_out) {
		snprintf(text, sizeof(text),
		    "%zu more series are in the table only", picture->left_out);
		svg_text(svg, 2, svg->height - 6, SVG_START, "key", text);
	}
	svg_end(svg);
}

void picture_tooltip(const struct study *study, const struct study_point *point,
    char text[PICTURE_TEXT])
{
	const char *value = study_value_text(study, point);
	char rate[UNITS_TEXT], low[UNITS_TEXT], high[UNITS_TEXT];

	snprintf(text, PICTURE_TEXT, "%s%s%s%s%s\n%s samples/s, %s to %s",
	    study->series[point->series], *value ? ", " : "",
	    *value ? study->factor->axis : "", *value ? " " : "", value,
	    units_number(point->rate, rate), units_number(point->low, low),
	    units_number(point->high, high));
}

int picture_draw(const struct study *study, FILE *out, struct error *err)
{
	const enum factor_picture picture = study->factor->picture;

	if (!picture_of(study).count)
		return error_set(
		    err, ERROR_DATA, "nothing was measured that can be drawn");
	return picture == PICTURE_BARS || picture == PICTURE_SAVING
	           ? bars_draw(study, out, err)
	           : lines_draw(study, out, err);
}
