/* text.c - see print.h: a comparison for people. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cmd/compare/print.h"
#include "cmd/program/terminal.h"
#include "cmd/program/wrap.h"
#include "cmd/report/human.h"
#include "cmd/writers/markdown.h"
#include "cmd/writers/table.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/db/results_read.h"

/* ---- the table for people ---- */

enum column {
	STRATEGY,
	THREADS,
	CACHE,
	BASE,
	NEW,
	RATIO,
	INTERVAL,
	P,
	CHANGE,
	STORAGE,
	PREP,
	CPU,
	NOTE,
	COLUMNS
};

static const char *const titles[COLUMNS] = {
	[STRATEGY] = "strategy",
	[THREADS] = "threads",
	[CACHE] = "cache",
	[BASE] = "base/s",
	[NEW] = "new/s",
	[RATIO] = "ratio",
	[INTERVAL] = "95 %",
	[P] = "p",
	[CHANGE] = "change",
	[STORAGE] = "storage",
	[PREP] = "prep (one run)",
	[CPU] = "CPU time",
	[NOTE] = "note",
};

static const struct table_column fits[COLUMNS] = {
	[STRATEGY] = { .importance = 0, .least = 20 },
	[THREADS] = { .importance = 2 },
	[CACHE] = { .importance = 1 },
	[BASE] = { .importance = 3 },
	[NEW] = { .importance = 0 },
	[RATIO] = { .importance = 0 },
	[INTERVAL] = { .importance = 4 },
	[P] = { .importance = 6 },
	[CHANGE] = { .importance = 1 },
	[STORAGE] = { .importance = 7 },
	[PREP] = { .importance = 9 },
	[CPU] = { .importance = 9 },
	[NOTE] = { .importance = 8, .least = 8 },
};

typedef char cells[COLUMNS][HUMAN_CELL];

/* "13 470 +/- 2 %" */
static void print_side(const struct compare_side *side, char cell[HUMAN_CELL])
{
	char number[UNITS_TEXT];
	const double width =
	    50 *
	    (side->figures.throughput.high - side->figures.throughput.low) /
	    side->figures.throughput.median;

	if (isnan(side->figures.throughput.median))
		return;
	snprintf(cell, HUMAN_CELL, "%s",
	    units_number(side->figures.throughput.median, number));
	if (side->runs > 1 && !isnan(width))
		snprintf(cell + strlen(cell), HUMAN_CELL - strlen(cell),
		    " +/- %.*f %%", width < 9.95, width);
}

static void print_p(double p, char cell[HUMAN_CELL])
{
	if (isnan(p))
		return;
	if (p < 0.0001)
		snprintf(cell, HUMAN_CELL, "<0.0001");
	else
		snprintf(cell, HUMAN_CELL, "%.4f", p);
}

static void print_ratio(double ratio, char cell[HUMAN_CELL])
{
	if (!isnan(ratio))
		snprintf(cell, HUMAN_CELL, "%.3f", ratio);
}

/* Exact: "same", "+1 234 B (+0.1 %)". */
static void print_storage(const struct compared *c, char cell[HUMAN_CELL])
{
	const double more = c->new_one.figures.profiled.storage_bytes -
	                    c->base.figures.profiled.storage_bytes;

	if (isnan(more))
		return;
	if (fabs(more) < 0.5)
		snprintf(cell, HUMAN_CELL, "same");
	else
		snprintf(cell, HUMAN_CELL, "%+.0f B (%+.3g %%)", more,
		    100 * (c->storage_ratio - 1));
}

/* How the machine changed, where that was taken into account. */
static void print_machine(const struct compared *c, char cell[HUMAN_CELL])
{
	const double percent = 100 * (c->speed_ratio - 1);
	size_t used = 0;

	if (fabs(log(c->left_ratio)) > 0.01)
		used = (size_t)snprintf(cell, HUMAN_CELL,
		    "other programs took %.2f cores, before %.2f",
		    c->new_one.others_cores, c->base.others_cores);
	if (fabs(percent) > 3)
		snprintf(cell + used, HUMAN_CELL - used, "%smachine %.1f %% %s",
		    used ? "; " : "", fabs(percent),
		    percent < 0 ? "slower" : "faster");
}

/* The reason why a trial cannot be compared, or a note about the machine. */
static void print_note(const struct compared *c, char cell[HUMAN_CELL])
{
	const struct compare_side *side =
	    c->new_one.is_there ? &c->new_one : &c->base;

	if (!c->new_one.is_there || !c->base.is_there)
		snprintf(cell, HUMAN_CELL, "only in %s%s%s",
		    c->base.is_there ? "base" : "new",
		    compare_side_is_done(side) ? "" : ", ",
		    compare_side_is_done(side) ? "" : compare_side_state(side));
	else if (!compare_side_is_done(&c->new_one))
		snprintf(cell, HUMAN_CELL, "%s in new",
		    compare_side_state(&c->new_one));
	else if (!compare_side_is_done(&c->base))
		snprintf(cell, HUMAN_CELL, "%s in base",
		    compare_side_state(&c->base));
	else if (c->verdict == COMPARE_BROKEN)
		snprintf(cell, HUMAN_CELL, "the data differs");
	else if (!isnan(c->ratio) && !c->is_tested)
		snprintf(cell, HUMAN_CELL, "too few runs: %zu, %zu",
		    c->base.runs, c->new_one.runs);
	else
		print_machine(c, cell);
}

static void print_cells(const struct compared *c, cells cell)
{
	char load[LOAD_FIGURES_TEXT];

	snprintf(cell[STRATEGY], HUMAN_CELL, "%s%s", c->strategy,
	    load_figures_words(&c->load, load));
	snprintf(cell[THREADS], HUMAN_CELL, "%u", c->threads);
	snprintf(cell[CACHE], HUMAN_CELL, "%s", cache_word(c->cache));
	print_side(&c->base, cell[BASE]);
	print_side(&c->new_one, cell[NEW]);
	print_ratio(c->ratio, cell[RATIO]);
	if (!isnan(c->ratio_low))
		snprintf(cell[INTERVAL], HUMAN_CELL, "%.3f to %.3f",
		    c->ratio_low, c->ratio_high);
	print_p(c->p_adjusted, cell[P]);
	snprintf(cell[CHANGE], HUMAN_CELL, "%s", compared_word(c));
	print_storage(c, cell[STORAGE]);
	print_ratio(c->prep_ratio, cell[PREP]);
	print_ratio(c->cpu_ratio, cell[CPU]);
	print_note(c, cell[NOTE]);
}

/* Threads and cache are left out where all have the same. */
static bool is_common(const struct comparison *comparison, enum column column)
{
	for (size_t i = 1; i < comparison->count; i++) {
		const struct compared *a = &comparison->list[0];
		const struct compared *b = &comparison->list[i];

		if (column == THREADS ? a->threads != b->threads
		                      : a->cache != b->cache)
			return false;
	}
	return true;
}

static int fill_table(
    const struct comparison *comparison, struct grid *table, struct error *err)
{
	for (size_t i = 0; i < COLUMNS; i++)
		if (grid_add_column(table, titles[i], err))
			return -1;
	for (size_t i = 0; i < comparison->count; i++) {
		cells cell = { { 0 } };

		print_cells(&comparison->list[i], cell);
		for (enum column c = THREADS; c <= CACHE; c++)
			if (is_common(comparison, c))
				*cell[c] = '\0';
		if (grid_add_row(table, err))
			return -1;
		for (size_t k = 0; k < COLUMNS; k++)
			if (*cell[k] && grid_set_text(table, k, cell[k], err))
				return -1;
	}
	return 0;
}

/* ---- the page for people ---- */

struct writer {
	FILE *out;
	size_t width; /* terminal columns; 0: any */
	bool markdown;
};

static void write_text(const struct writer *to, const char *text)
{
	if (to->markdown)
		markdown_write_text(text, to->out);
	else
		wrap_write(text, 0, 2, to->width, to->out);
}

/* "  base  photos, session 3 of FILE, 2026-11-21T.., presto 0.1.0" */
static void write_line(
    const struct writer *to, const char *name, const char *text)
{
	char head[32];

	if (to->markdown) {
		fputs("- **", to->out);
		write_text(to, name);
		fputs("** ", to->out);
		write_text(to, text);
		fputc('\n', to->out);
		return;
	}
	snprintf(head, sizeof(head), "  %-6s ", name);
	wrap_line(head, text, to->width, to->out);
}

static void write_session(const struct writer *to, const char *name,
    const struct compare_operand *side)
{
	const struct session_record *record = &side->record;
	char place[COMPARE_PLACE], text[COMPARE_PLACE + 512];

	snprintf(text, sizeof(text), "%.200s, %s, %.40s, presto %.40s",
	    record->info.pipeline, compare_operand_place(side, place),
	    record->started, record->version);
	write_line(to, name, text);
}

static void write_list(
    const struct writer *to, const char *name, const struct grid *list)
{
	for (size_t i = 0; i < list->row_count; i++)
		write_line(to, name, grid_text(list, i, "text"));
}

/* Threads and cache, if the table leaves them out. */
static void write_load(
    const struct writer *to, const struct comparison *comparison)
{
	const struct compared *first = comparison->list;
	char text[128] = "";

	if (!comparison->count)
		return;
	if (is_common(comparison, THREADS))
		snprintf(text, sizeof(text), "%u thread%s%s", first->threads,
		    first->threads == 1 ? "" : "s",
		    is_common(comparison, CACHE) ? ", " : "");
	if (is_common(comparison, CACHE))
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
		    "cache %s", cache_word(first->cache));
	if (*text)
		write_line(to, "load", text);
}

static void write_mean(
    const struct writer *to, const struct comparison *comparison)
{
	const struct compare_mean *mean = &comparison->mean;
	char text[256];
	const size_t used = (size_t)snprintf(text, sizeof(text),
	    "Geometric mean of %zu ratio%s: %.3f", comparison->both,
	    comparison->both == 1 ? "" : "s", mean->ratio);

	if (!isnan(mean->low))
		snprintf(text + used, sizeof(text) - used, " (%.3f to %.3f)",
		    mean->low, mean->high);
	write_text(to, text);
	fputs(to->markdown ? "\n\n" : "\n", to->out);
}

/* "Would have seen": the power of the comparison. */
static void write_power(
    const struct writer *to, const struct comparison *comparison)
{
	const double sees = comparison_sees(comparison);
	const double all = comparison->mean.sees;
	char text[256];
	size_t used;

	if (isnan(sees))
		return;
	used = (size_t)snprintf(text, sizeof(text),
	    "%s: would have seen a slow-down of %.2g %% of one trial",
	    comparison->turns ? "By turns" : "Not by turns", 100 * sees);
	if (!isnan(all))
		snprintf(text + used, sizeof(text) - used,
		    ", %.2g %% of all together", 100 * all);
	write_text(to, text);
	fputs(to->markdown ? "\n\n" : "\n", to->out);
}

static void write_end(const struct writer *to, const struct compare_page *page)
{
	const struct comparison *comparison = page->comparison;
	const enum compare_verdict verdict = comparison_verdict(comparison);
	const char *word =
	    verdict == COMPARE_SLOWER || verdict == COMPARE_BROKEN
	        ? "REGRESSION"
	    : verdict == COMPARE_UNCLEAR || verdict == COMPARE_MISSING
	        ? "INCONCLUSIVE"
	        : "OK";
	char text[COMPARE_SUMMARY + 1], line[COMPARE_SUMMARY + 32];

	fputc('\n', to->out);
	if (comparison->both)
		write_mean(to, comparison);
	write_power(to, comparison);
	snprintf(text, sizeof(text), "%s.", page->summary);
	if (to->markdown) {
		fputs("**", to->out);
		write_text(to, word);
		fputs("**: ", to->out);
		write_text(to, text);
		fputc('\n', to->out);
		return;
	}
	snprintf(line, sizeof(line), "%s: %s", word, text);
	write_text(to, line);
	fputc('\n', to->out);
}

int compare_print_text(
    const struct compare_page *page, FILE *out, struct error *err)
{
	const struct writer to = { .out = out,
		.width = terminal_columns(out),
		.markdown = page->format == COMPARE_MARKDOWN };
	const struct table_page narrow = {
		.width = to.width, .columns = fits, .all = "--format csv"
	};
	struct grid table = GRID_INIT;
	int rc = fill_table(page->comparison, &table, err);

	if (rc == 0) {
		fputs(to.markdown ? "### presto compare\n\n" : "", out);
		write_session(&to, "base", page->base);
		write_session(&to, "new", page->new_one);
		write_load(&to, page->comparison);
		write_list(&to, "differs", page->differences);
		write_list(&to, "note", page->notes);
		fputc('\n', out);
		if (to.markdown)
			markdown_write(&table, out);
		else
			table_write_page(&table, &narrow, out);
		write_end(&to, page);
	}
	grid_release(&table);
	return rc;
}
