/* verified.c - see verified.h. */
#include "cmd/verify/verified.h"

#include <math.h>
#include <string.h>

#include "cmd/program/terminal.h"
#include "cmd/report/human.h"
#include "cmd/writers/json.h"
#include "cmd/writers/markdown.h"
#include "cmd/writers/table.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "strategies/decide/rank.h"
#include "strategies/planfile/plan_file.h"

enum { RATIO_TEXT = 64 };

/* ---- the summary ---- */

/* "1.4 times as fast"; "better" where it is no ratio. */
static void ratio_words(const struct verified *verified, char text[RATIO_TEXT])
{
	const char *gain = verified->request->objective->gain;
	const double ratio = verified->judgement.ratio;

	if (isnan(ratio) || !gain)
		snprintf(text, RATIO_TEXT, "better");
	else
		snprintf(text, RATIO_TEXT, "%.3g times as %s", ratio, gain);
}

/* Joins a ratio with the strategy that it is of. */
static const char *than(const char *ratio)
{
	return strcmp(ratio, "better") == 0 ? "than" : "as";
}

static void say_beaten(struct verified *verified, const char *rival)
{
	const struct candidate *c = verified->candidate;
	char ratio[RATIO_TEXT];

	if (!candidate_is_ranked(c)) {
		snprintf(verified->summary, VERIFIED_TEXT,
		    "%s cannot be recommended here (%s)%s%s; profile the "
		    "pipeline again",
		    c->trial.strategy,
		    *c->trial.message ? c->trial.message : c->unranked,
		    *rival ? "; the best is " : "", rival);
		return;
	}
	ratio_words(verified, ratio);
	snprintf(verified->summary, VERIFIED_TEXT,
	    "%s does not win here: %s is %s; profile the pipeline again",
	    c->trial.strategy, rival, ratio);
}

static void say_noise(struct verified *verified, const char *rival)
{
	const struct candidate *c = verified->candidate;
	const double risk = verified->judgement.risk;
	const char *gain = verified->request->objective->gain;

	if (isnan(risk) || !gain || !(risk > 1))
		snprintf(verified->summary, VERIFIED_TEXT,
		    "these runs cannot tell %s from %s; give a longer "
		    "--budget",
		    c->trial.strategy, rival);
	else
		snprintf(verified->summary, VERIFIED_TEXT,
		    "these runs cannot tell %s from %s, which may be up to "
		    "%.3g times as %s; give a longer --budget, or stop other "
		    "programs",
		    c->trial.strategy, rival, risk, gain);
}

static void say_wins(struct verified *verified, const char *rival)
{
	const struct candidate *c = verified->candidate;
	char ratio[RATIO_TEXT];

	ratio_words(verified, ratio);
	if (!*rival)
		snprintf(verified->summary, VERIFIED_TEXT, "%s still wins",
		    c->trial.strategy);
	else if (c->tied)
		snprintf(verified->summary, VERIFIED_TEXT,
		    "%s still wins, tied with %s", c->trial.strategy, rival);
	else
		snprintf(verified->summary, VERIFIED_TEXT,
		    "%s still wins: it is %s %s %s", c->trial.strategy, ratio,
		    than(ratio), rival);
}

void verified_say(struct verified *verified)
{
	const struct candidate *rival = verified->judgement.rival;
	const char *label = rival ? rival->trial.strategy : "";

	switch (verified->judgement.verdict) {
	case VERDICT_WINS:
		say_wins(verified, label);
		break;
	case VERDICT_AS_GOOD:
		snprintf(verified->summary, VERIFIED_TEXT,
		    "%s is still as good as the best: %s is no more than 5 %% "
		    "better",
		    verified->candidate->trial.strategy, label);
		break;
	case VERDICT_BEATEN:
		say_beaten(verified, label);
		break;
	case VERDICT_NOISE:
		say_noise(verified, label);
		break;
	}
}

/* ---- rows ---- */

/* The figures that the plan expects of a strategy; NULL: it has none. */
static const struct plan_expected *expected_of(
    const struct plan_file *plan, const char *label)
{
	if (strcmp(plan->strategy, label) == 0)
		return &plan->expected;
	for (unsigned i = 0; i < plan->rival_count; i++)
		if (strcmp(plan->rivals[i].strategy, label) == 0)
			return &plan->rivals[i].expected;
	return NULL;
}

enum column {
	STRATEGY,
	THREADS,
	CACHE,
	ROLE,
	RANK,
	RUNS,
	EXPECTED,
	EXPECTED_LOW,
	EXPECTED_HIGH,
	MEASURED,
	MEASURED_LOW,
	MEASURED_HIGH,
	COLUMNS
};

static int add_columns(struct grid *grid, struct error *err)
{
	static const char *const names[COLUMNS] = { "strategy", "threads",
		"cache", "role", "rank", "runs", "expected_samples_per_s",
		"expected_low_samples_per_s", "expected_high_samples_per_s",
		"samples_per_s", "low_samples_per_s", "high_samples_per_s" };

	for (size_t i = 0; i < COLUMNS; i++)
		if (grid_add_column(grid, names[i], err))
			return -1;
	return 0;
}

static int add_trial(struct grid *grid, const struct verified *verified,
    const struct candidate *c, struct error *err)
{
	const struct plan_expected *expected =
	    expected_of(verified->plan, c->trial.strategy);

	if (grid_add_row(grid, err) ||
	    grid_set_text(grid, STRATEGY, c->trial.strategy, err) ||
	    grid_set_text(grid, CACHE, cache_word(c->trial.cache), err) ||
	    grid_set_text(grid, ROLE,
	        c == verified->candidate ? "plan" : "runner-up", err))
		return -1;
	grid_set_integer(grid, THREADS, c->trial.threads);
	if (c->rank)
		grid_set_integer(grid, RANK, c->rank);
	grid_set_real(grid, RUNS, c->full.runs);
	if (expected) {
		grid_set_real(grid, EXPECTED, expected->throughput);
		grid_set_real(grid, EXPECTED_LOW, expected->throughput_low);
		grid_set_real(grid, EXPECTED_HIGH, expected->throughput_high);
	}
	grid_set_real(grid, MEASURED, c->full.throughput);
	grid_set_real(grid, MEASURED_LOW, c->full.low);
	grid_set_real(grid, MEASURED_HIGH, c->full.high);
	return 0;
}

static int add_trials(
    struct grid *grid, const struct verified *verified, struct error *err)
{
	if (add_columns(grid, err))
		return -1;
	for (size_t i = 0; i < verified->ranking->count; i++)
		if (add_trial(grid, verified, &verified->ranking->list[i], err))
			return -1;
	return 0;
}

/* ---- for people ---- */

/* "13 470 +/- 2 %" */
static void print_rate(const struct grid *grid, size_t row,
    const char *const names[3], char cell[HUMAN_CELL])
{
	const double rate = grid_number(grid, row, names[0]);
	const double width = 50 *
	                     (grid_number(grid, row, names[2]) -
	                         grid_number(grid, row, names[1])) /
	                     rate;
	char number[UNITS_TEXT];

	*cell = '\0';
	if (isnan(rate))
		return;
	units_number(rate, number);
	if (isnan(width))
		snprintf(cell, HUMAN_CELL, "%s", number);
	else
		snprintf(cell, HUMAN_CELL, "%s +/- %.2g %%", number, width);
}

/* The rows for people: strategy, load, expected, measured, role. */
static int make_human(
    const struct grid *from, struct grid *to, struct error *err)
{
	static const char *const titles[] = { "strategy", "threads", "cache",
		"expected/s", "measured/s", "rank", "role" };
	static const char *const expected[3] = { "expected_samples_per_s",
		"expected_low_samples_per_s", "expected_high_samples_per_s" };
	static const char *const measured[3] = { "samples_per_s",
		"low_samples_per_s", "high_samples_per_s" };
	char cell[HUMAN_CELL];

	for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++)
		if (grid_add_column(to, titles[i], err))
			return -1;
	for (size_t row = 0; row < from->row_count; row++) {
		if (grid_add_row(to, err) ||
		    grid_set_text(
		        to, 0, grid_text(from, row, "strategy"), err) ||
		    grid_set_text(to, 2, grid_text(from, row, "cache"), err) ||
		    grid_set_text(to, 6, grid_text(from, row, "role"), err))
			return -1;
		grid_set_integer(to, 1, grid_integer(from, row, "threads"));
		print_rate(from, row, expected, cell);
		if (grid_set_text(to, 3, cell, err))
			return -1;
		print_rate(from, row, measured, cell);
		if (grid_set_text(to, 4, cell, err))
			return -1;
		if (grid_integer(from, row, "rank"))
			grid_set_integer(
			    to, 5, grid_integer(from, row, "rank"));
	}
	return 0;
}

static int print_human(const struct verified *verified, const struct grid *rows,
    FILE *out, struct error *err)
{
	const struct table_page page = { .width = terminal_columns(out),
		.indent = 2 };
	struct grid human = GRID_INIT;
	int rc = make_human(rows, &human, err);

	if (rc == 0 && verified->format == FORMAT_MARKDOWN) {
		markdown_write(&human, out);
		terminal_print(
		    out, "", "\n%s: %s", verified->path, verified->summary);
	} else if (rc == 0) {
		table_write_page(&human, &page, out);
		terminal_print(
		    out, "", "%s: %s", verified->path, verified->summary);
	}
	grid_release(&human);
	return rc;
}

/* ---- for programs ---- */

static int print_json(const struct verified *verified, const struct grid *rows,
    FILE *out, struct error *err)
{
	const struct judgement *judgement = &verified->judgement;
	struct json_doc doc = json_doc_object();
	struct json_t *trials;
	int rc;

	json_add_text(&doc, doc.root, "plan", verified->path);
	json_add_text(&doc, doc.root, "pipeline", verified->plan->pipeline);
	json_add_text(&doc, doc.root, "strategy", verified->plan->strategy);
	json_add_text(
	    &doc, doc.root, "verdict", verdict_word(judgement->verdict));
	json_add_text(&doc, doc.root, "rival",
	    judgement->rival ? judgement->rival->trial.strategy : NULL);
	json_add_number(&doc, doc.root, "ratio", judgement->ratio);
	json_add_number(&doc, doc.root, "risk", judgement->risk);
	json_add_text(&doc, doc.root, "summary", verified->summary);
	trials = json_add_array(&doc, doc.root, "trials");
	for (size_t row = 0; row < rows->row_count; row++)
		json_add_row(
		    &doc, json_add_object(&doc, trials, NULL), rows, row, 0);
	rc = json_doc_write(&doc, out, err);
	json_doc_release(&doc);
	return rc;
}

/* ---- the verdict ---- */

static int give_verdict(const struct verified *verified, struct error *err)
{
	switch (verified->judgement.verdict) {
	case VERDICT_BEATEN:
		return error_set(err, ERROR_GATE, "%s: %s", verified->path,
		    verified->summary);
	case VERDICT_NOISE:
		return error_set(err, ERROR_INCONCLUSIVE,
		    "%s: inconclusive: %s", verified->path, verified->summary);
	default:
		return 0;
	}
}

int verified_print(const void *arg, FILE *out, struct error *err)
{
	const struct verified *verified = arg;
	struct grid rows = GRID_INIT;
	int rc = add_trials(&rows, verified, err);

	if (rc == 0 && verified->format == FORMAT_JSON)
		rc = print_json(verified, &rows, out, err);
	else if (rc == 0 && verified->format == FORMAT_CSV)
		rc = format_write(FORMAT_CSV, &rows, out, err);
	else if (rc == 0)
		rc = print_human(verified, &rows, out, err);
	grid_release(&rows);
	return rc ? rc : give_verdict(verified, err);
}
