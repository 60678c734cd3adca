/* human.c - see human.h. */
#include "cmd/human.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"

enum { CELL = 160 };

struct row {
	const struct grid *grid;
	size_t index;
};

struct column {
	const char *title;
	void (*print)(struct row row, const char *source, char cell[CELL]);
	const char *source; /* column of the other grid */
};

/* ---- cells ---- */

static void print_text(struct row row, const char *source, char cell[CELL])
{
	snprintf(cell, CELL, "%s", grid_text(row.grid, row.index, source));
}

static void print_with(struct row row, const char *source,
    const char *(*print)(double, char *), char cell[CELL])
{
	const double number = grid_number(row.grid, row.index, source);
	char text[UNITS_TEXT];

	if (!isnan(number))
		snprintf(cell, CELL, "%s", print(number, text));
}

static void print_number(struct row row, const char *source, char cell[CELL])
{
	print_with(row, source, units_number, cell);
}

/* An end of the interval; a single figure has none. */
static void print_end(struct row row, const char *source, char cell[CELL])
{
	static const char *const ends[][2] = {
		{ "throughput_low_samples_per_s",
		    "throughput_high_samples_per_s" },
		{ "throughput_low", "throughput_high" },
	};

	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		if (grid_number(row.grid, row.index, ends[i][0]) <
		    grid_number(row.grid, row.index, ends[i][1]))
			print_number(row, source, cell);
}

static void print_bytes(struct row row, const char *source, char cell[CELL])
{
	print_with(row, source, units_bytes, cell);
}

static void print_time(struct row row, const char *source, char cell[CELL])
{
	print_with(row, source, units_time, cell);
}

static void print_percent(struct row row, const char *source, char cell[CELL])
{
	const double number = grid_number(row.grid, row.index, source);

	if (!isnan(number))
		snprintf(cell, CELL, "%.3g %%", number);
}

static void print_fixed(struct row row, const char *source, char cell[CELL])
{
	const double number = grid_number(row.grid, row.index, source);

	if (!isnan(number))
		snprintf(cell, CELL, "%.3f", number);
}

static void print_rate(struct row row, const char *source, char cell[CELL])
{
	const double number = grid_number(row.grid, row.index, source);
	char text[UNITS_TEXT];

	if (!isnan(number))
		snprintf(cell, CELL, "%s/s", units_bytes(number * 1e6, text));
}

static void print_epochs(struct row row, const char *source, char cell[CELL])
{
	const double number = grid_number(row.grid, row.index, source);
	char text[UNITS_TEXT];

	if (number > 0)
		snprintf(cell, CELL, "%s %s", units_number(number, text),
		    number > 1 ? "epochs" : "epoch");
}

/* Without a cache each epoch is a first one. */
static void print_first(struct row row, const char *source, char cell[CELL])
{
	if (strcmp(grid_text(row.grid, row.index, "cache"), "none") != 0)
		print_number(row, source, cell);
}

static void append(char cell[CELL], const char *note)
{
	const size_t used = strlen(cell);

	snprintf(cell + used, CELL - used, "%s%s", used ? ", " : "", note);
}

/* What is stored: is it the same data, and who can read it? */
static void append_data_note(struct row row, char cell[CELL])
{
	const char *equivalent = grid_text(row.grid, row.index, "equivalent");
	const char *portable = grid_text(row.grid, row.index, "portable");

	if (strcmp(equivalent, "no") == 0)
		append(cell, "the data differs");
	if (strcmp(equivalent, "lossy") == 0)
		append(cell, "lossy");
	if (strcmp(portable, "no") == 0)
		append(cell, "presto only");
}

/* What sets a trial apart. */
static void print_trial_note(
    struct row row, const char *source, char cell[CELL])
{
	const char *status = grid_text(row.grid, row.index, source);

	if (strcmp(status, "done") != 0)
		append(cell, status);
	append_data_note(row, cell);
}

static bool is_flag(struct row row, const char *name, bool set)
{
	const int column = grid_column(row.grid, name);
	const struct value *value;

	if (column < 0)
		return false;
	value = grid_value(row.grid, row.index, (size_t)column);
	return value->kind == VALUE_FLAG && (value->integer != 0) == set;
}

static void print_ranking_note(
    struct row row, const char *source, char cell[CELL])
{
	if (isnan(grid_number(row.grid, row.index, "score")))
		append(cell, "left out");
	else if (is_flag(row, "meets_constraints", false))
		append(cell, "misses a constraint");
	append_data_note(row, cell);
	if (is_flag(row, source, true))
		append(cell, "tied");
	if (is_flag(row, "pareto", true))
		append(cell, "Pareto");
}

static void print_warmup(struct row row, const char *source, char cell[CELL])
{
	if (grid_number(row.grid, row.index, source) > 0)
		append(cell, "warm-up");
}

/* ---- tables ---- */

static const struct column trials[] = {
	{ "rank", print_number, "rank" },
	{ "strategy", print_text, "strategy" },
	{ "threads", print_number, "threads" },
	{ "cache", print_text, "cache" },
	{ "samples/s", print_number, "throughput_samples_per_s" },
	{ "low", print_end, "throughput_low_samples_per_s" },
	{ "high", print_end, "throughput_high_samples_per_s" },
	{ "first epoch", print_first, "first_epoch_samples_per_s" },
	{ "prep", print_time, "prep_s" },
	{ "storage", print_bytes, "storage_bytes" },
	{ "a sample", print_bytes, "bytes_per_sample" },
	{ "read", print_rate, "read_mb_per_s" },
	{ "CPU", print_percent, "cpu_percent" },
	{ "bottleneck", print_text, "bottleneck" },
	{ "pays after", print_epochs, "break_even_epochs" },
	{ "note", print_trial_note, "status" },
	{ NULL, NULL, NULL },
};

static const struct column runs[] = {
	{ "strategy", print_text, "strategy" },
	{ "threads", print_number, "threads" },
	{ "cache", print_text, "cache" },
	{ "run", print_number, "run" },
	{ "epoch", print_number, "epoch" },
	{ "samples/s", print_number, "samples_per_s" },
	{ "samples", print_number, "samples" },
	{ "skipped", print_number, "skipped" },
	{ "time", print_time, "wall_s" },
	{ "first batch", print_time, "first_batch_s" },
	{ "user", print_time, "user_s" },
	{ "system", print_time, "system_s" },
	{ "fetched", print_bytes, "bytes_fetched" },
	{ "from disk", print_bytes, "bytes_from_storage" },
	{ "resident", print_percent, "resident_percent" },
	{ "memory", print_bytes, "peak_rss_bytes" },
	{ "note", print_warmup, "warmup" },
	{ NULL, NULL, NULL },
};

static const struct column steps[] = {
	{ "strategy", print_text, "strategy" },
	{ "threads", print_number, "threads" },
	{ "cache", print_text, "cache" },
	{ "gives", print_text, "name" },
	{ "step", print_text, "step" },
	{ "samples", print_number, "samples" },
	{ "CPU", print_time, "cpu_s" },
	{ "us a sample", print_number, "cpu_us_per_sample" },
	{ "share", print_percent, "cpu_share_percent" },
	{ "calls", print_number, "calls" },
	{ "in", print_bytes, "bytes_in" },
	{ "out", print_bytes, "bytes_out" },
	{ "ns a byte", print_number, "cpu_ns_per_byte" },
	{ NULL, NULL, NULL },
};

static const struct column phases[] = {
	{ "strategy", print_text, "strategy" },
	{ "threads", print_number, "threads" },
	{ "cache", print_text, "cache" },
	{ "phase", print_text, "phase" },
	{ "time", print_time, "wall_s" },
	{ "share", print_percent, "wall_share_percent" },
	{ "CPU", print_time, "cpu_s" },
	{ "calls", print_number, "calls" },
	{ "bytes", print_bytes, "bytes" },
	{ NULL, NULL, NULL },
};

static const struct column levels[] = {
	{ "strategy", print_text, "strategy" },
	{ "threads", print_number, "threads" },
	{ "cache", print_text, "cache" },
	{ "epoch", print_text, "level" },
	{ "samples/s", print_number, "samples_per_s" },
	{ "read", print_rate, "mb_per_s" },
	{ "CPU", print_percent, "cpu_percent" },
	{ "time", print_time, "wall_s" },
	{ NULL, NULL, NULL },
};

static const struct column ranking[] = {
	{ "rank", print_number, "rank" },
	{ "strategy", print_text, "strategy" },
	{ "threads", print_number, "threads" },
	{ "cache", print_text, "cache" },
	{ "samples/s", print_number, "throughput" },
	{ "low", print_end, "throughput_low" },
	{ "high", print_end, "throughput_high" },
	{ "full prep", print_time, "full_prep_s" },
	{ "full storage", print_bytes, "full_storage_bytes" },
	{ "pays after", print_epochs, "break_even_epochs" },
	{ "total", print_time, "total_s" },
	{ "score", print_fixed, "score" },
	{ "note", print_ranking_note, "tied" },
	{ NULL, NULL, NULL },
};

static const struct column *const tables[] = {
	[HUMAN_TRIALS] = trials,
	[HUMAN_RUNS] = runs,
	[HUMAN_STEPS] = steps,
	[HUMAN_PHASES] = phases,
	[HUMAN_LEVELS] = levels,
	[HUMAN_RANKING] = ranking,
};

static int add_row(const struct column *columns, struct row row,
    struct grid *to, struct error *err)
{
	if (grid_add_row(to, err))
		return -1;
	for (size_t i = 0; columns[i].title; i++) {
		char cell[CELL] = "";

		columns[i].print(row, columns[i].source, cell);
		if (*cell && grid_set_text(to, i, cell, err))
			return -1;
	}
	return 0;
}

static bool is_of(const struct grid *grid, size_t row, int64_t session)
{
	const double of = grid_number(grid, row, "session");

	return session == 0 || !(of < (double)session || of > (double)session);
}

/* Adds the rows with this rank; NAN: those without. */
static int add_ranked(const struct column *columns, const struct grid *from,
    double rank, int64_t session, struct grid *to, struct error *err)
{
	for (size_t i = 0; i < from->row_count; i++) {
		const struct row row = { .grid = from, .index = i };
		const double its = grid_number(from, i, "rank");

		if (!is_of(from, i, session) || isnan(its) != isnan(rank) ||
		    its < rank || its > rank)
			continue;
		if (add_row(columns, row, to, err))
			return -1;
	}
	return 0;
}

int human_table(enum human_table table, const struct grid *from,
    int64_t session, struct grid *to, struct error *err)
{
	const struct column *columns = tables[table];
	const bool by_rank = table == HUMAN_TRIALS;

	for (size_t i = 0; columns[i].title; i++)
		if (grid_add_column(to, columns[i].title, err))
			return -1;
	for (size_t rank = 1; by_rank && rank <= from->row_count; rank++)
		if (add_ranked(columns, from, (double)rank, session, to, err))
			return -1;
	if (by_rank)
		return add_ranked(columns, from, NAN, session, to, err);
	for (size_t i = 0; i < from->row_count; i++) {
		const struct row row = { .grid = from, .index = i };

		if (is_of(from, i, session) && add_row(columns, row, to, err))
			return -1;
	}
	return 0;
}
