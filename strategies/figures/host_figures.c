/* host_figures.c - see host_figures.h. */
#include "strategies/figures/host_figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/stats/statistics.h"

enum column {
	SESSION,
	STRATEGY,
	THREADS,
	CACHE,
	CACHE_PLACE,
	FETCHERS,
	READ_AHEAD,
	SHUFFLE,
	BATCH,
	SHARDS,
	SOURCE_SAMPLES, /* the columns up to here are taken over */
	HOSTS,
	RUNS,
	TOTAL,
	TOTAL_LOW,
	TOTAL_HIGH,
	TOTAL_MB,
	EACH,
	SLOWEST,
	SLOWEST_HOST,
	EFFICIENCY,
	KNEE,
	COLUMNS
};

static const char *const names[COLUMNS] = {
	[SESSION] = "session",
	[STRATEGY] = "strategy",
	[THREADS] = "threads",
	[CACHE] = "cache",
	[CACHE_PLACE] = "cache_place",
	[FETCHERS] = "fetchers",
	[READ_AHEAD] = "read_ahead",
	[SHUFFLE] = "shuffle",
	[BATCH] = "batch",
	[SHARDS] = "shards",
	[SOURCE_SAMPLES] = "source_samples",
	[HOSTS] = "hosts",
	[RUNS] = "runs",
	[TOTAL] = "total_samples_per_s",
	[TOTAL_LOW] = "total_low_samples_per_s",
	[TOTAL_HIGH] = "total_high_samples_per_s",
	[TOTAL_MB] = "total_mb_per_s",
	[EACH] = "host_samples_per_s",
	[SLOWEST] = "slowest_samples_per_s",
	[SLOWEST_HOST] = "slowest_host",
	[EFFICIENCY] = "efficiency_percent",
	[KNEE] = "knee_hosts",
};

/* One rank in all runs of a point. */
struct host {
	double samples, wall_s;
	size_t row; /* one of its rows */
};

/* A trial with a number of hosts: rows `first` to `end`. */
struct point {
	size_t first, end;
	size_t hosts;
	double *rates;
	size_t runs;
	struct interval interval;
	struct host *list; /* [hosts] */
};

static int open_point(struct point *point, struct error *err)
{
	point->rates = calloc(point->end - point->first, sizeof(double));
	point->list = calloc(point->hosts + 1, sizeof(*point->list));
	if (point->rates && point->list)
		return 0;
	return error_memory(err, (point->hosts + 1) * sizeof(*point->list));
}

static void close_point(struct point *point)
{
	free(point->rates);
	free(point->list);
}

static bool is_same(
    const struct grid *rows, size_t a, size_t b, const char *const columns[2])
{
	for (int i = 0; i < 2; i++)
		if (grid_integer(rows, a, columns[i]) !=
		    grid_integer(rows, b, columns[i]))
			return false;
	return true;
}

/* Returns the row behind those that share two numbers with the first one. */
static size_t find_end(const struct grid *rows, size_t first, size_t most,
    const char *const columns[2])
{
	size_t end = first + 1;

	while (end < most && is_same(rows, first, end, columns))
		end++;
	return end;
}

/* Adds an epoch of all hosts; returns its longest time. */
static double add_epoch(const struct grid *rows, struct point *point,
    size_t first, size_t end, double *samples)
{
	double longest_s = 0;

	for (size_t i = first; i < end; i++) {
		const double wall_s = grid_number(rows, i, "wall_s");
		const double delivered = grid_number(rows, i, "samples");
		const int64_t rank = grid_integer(rows, i, "rank");

		longest_s = fmax(longest_s, wall_s);
		*samples += delivered;
		if (rank < 0 || (size_t)rank >= point->hosts)
			continue;
		point->list[rank].samples += delivered;
		point->list[rank].wall_s += wall_s;
		point->list[rank].row = i;
	}
	return longest_s;
}

/* Sums up the runs of a point. */
static void sum_up(const struct grid *rows, struct point *point)
{
	static const char *const of_run[2] = { "run", "run" };
	static const char *const of_epoch[2] = { "run", "epoch" };

	for (size_t run = point->first, end; run < point->end; run = end) {
		double samples = 0, wall_s = 0;

		end = find_end(rows, run, point->end, of_run);
		for (size_t epoch = run, next; epoch < end; epoch = next) {
			next = find_end(rows, epoch, end, of_epoch);
			wall_s += add_epoch(rows, point, epoch, next, &samples);
		}
		if (wall_s > 0)
			point->rates[point->runs++] = samples / wall_s;
	}
	if (point->runs)
		point->interval = interval_of(point->rates, point->runs);
}

static double rate_of(const struct host *host)
{
	return host->wall_s > 0 ? host->samples / host->wall_s : 0;
}

/* The median rate of a host, and the slowest of them. */
static double rate_each(
    const struct point *point, const struct host **slowest, struct error *err)
{
	double *rates = calloc(point->hosts + 1, sizeof(double));
	double median;

	*slowest = &point->list[0];
	if (!rates) {
		error_memory(err, point->hosts * sizeof(double));
		return -1;
	}
	for (size_t i = 0; i < point->hosts; i++) {
		rates[i] = rate_of(&point->list[i]);
		if (rates[i] < rate_of(*slowest))
			*slowest = &point->list[i];
	}
	median = median_of(rates, point->hosts);
	free(rates);
	return median;
}

/* Takes the first columns over from the rows. */
static int copy_columns(
    const struct grid *rows, size_t row, struct grid *table, struct error *err)
{
	for (size_t c = 0; c <= SOURCE_SAMPLES; c++) {
		const int at = grid_column(rows, names[c]);
		const struct value *value =
		    at < 0 ? NULL : grid_value(rows, row, (size_t)at);

		if (!value)
			continue;
		if (value->kind == VALUE_INTEGER)
			grid_set_integer(table, c, value->integer);
		else if (value->kind == VALUE_TEXT &&
		         grid_set_text(table, c, value->text, err))
			return -1;
	}
	return 0;
}

static double bytes_of(const struct grid *rows, const struct point *point)
{
	double bytes = 0, samples = 0;

	for (size_t i = point->first; i < point->end; i++) {
		bytes += grid_number(rows, i, "bytes");
		samples += grid_number(rows, i, "samples");
	}
	return samples > 0 ? bytes / samples : 0;
}

/* Facts that the points of a trial have in common. */
struct scaling {
	const struct grid *rows;
	struct grid *table;
	bool hide;
	double alone; /* the total of one host; 0: not known */
	size_t knee;
};

static int set_slowest(const struct scaling *scaling,
    const struct host *slowest, struct error *err)
{
	const struct grid *rows = scaling->rows;
	char rank[32];

	snprintf(rank, sizeof(rank), "rank %lld",
	    (long long)grid_integer(rows, slowest->row, "rank"));
	return grid_set_text(scaling->table, SLOWEST_HOST,
	    scaling->hide ? rank : grid_text(rows, slowest->row, "host"), err);
}

static int add_row(
    const struct scaling *scaling, const struct point *point, struct error *err)
{
	const struct grid *rows = scaling->rows;
	struct grid *table = scaling->table;
	const struct host *slowest;
	const double each = rate_each(point, &slowest, err);

	if (each < 0 || grid_add_row(table, err) ||
	    copy_columns(rows, point->first, table, err))
		return -1;
	grid_set_integer(table, HOSTS, (int64_t)point->hosts);
	grid_set_integer(table, RUNS, (int64_t)point->runs);
	grid_set_real(table, TOTAL, point->interval.median);
	grid_set_real(table, TOTAL_LOW, point->interval.low);
	grid_set_real(table, TOTAL_HIGH, point->interval.high);
	grid_set_real(table, TOTAL_MB,
	    point->interval.median * bytes_of(rows, point) / 1e6);
	grid_set_real(table, EACH, each);
	grid_set_real(table, SLOWEST, rate_of(slowest));
	grid_set_real(table, EFFICIENCY,
	    scaling->alone > 0 ? 100 * point->interval.median / scaling->alone /
	                             (double)point->hosts
	                       : NAN);
	grid_set_integer(table, KNEE, (int64_t)scaling->knee);
	return set_slowest(scaling, slowest, err);
}

enum { POINTS_MOST = 32 }; /* 1, 2, 4, ... hosts, and all */

static const char *const of_trial[2] = { "trial", "trial" };

static size_t find_knee(const struct point *points, size_t count)
{
	double most = 0;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, points[i].interval.median);
	for (size_t i = 0; i < count; i++)
		if (points[i].interval.median >= HOST_FIGURES_KNEE * most)
			return points[i].hosts;
	return 0;
}

/* Reads the points of a trial, whose rows are `first` to `end`. */
static int read_points(const struct grid *rows, size_t first, size_t end,
    struct point *points, size_t *count, struct error *err)
{
	static const char *const of_point[2] = { "trial", "hosts" };

	for (size_t i = first; i < end && *count < POINTS_MOST;) {
		struct point *point = &points[(*count)++];
		const int64_t hosts = grid_integer(rows, i, "hosts");

		point->first = i;
		point->end = i = find_end(rows, i, end, of_point);
		/* Each has a row in each epoch. */
		if (hosts > 0 && (size_t)hosts <= point->end - point->first)
			point->hosts = (size_t)hosts;
		if (open_point(point, err))
			return -1;
		sum_up(rows, point);
	}
	return 0;
}

static int add_trial(
    struct scaling *scaling, size_t first, size_t end, struct error *err)
{
	struct point points[POINTS_MOST] = { { .hosts = 0 } };
	size_t count = 0;
	int rc = read_points(scaling->rows, first, end, points, &count, err);

	scaling->alone = 0;
	scaling->knee = find_knee(points, count);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		if (points[i].hosts == 1)
			scaling->alone = points[i].interval.median;
		if (points[i].hosts > 0)
			rc = add_row(scaling, &points[i], err);
	}
	for (size_t i = 0; i < count; i++)
		close_point(&points[i]);
	return rc;
}

static int sum_hosts(const struct grid *rows, const struct point *point,
    struct host_totals *totals, struct error *err)
{
	const struct host *slowest;

	if (rate_each(point, &slowest, err) < 0)
		return -1;
	totals->hosts = point->hosts;
	totals->samples_per_s = point->interval.median;
	totals->mb_per_s = point->interval.median * bytes_of(rows, point) / 1e6;
	totals->slowest_samples_per_s = rate_of(slowest);
	return 0;
}

int host_figures_next(const struct grid *rows, size_t *row,
    struct host_totals *totals, struct error *err)
{
	struct point points[POINTS_MOST] = { { .hosts = 0 } };
	const size_t first = *row;
	size_t count = 0;
	int rc;

	*totals =
	    (struct host_totals){ .trial = grid_integer(rows, first, "trial") };
	*row = find_end(rows, first, rows->row_count, of_trial);
	rc = read_points(rows, first, *row, points, &count, err);
	if (rc == 0 && count > 0 && points[count - 1].hosts > 0) {
		totals->knee = find_knee(points, count);
		rc = sum_hosts(rows, &points[count - 1], totals, err);
	}
	for (size_t i = 0; i < count; i++)
		close_point(&points[i]);
	return rc;
}

int host_figures_table(
    const struct grid *rows, bool hide, struct grid *table, struct error *err)
{
	struct scaling scaling = { .rows = rows, .table = table, .hide = hide };

	for (size_t c = 0; c < COLUMNS; c++)
		if (grid_add_column(table, names[c], err))
			return -1;
	for (size_t i = 0, end; i < rows->row_count; i = end) {
		end = find_end(rows, i, rows->row_count, of_trial);
		if (add_trial(&scaling, i, end, err))
			return -1;
	}
	return 0;
}
