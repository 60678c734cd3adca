/* compare.c - presto compare: which trials became faster or slower. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/compare/operand.h"
#include "cmd/compare/print.h"
#include "cmd/program/cmd.h"
#include "cmd/program/output.h"
#include "cmd/program/private.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/units.h"
#include "lib/db/grid.h"
#include "lib/syntax/option.h"
#include "strategies/compare/comparable.h"

struct args {
	const char *db, *output, *threshold;
	unsigned form, format;
	bool force, private;
};

static const struct option options[] = {
	OPTION_DB(struct args, "take sessions given by number from"),
	OPTION(FLAG, "force", 0, struct args, force, NULL,
	    "compare even if machines, pipelines or data differ, or trials are "
	    "missing"),
	OPTION_WORDS("form", struct args, form, BENCHMARKS_FORMS,
	    "print JSON for a CI service (default: none)"),
	OPTION_WORDS("format", struct args, format,
	    "text|json|csv|markdown|junit",
	    "print in this format; junit is XML for CI (default: text)"),
	OPTION_OUTPUT(struct args),
	OPTION_PRIVATE(struct args),
	OPTION(TEXT, "threshold", 0, struct args, threshold, "PERCENT",
	    "count a slowdown of more than PERCENT as a regression (default: "
	    "5%)"),
	OPTION_TABLE_END,
};

static const struct args defaults = { .threshold = "5%" };

/* ---- operands ---- */

/* Reads a threshold: "5%" and "5 %" are 0.05, and so is "0.05". */
static int read_threshold(
    const char *text, double *threshold, struct error *err)
{
	char number[32];
	size_t len = strlen(text);
	const bool percent = len > 0 && text[len - 1] == '%';
	double value;

	len -= percent;
	while (len > 0 && text[len - 1] == ' ')
		len--;
	if (snprintf(number, sizeof(number), "%.*s", (int)len, text) >=
	        (int)sizeof(number) ||
	    units_parse_real(number, &value))
		value = -1;
	*threshold = percent ? value / 100 : value;
	if (*threshold >= 0 && *threshold < 1)
		return 0;
	return error_set(err, ERROR_USAGE,
	    "--threshold must be 0%% to 99.9%%, such as 5%%, got '%s'", text);
}

/* ---- the command ---- */

struct work {
	struct compare_operand base, new_one;
	struct grid differences, notes;
	struct comparison comparison;
};

/* One difference is part of the error; several are printed before it. */
static int refuse(const struct work *work, struct error *err)
{
	const struct grid *list = &work->differences;
	const bool one = list->row_count == 1;

	for (size_t i = 0; !one && i < list->row_count; i++)
		cmd_warn("%s", grid_text(list, i, "text"));
	return error_set(err, ERROR_USAGE,
	    "BASE and NEW differ in machine, pipeline or data%s%s; compare "
	    "them "
	    "all the same with --force",
	    one ? ": " : "", one ? grid_text(list, 0, "text") : "");
}

/* Turns the verdict into an exit status; everything has been printed. */
static int judge(const struct compare_page *page, struct error *err)
{
	switch (comparison_verdict(page->comparison)) {
	case COMPARE_SLOWER:
	case COMPARE_BROKEN:
		return error_set(
		    err, ERROR_GATE, "regression: %s", page->summary);
	case COMPARE_UNCLEAR:
	case COMPARE_MISSING:
		return error_set(
		    err, ERROR_INCONCLUSIVE, "inconclusive: %s", page->summary);
	default:
		return 0;
	}
}

static int print(
    const struct args *args, const struct work *work, struct error *err)
{
	struct compare_page page = {
		.base = &work->base,
		.new_one = &work->new_one,
		.comparison = &work->comparison,
		.differences = &work->differences,
		.notes = &work->notes,
		.format = (enum compare_format)args->format,
		.form = (enum benchmarks_form)args->form,
	};

	compare_summarize(&work->comparison, page.summary);
	if (output_to(args->output, compare_print, &page, err))
		return -1;
	return judge(&page, err);
}

static int do_work(const struct args *args, struct work *work, double threshold,
    struct error *err)
{
	struct compare_session base, new_one;

	if (compare_operand_read(&work->base, err) ||
	    compare_operand_read(&work->new_one, err) ||
	    comparable_check(&work->base.record, &work->new_one.record,
	        &work->differences, &work->notes, err))
		return -1;
	if (work->differences.row_count && !args->force)
		return refuse(work, err);
	base = compare_operand_session(&work->base);
	new_one = compare_operand_session(&work->new_one);
	if (comparison_make(&work->comparison, &base, &new_one, threshold, err))
		return -1;
	work->comparison.may_lack = args->force;
	if (comparison_verdict(&work->comparison) == COMPARE_NONE)
		return error_set(err, ERROR_USAGE,
		    "no trial was measured in both BASE and NEW: profile the "
		    "same strategies, threads and caches");
	return print(args, work, err);
}

static int compare(
    const void *arg, char **operands, int count, struct error *err)
{
	const struct args *args = arg;
	const char *db = cmd_database(args->db);
	struct work *work;
	double threshold;
	int rc = -1;

	UNUSED(count);
	if (args->form && args->format != COMPARE_TEXT &&
	    args->format != COMPARE_JSON)
		return error_set(err, ERROR_USAGE,
		    "--form prints JSON: give no other --format");
	if (output_check(args->output, err) ||
	    read_threshold(args->threshold, &threshold, err))
		return -1;
	work = calloc(1, sizeof(*work));
	if (!work)
		return error_memory(err, sizeof(*work));
	work->base.hides = work->new_one.hides = args->private;
	if (compare_operand_name(&work->base, operands[0], db, err) == 0 &&
	    compare_operand_name(&work->new_one, operands[1], db, err) == 0)
		rc = do_work(args, work, threshold, err);
	comparison_release(&work->comparison);
	grid_release(&work->differences);
	grid_release(&work->notes);
	compare_operand_release(&work->base);
	compare_operand_release(&work->new_one);
	free(work);
	return rc;
}

const struct cmd cmd_compare = {
	.name = "compare",
	.summary = "compare two sessions, and say what became faster or slower",
	.usage = "BASE NEW",
	.options = options,
	.args_size = sizeof(struct args),
	.defaults = &defaults,
	.operands_min = 2,
	.operands_max = 2,
	.run = compare,
};
