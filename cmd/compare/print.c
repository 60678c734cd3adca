/* print.c - see print.h: a comparison for programs. */
#include "cmd/compare/print.h"

#include <math.h>
#include <string.h>

#include "cmd/writers/csv.h"
#include "cmd/writers/json.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"

/* ---- rows ---- */

/* Columns are a contract: new ones come at the end. */
static const char *const columns[] = { "strategy", "threads", "cache",
	"base_status", "new_status", "base_runs", "new_runs",
	"base_throughput_samples_per_s", "base_throughput_low_samples_per_s",
	"base_throughput_high_samples_per_s", "new_throughput_samples_per_s",
	"new_throughput_low_samples_per_s", "new_throughput_high_samples_per_s",
	"ratio", "ratio_low", "ratio_high", "p", "p_adjusted", "change",
	"verdict", "base_storage_bytes", "new_storage_bytes", "base_prep_s",
	"new_prep_s", "prep_ratio", "base_cpu_us_per_sample",
	"new_cpu_us_per_sample", "cpu_ratio", "base_others_cores",
	"new_others_cores", "left_ratio", "base_equivalent", "new_equivalent",
	"message", "base_reference_ms", "new_reference_ms", "speed_ratio",
	"fastest_ratio", "fastest_low", "fastest_high", "sees", "load" };

/* They are empty: older versions compared the fastest runs by themselves. */
enum { FASTEST_COLUMNS = 3 };

const char *compare_verdict_name(enum compare_verdict verdict)
{
	static const char *const names[] = {
		[COMPARE_FINE] = "fine",
		[COMPARE_SLOWER] = "slower",
		[COMPARE_BROKEN] = "broken",
		[COMPARE_UNCLEAR] = "unclear",
		[COMPARE_MISSING] = "missing",
		[COMPARE_NONE] = "",
	};

	return names[verdict];
}

struct row { /* being filled, from the left */
	struct grid *grid;
	size_t column;
};

static int put_text(struct row *row, const char *text, struct error *err)
{
	const size_t column = row->column++;

	return *text ? grid_set_text(row->grid, column, text, err) : 0;
}

static void put(struct row *row, double number)
{
	grid_set_real(row->grid, row->column++, number);
}

static void put_whole(struct row *row, double number)
{
	const size_t column = row->column++;

	if (number >= 0)
		grid_set_integer(row->grid, column, (int64_t)number);
}

static void put_throughput(struct row *row, const struct compare_side *side)
{
	put(row, side->figures.throughput.median);
	put(row, side->figures.throughput.low);
	put(row, side->figures.throughput.high);
}

static int add_row(
    struct grid *grid, const struct compared *c, struct error *err)
{
	const struct compare_side *base = &c->base, *is = &c->new_one;
	struct row row = { .grid = grid };
	char load[LOAD_FIGURES_TEXT];

	if (grid_add_row(grid, err) || put_text(&row, c->strategy, err))
		return -1;
	put_whole(&row, c->threads ? (double)c->threads : -1);
	if (put_text(&row, cache_word(c->cache), err) ||
	    put_text(&row, compare_side_state(base), err) ||
	    put_text(&row, compare_side_state(is), err))
		return -1;
	put_whole(&row, base->is_there ? (double)base->runs : -1);
	put_whole(&row, is->is_there ? (double)is->runs : -1);
	put_throughput(&row, base);
	put_throughput(&row, is);
	put(&row, c->ratio);
	put(&row, c->ratio_low);
	put(&row, c->ratio_high);
	put(&row, c->p);
	put(&row, c->p_adjusted);
	if (put_text(&row, compared_word(c), err) ||
	    put_text(&row, compare_verdict_name(c->verdict), err))
		return -1;
	put_whole(&row, base->figures.profiled.storage_bytes);
	put_whole(&row, is->figures.profiled.storage_bytes);
	put(&row, base->figures.profiled.prep_s);
	put(&row, is->figures.profiled.prep_s);
	put(&row, c->prep_ratio);
	put(&row, base->figures.cpu_us);
	put(&row, is->figures.cpu_us);
	put(&row, c->cpu_ratio);
	put(&row, base->others_cores);
	put(&row, is->others_cores);
	put(&row, c->left_ratio);
	if (put_text(&row, equivalence_word(base->figures.answers.equivalent),
	        err) ||
	    put_text(
	        &row, equivalence_word(is->figures.answers.equivalent), err))
		return -1;
	if (put_text(&row,
	        is->is_there ? is->figures.message : base->figures.message,
	        err))
		return -1;
	put(&row, base->reference_ms);
	put(&row, is->reference_ms);
	put(&row, c->speed_ratio);
	row.column += FASTEST_COLUMNS;
	put(&row, c->sees);
	load_figures_name(&c->load, load);
	return put_text(&row, load + (*load == ' '), err);
}

static int fill_grid(
    const struct comparison *comparison, struct grid *grid, struct error *err)
{
	for (size_t i = 0; i < ARRAY_LEN(columns); i++)
		if (grid_add_column(grid, columns[i], err))
			return -1;
	for (size_t i = 0; i < comparison->count; i++)
		if (add_row(grid, &comparison->list[i], err))
			return -1;
	return 0;
}

/* ---- the output ---- */

static void add_session(
    struct json_doc *doc, const char *key, const struct compare_operand *side)
{
	const struct session_record *record = &side->record;
	struct json_t *at = json_add_object(doc, doc->root, key);
	struct json_t *sessions;

	json_add_text(doc, at, "database", side->hides ? NULL : side->path);
	json_add_uint(doc, at, "session", (uint64_t)record->id);
	sessions = json_add_array(doc, at, "sessions");
	for (size_t i = 0; i < side->count; i++)
		json_add_uint(doc, sessions, NULL, (uint64_t)side->sessions[i]);
	json_add_text(doc, at, "pipeline", record->info.pipeline);
	json_add_text(doc, at, "started", record->started);
	json_add_text(doc, at, "state", record->state);
	json_add_text(doc, at, "presto", record->version);
}

static void add_texts(
    struct json_doc *doc, const char *key, const struct grid *list)
{
	struct json_t *at = json_add_array(doc, doc->root, key);

	for (size_t i = 0; i < list->row_count; i++)
		json_add_text(doc, at, NULL, grid_text(list, i, "text"));
}

static int print_json(const struct compare_page *page, const struct grid *grid,
    FILE *out, struct error *err)
{
	const struct comparison *comparison = page->comparison;
	struct json_doc doc = json_doc_object();
	struct json_t *array;
	int rc;

	json_add_uint(&doc, doc.root, "schema_version", 1);
	add_session(&doc, "base", page->base);
	add_session(&doc, "new", page->new_one);
	json_add_number(&doc, doc.root, "threshold", comparison->threshold);
	json_add_text(&doc, doc.root, "verdict",
	    compare_verdict_name(comparison_verdict(comparison)));
	json_add_text(&doc, doc.root, "summary", page->summary);
	json_add_number(&doc, doc.root, "mean_ratio", comparison->mean.ratio);
	json_add_number(&doc, doc.root, "mean_ratio_low", comparison->mean.low);
	json_add_number(
	    &doc, doc.root, "mean_ratio_high", comparison->mean.high);
	json_add_number(&doc, doc.root, "mean_p", comparison->mean.p);
	json_add_uint(&doc, doc.root, "turns", comparison->turns);
	json_add_number(&doc, doc.root, "sees", comparison_sees(comparison));
	json_add_number(&doc, doc.root, "mean_sees", comparison->mean.sees);
	add_texts(&doc, "differences", page->differences);
	add_texts(&doc, "notes", page->notes);
	array = json_add_array(&doc, doc.root, "trials");
	for (size_t row = 0; row < grid->row_count; row++)
		json_add_row(
		    &doc, json_add_object(&doc, array, NULL), grid, row, 0);
	rc = json_doc_write(&doc, out, err);
	json_doc_release(&doc);
	return rc;
}

static int print_raw(
    const struct compare_page *page, FILE *out, struct error *err)
{
	struct grid grid = GRID_INIT;
	int rc = fill_grid(page->comparison, &grid, err);

	if (rc == 0 && page->format == COMPARE_CSV)
		csv_write(&grid, out);
	else if (rc == 0)
		rc = print_json(page, &grid, out, err);
	grid_release(&grid);
	return rc;
}

/* Prints the figures of NEW, and their ratios to BASE. */
static int print_form(
    const struct compare_page *page, FILE *out, struct error *err)
{
	struct json_doc doc = benchmarks_doc(page->form);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < page->comparison->count; i++) {
		const struct compared *c = &page->comparison->list[i];
		struct figures trial = c->new_one.figures;
		struct benchmark benchmark = {
			.pipeline = page->new_one->record.info.pipeline,
			.trial = &trial,
			.ratio = c->ratio,
			.ratio_low = c->ratio_low,
			.ratio_high = c->ratio_high,
		};
		char extra[128];

		snprintf(extra, sizeof(extra), "%.3f of base (%.3f to %.3f)",
		    c->ratio, c->ratio_low, c->ratio_high);
		if (!isnan(c->ratio_low))
			benchmark.extra = extra;
		trial.throughput.runs = (double)c->new_one.runs;
		trial.throughput.counted = trial.throughput.runs;
		if (c->new_one.is_there)
			rc = benchmarks_add(&doc, page->form, &benchmark, err);
	}
	if (rc == 0)
		rc = json_doc_write(&doc, out, err);
	json_doc_release(&doc);
	return rc;
}

int compare_print(const void *arg, FILE *out, struct error *err)
{
	const struct compare_page *page = arg;

	if (page->form != BENCHMARKS_NONE)
		return print_form(page, out, err);
	if (page->format == COMPARE_JUNIT) {
		compare_print_junit(page, out);
		return 0;
	}
	if (page->format == COMPARE_JSON || page->format == COMPARE_CSV)
		return print_raw(page, out, err);
	return compare_print_text(page, out, err);
}
