/* human.c - see human.h. */
#include "cmd/human.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/trial_order.h"
#include "lib/base/array.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "strategies/candidate.h"

enum { EVIDENCE_SHORT = 20 }; /* as "requests wait 600 us" is */

struct row {
	const struct grid *grid;
	size_t index;
};

struct column {
	const char *title;
	void (*print)(
	    struct row row, const char *source, char cell[HUMAN_CELL]);
	const char *source; /* column of the other grid */
};

/* ---- cells ---- */

static void print_text(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	snprintf(
	    cell, HUMAN_CELL, "%s", grid_text(row.grid, row.index, source));
}

static void print_with(struct row row, const char *source,
    const char *(*print)(double, char *), char cell[HUMAN_CELL])
{
	const double number = grid_number(row.grid, row.index, source);
	char text[UNITS_TEXT];

	if (!isnan(number))
		snprintf(cell, HUMAN_CELL, "%s", print(number, text));
}

static void print_number(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	print_with(row, source, units_number, cell);
}

static void print_bytes(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	print_with(row, source, units_bytes, cell);
}

static void print_time(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	print_with(row, source, units_time, cell);
}

static void print_percent(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	const double number = grid_number(row.grid, row.index, source);

	if (!isnan(number))
		snprintf(cell, HUMAN_CELL, "%.*f %%", number < 99.95, number);
}

/* Half the width of the interval, in percent. */
static void print_spread(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	const double percent = grid_number(row.grid, row.index, source);

	if (!isnan(percent))
		snprintf(cell, HUMAN_CELL, "%.*f %%", percent < 10, percent);
}

/* The same of the ranking, which has the ends; a single figure has none. */
static void print_range(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	const double middle = grid_number(row.grid, row.index, source);
	const double width =
	    grid_number(row.grid, row.index, "throughput_high") -
	    grid_number(row.grid, row.index, "throughput_low");
	const double percent = 100 * width / 2 / middle;

	if (width > 0)
		snprintf(cell, HUMAN_CELL, "%.*f %%", percent < 10, percent);
}

/* "cpu:jpeg_decode 71 %"; a sentence is left to other forms. */
static void print_bottleneck(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	const char *evidence =
	    grid_text(row.grid, row.index, "bottleneck_evidence");
	const bool is_short = strlen(evidence) <= EVIDENCE_SHORT;

	snprintf(cell, HUMAN_CELL, "%s%s%s",
	    grid_text(row.grid, row.index, source),
	    *evidence && is_short ? " " : "", is_short ? evidence : "");
}

/* What is mostly 0. */
static void print_any(struct row row, const char *source, char cell[HUMAN_CELL])
{
	if (grid_number(row.grid, row.index, source) > 0)
		print_number(row, source, cell);
}

static void print_fixed(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	const double number = grid_number(row.grid, row.index, source);

	if (!isnan(number))
		snprintf(cell, HUMAN_CELL, "%.3f", number);
}

static void print_rate(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	const double number = grid_number(row.grid, row.index, source);
	char text[UNITS_TEXT];

	if (!isnan(number))
		snprintf(
		    cell, HUMAN_CELL, "%s/s", units_bytes(number * 1e6, text));
}

static void print_epochs(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	const double number = grid_number(row.grid, row.index, source);
	char text[UNITS_TEXT];

	if (number > EPOCHS_IN_PRACTICE)
		snprintf(cell, HUMAN_CELL, "never");
	else if (number > 0)
		snprintf(cell, HUMAN_CELL, "%s %s", units_number(number, text),
		    number > 1 ? "epochs" : "epoch");
}

/* Without a cache each epoch is a first one. */
static void print_first(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	if (strcmp(grid_text(row.grid, row.index, "cache"), "none") != 0)
		print_number(row, source, cell);
}

static void append(char cell[HUMAN_CELL], const char *note)
{
	const size_t used = strlen(cell);

	snprintf(
	    cell + used, HUMAN_CELL - used, "%s%s", used ? ", " : "", note);
}

/* What is stored: is it the same data, and who can read it? */
static void append_data_note(struct row row, char cell[HUMAN_CELL])
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

/* How far may the figure be relied on? */
static void append_figure_note(struct row row, char cell[HUMAN_CELL])
{
	const char *cache = grid_text(row.grid, row.index, "cache");
	const char *fits = grid_text(row.grid, row.index, "fits_memory");
	const double outliers = grid_number(row.grid, row.index, "outliers");
	char text[64];

	if (strcmp(cache, "none") != 0 && strcmp(fits, "no") == 0)
		append(cell, "does not fit in full");
	snprintf(text, sizeof(text), "%.0f outlier%s", outliers,
	    outliers > 1 ? "s" : "");
	if (outliers > 0)
		append(cell, text);
}

/* What sets a trial apart. */
static void print_trial_note(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	const char *status = grid_text(row.grid, row.index, source);

	if (strcmp(status, "done") != 0)
		append(cell, status);
	append_data_note(row, cell);
	append_figure_note(row, cell);
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
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	if (isnan(grid_number(row.grid, row.index, "score")))
		append(cell, "left out");
	else if (is_flag(row, "meets_constraints", false))
		append(cell, "misses a constraint");
	append_data_note(row, cell);
	if (is_flag(row, "sufficient", true))
		append(cell, "sufficient");
	else if (is_flag(row, source, true))
		append(cell, "tied");
	if (is_flag(row, "pareto", true))
		append(cell, "Pareto");
	if (is_flag(row, "outgrows_memory", true))
		append(cell, "does not fit in full");
}

static void print_run_note(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	if (grid_number(row.grid, row.index, source) > 0)
		append(cell, "warm-up");
	if (grid_number(row.grid, row.index, "outlier") > 0)
		append(cell, "outlier");
}

/* ---- tables ---- */

static const struct column trials[] = {
	{ "rank", print_number, "rank" },
	{ "strategy", print_text, "strategy" },
	{ "threads", print_number, "threads" },
	{ "cache", print_text, "cache" },
	{ "samples/s", print_number, "throughput_samples_per_s" },
	{ "+/-", print_spread, "interval_percent" },
	{ "first epoch", print_first, "first_epoch_samples_per_s" },
	{ "prep", print_time, "prep_s" },
	{ "storage", print_bytes, "storage_bytes" },
	{ "bottleneck", print_bottleneck, "bottleneck" },
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
	{ "skipped", print_any, "skipped" },
	{ "time", print_time, "wall_s" },
	{ "first batch", print_time, "first_batch_s" },
	{ "user", print_time, "user_s" },
	{ "system", print_time, "system_s" },
	{ "fetched", print_bytes, "bytes_fetched" },
	{ "from disk", print_bytes, "bytes_from_storage" },
	{ "resident", print_percent, "resident_percent" },
	{ "memory", print_bytes, "peak_rss_bytes" },
	{ "note", print_run_note, "warmup" },
	{ NULL, NULL, NULL },
};

static const struct column steps[] = {
	{ "strategy", print_text, "strategy" },
	{ "threads", print_number, "threads" },
	{ "cache", print_text, "cache" },
	{ "gives", print_text, "name" },
	{ "step", print_text, "step" },
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
	{ "origin", print_text, "origin" },
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

static const struct column machine[] = {
	{ "at", print_time, "at_s" },
	{ "for", print_time, "interval_s" },
	{ "activity", print_text, "activity" },
	{ "strategy", print_text, "strategy" },
	{ "threads", print_number, "threads" },
	{ "cache", print_text, "cache" },
	{ "run", print_number, "run" },
	{ "user", print_percent, "cpu_user_percent" },
	{ "system", print_percent, "cpu_system_percent" },
	{ "idle", print_percent, "cpu_idle_percent" },
	{ "wait", print_percent, "cpu_wait_percent" },
	{ "stolen", print_percent, "cpu_stolen_percent" },
	{ "disk reads", print_rate, "disk_read_mb_per_s" },
	{ "writes", print_rate, "disk_write_mb_per_s" },
	{ "network in", print_rate, "network_read_mb_per_s" },
	{ "out", print_rate, "network_write_mb_per_s" },
	{ "memory used", print_bytes, "memory_used_bytes" },
	{ "cached", print_bytes, "memory_cached_bytes" },
	{ "free", print_bytes, "memory_free_bytes" },
	{ "major faults/s", print_number, "major_faults_per_s" },
	{ "switches/s", print_number, "context_switches_per_s" },
	{ "waits for CPU", print_percent, "pressure_cpu_percent" },
	{ "for I/O", print_percent, "pressure_io_percent" },
	{ "for memory", print_percent, "pressure_memory_percent" },
	{ NULL, NULL, NULL },
};

static const struct column ranking[] = {
	{ "rank", print_number, "rank" },
	{ "strategy", print_text, "strategy" },
	{ "threads", print_number, "threads" },
	{ "cache", print_text, "cache" },
	{ "samples/s", print_number, "throughput" },
	{ "+/-", print_range, "throughput" },
	{ "full prep", print_time, "full_prep_s" },
	{ "full storage", print_bytes, "full_storage_bytes" },
	{ "pays after", print_epochs, "break_even_epochs" },
	{ "total", print_time, "total_s" },
	{ "cost", print_number, "cost" },
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
	[HUMAN_SYSTEM] = machine,
	[HUMAN_RANKING] = ranking,
};

/* A table while it is made. */
struct making {
	const struct column *columns;
	struct grid *to;
	bool leave_threads, leave_cache;
};

static bool is_left(const struct making *making, const char *source)
{
	return (making->leave_threads && strcmp(source, "threads") == 0) ||
	       (making->leave_cache && strcmp(source, "cache") == 0);
}

static int add_row(
    const struct making *making, struct row row, struct error *err)
{
	if (grid_add_row(making->to, err))
		return -1;
	for (size_t i = 0; making->columns[i].title; i++) {
		const struct column *column = &making->columns[i];
		char cell[HUMAN_CELL] = "";

		if (!is_left(making, column->source))
			column->print(row, column->source, cell);
		if (*cell && grid_set_text(making->to, i, cell, err))
			return -1;
	}
	return 0;
}

bool human_is_of(const struct grid *grid, size_t row, int64_t session)
{
	const double of = grid_number(grid, row, "session");

	return session == 0 || !(of < (double)session || of > (double)session);
}

bool human_common(const struct grid *from, int64_t session, const char *column,
    char cell[HUMAN_CELL])
{
	const int at = grid_column(from, column);
	char buffer[VALUE_TEXT_SIZE];
	bool same = at >= 0;

	*cell = '\0';
	for (size_t i = 0; same && i < from->row_count; i++) {
		const char *text =
		    value_print(grid_value(from, i, (size_t)at), buffer);

		if (!human_is_of(from, i, session))
			continue;
		same = *text && (!*cell || strcmp(cell, text) == 0);
		snprintf(cell, HUMAN_CELL, "%s", text);
	}
	if (!same)
		*cell = '\0';
	return *cell;
}

/* Trials by their rank. */
static int add_ordered(const struct making *making, const struct grid *from,
    int64_t session, struct error *err)
{
	size_t count;
	size_t *order = trial_order(from, session, &count, err);
	int rc = order ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = add_row(making,
		    (struct row){ .grid = from, .index = order[i] }, err);
	free(order);
	return rc;
}

const char *human_source(enum human_table table, size_t column)
{
	return tables[table][column].source;
}

int human_table(enum human_table table, const struct grid *from,
    int64_t session, struct grid *to, struct error *err)
{
	const struct column *columns = tables[table];
	char common[HUMAN_CELL];
	const struct making making = {
		.columns = columns,
		.to = to,
		.leave_threads = table != HUMAN_RANKING &&
		                 human_common(from, session, "threads", common),
		.leave_cache = table != HUMAN_RANKING &&
		               human_common(from, session, "cache", common),
	};

	for (size_t i = 0; columns[i].title; i++)
		if (grid_add_column(to, columns[i].title, err))
			return -1;
	if (table == HUMAN_TRIALS)
		return add_ordered(&making, from, session, err);
	for (size_t i = 0; i < from->row_count; i++) {
		const struct row row = { .grid = from, .index = i };

		if (human_is_of(from, i, session) && add_row(&making, row, err))
			return -1;
	}
	return 0;
}
