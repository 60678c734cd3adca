/* recommend_print.c - see recommend.h: the recommendation in its formats. */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "cmd/evidence.h"
#include "cmd/human.h"
#include "cmd/recommend.h"
#include "cmd/writers/csv.h"
#include "cmd/writers/json.h"
#include "cmd/writers/markdown.h"
#include "cmd/writers/table.h"
#include "lib/base/bytes.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/db/results.h"
#include "strategies/advice.h"
#include "strategies/rank.h"

enum { LINE = 1024, TIED_SHOWN = 3 };

/* What is printed. */
struct findings {
	const struct recommend_page *page;
	const struct ranking *ranking;
	const struct advice *advice;
	const struct grid *rows; /* of the ranking */
	const struct grid *told; /* "text": warnings while profiling */
	const char *command;     /* that comes next; NULL: none */
};

/* ---- text and Markdown ---- */

static bool is_markdown(const struct findings *f)
{
	return f->page->format == RECOMMEND_MARKDOWN;
}

static void print_text(const struct findings *f, const char *text)
{
	if (is_markdown(f))
		markdown_write_text(text, f->page->out);
	else
		fputs(text, f->page->out);
}

static void say(const struct findings *f, const char *name, const char *format,
    ...) __attribute__((format(printf, 3, 4)));

static void say(
    const struct findings *f, const char *name, const char *format, ...)
{
	char line[LINE];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	fprintf(f->page->out, is_markdown(f) ? "- %s: " : "  %-13s", name);
	print_text(f, line);
	fputc('\n', f->page->out);
}

/* A single figure has no interval, a few have none of 95 %. */
static void say_throughput(const struct findings *f)
{
	const struct candidate *winner = f->advice->winner;
	char rate[UNITS_TEXT], low[UNITS_TEXT], high[UNITS_TEXT];

	units_number(winner->throughput, rate);
	units_number(winner->low, low);
	units_number(winner->high, high);
	if (!(winner->low < winner->high))
		say(f, "throughput", "%s samples/s", rate);
	else
		say(f, "throughput", "%s samples/s (%s%s to %s)", rate,
		    winner->figures > FEW_FIGURES    ? "95 %: "
		    : winner->figures <= FEW_FIGURES ? "lowest to highest: "
		                                     : "",
		    low, high);
}

static void say_winner(const struct findings *f)
{
	const struct candidate *winner = f->advice->winner;

	fputs(is_markdown(f) ? "### " : "", f->page->out);
	print_text(f, "recommended: ");
	print_text(f, winner->strategy);
	fprintf(f->page->out, ", %.0f %s, cache %s\n\n", winner->threads,
	    winner->threads > 1 ? "threads" : "thread", winner->cache);
	if (candidate_is_unprocessed(winner))
		say(f, "do nothing", "%s", f->advice->nothing);
	say_throughput(f);
}

static void say_speedups(const struct findings *f)
{
	const struct advice *a = f->advice;
	char over_base[LINE / 2] = "", over_full[LINE / 2] = "";
	char rate[UNITS_TEXT];

	if (a->unprocessed && a->unprocessed != a->winner)
		snprintf(over_base, sizeof(over_base),
		    "%.3g times unprocessed (%s samples/s)",
		    a->speedup_over_unprocessed,
		    units_number(a->unprocessed->throughput, rate));
	if (a->full && a->full != a->winner)
		snprintf(over_full, sizeof(over_full),
		    "%.3g times fully preprocessed (%s, %s samples/s)",
		    a->speedup_over_full, a->full->strategy,
		    units_number(a->full->throughput, rate));
	if (*over_base || *over_full)
		say(f, "speed-up", "%s%s%s", over_base,
		    *over_base && *over_full ? ", " : "", over_full);
}

static const char *bytes_or(double bytes, char text[UNITS_TEXT])
{
	return isnan(bytes) ? "not known" : units_bytes(bytes, text);
}

static const char *time_or(double seconds, char text[UNITS_TEXT])
{
	return isnan(seconds) ? "not known" : units_time(seconds, text);
}

static const char *fits(const struct findings *f)
{
	if (!*f->advice->fits_memory)
		return "";
	return *f->advice->fits_memory == 'y' ? ", which fits in memory"
	                                      : ", more than the memory";
}

static void say_costs(const struct findings *f)
{
	const struct candidate *winner = f->advice->winner;
	const struct candidate *base = f->advice->unprocessed;
	char here[UNITS_TEXT], full[UNITS_TEXT];

	say(f, "storage", "%s of the sample, %s in full%s",
	    bytes_or(winner->storage_bytes, here),
	    bytes_or(winner->full_storage_bytes, full),
	    isnan(f->advice->full_cache_bytes) ? fits(f) : "");
	if (base && base != winner)
		say(f, "dataset", "%s in full, as it is",
		    bytes_or(base->full_storage_bytes, full));
	say(f, "preparation", "%s of the sample, %s in full",
	    time_or(winner->prep_s, here), time_or(winner->full_prep_s, full));
	if (!isnan(f->advice->full_cache_bytes))
		say(f, "memory", "%s of the sample, %s in full%s",
		    units_bytes(winner->cache_bytes, here),
		    units_bytes(f->advice->full_cache_bytes, full), fits(f));
	if (!isnan(winner->total_s))
		say(f, "total", "%s for preparation and all epochs",
		    units_time(winner->total_s, here));
}

static void say_payback(const struct findings *f)
{
	const struct candidate *winner = f->advice->winner;
	char number[UNITS_TEXT];

	if (candidate_is_unprocessed(winner))
		return;
	if (winner->break_even_epochs > EPOCHS_IN_PRACTICE)
		say(f, "pays after",
		    "never in practice (%s epochs), against unprocessed",
		    units_number(winner->break_even_epochs, number));
	else if (!isnan(winner->break_even_epochs))
		say(f, "pays after", "%s %s, against unprocessed",
		    units_number(winner->break_even_epochs, number),
		    winner->break_even_epochs > 1 ? "epochs" : "epoch");
	else
		say(f, "pays after", "%s",
		    f->advice->unprocessed ? "never, against unprocessed"
		                           : "not known");
}

/* "cpu:jpeg_decode 71 %" */
static const char *bottleneck_or(
    const struct candidate *candidate, char text[LINE / 4])
{
	const char *evidence = candidate->bottleneck_evidence;

	if (!*candidate->bottleneck)
		return "not known";
	snprintf(text, LINE / 4, "%s%s%s", candidate->bottleneck,
	    *evidence ? " " : "", evidence);
	return text;
}

static void say_bottleneck(const struct findings *f)
{
	const struct candidate *winner = f->advice->winner;
	const struct candidate *base = f->advice->unprocessed;

	char before[LINE / 4], now[LINE / 4];

	if (!base || base == winner)
		say(f, "bottleneck", "%s", bottleneck_or(winner, now));
	else
		say(f, "bottleneck", "%s before (unprocessed), %s now",
		    bottleneck_or(base, before), bottleneck_or(winner, now));
}

static void say_tied(const struct findings *f)
{
	const struct ranking *ranking = f->ranking;
	char line[LINE] = "";
	unsigned shown = 0;

	for (size_t i = 1; i < ranking->count && shown < TIED_SHOWN; i++) {
		const struct candidate *c = &ranking->list[i];
		const size_t used = strlen(line);

		if (!c->tied)
			continue;
		snprintf(line + used, sizeof(line) - used,
		    "%s%s (threads %.0f, cache %s)", shown ? ", " : "",
		    c->strategy, c->threads, c->cache);
		shown++;
	}
	if (f->advice->tied > shown)
		say(f, "tied", "%s and %u more; the cheaper comes first", line,
		    f->advice->tied - shown);
	else if (shown)
		say(f, "tied", "%s; the cheaper comes first", line);
}

/* After a report, which has them, not what the user was told before. */
static void say_warnings(const struct findings *f)
{
	for (unsigned i = 0; i < f->advice->warning_count; i++)
		say(f, "warning", "%s", f->advice->warnings[i]);
	for (size_t i = 0; !f->page->brief && i < f->told->row_count; i++)
		say(f, "warning", "%s", grid_text(f->told, i, "text"));
}

static int print_page(const struct findings *f, struct error *err)
{
	struct grid table = GRID_INIT;
	int rc;

	if (f->page->brief)
		fputc('\n', f->page->out);
	say_winner(f);
	say_speedups(f);
	say_costs(f);
	say_payback(f);
	say_bottleneck(f);
	say_tied(f);
	say_warnings(f);
	if (f->command)
		say(f, "next", "%s", f->command);
	if (f->page->brief)
		return 0;
	fputc('\n', f->page->out);
	rc = human_table(HUMAN_RANKING, f->rows, 0, &table, err);
	if (rc == 0 && is_markdown(f))
		markdown_write(&table, f->page->out);
	else if (rc == 0)
		table_write(&table, f->page->out);
	grid_release(&table);
	return rc;
}

/* ---- JSON ---- */

/* Texts that are not known are null. */
static void add_text(
    struct json_doc *doc, struct json_t *at, const char *key, const char *text)
{
	json_add_text(doc, at, key, text && *text ? text : NULL);
}

static void add_recommendation(const struct findings *f, struct json_doc *doc)
{
	const struct advice *advice = f->advice;
	const struct candidate *c = advice->winner, *base = advice->unprocessed;
	struct json_t *at = json_add_object(doc, doc->root, "recommendation");

	add_text(doc, at, "strategy", c->strategy);
	add_text(doc, at, "split", c->split);
	add_text(doc, at, "store", c->store);
	add_text(doc, at, "codec", c->codec);
	json_add_number(doc, at, "threads", c->threads);
	add_text(doc, at, "cache", c->cache);
	json_add_number(doc, at, "throughput", c->throughput);
	json_add_number(doc, at, "speedup_over_unprocessed",
	    advice->speedup_over_unprocessed);
	json_add_number(doc, at, "prep_s", c->prep_s);
	json_add_number(doc, at, "storage_bytes", c->storage_bytes);
	json_add_number(doc, at, "full_prep_s", c->full_prep_s);
	json_add_number(
	    doc, at, "full_storage_bytes", round(c->full_storage_bytes));
	json_add_number(doc, at, "break_even_epochs", c->break_even_epochs);
	add_text(doc, at, "bottleneck", c->bottleneck);
	add_text(doc, at, "reason", advice->reason);
	add_text(doc, at, "command", f->command);
	add_text(doc, at, "bottleneck_evidence", c->bottleneck_evidence);
	add_text(doc, at, "bottleneck_before", base ? base->bottleneck : "");
	add_text(doc, at, "bottleneck_before_evidence",
	    base ? base->bottleneck_evidence : "");
	add_text(doc, at, "fits_memory", advice->fits_memory);
}

static int print_json(const struct findings *f, struct error *err)
{
	struct json_doc doc = json_doc_object();
	struct json_t *array;
	int rc;

	add_recommendation(f, &doc);
	array = json_add_array(&doc, doc.root, "ranking");
	for (size_t row = 0; row < f->rows->row_count; row++)
		json_add_row(
		    &doc, json_add_object(&doc, array, NULL), f->rows, row, 0);
	array = json_add_array(&doc, doc.root, "warnings");
	for (unsigned i = 0; i < f->advice->warning_count; i++)
		json_add_text(&doc, array, NULL, f->advice->warnings[i]);
	for (size_t i = 0; i < f->told->row_count; i++)
		json_add_text(&doc, array, NULL, grid_text(f->told, i, "text"));
	rc = json_doc_write(&doc, f->page->out, err);
	json_doc_release(&doc);
	return rc;
}

/* ---- all ---- */

/* As a shell takes it: quoted if it has to be. */
static int append_word(struct buf *out, const char *word, struct error *err)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
	                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                            "0123456789_./:+-,=@%";

	if (*word && !word[strspn(word, plain)])
		return buf_printf(out, err, "%s", word);
	if (buf_printf(out, err, "'"))
		return -1;
	for (; *word; word++)
		if (buf_printf(out, err, *word == '\'' ? "'\\''" : "%c", *word))
			return -1;
	return buf_printf(out, err, "'");
}

static int make_command(struct buf *out, const struct evidence *evidence,
    const struct candidate *winner, struct error *err)
{
	if (candidate_is_unprocessed(winner))
		return 0;
	if (buf_printf(out, err, "presto materialize ") ||
	    append_word(out, evidence->pipeline, err) ||
	    buf_printf(out, err, " --strategy ") ||
	    append_word(out, winner->strategy, err))
		return -1;
	return buf_printf(out, err, " --out DIR");
}

static int print_findings(const struct findings *f, struct error *err)
{
	switch (f->page->format) {
	case RECOMMEND_JSON:
		return print_json(f, err);
	case RECOMMEND_CSV:
		csv_write(f->rows, f->page->out);
		return 0;
	case RECOMMEND_TEXT:
	case RECOMMEND_MARKDOWN:
		break;
	}
	return print_page(f, err);
}

int recommend_evidence(const struct evidence *evidence,
    const struct request *request, const struct recommend_page *page,
    struct error *err)
{
	struct ranking ranking = RANKING_INIT;
	struct grid rows = GRID_INIT;
	struct buf command = BUF_INIT;
	struct advice advice;
	int rc = -1;

	if (ranking_make(&ranking, &evidence->trials, request, err) ||
	    recommend_grid(&ranking, page, &rows, err) ||
	    make_command(&command, evidence, &ranking.list[0], err))
		goto done;
	advice_make(&advice, &ranking, request, &evidence->surroundings);
	rc = print_findings(&(struct findings){ .page = page,
	                        .ranking = &ranking,
	                        .advice = &advice,
	                        .rows = &rows,
	                        .told = &evidence->warnings,
	                        .command = (const char *)command.data },
	    err);
done:
	buf_release(&command);
	grid_release(&rows);
	ranking_release(&ranking);
	return rc;
}

int recommend_print(
    struct results *results, int64_t session, FILE *out, struct error *err)
{
	const struct request request = request_default();
	const struct recommend_page page = { .brief = true, .out = out };
	struct evidence evidence = EVIDENCE_INIT;
	int rc = evidence_from_results(&evidence, results, session, err);

	if (rc == 0)
		rc = recommend_evidence(&evidence, &request, &page, err);
	evidence_release(&evidence);
	return rc;
}
