/* combine.c - see combine.h. */
#include "strategies/compare/combine.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/stats/statistics.h"
#include "strategies/figures/figures.h"

/* Between the beginnings of two sessions on the time line of all: 11 days. */
static const double apart_ns = 1e15;

struct work {
	const struct combine_part *parts;
	size_t count;
	struct grid *trials, *rates;
};

/* The row of `in` that is of the same trial; else as many as it has. */
static size_t same_row(const struct grid *in, const struct grid *of, size_t row)
{
	size_t i = 0;

	while (i < in->row_count && !figures_rows_match(in, i, of, row))
		i++;
	return i;
}

/* ---- rows ---- */

static int copy_columns(
    struct grid *to, const struct grid *from, struct error *err)
{
	for (size_t i = 0; i < from->column_count; i++)
		if (grid_add_column(to, from->columns[i], err))
			return -1;
	return 0;
}

static int copy_row(
    struct grid *to, const struct grid *from, size_t row, struct error *err)
{
	if (grid_add_row(to, err))
		return -1;
	for (size_t i = 0; i < from->column_count; i++) {
		const struct value *value = grid_value(from, row, i);

		if (value->kind == VALUE_TEXT &&
		    grid_set_text(to, i, value->text, err))
			return -1;
		if (value->kind == VALUE_FLAG)
			grid_set_flag(to, i, value->integer);
		if (value->kind == VALUE_INTEGER)
			grid_set_integer(to, i, value->integer);
		if (value->kind == VALUE_REAL)
			grid_set_real(to, i, value->real);
	}
	return 0;
}

/* In the last row, where there is such a column. */
static void set(struct grid *to, const char *column, double number)
{
	const int i = grid_column(to, column);

	if (i >= 0)
		grid_set_real(to, (size_t)i, number);
}

/* ---- one trial ---- */

/* The later of these, the worse. */
enum condition { SAME_DATA, LOSSY, OTHER_DATA, NOT_DONE, FAILED };

static enum condition condition_of(const struct grid *trials, size_t row)
{
	const char *status = grid_text(trials, row, "status");
	const char *equivalent = grid_text(trials, row, "equivalent");

	if (strcmp(status, "failed") == 0)
		return FAILED;
	if (strcmp(status, "done") != 0)
		return NOT_DONE;
	if (strcmp(equivalent, "no") == 0)
		return OTHER_DATA;
	return strcmp(equivalent, "lossy") == 0 ? LOSSY : SAME_DATA;
}

/* The runs of a part's trial, which become those of trial `id`. */
static int add_rates(const struct work *work, size_t part, size_t row,
    size_t id, struct error *err)
{
	const struct grid *from = work->parts[part].rates;
	const double trial =
	    grid_number(work->parts[part].trials, row, "trial");

	for (size_t i = 0; i < from->row_count; i++) {
		const double began = grid_number(from, i, "started_ns");

		if (islessgreater(grid_number(from, i, "trial"), trial))
			continue;
		if (copy_row(work->rates, from, i, err))
			return -1;
		set(work->rates, "trial", (double)id);
		set(work->rates, "started_ns", began + (double)part * apart_ns);
	}
	return 0;
}

/* Of the runs that were added from `first` on. */
static int set_throughput(
    const struct work *work, size_t first, struct error *err)
{
	const size_t count = work->rates->row_count - first;
	double *values = calloc(count + 1, sizeof(*values));
	struct interval interval;
	size_t n = 0;

	if (!values)
		return error_memory(err, (count + 1) * sizeof(*values));
	for (size_t i = 0; i < count; i++) {
		const double rate =
		    grid_number(work->rates, first + i, "samples_per_s");

		if (rate > 0)
			values[n++] = rate;
	}
	if (n > 0) {
		interval = interval_of(values, n);
		set(work->trials, "throughput_samples_per_s", interval.median);
		set(work->trials, "throughput_low_samples_per_s", interval.low);
		set(work->trials, "throughput_high_samples_per_s",
		    interval.high);
	}
	set(work->trials, "figures", (double)n);
	free(values);
	return 0;
}

/* The median over the parts that know it. */
static void set_median(const struct work *work, const char *column,
    const size_t *rows, double *values)
{
	size_t n = 0;

	for (size_t i = 0; i < work->count; i++) {
		values[n] = grid_number(work->parts[i].trials, rows[i], column);
		n += isnan(values[n]) ? 0 : 1;
	}
	if (n > 0)
		set(work->trials, column, median_of(values, n));
}

/* `rows` are the trial's in each part. */
static int add_trial(
    const struct work *work, const size_t *rows, struct error *err)
{
	const size_t id = work->trials->row_count + 1;
	const size_t first = work->rates->row_count;
	double *values = calloc(work->count, sizeof(*values));
	size_t worst = 0;
	int rc = -1;

	if (!values)
		return error_memory(err, work->count * sizeof(*values));
	for (size_t i = 1; i < work->count; i++)
		if (condition_of(work->parts[i].trials, rows[i]) >=
		    condition_of(work->parts[worst].trials, rows[worst]))
			worst = i;
	if (copy_row(work->trials, work->parts[worst].trials, rows[worst], err))
		goto done;
	set(work->trials, "trial", (double)id);
	set_median(work, "prep_s", rows, values);
	set_median(work, "cpu_us_per_sample", rows, values);
	rc = 0;
	if (condition_of(work->parts[worst].trials, rows[worst]) == FAILED)
		goto done;
	for (size_t i = 0; rc == 0 && i < work->count; i++)
		rc = add_rates(work, i, rows[i], id, err);
	if (rc == 0)
		rc = set_throughput(work, first, err);
done:
	free(values);
	return rc;
}

/* ---- all trials ---- */

static int lacks(const struct grid *trials, size_t row, struct error *err)
{
	return error_set(err, ERROR_USAGE,
	    "sessions that are taken together must have the same trials: %s, "
	    "%.0f thread%s, cache %s, is not in all of them",
	    grid_text(trials, row, "strategy"),
	    grid_number(trials, row, "threads"),
	    islessgreater(grid_number(trials, row, "threads"), 1) ? "s" : "",
	    grid_text(trials, row, "cache"));
}

/* Where the trial of a row of the first part is in each; an error if not. */
static int find_in_all(
    const struct work *work, size_t row, size_t *rows, struct error *err)
{
	const struct grid *first = work->parts[0].trials;

	for (size_t i = 0; i < work->count; i++) {
		const struct grid *in = work->parts[i].trials;

		rows[i] = same_row(in, first, row);
		if (rows[i] == in->row_count)
			return lacks(first, row, err);
	}
	return 0;
}

/* What the first part has not, another must not have. */
static int check_more(const struct work *work, struct error *err)
{
	const struct grid *first = work->parts[0].trials;

	for (size_t i = 1; i < work->count; i++) {
		const struct grid *in = work->parts[i].trials;

		for (size_t row = 0; row < in->row_count; row++)
			if (same_row(first, in, row) == first->row_count)
				return lacks(in, row, err);
	}
	return 0;
}

int combine_sessions(const struct combine_part *parts, size_t count,
    struct grid *trials, struct grid *rates, struct error *err)
{
	const struct work work = { parts, count, trials, rates };
	size_t *rows = calloc(count, sizeof(*rows));
	int rc = -1;

	if (!rows)
		return error_memory(err, count * sizeof(*rows));
	if (copy_columns(trials, parts[0].trials, err) == 0 &&
	    copy_columns(rates, parts[0].rates, err) == 0)
		rc = check_more(&work, err);
	for (size_t i = 0; rc == 0 && i < parts[0].trials->row_count; i++) {
		rc = find_in_all(&work, i, rows, err);
		if (rc == 0)
			rc = add_trial(&work, rows, err);
	}
	free(rows);
	return rc;
}
