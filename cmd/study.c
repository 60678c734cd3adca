/* study.c - presto study: one factor of a pipeline, swept over values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/page/plot.h"
#include "cmd/program/cmd.h"
#include "cmd/program/interrupt.h"
#include "cmd/program/output.h"
#include "cmd/program/terminal.h"
#include "cmd/project/project.h"
#include "cmd/study/factor.h"
#include "cmd/study/picture.h"
#include "cmd/study/sessions.h"
#include "cmd/study/study.h"
#include "cmd/study/table.h"
#include "cmd/writers/format.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/syntax/option.h"

struct args {
	struct format_args format;
	const char *db, *output, *plot, *runs, *values, *work_dir;
	struct option_texts sets;
	double budget_s;
};

static const struct option options[] = {
	OPTION(TIME, "budget", 'b', struct args, budget_s, "TIME",
	    "limit all sessions together to TIME, such as 5m"),
	OPTION(FLAG, "csv", 0, struct args, format.csv, NULL,
	    "print CSV, with each figure in a column of its own"),
	OPTION_DB(struct args, "keep results in"),
	OPTION_WORDS("format", struct args, format.word, FORMAT_WORDS_PLAIN,
	    "print in this format (default: text)"),
	OPTION(FLAG, "json", 0, struct args, format.json, NULL,
	    "print JSON, an object for each line"),
	OPTION(FLAG, "markdown", 0, struct args, format.markdown, NULL,
	    "print a Markdown table, such as for a pull request"),
	OPTION_OUTPUT(struct args),
	OPTION(TEXT, "plot", 0, struct args, plot, "FILE",
	    "draw the figure of the study: FILE.svg or FILE.png"),
	OPTION(TEXT, "runs", 'r', struct args, runs, "N",
	    "number of runs of each trial"),
	OPTION(REPEAT, "set", 0, struct args, sets, "SECTION.KEY=VALUE",
	    "change any key of the file; may be repeated"),
	OPTION(TEXT, "values", 0, struct args, values, "LIST",
	    "values of the factor, such as 1,2,4; the first is the baseline"),
	OPTION(TEXT, "work-dir", 'w', struct args, work_dir, "DIR",
	    "materialise data in the folder DIR (default: the current one)"),
	OPTION_TABLE_END,
};

static const struct args defaults = {
	.format = { .word = FORMAT_NOT_GIVEN },
	.work_dir = ".",
};

static const char last_words[] =
    "presto: ended at once; finished runs are in the database, and presto "
    "profile --resume removes the work folder\n";

/* ---- the values ---- */

/* A variant is called as its file, or by its path if two have one name. */
static int add_variant(struct study *study, const char *path, struct error *err)
{
	char *name = project_name(path, err);
	bool is_taken = false;
	int rc;

	if (!name)
		return -1;
	for (unsigned i = 0; i < study->value_count; i++)
		is_taken |= strcmp(study->values[i].text, name) == 0;
	rc = study_add_value(study, is_taken ? path : name, err);
	free(name);
	return rc;
}

static int set_values(struct study *study, const struct args *args,
    char **paths, unsigned count, struct error *err)
{
	if (!factor_is_variants(study->factor)) {
		if (!args->values)
			return error_set(err, ERROR_USAGE,
			    "which %s? give --values LIST",
			    study->factor->name);
		if (count > 1)
			return error_set(err, ERROR_USAGE,
			    "study %s takes one pipeline file; study variants "
			    "compares several",
			    study->factor->name);
		return study_set_values(study, args->values, err);
	}
	if (args->values)
		return error_set(err, ERROR_USAGE,
		    "study variants takes pipeline files, not --values");
	if (count < 2)
		return error_set(err, ERROR_USAGE,
		    "study variants compares at least two pipeline files");
	for (unsigned i = 0; i < count; i++)
		if (add_variant(study, paths[i], err))
			return -1;
	return 0;
}

/* ---- output ---- */

struct printing {
	const struct study *study;
	enum format format;
	const char *plot;
};

static int print_table(const void *arg, FILE *out, struct error *err)
{
	const struct printing *printing = arg;

	return table_study(printing->study, printing->format, out, err);
}

static int draw(const void *arg, FILE *out, struct error *err)
{
	return picture_draw(arg, out, err);
}

static int print_picture(const void *arg, FILE *out, struct error *err)
{
	const struct printing *printing = arg;

	return plot_picture(printing->plot, draw, printing->study, out, err);
}

/* Says which sessions of the database have all figures. */
static void tell_sessions(const struct study *study, const char *db)
{
	int64_t first = INT64_MAX, last = 0;

	for (size_t i = 0; i < study->point_count; i++) {
		const int64_t session = study->points[i].session;

		first = session < first ? session : first;
		last = session > last ? session : last;
	}
	if (first == last)
		cmd_note("session %lld of %s has all figures: presto report "
		         "--session %lld",
		    (long long)first, db, (long long)first);
	else
		cmd_note("sessions %lld to %lld of %s have all figures: presto "
		         "report --session %lld",
		    (long long)first, (long long)last, db, (long long)first);
}

static int print_study(const struct args *args, const struct study *study,
    const char *db, struct error *err)
{
	const struct printing printing = { .study = study,
		.format = format_of(&args->format),
		.plot = args->plot };

	if (!study->point_count)
		return 0;
	if (output_to(args->output, print_table, &printing, err))
		return -1;
	tell_sessions(study, db);
	return args->plot ? output_to(args->plot, print_picture, &printing, err)
	                  : 0;
}

/* ---- the command ---- */

/* Prints what was measured also if the rest failed, or was interrupted. */
static int measure(const struct args *args, const struct sessions_plan *plan,
    struct error *err)
{
	struct error ignored = ERROR_INIT;
	const int rc = sessions_run(plan, err);

	if (print_study(args, plan->study, plan->db, rc ? &ignored : err))
		return -1;
	return rc;
}

static int check_args(const struct args *args, struct error *err)
{
	if (format_count(&args->format) > 1)
		return error_set(err, ERROR_USAGE,
		    "give only one of --csv, --format, --json and --markdown");
	if (args->plot && strcmp(args->plot, "-") == 0)
		return error_set(err, ERROR_USAGE,
		    "--plot: the table is printed to standard output; name a "
		    "file");
	if (output_check(args->output, err) ||
	    (args->plot &&
	        (output_check(args->plot, err) || plot_check(args->plot, err))))
		return -1;
	return 0;
}

static int study_files(const struct args *args, struct study *study,
    char **paths, unsigned count, struct error *err)
{
	struct sessions_plan plan = {
		.study = study,
		.paths = paths,
		.path_count = count,
		.db = cmd_database(args->db),
		.work_dir = args->work_dir,
		.runs = args->runs,
		.sets = &args->sets,
		.budget_s = args->budget_s,
	};
	char *name = factor_is_variants(study->factor)
	                 ? strdup("")
	                 : project_name(paths[0], err);
	int rc = -1;

	if (!name)
		return err->code ? -1 : error_memory(err, 1);
	study->pipeline = name;
	if (set_values(study, args, paths, count, err) == 0 &&
	    sessions_check(&plan, err) == 0) {
		plan.stop = interrupt_watch(last_words);
		rc = measure(args, &plan, err);
	}
	free(name);
	return rc;
}

static int study(
    const void *values, char **operands, int count, struct error *err)
{
	const struct args *args = values;
	struct study *study = calloc(1, sizeof(*study));
	int rc = -1;

	if (!study)
		return error_memory(err, sizeof(*study));
	study->factor = factor_find(operands[0], err);
	if (study->factor && check_args(args, err) == 0)
		rc = study_files(
		    args, study, operands + 1, (unsigned)count - 1, err);
	study_release(study);
	free(study);
	return rc;
}

static void print_factors(void)
{
	puts("\nfactors:");
	for (size_t i = 0; factor_at(i); i++)
		terminal_line(stdout, "  %-9s %s", factor_at(i)->name,
		    factor_at(i)->summary);
}

const struct cmd cmd_study = {
	.name = "study",
	.summary = "sweep one factor of a pipeline, and draw its figure",
	.usage = "threads|samples|codecs|caches|shards|shuffle|sizes|variants "
	         "PIPELINE.conf ...",
	.options = options,
	.args_size = sizeof(struct args),
	.defaults = &defaults,
	.operands_min = 2,
	.operands_max = 1 + STUDY_VALUES,
	.print_operands = print_factors,
	.run = study,
};
