/* study.c - see study.h. */
#include "cmd/study/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"

void study_release(struct study *study)
{
	free(study->points);
	free(study->series);
	*study = (struct study){ .factor = study->factor };
}

/* ---- values ---- */

static double number_of(const char *text)
{
	uint64_t number;

	return units_parse_bytes(text, &number) ? NAN : (double)number;
}

int study_add_value(struct study *study, const char *text, struct error *err)
{
	struct study_value *value = &study->values[study->value_count];

	for (unsigned i = 0; i < study->value_count; i++)
		if (strcmp(study->values[i].text, text) == 0)
			return error_set(err, ERROR_USAGE,
			    "the value '%s' is given twice", text);
	if (study->value_count == STUDY_VALUES)
		return error_set(
		    err, ERROR_USAGE, "at most %d values", STUDY_VALUES);
	if (!*text || strlen(text) >= sizeof(value->text))
		return error_set(err, ERROR_USAGE,
		    "a value must have 1 to %d characters, got '%s'",
		    STUDY_TEXT - 1, text);
	snprintf(value->text, sizeof(value->text), "%s", text);
	value->number = number_of(text);
	study->value_count++;
	return 0;
}

int study_set_values(struct study *study, const char *list, struct error *err)
{
	const char *at = list;
	char text[STUDY_TEXT];

	for (;; at++) {
		const char *from = at + strspn(at, " ");
		size_t len = strcspn(from, ",");

		at = from + len;
		while (len > 0 && from[len - 1] == ' ')
			len--;
		snprintf(text, sizeof(text), "%.*s", (int)len, from);
		if (strcmp(text, "auto") == 0)
			return error_set(err, ERROR_USAGE,
			    "--values %s: a study sweeps given values, and "
			    "auto is none; presto profile finds it",
			    list);
		if (study_add_value(study, text, err))
			return error_prefix(err, "--values %s", list);
		if (!*at)
			return 0;
	}
}

/*
 * Is it the value: the same text or number?  Not exact: with what was left to a
 * default, such as "gzip:6" for "gzip".
 */
static bool is_value(
    const struct study_value *value, const char *text, bool exact)
{
	const size_t len = strlen(value->text);
	const double apart = fabs(value->number - number_of(text));

	if (!exact)
		return strncmp(value->text, text, len) == 0 && text[len] == ':';
	return strcmp(value->text, text) == 0 || apart < 0.5;
}

/* Finds the value of a row; one that was not asked for becomes a new one. */
static int find_value(
    struct study *study, const char *text, unsigned *value, struct error *err)
{
	for (unsigned exact = 2; exact-- > 0;)
		for (unsigned i = 0; i < study->value_count; i++) {
			struct study_value *v = &study->values[i];

			if (!is_value(v, text, exact))
				continue;
			snprintf(v->text, sizeof(v->text), "%s", text);
			*value = i;
			return 0;
		}
	*value = study->value_count;
	return study_add_value(study, text, err);
}

/* ---- series ---- */

/* Columns in which trials of one strategy may differ, besides the factor. */
static const struct {
	const char *column, *before, *after, *after_many;
} loads[] = {
	{ "shards", "", " shard", "s" },
	{ "source_samples", "", " sample", "s" },
	{ "threads", "", " thread", "s" },
	{ "cache", "cache ", "", "" },
	{ "cache_place", "of ", "", "" },
	{ "fetchers", "", " fetcher", "s" },
	{ "read_ahead", "read ahead ", "", "" },
	{ "shuffle", "shuffle ", "", "" },
	{ "batch", "batch ", "", "" },
};

static const char *cell(const struct grid *trials, size_t row,
    const char *column, char text[VALUE_TEXT_SIZE])
{
	const int at = grid_column(trials, column);

	return at < 0 ? ""
	              : value_print(grid_value(trials, row, (size_t)at), text);
}

/* Unprocessed has no shards, which the results call 0. */
static bool is_none(const char *column, const char *text)
{
	return !*text ||
	       (strcmp(column, "shards") == 0 && strcmp(text, "0") == 0);
}

static bool is_alike(
    const struct grid *trials, size_t a, size_t b, const char *column)
{
	char one[VALUE_TEXT_SIZE], other[VALUE_TEXT_SIZE];

	return !column || strcmp(cell(trials, a, column, one),
	                      cell(trials, b, column, other)) == 0;
}

/*
 * Is the column the first one in which two trials of a strategy differ that
 * have the same value of the factor?  The number of fetchers follows that of
 * the threads, and then needs no mention.
 */
static bool differs(
    const struct study *study, const struct grid *trials, size_t load)
{
	for (size_t a = 0; a < trials->row_count; a++)
		for (size_t b = a + 1; b < trials->row_count; b++) {
			bool alike =
			    is_alike(trials, a, b, "strategy") &&
			    is_alike(trials, a, b, study->factor->column);

			for (size_t i = 0; alike && i < load; i++)
				alike = is_alike(trials, a, b, loads[i].column);
			if (alike &&
			    !is_alike(trials, a, b, loads[load].column))
				return true;
		}
	return false;
}

static void append(char text[STUDY_TEXT], const char *before, const char *more,
    const char *after)
{
	const size_t len = strlen(text);

	snprintf(text + len, STUDY_TEXT - len, "%s%s%s", before, more, after);
}

/* A session that was read. */
struct read {
	struct grid trials;
	bool differs[ARRAY_LEN(loads)];
};

/* Names the series of a trial: its strategy and load without the factor. */
static void name_series(const struct study *study, const struct read *read,
    size_t row, char text[STUDY_TEXT])
{
	const struct grid *trials = &read->trials;
	const char *column = study->factor->column;
	const char *order = grid_text(trials, row, "order");
	const char *store = grid_text(trials, row, "store");
	const char *codec = grid_text(trials, row, "codec");
	char number[VALUE_TEXT_SIZE];

	text[0] = '\0';
	if (*order)
		append(text, "", order, ":");
	append(text, "", grid_text(trials, row, "split"), "");
	if (*store)
		append(text, "/", store, "");
	if (*codec && !(column && strcmp(column, "codec") == 0))
		append(text, "/", codec, "");
	for (size_t i = 0; i < ARRAY_LEN(loads); i++) {
		const char *value = cell(trials, row, loads[i].column, number);

		if (!read->differs[i] || is_none(loads[i].column, value))
			continue;
		append(text, ", ", loads[i].before, value);
		append(text, loads[i].after,
		    strcmp(value, "1") == 0 ? "" : loads[i].after_many, "");
	}
}

static int find_series(
    struct study *study, const char *name, size_t *series, struct error *err)
{
	char(*list)[STUDY_TEXT];

	for (size_t i = 0; i < study->series_count; i++)
		if (strcmp(study->series[i], name) == 0) {
			*series = i;
			return 0;
		}
	list = array_grow(study->series, &study->series_capacity,
	    study->series_count + 1, sizeof(*study->series), err);
	if (!list)
		return -1;
	study->series = list;
	snprintf(list[study->series_count], STUDY_TEXT, "%s", name);
	*series = study->series_count++;
	return 0;
}

/* ---- points ---- */

static int read_value(struct study *study, const struct grid *trials,
    size_t row, struct study_point *point, struct error *err)
{
	char number[VALUE_TEXT_SIZE];
	const char *text;

	if (point->value != STUDY_BASELINE)
		return 0;
	text = cell(trials, row, study->factor->column, number);
	return is_none(study->factor->column, text)
	           ? 0
	           : find_value(study, text, &point->value, err);
}

static int add_point(struct study *study, const struct read *read, size_t row,
    unsigned value, struct error *err)
{
	const struct grid *trials = &read->trials;
	char series[STUDY_TEXT];
	struct study_point *points =
	    array_grow(study->points, &study->point_capacity,
	        study->point_count + 1, sizeof(*study->points), err);
	struct study_point *point;

	if (!points)
		return -1;
	study->points = points;
	point = &points[study->point_count];
	*point = (struct study_point){
		.value = value,
		.session = grid_integer(trials, row, "session"),
		.rate = grid_number(trials, row, "throughput_samples_per_s"),
		.low = grid_number(trials, row, "throughput_low_samples_per_s"),
		.high =
		    grid_number(trials, row, "throughput_high_samples_per_s"),
		.prep_s = grid_number(trials, row, "prep_s"),
		.storage_bytes = grid_number(trials, row, "storage_bytes"),
	};
	snprintf(point->status, sizeof(point->status), "%s",
	    grid_text(trials, row, "status"));
	snprintf(point->message, sizeof(point->message), "%s",
	    grid_text(trials, row, "message"));
	name_series(study, read, row, series);
	if (read_value(study, trials, row, point, err) ||
	    find_series(study, series, &point->series, err))
		return -1;
	study->point_count++;
	return 0;
}

int study_add_session(struct study *study, struct results *results,
    int64_t session, unsigned value, struct error *err)
{
	struct read read = { .trials = GRID_INIT };
	int rc =
	    results_read(results, RESULTS_TRIALS, session, &read.trials, err);

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(loads); i++)
		read.differs[i] = differs(study, &read.trials, i);
	for (size_t row = 0; rc == 0 && row < read.trials.row_count; row++)
		rc = add_point(study, &read, row, value, err);
	grid_release(&read.trials);
	return rc;
}

static int by_series(const void *a, const void *b)
{
	const struct study_point *x = a, *y = b;

	if (x->series != y->series)
		return x->series < y->series ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

void study_sort(struct study *study)
{
	if (study->point_count)
		qsort(study->points, study->point_count, sizeof(*study->points),
		    by_series);
}

/* ---- figures ---- */

const struct study_point *study_first(const struct study *study, size_t series)
{
	const struct study_point *first = NULL;

	for (size_t i = 0; i < study->point_count; i++) {
		const struct study_point *point = &study->points[i];

		if (point->series == series && point->value != STUDY_BASELINE &&
		    point->rate > 0 && (!first || point->value < first->value))
			first = point;
	}
	return first;
}

double study_rate(const struct study *study, const struct study_point *point)
{
	if (!factor_is_sizes(study->factor))
		return point->rate;
	return point->value == STUDY_BASELINE
	           ? NAN
	           : point->rate * study->values[point->value].bytes;
}

double study_ratio(const struct study *study, const struct study_point *point)
{
	const struct study_point *first = study_first(study, point->series);

	if (!first || point->value == STUDY_BASELINE)
		return NAN;
	return study_rate(study, point) / study_rate(study, first);
}

const char *study_value_text(
    const struct study *study, const struct study_point *point)
{
	return point->value == STUDY_BASELINE
	           ? ""
	           : study->values[point->value].text;
}
