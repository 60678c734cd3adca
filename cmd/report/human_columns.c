/* human_columns.c - see human_columns.h. */
#include "cmd/report/human_columns.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "strategies/figures/candidate.h"
#include "strategies/trial/bottleneck.h"

/* Longest evidence in a table, such as "93 % of 1 820 files/s". */
enum { EVIDENCE_SHORT = 30 };

/* ---- cells ---- */

static void print_text(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	snprintf(
	    cell, HUMAN_CELL, "%s", grid_text(row.grid, row.index, source));
}

bool human_places_differ(const struct grid *grid)
{
	const char *first = "";

	for (size_t i = 0; i < grid->row_count; i++) {
		const char *place = grid_text(grid, i, "cache_place");

		if (!*first)
			first = place;
		if (*place && strcmp(place, first) != 0)
			return true;
	}
	return false;
}

/* Prints the cache, as "application:resized" if that tells rows apart. */
static void print_cache(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	const char *place = grid_text(row.grid, row.index, "cache_place");

	const bool tells = *place && human_places_differ(row.grid);

	snprintf(cell, HUMAN_CELL, "%s%s%s",
	    grid_text(row.grid, row.index, source), tells ? ":" : "",
	    tells ? place : "");
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

/* Prints "=1" for a shared rank. */
static void print_rank(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	const double rank = grid_number(row.grid, row.index, source);
	const bool tied =
	    is_flag(row, "tied", true) ||
	    strcmp(grid_text(row.grid, row.index, "tied"), "yes") == 0;

	if (!isnan(rank))
		snprintf(cell, HUMAN_CELL, "%s%.0f", tied ? "=" : "", rank);
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

/* Prints half the width of the interval, in percent. */
static void print_spread(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	const double percent = grid_number(row.grid, row.index, source);

	if (!isnan(percent))
		snprintf(cell, HUMAN_CELL, "%.*f %%", percent < 10, percent);
}

/* Prints the same from the ends of the interval; one figure has none. */
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

/* Prints "cpu:jpeg_decode, 71 %"; evidence in sentences is left out. */
static void print_bottleneck(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	const char *evidence =
	    grid_text(row.grid, row.index, "bottleneck_evidence");
	const bool is_short = strlen(evidence) <= EVIDENCE_SHORT;
	char text[BOTTLENECK_TEXT];

	snprintf(cell, HUMAN_CELL, "%s",
	    bottleneck_text(grid_text(row.grid, row.index, source),
	        is_short ? evidence : "", text));
}

/* Prints a count that is usually 0. */
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

/* Prints the first epoch, unless each epoch is a first one (no cache). */
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

/* Adds notes about the stored data: is it the same, and who can read it? */
static void append_data_note(struct row row, char cell[HUMAN_CELL])
{
	const char *equivalent = grid_text(row.grid, row.index, "equivalent");
	const char *portable = grid_text(row.grid, row.index, "portable");

	if (strcmp(equivalent, "no") == 0)
		append(cell, "the data differs");
	if (strcmp(equivalent, "lossy") == 0) {
		char words[32] = "lossy";
		const double psnr = grid_number(row.grid, row.index, "psnr_db");

		if (psnr > -INFINITY)
			snprintf(words, sizeof(words), "lossy (%.1f dB)", psnr);
		append(cell, words);
	}
	if (strcmp(portable, "no") == 0)
		append(cell, "presto only");
}

/* Adds notes about the reliability of the figure. */
static void append_figure_note(struct row row, char cell[HUMAN_CELL])
{
	const char *cache = grid_text(row.grid, row.index, "cache");
	const char *fits = grid_text(row.grid, row.index, "fits_memory");
	const char *cold = grid_text(row.grid, row.index, "cold");
	const char *drift = grid_text(row.grid, row.index, "drift");
	const double outliers = grid_number(row.grid, row.index, "outliers");
	char text[64];

	if (strcmp(drift, "yes") == 0)
		append(cell, "drifts");
	if (strcmp(cache, "none") != 0 && strcmp(fits, "no") == 0)
		append(cell, "does not fit in full");
	if (strcmp(cold, "no") == 0)
		append(cell, "not cold");
	if (strcmp(cold, "unknown") == 0)
		append(cell, "cold unknown");
	snprintf(text, sizeof(text), "%.0f outlier%s", outliers,
	    outliers > 1 ? "s" : "");
	if (outliers > 0)
		append(cell, text);
}

/* Adds what a trial could reach that a search left out. */
static void append_bound(struct row row, char cell[HUMAN_CELL])
{
	const double bound =
	    grid_number(row.grid, row.index, "bound_high_samples_per_s");
	char number[UNITS_TEXT], text[UNITS_TEXT + 32] = "not measured";

	if (bound > 0)
		snprintf(text, sizeof(text), "not measured: at most %s",
		    units_number(units_rough(bound), number));
	append(cell, text);
}

/* Prints the notes of a trial. */
static void print_trial_note(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	const char *status = grid_text(row.grid, row.index, source);

	if (strcmp(grid_text(row.grid, row.index, "source"), "predicted") == 0)
		append_bound(row, cell);
	else if (strcmp(status, "done") != 0)
		append(cell, status);
	if (strcmp(grid_text(row.grid, row.index, "strategy"), "yours") == 0)
		append(cell, "your loader");
	append_data_note(row, cell);
	append_figure_note(row, cell);
}

/* Adds why a trial has no rank, if no other note says so. */
static void append_unranked(struct row row, char cell[HUMAN_CELL])
{
	static const char *const said[] = { "lossy", "other cache mode",
		"presto only" };
	const char *why = grid_text(row.grid, row.index, "unranked");

	for (size_t i = 0; i < ARRAY_LEN(said); i++)
		if (strcmp(why, said[i]) == 0)
			return;
	if (*why)
		append(cell, why);
}

static void print_ranking_note(
    struct row row, const char *source, char cell[HUMAN_CELL])
{
	append_unranked(row, cell);
	append_data_note(row, cell);
	if (is_flag(row, source, true))
		append(cell, "sufficient");
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

/* Columns that are empty unless a session swept over them: see human.c. */
#define LOAD_COLUMNS                                                \
	{ "fetchers", print_number, "fetchers", { 2, 0 } },         \
	    { "read-ahead", print_number, "read_ahead", { 2, 0 } }, \
	    { "shuffle", print_number, "shuffle", { 2, 0 } },       \
	    { "batch", print_number, "batch", { 2, 0 } },           \
	    { "shards", print_number, "shards", { 2, 0 } },         \
	{                                                           \
		"samples", print_number, "source_samples",          \
		{                                                   \
			2, 0                                        \
		}                                                   \
	}

static const struct column trials[] = {
	{ "rank", print_rank, "rank", { 0, 0 } },
	{ "strategy", print_text, "strategy", { 0, 20 } },
	{ "threads", print_number, "threads", { 2, 0 } },
	{ "cache", print_cache, "cache", { 1, 0 } },
	{ "samples/s", print_number, "throughput_samples_per_s", { 0, 0 } },
	{ "+/-", print_spread, "interval_percent", { 3, 0 } },
	{ "first epoch", print_first, "first_epoch_samples_per_s", { 9, 0 } },
	{ "prep", print_time, "prep_s", { 7, 0 } },
	{ "storage", print_bytes, "storage_bytes", { 4, 0 } },
	{ "bottleneck", print_bottleneck, "bottleneck", { 5, 16 } },
	{ "pays after", print_epochs, "break_even_epochs", { 8, 0 } },
	{ "note", print_trial_note, "status", { 6, 12 } },
	LOAD_COLUMNS,
	{ .title = NULL },
};

static const struct column runs[] = {
	{ "strategy", print_text, "strategy", { 0, 20 } },
	{ "threads", print_number, "threads", { 2, 0 } },
	{ "cache", print_cache, "cache", { 1, 0 } },
	{ "run", print_number, "run", { 0, 0 } },
	{ "epoch", print_number, "epoch", { 0, 0 } },
	{ "samples/s", print_number, "samples_per_s", { 0, 0 } },
	{ "samples", print_number, "samples", { 7, 0 } },
	{ "skipped", print_any, "skipped", { 3, 0 } },
	{ "time", print_time, "wall_s", { 5, 0 } },
	{ "first batch", print_time, "first_batch_s", { 6, 0 } },
	{ "user", print_time, "user_s", { 8, 0 } },
	{ "system", print_time, "system_s", { 8, 0 } },
	{ "fetched", print_bytes, "bytes_fetched", { 6, 0 } },
	{ "from disk", print_bytes, "bytes_from_storage", { 6, 0 } },
	{ "resident", print_percent, "resident_percent", { 7, 0 } },
	{ "memory", print_bytes, "peak_rss_bytes", { 7, 0 } },
	{ "note", print_run_note, "warmup", { 4, 0 } },
	LOAD_COLUMNS,
	{ .title = NULL },
};

static const struct column steps[] = {
	{ "strategy", print_text, "strategy", { 0, 20 } },
	{ "threads", print_number, "threads", { 2, 0 } },
	{ "cache", print_cache, "cache", { 1, 0 } },
	{ "name", print_text, "name", { 0, 0 } },
	{ "step", print_text, "step", { 5, 0 } },
	{ "CPU", print_time, "cpu_s", { 4, 0 } },
	{ "us/sample", print_number, "cpu_us_per_sample", { 3, 0 } },
	{ "share", print_percent, "cpu_share_percent", { 0, 0 } },
	{ "calls", print_number, "calls", { 8, 0 } },
	{ "in", print_bytes, "bytes_in", { 7, 0 } },
	{ "out", print_bytes, "bytes_out", { 7, 0 } },
	{ "ns/byte", print_number, "cpu_ns_per_byte", { 8, 0 } },
	LOAD_COLUMNS,
	{ .title = NULL },
};

static const struct column phases[] = {
	{ "strategy", print_text, "strategy", { 0, 20 } },
	{ "threads", print_number, "threads", { 3, 0 } },
	{ "cache", print_cache, "cache", { 1, 0 } },
	{ "phase", print_text, "phase", { 0, 0 } },
	{ "time", print_time, "wall_s", { 2, 0 } },
	{ "share", print_percent, "wall_share_percent", { 0, 0 } },
	{ "CPU", print_time, "cpu_s", { 5, 0 } },
	{ "calls", print_number, "calls", { 7, 0 } },
	{ "bytes", print_bytes, "bytes", { 5, 0 } },
	{ "origin", print_text, "origin", { 4, 0 } },
	LOAD_COLUMNS,
	{ .title = NULL },
};

static const struct column levels[] = {
	{ "strategy", print_text, "strategy", { 0, 20 } },
	{ "threads", print_number, "threads", { 2, 0 } },
	{ "cache", print_cache, "cache", { 1, 0 } },
	{ "work", print_text, "level", { 0, 0 } },
	{ "samples/s", print_number, "samples_per_s", { 0, 0 } },
	{ "read", print_rate, "mb_per_s", { 3, 0 } },
	{ "CPU", print_percent, "cpu_percent", { 4, 0 } },
	{ "time", print_time, "wall_s", { 5, 0 } },
	LOAD_COLUMNS,
	{ .title = NULL },
};

static const struct column machine[] = {
	{ "at", print_time, "at_s", { 0, 0 } },
	{ "for", print_time, "interval_s", { 8, 0 } },
	{ "activity", print_text, "activity", { 0, 0 } },
	{ "strategy", print_text, "strategy", { 3, 20 } },
	{ "threads", print_number, "threads", { 5, 0 } },
	{ "cache", print_text, "cache", { 4, 0 } },
	{ "run", print_number, "run", { 8, 0 } },
	{ "user", print_percent, "cpu_user_percent", { 0, 0 } },
	{ "system", print_percent, "cpu_system_percent", { 1, 0 } },
	{ "idle", print_percent, "cpu_idle_percent", { 2, 0 } },
	{ "wait", print_percent, "cpu_wait_percent", { 1, 0 } },
	{ "stolen", print_percent, "cpu_stolen_percent", { 2, 0 } },
	{ "disk reads", print_rate, "disk_read_mb_per_s", { 3, 0 } },
	{ "writes", print_rate, "disk_write_mb_per_s", { 3, 0 } },
	{ "network in", print_rate, "network_read_mb_per_s", { 7, 0 } },
	{ "out", print_rate, "network_write_mb_per_s", { 7, 0 } },
	{ "memory used", print_bytes, "memory_used_bytes", { 6, 0 } },
	{ "cached", print_bytes, "memory_cached_bytes", { 6, 0 } },
	{ "free", print_bytes, "memory_free_bytes", { 6, 0 } },
	{ "major faults/s", print_number, "major_faults_per_s", { 8, 0 } },
	{ "switches/s", print_number, "context_switches_per_s", { 8, 0 } },
	{ "waits for CPU", print_percent, "pressure_cpu_percent", { 9, 0 } },
	{ "for I/O", print_percent, "pressure_io_percent", { 9, 0 } },
	{ "for memory", print_percent, "pressure_memory_percent", { 9, 0 } },
	{ .title = NULL },
};

static const struct column hosts[] = {
	{ "strategy", print_text, "strategy", { 0, 20 } },
	{ "threads", print_number, "threads", { 3, 0 } },
	{ "cache", print_cache, "cache", { 2, 0 } },
	{ "hosts", print_number, "hosts", { 0, 0 } },
	{ "all, samples/s", print_number, "total_samples_per_s", { 0, 0 } },
	{ "all", print_rate, "total_mb_per_s", { 4, 0 } },
	{ "each", print_number, "host_samples_per_s", { 1, 0 } },
	{ "slowest", print_number, "slowest_samples_per_s", { 5, 0 } },
	{ "host", print_text, "slowest_host", { 6, 12 } },
	{ "efficiency", print_percent, "efficiency_percent", { 2, 0 } },
	{ "knee", print_number, "knee_hosts", { 1, 0 } },
	LOAD_COLUMNS,
	{ .title = NULL },
};

static const struct column ranking[] = {
	{ "rank", print_rank, "rank", { 0, 0 } },
	{ "strategy", print_text, "strategy", { 0, 20 } },
	{ "threads", print_number, "threads", { 2, 0 } },
	{ "cache", print_cache, "cache", { 1, 0 } },
	{ "samples/s", print_number, "throughput", { 0, 0 } },
	{ "+/-", print_range, "throughput", { 4, 0 } },
	{ "full prep", print_time, "full_prep_s", { 6, 0 } },
	{ "full storage", print_bytes, "full_storage_bytes", { 5, 0 } },
	{ "pays after", print_epochs, "break_even_epochs", { 7, 0 } },
	{ "total", print_time, "total_s", { 8, 0 } },
	{ "cost", print_number, "cost", { 3, 0 } },
	{ "score", print_fixed, "score", { 9, 0 } },
	{ "note", print_ranking_note, "sufficient", { 3, 12 } },
	LOAD_COLUMNS,
	{ .title = NULL },
};

const struct column *const human_columns[] = {
	[HUMAN_TRIALS] = trials,
	[HUMAN_RUNS] = runs,
	[HUMAN_STEPS] = steps,
	[HUMAN_PHASES] = phases,
	[HUMAN_LEVELS] = levels,
	[HUMAN_SYSTEM] = machine,
	[HUMAN_HOSTS] = hosts,
	[HUMAN_RANKING] = ranking,
};
