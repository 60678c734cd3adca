/* report_columns.c - see report_columns.h. */
#include "cmd/writers/report_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/names.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"

/* Larger than any figure, and far from the limit of a double. */
#define MOST 1e30

enum kind { TEXT, WORD, WHOLE, NUMBER };

struct column {
	const char *name;
	enum kind kind;
	const char *words; /* for WORD: "yes|no" */
	double min, max;   /* for WHOLE and NUMBER */
	bool is_needed;    /* must not be empty */
};

#define ANY_TEXT(column)                       \
	{                                      \
		.name = (column), .kind = TEXT \
	}
#define ONE_OF(column, list)                                    \
	{                                                       \
		.name = (column), .kind = WORD, .words = (list) \
	}
#define COUNT_FROM(column, least)                                            \
	{                                                                    \
		.name = (column), .kind = WHOLE, .min = (least), .max = MOST \
	}
#define AMOUNT(column)                                        \
	{                                                     \
		.name = (column), .kind = NUMBER, .max = MOST \
	}
#define SIGNED(column)                                                      \
	{                                                                   \
		.name = (column), .kind = NUMBER, .min = -MOST, .max = MOST \
	}

/* Columns in the order of v_report, then those that only JSON has. */
static const struct column columns[] = {
	COUNT_FROM("schema_version", 1),
	COUNT_FROM("session", 0),
	ANY_TEXT("pipeline"),
	{ .name = "strategy", .kind = TEXT, .is_needed = true },
	ANY_TEXT("order"),
	{ .name = "split", .kind = TEXT, .is_needed = true },
	ANY_TEXT("store"),
	ANY_TEXT("codec"),
	COUNT_FROM("shards", 0),
	COUNT_FROM("threads", 1),
	ONE_OF("cache", "none|system|application|disk"),
	{ .name = "status",
	    .kind = WORD,
	    .words = "done|failed|skipped",
	    .is_needed = true },
	ONE_OF("source", "measured|predicted"),
	COUNT_FROM("samples", 0),
	COUNT_FROM("runs", 0),
	AMOUNT("throughput_samples_per_s"),
	AMOUNT("throughput_low_samples_per_s"),
	AMOUNT("throughput_high_samples_per_s"),
	AMOUNT("first_epoch_samples_per_s"),
	AMOUNT("prep_s"),
	AMOUNT("storage_bytes"),
	AMOUNT("bytes_per_sample"),
	AMOUNT("read_mb_per_s"),
	AMOUNT("cpu_percent"),
	AMOUNT("cpu_us_per_sample"),
	AMOUNT("peak_rss_bytes"),
	AMOUNT("first_batch_s"),
	{ .name = "resident_percent", .kind = NUMBER, .max = 100 },
	ANY_TEXT("bottleneck"),
	ONE_OF("equivalent", "yes|no|lossy"),
	ONE_OF("portable", "yes|no"),
	AMOUNT("predicted_samples_per_s"),
	SIGNED("prediction_error_percent"),
	AMOUNT("full_prep_s"),
	AMOUNT("full_storage_bytes"),
	AMOUNT("break_even_epochs"),
	SIGNED("score"),
	COUNT_FROM("rank", 1),
	ANY_TEXT("bottleneck_evidence"),
	AMOUNT("interval_percent"),
	COUNT_FROM("outliers", 0),
	ANY_TEXT("ended"),
	AMOUNT("prep_read_s"),
	AMOUNT("prep_compute_s"),
	AMOUNT("prep_compress_s"),
	AMOUNT("prep_write_s"),
	AMOUNT("prep_sync_s"),
	ANY_TEXT("emulated_storage"),
	ONE_OF("fits_memory", "yes|no"),
	AMOUNT("others_percent"),
	AMOUNT("relative_low"),
	AMOUNT("relative_high"),
	AMOUNT("full_throughput_samples_per_s"),
	COUNT_FROM("source_samples", 0),
	COUNT_FROM("full_samples", 0),
	ONE_OF("tied", "yes|no"),
	COUNT_FROM("place", 1),
	SIGNED("prep_error_percent"),
	SIGNED("storage_error_percent"),
	ONE_OF("cold", "yes|pages|no|unknown"),
	ONE_OF("drift", "yes|no"),
	ONE_OF("verified", "all|part|stored"),
	AMOUNT("prep_cpu_s"),
	COUNT_FROM("filtered", 0),
	ANY_TEXT("cache_place"),
	COUNT_FROM("fetchers", 0),
	COUNT_FROM("read_ahead", 0),
	COUNT_FROM("shuffle", 0),
	COUNT_FROM("batch", 1),
	AMOUNT("predicted_low_samples_per_s"),
	AMOUNT("predicted_high_samples_per_s"),
	AMOUNT("bound_high_samples_per_s"),
	ANY_TEXT("why"),
	AMOUNT("difference_largest"),
	AMOUNT("difference_mean"),
	SIGNED("psnr_db"),
	COUNT_FROM("hosts", 1),
	AMOUNT("total_samples_per_s"),
	AMOUNT("total_mb_per_s"),
	AMOUNT("slowest_samples_per_s"),
	COUNT_FROM("knee_hosts", 1),
	COUNT_FROM("trial", 0),
	COUNT_FROM("strategy_id", 0),
	ANY_TEXT("message"),
	AMOUNT("cache_bytes"),
	COUNT_FROM("figures", 0),
	AMOUNT("first_low"),
	AMOUNT("first_high"),
	COUNT_FROM("chosen", 0),
	COUNT_FROM("shards_asked", 0),
	COUNT_FROM("samples_asked", 0),
	ONE_OF("far", "yes|no"),
	AMOUNT("requests_per_sample"),
};

/* Values that presto reads from "session" and "machine". */
static const struct column session_columns[] = {
	COUNT_FROM("schema_version", 1),
	COUNT_FROM("id", 0),
	ANY_TEXT("path"),
	ANY_TEXT("text"),
	ONE_OF("state", "running|done|failed|interrupted"),
	AMOUNT("memory_bytes"),
	AMOUNT("memory_limit"),
};

struct table {
	const struct column *columns;
	size_t count;
};

static const struct table trial_table = { columns, ARRAY_LEN(columns) };
static const struct table session_table = { session_columns,
	ARRAY_LEN(session_columns) };

static const struct column *find(const struct table *table, const char *name)
{
	for (size_t i = 0; i < table->count; i++)
		if (strcmp(table->columns[i].name, name) == 0)
			return &table->columns[i];
	return NULL;
}

bool report_column_is_known(const char *name)
{
	return find(&trial_table, name) || find(&session_table, name);
}

/* ---- one figure ---- */

/* "row 3, column prep_s", as a spreadsheet counts; "trials[1], prep_s". */
static int fail(const struct report_file *file, const struct grid *grid,
    size_t row, const char *name, struct error *err)
{
	if (!file->is_json)
		return error_prefix(
		    err, "%s: row %zu, column %s", file->path, row + 2, name);
	return find(&trial_table, name) && grid_column(grid, "strategy") >= 0
	           ? error_prefix(
	                 err, "%s: trials[%zu], %s", file->path, row, name)
	           : error_prefix(err, "%s: %s", file->path, name);
}

static bool is_word(const char *words, const char *text)
{
	for (;;) {
		const size_t len = strcspn(words, "|");

		if (strlen(text) == len && memcmp(words, text, len) == 0)
			return true;
		if (!words[len])
			return false;
		words += len + 1;
	}
}

/* Lists "a|b|c" as "a, b or c". */
static void list_words(const char *words, struct buf *out)
{
	struct error ignored = ERROR_INIT;

	while (*words) {
		const size_t len = strcspn(words, "|");
		const char *rest = words + len + (words[len] == '|');

		buf_printf(out, &ignored, "%.*s%s", (int)len, words,
		    !*rest              ? ""
		    : strchr(rest, '|') ? ", "
		                        : " or ");
		words = rest;
	}
}

static int expected(
    const struct column *column, const char *got, struct error *err)
{
	static const char *const nouns[] = {
		[TEXT] = "a text",
		[WHOLE] = "a whole number",
		[NUMBER] = "a number",
	};
	struct buf words = BUF_INIT;
	char range[64] = "";

	if (column->kind == WORD)
		list_words(column->words, &words);
	else if (column->max > column->min && column->max < MOST)
		snprintf(range, sizeof(range), " from %g to %g", column->min,
		    column->max);
	else if (column->max > column->min && column->min > -MOST)
		snprintf(range, sizeof(range), " from %g on", column->min);
	error_set(err, ERROR_DATA, "must be %s%s, got '%.60s'",
	    words.data             ? (const char *)words.data
	    : column->kind == WORD ? "another word"
	                           : nouns[column->kind],
	    range, got);
	buf_release(&words);
	return -1;
}

static int check_number(const struct column *column, const struct value *value,
    const char *text, struct error *err)
{
	double number = value->real;

	if (value->kind == VALUE_FLAG ||
	    (value->kind == VALUE_TEXT && units_parse_real(text, &number)) ||
	    !(number >= column->min && number <= column->max) ||
	    (column->kind == WHOLE && floor(number) < number))
		return expected(column, text, err);
	return 0;
}

static int check_value(
    const struct column *column, const struct value *value, struct error *err)
{
	char buffer[VALUE_TEXT_SIZE];
	const char *text = value_print(value, buffer);

	if (!*text && column->is_needed)
		return error_set(err, ERROR_DATA, "must not be empty");
	if (!*text) /* the figure was not measured */
		return 0;
	if (column->kind == WHOLE || column->kind == NUMBER)
		return check_number(column, value, text, err);
	if (value->kind != VALUE_TEXT ||
	    (column->kind == WORD && !is_word(column->words, text)))
		return expected(column, text, err);
	return 0;
}

static int check_column(const struct report_file *file, const struct grid *grid,
    const struct table *table, size_t i, struct error *err)
{
	const struct column *column = find(table, grid->columns[i]);

	for (size_t row = 0; column && row < grid->row_count; row++)
		if (check_value(column, grid_value(grid, row, i), err))
			return fail(file, grid, row, column->name, err);
	return 0;
}

static int check_values(const struct report_file *file, const struct grid *grid,
    const struct table *table, struct error *err)
{
	for (size_t i = 0; i < grid->column_count; i++)
		if (check_column(file, grid, table, i, err))
			return -1;
	return 0;
}

/* ---- figures with each other ---- */

static int check_header(const struct report_file *file, const struct grid *grid,
    struct names *names, struct error *err)
{
	for (size_t i = 0; i < grid->column_count; i++) {
		const char *name = grid->columns[i];
		const size_t before = names->count;

		if (names_number(names, span_text(name), err) < 0)
			return -1;
		if (names->count == before && *name)
			return error_set(err, ERROR_DATA,
			    "%s: column %s occurs twice: leave one out",
			    file->path, name);
	}
	return 0;
}

static int check_interval(const struct report_file *file,
    const struct grid *grid, size_t row, struct error *err)
{
	static const char *const low = "throughput_low_samples_per_s";
	static const char *const high = "throughput_high_samples_per_s";
	const double median =
	    grid_number(grid, row, "throughput_samples_per_s");

	if (isgreater(grid_number(grid, row, low), median)) {
		error_set(err, ERROR_DATA,
		    "must be at most throughput_samples_per_s, which is %g",
		    median);
		return fail(file, grid, row, low, err);
	}
	if (isless(grid_number(grid, row, high), median)) {
		error_set(err, ERROR_DATA,
		    "must be at least throughput_samples_per_s, which is %g",
		    median);
		return fail(file, grid, row, high, err);
	}
	return 0;
}

/* The columns that identify a trial. */
static const char *const key_parts[] = { "session", "strategy", "shards",
	"source_samples", "threads", "cache", "cache_place", "fetchers",
	"read_ahead", "shuffle", "batch" };

static int add_key(
    const struct grid *grid, size_t row, struct buf *keys, struct error *err)
{
	for (size_t i = 0; i < ARRAY_LEN(key_parts); i++) {
		const int column = grid_column(grid, key_parts[i]);
		char buffer[VALUE_TEXT_SIZE];
		const char *text =
		    column < 0
		        ? ""
		        : value_print(
		              grid_value(grid, row, (size_t)column), buffer);

		if (buf_append(keys, text, strlen(text) + 1, err))
			return -1;
	}
	return 0;
}

static size_t key_len(const unsigned char *key)
{
	size_t len = 0;

	for (size_t i = 0; i < ARRAY_LEN(key_parts); i++)
		len += strlen((const char *)key + len) + 1;
	return len;
}

/* The keys point at the trials by row, since rows are numbered from 0. */
static int check_twice(const struct report_file *file, const struct grid *grid,
    struct names *names, struct error *err)
{
	struct buf keys = BUF_INIT;
	size_t at = 0;
	int rc = 0;

	/* Names point to the keys, which must not move while they are used. */
	for (size_t row = 0; rc == 0 && row < grid->row_count; row++)
		rc = add_key(grid, row, &keys, err);
	for (size_t row = 0; rc == 0 && row < grid->row_count; row++) {
		const struct span key = { .data = keys.data + at,
			.len = key_len(keys.data + at) };
		const int32_t number = names_number(names, key, err);

		at += key.len;
		rc = number < 0 ? -1 : 0;
		if (rc || (size_t)number == row)
			continue;
		error_set(err, ERROR_DATA,
		    "is the same trial as %s%d%s: leave one out",
		    file->is_json ? "trials[" : "row ",
		    number + (file->is_json ? 0 : 2), file->is_json ? "]" : "");
		rc = fail(file, grid, row, "strategy", err);
	}
	buf_release(&keys);
	return rc;
}

int report_columns_check(const struct report_file *file,
    const struct grid *trials, struct error *err)
{
	struct names header = NAMES_INIT, rows = NAMES_INIT;
	int rc = check_header(file, trials, &header, err);

	if (rc == 0)
		rc = check_values(file, trials, &trial_table, err);
	for (size_t row = 0; rc == 0 && row < trials->row_count; row++)
		rc = check_interval(file, trials, row, err);
	if (rc == 0)
		rc = check_twice(file, trials, &rows, err);
	names_release(&header);
	names_release(&rows);
	return rc;
}

int report_columns_check_session(const struct report_file *file,
    const struct grid *session, struct error *err)
{
	return check_values(file, session, &session_table, err);
}
