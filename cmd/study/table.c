/* table.c - see table.h. */
#include "cmd/study/table.h"

#include <math.h>
#include <string.h>

#include "cmd/program/terminal.h"
#include "cmd/study/study.h"
#include "cmd/writers/table.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"

/* ---- for programs ---- */

enum raw {
	RAW_FACTOR,
	RAW_VALUE,
	RAW_SERIES,
	RAW_SESSION,
	RAW_STATUS,
	RAW_RATE,
	RAW_LOW,
	RAW_HIGH,
	RAW_RATIO,
	RAW_STORAGE,
	RAW_PREP,
	RAW_BYTES
};

static const char *const raw_columns[] = {
	[RAW_FACTOR] = "factor",
	[RAW_VALUE] = "value",
	[RAW_SERIES] = "strategy",
	[RAW_SESSION] = "session",
	[RAW_STATUS] = "status",
	[RAW_RATE] = "throughput_samples_per_s",
	[RAW_LOW] = "throughput_low_samples_per_s",
	[RAW_HIGH] = "throughput_high_samples_per_s",
	[RAW_RATIO] = "ratio_to_first",
	[RAW_STORAGE] = "storage_bytes",
	[RAW_PREP] = "prep_s",
	[RAW_BYTES] = "sample_bytes",
};

static double bytes_of(
    const struct study *study, const struct study_point *point)
{
	if (point->value == STUDY_BASELINE ||
	    !(study->values[point->value].bytes > 0))
		return NAN;
	return study->values[point->value].bytes;
}

static int add_raw(struct grid *grid, const struct study *study,
    const struct study_point *point, struct error *err)
{
	if (grid_add_row(grid, err) ||
	    grid_set_text(grid, RAW_FACTOR, study->factor->name, err) ||
	    grid_set_text(
	        grid, RAW_VALUE, study_value_text(study, point), err) ||
	    grid_set_text(
	        grid, RAW_SERIES, study->series[point->series], err) ||
	    grid_set_text(grid, RAW_STATUS, point->status, err))
		return -1;
	grid_set_integer(grid, RAW_SESSION, point->session);
	grid_set_real(grid, RAW_RATE, point->rate);
	grid_set_real(grid, RAW_LOW, point->low);
	grid_set_real(grid, RAW_HIGH, point->high);
	grid_set_real(grid, RAW_RATIO, study_ratio(study, point));
	grid_set_real(grid, RAW_STORAGE, point->storage_bytes);
	grid_set_real(grid, RAW_PREP, point->prep_s);
	grid_set_real(grid, RAW_BYTES, bytes_of(study, point));
	return 0;
}

/* ---- for people ---- */

enum human {
	HUMAN_VALUE,
	HUMAN_SERIES,
	HUMAN_RATE,
	HUMAN_INTERVAL,
	HUMAN_RATIO,
	HUMAN_BYTES,
	HUMAN_STORAGE,
	HUMAN_PREP,
	HUMAN_NOTE,
	HUMAN_COUNT
};

static const char *const human_columns[] = {
	[HUMAN_VALUE] = "", /* the name of the factor */
	[HUMAN_SERIES] = "strategy",
	[HUMAN_RATE] = "samples/s",
	[HUMAN_INTERVAL] = "interval",
	[HUMAN_RATIO] = "ratio",
	[HUMAN_BYTES] = "bytes/s",
	[HUMAN_STORAGE] = "storage",
	[HUMAN_PREP] = "preparation",
	[HUMAN_NOTE] = "note",
};

/* The order in which columns are left out on a narrow terminal. */
static const struct table_column fit[] = {
	[HUMAN_VALUE] = { 0, 0 },
	[HUMAN_SERIES] = { 0, 12 },
	[HUMAN_RATE] = { 0, 0 },
	[HUMAN_INTERVAL] = { 3, 0 },
	[HUMAN_RATIO] = { 1, 0 },
	[HUMAN_BYTES] = { 2, 0 },
	[HUMAN_STORAGE] = { 4, 0 },
	[HUMAN_PREP] = { 5, 0 },
	[HUMAN_NOTE] = { 6, 12 },
};

static int set_rate(struct grid *grid, const struct study *study,
    const struct study_point *point, struct error *err)
{
	const double ratio = study_ratio(study, point);
	const bool has_bytes = factor_is_sizes(study->factor);
	char text[UNITS_TEXT], low[UNITS_TEXT], high[UNITS_TEXT];
	char range[2 * UNITS_TEXT + 8];

	snprintf(range, sizeof(range), "%s to %s",
	    units_number(point->low, low), units_number(point->high, high));
	if (grid_set_text(
	        grid, HUMAN_RATE, units_number(point->rate, text), err) ||
	    (point->high > point->low &&
	        grid_set_text(grid, HUMAN_INTERVAL, range, err)))
		return -1;
	snprintf(range, sizeof(range), "%.2f", ratio);
	if (!isnan(ratio) && grid_set_text(grid, HUMAN_RATIO, range, err))
		return -1;
	snprintf(range, sizeof(range), "%s/s",
	    units_bytes(study_rate(study, point), text));
	return has_bytes && grid_set_text(grid, HUMAN_BYTES, range, err) ? -1
	                                                                 : 0;
}

static int add_human(struct grid *grid, const struct study *study,
    const struct study_point *point, struct error *err)
{
	const char *value = study_value_text(study, point);
	char text[UNITS_TEXT];

	if (grid_add_row(grid, err) ||
	    grid_set_text(grid, HUMAN_VALUE, *value ? value : "-", err) ||
	    grid_set_text(
	        grid, HUMAN_SERIES, study->series[point->series], err))
		return -1;
	if (!(point->rate > 0))
		return grid_set_text(grid, HUMAN_NOTE,
		    *point->message ? point->message : point->status, err);
	if (set_rate(grid, study, point, err))
		return -1;
	if (!isnan(point->storage_bytes) &&
	    grid_set_text(grid, HUMAN_STORAGE,
	        units_bytes(point->storage_bytes, text), err))
		return -1;
	return point->prep_s > 0 ? grid_set_text(grid, HUMAN_PREP,
	                               units_time(point->prep_s, text), err)
	                         : 0;
}

/* ---- both ---- */

typedef int add_point(struct grid *grid, const struct study *study,
    const struct study_point *point, struct error *err);

static int fill(struct grid *grid, const struct study *study, add_point *add,
    struct error *err)
{
	for (size_t i = 0; i < study->point_count; i++)
		if (add(grid, study, &study->points[i], err))
			return -1;
	return 0;
}

static int write_raw(
    const struct study *study, enum format format, FILE *out, struct error *err)
{
	struct grid grid = GRID_INIT;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(raw_columns); i++)
		rc = grid_add_column(&grid, raw_columns[i], err);
	if (rc == 0)
		rc = fill(&grid, study, add_raw, err);
	if (rc == 0)
		rc = format_write(format, &grid, out, err);
	grid_release(&grid);
	return rc;
}

static int write_human(
    const struct study *study, enum format format, FILE *out, struct error *err)
{
	const struct table_page page = { .width = terminal_columns(out),
		.columns = fit,
		.all = "--format csv" };
	struct grid grid = GRID_INIT;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < HUMAN_COUNT; i++)
		rc = grid_add_column(&grid,
		    i == HUMAN_VALUE ? study->factor->name : human_columns[i],
		    err);
	if (rc == 0)
		rc = fill(&grid, study, add_human, err);
	if (rc == 0 && format == FORMAT_TEXT)
		table_write_page(&grid, &page, out);
	else if (rc == 0)
		rc = format_write(format, &grid, out, err);
	grid_release(&grid);
	return rc;
}

int table_study(
    const struct study *study, enum format format, FILE *out, struct error *err)
{
	return format == FORMAT_CSV || format == FORMAT_JSON
	           ? write_raw(study, format, out, err)
	           : write_human(study, format, out, err);
}
