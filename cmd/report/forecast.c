/* forecast.c - see forecast.h. */
#include "cmd/report/forecast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report/human.h"
#include "cmd/report/page.h"
#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"
#include "lib/stats/statistics.h"
#include "strategies/monitor/noise.h"
#include "strategies/trial/bottleneck.h"

/* Errors above this many percent are explained. */
static const double good_percent = 25;

struct forecast {
	const struct report_page *page;
	const struct grid *trials;
	int64_t session;
	unsigned cores;
	bool emulated;
	double *values; /* owned; one for each trial */
	size_t
	    off; /* number of trials whose error is larger than good_percent */
};

/* ---- the errors ---- */

/* Is it the first trial of its strategy?  Rows of a strategy are neighbours. */
static bool is_first(const struct grid *trials, size_t row)
{
	return row == 0 ||
	       !human_is_of(
	           trials, row - 1, grid_integer(trials, row, "session")) ||
	       strcmp(grid_text(trials, row, "strategy"),
	           grid_text(trials, row - 1, "strategy")) != 0;
}

/* Gets the median absolute error in percent; returns the number of errors. */
static size_t find_error(const struct forecast *f, const char *column,
    bool of_strategies, double *median)
{
	size_t count = 0;

	for (size_t i = 0; i < f->trials->row_count; i++) {
		const double percent = grid_number(f->trials, i, column);

		if (!isnan(percent) && human_is_of(f->trials, i, f->session) &&
		    (!of_strategies || is_first(f->trials, i)))
			f->values[count++] = fabs(percent);
	}
	*median = count ? median_of(f->values, count) : NAN;
	return count;
}

static void say_rates(const struct forecast *f, size_t count, double median)
{
	char text[128];

	snprintf(text, sizeof(text),
	    "samples/s within %.*f %% in the median of %zu trial%s",
	    median < 9.95, median, count, count == 1 ? "" : "s");
	report_page_line(f->page, "forecast", text);
}

/* Prints the errors of preparation and storage, one for each strategy. */
static void say_costs(const struct forecast *f)
{
	double prep, storage;
	const size_t prepared =
	    find_error(f, "prep_error_percent", true, &prep);
	const size_t stored =
	    find_error(f, "storage_error_percent", true, &storage);
	char text[128];
	size_t used = 0;

	if (prepared)
		used = (size_t)snprintf(text, sizeof(text),
		    "prep within %.*f %%", prep < 9.95, prep);
	if (stored)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    "%sstorage within %.*f %%", used ? ", " : "",
		    storage < 9.95, storage);
	if (!used)
		return;
	snprintf(text + used, sizeof(text) - used,
	    " in the median of %zu strateg%s", stored ? stored : prepared,
	    (stored ? stored : prepared) == 1 ? "y" : "ies");
	report_page_line(f->page, "forecast", text);
}

/* ---- reasons ---- */

static bool is_off(const struct forecast *f, size_t row)
{
	return human_is_of(f->trials, row, f->session) &&
	       fabs(grid_number(f->trials, row, "prediction_error_percent")) >
	           good_percent;
}

/* Cores that other programs took during the runs of a trial. */
static double others_of(const struct forecast *f, size_t row)
{
	return noise_cores_taken(
	    grid_number(f->trials, row, "others_percent") / 100, f->cores);
}

static enum cache_mode cache_of(const struct forecast *f, size_t row)
{
	const bool none =
	    strcmp(grid_text(f->trials, row, "cache"), "none") == 0;

	return none ? CACHE_NONE : CACHE_SYSTEM;
}

static bool is_disturbed(const struct forecast *f, size_t row)
{
	return others_of(f, row) >
	       noise_others_limit(f->cores, cache_of(f, row));
}

static bool is_brief(const struct forecast *f, size_t row)
{
	return noise_is_short(
	    grid_number(f->trials, row, "samples") /
	    grid_number(f->trials, row, "throughput_samples_per_s"));
}

/* Does the trial wait for a storage whose speed was not known? */
static bool waits(const struct forecast *f, size_t row)
{
	const char *word = grid_text(f->trials, row, "bottleneck");

	return !f->emulated && cache_of(f, row) == CACHE_NONE &&
	       (strcmp(word, "storage") == 0 || strcmp(word, "latency") == 0);
}

static bool has_share(const struct forecast *f, size_t row)
{
	return bottleneck_is_fraction(
	    grid_text(f->trials, row, "bottleneck_evidence"));
}

static bool is_slow(const struct forecast *f, size_t row)
{
	return waits(f, row) && has_share(f, row) &&
	       grid_number(f->trials, row, "prediction_error_percent") > 0;
}

static bool is_fast(const struct forecast *f, size_t row)
{
	return waits(f, row) && has_share(f, row) &&
	       grid_number(f->trials, row, "prediction_error_percent") < 0;
}

static bool is_unprobed(const struct forecast *f, size_t row)
{
	return waits(f, row) && !has_share(f, row);
}

static const struct reason {
	bool (*holds)(const struct forecast *f, size_t row);
	const char *text;
} reasons[] = {
	{ is_fast, "that the storage is faster than was seen before" },
	{ is_slow, "that the storage would be slower than its ceiling" },
	{ is_unprobed, "how fast the storage reads such data" },
	{ is_brief, "how long starting threads takes in epochs below 50 ms" },
};

static size_t count_off(
    const struct forecast *f, bool (*holds)(const struct forecast *f, size_t))
{
	size_t count = 0;

	for (size_t i = 0; i < f->trials->row_count; i++)
		count += is_off(f, i) && (!holds || holds(f, i));
	return count;
}

/* Adds "that other programs took 1.7 of 2 cores (in 4 of 9)". */
static int add_others(
    const struct forecast *f, struct buf *text, struct error *err)
{
	const size_t count = count_off(f, is_disturbed);
	double cores = 0;

	if (!count)
		return 0;
	for (size_t i = 0; i < f->trials->row_count; i++)
		if (is_off(f, i) && is_disturbed(f, i))
			cores += others_of(f, i) / (double)count;
	return buf_printf(text, err,
	    "not known: that other programs took %.2g of %u core%s (%zu of %zu "
	    "trial%s)",
	    cores, f->cores, f->cores == 1 ? "" : "s", count, f->off,
	    f->off == 1 ? "" : "s");
}

static int say_reasons(const struct forecast *f, struct error *err)
{
	struct buf text = BUF_INIT;
	int rc = add_others(f, &text, err);

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(reasons); i++) {
		const size_t count = count_off(f, reasons[i].holds);

		if (count)
			rc = buf_printf(&text, err, "%s%s (%zu of %zu trial%s)",
			    text.len ? "; " : "not known: ", reasons[i].text,
			    count, f->off, f->off == 1 ? "" : "s");
	}
	if (rc == 0 && !text.len)
		rc = buf_printf(&text, err,
		    "the reason is not known, since the machine was quiet; "
		    "presto report --format csv has the error of each trial");
	if (rc == 0)
		report_page_line(f->page, "forecast", (const char *)text.data);
	buf_release(&text);
	return rc;
}

static int say_all(struct forecast *f, struct error *err)
{
	double median;
	const size_t count =
	    find_error(f, "prediction_error_percent", false, &median);

	if (count)
		say_rates(f, count, median);
	f->off = count_off(f, NULL);
	if (median > good_percent && say_reasons(f, err))
		return -1;
	say_costs(f);
	return 0;
}

int report_forecast(const struct report_page *page,
    const struct session_record *record, const struct grid *trials,
    struct error *err)
{
	struct forecast f = {
		.page = page,
		.trials = trials,
		.session = record->id,
		.cores = record->info.machine.cores,
		.emulated = storage_limits_any(&record->info.limits),
	};
	int rc;

	if (grid_column(trials, "prediction_error_percent") < 0)
		return 0;
	f.values = calloc(trials->row_count + 1, sizeof(*f.values));
	if (!f.values)
		return error_memory(err, sizeof(*f.values));
	rc = say_all(&f, err);
	free(f.values);
	return rc;
}
