/* generate.c - presto generate: makes a small dataset from a seed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/list/families.h"
#include "cmd/program/cmd.h"
#include "cmd/program/interrupt.h"
#include "cmd/program/progress.h"
#include "cmd/program/terminal.h"
#include "datasets/generator.h"
#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/files/path.h"
#include "lib/files/path_tree.h"
#include "lib/measure/system.h"
#include "lib/syntax/nearest.h"
#include "lib/syntax/option.h"

struct args {
	uint64_t count, seed, threads;
	const char *out;
	struct option_texts sets;
};

static const struct option options[] = {
	OPTION_RANGE(UINT, "count", struct args, count, 1, 1e9,
	    "number of samples to make"),
	OPTION(TEXT, "out", 'o', struct args, out, "DIR",
	    "write to the folder DIR, new or empty"),
	OPTION(UINT, "seed", 0, struct args, seed, "N",
	    "seed of the random content; the same seed makes the same files"),
	OPTION(REPEAT, "set", 0, struct args, sets, "KEY=VALUE",
	    "set an option of the kind; they are listed below"),
	{ .name = "threads",
	    .letter = 't',
	    .type = OPTION_UINT,
	    .offset = offsetof(struct args, threads),
	    .arg = "N",
	    .help = "number of worker threads (default: the cores)",
	    .min = 1,
	    .max = 1024 },
	OPTION_TABLE_END,
};

static const struct generator_ops *find(const char *kind, struct error *err)
{
	const struct generator_ops *ops = generator_find(kind);
	struct nearest nearest = nearest_to(kind);
	char hint[NEAREST_HINT];

	if (ops && ops->needs) {
		error_set(err, ERROR_USAGE,
		    "cannot generate '%s': this build lacks %s", kind,
		    ops->needs);
		return NULL;
	}
	if (ops)
		return ops;
	for (size_t i = 0; (ops = generator_at(i)); i++)
		nearest_try(&nearest, ops->name);
	error_set(err, ERROR_USAGE, "cannot generate '%s'%s", kind,
	    nearest_hint(&nearest, hint));
	return NULL;
}

static void print_kinds(void)
{
	puts("\nKINDs:");
	list_generators();
}

/* Sets the option "KEY=VALUE"; the value is borrowed. */
static int set_option(const struct generator_ops *ops, void *values,
    const char *text, struct error *err)
{
	const char *value = strchr(text, '=');
	char key[64] = "";

	if (!value || (size_t)(value - text) >= sizeof(key))
		return error_set(err, ERROR_USAGE,
		    "--set must be KEY=VALUE, got '%s'", text);
	memcpy(key, text, (size_t)(value - text));
	if (!ops->options)
		return error_set(err, ERROR_USAGE,
		    "%s has no options, got --set %s", ops->name, text);
	if (option_set(ops->options, values, key, value + 1, err))
		return error_prefix(err, "%s", ops->name);
	return 0;
}

/* The options of the kind, owned by the caller; NULL with err set. */
static void *read_options(const struct generator_ops *ops,
    const struct option_texts *sets, struct error *err)
{
	const size_t size = ops->options_size;
	void *values = calloc(1, size ? size : 1);

	if (!values) {
		error_memory(err, size);
		return NULL;
	}
	if (ops->defaults)
		memcpy(values, ops->defaults, size);
	for (unsigned i = 0; i < sets->count; i++)
		if (set_option(ops, values, sets->text[i], err)) {
			free(values);
			return NULL;
		}
	return values;
}

/* Makes the folder; it may exist if it is empty. */
static int make_folder(const char *dir, struct error *err)
{
	char name[256];

	if (path_make_dirs(dir, err) || path_find_any(dir, NULL, name, err))
		return -1;
	if (name[0])
		return error_set(err, ERROR_USAGE,
		    "%s is not empty: it contains '%s'", dir, name);
	return 0;
}

static void show(void *arg, uint64_t done, uint64_t count)
{
	progress_show(arg, (double)done, (double)count, "generating");
}

/* Removes an incomplete dataset; the folder was empty or missing before. */
static int remove_half(const char *dir, bool was_there, struct error *err)
{
	const size_t used = strlen(err->text);
	struct error why = ERROR_INIT;

	if (was_there ? path_remove_content(dir, NULL, NULL, &why)
	              : path_remove_tree(dir, &why))
		cmd_warn("%s holds a part of the dataset: %s", dir, why.text);
	else
		snprintf(err->text + used, sizeof(err->text) - used,
		    "; the files are removed");
	return -1;
}

static int run(const struct generator_ops *ops, const struct args *args,
    const void *of_kind, struct error *err)
{
	struct machine machine;
	struct progress progress;
	int rc;
	struct generate_plan plan = {
		.dir = args->out,
		.count = args->count,
		.seed = args->seed,
		.threads = (unsigned)args->threads,
		.options = of_kind,
		.stop = interrupt_watch(
		    "presto: ended at once; the folder is incomplete: remove "
		    "it, and run the command again\n"),
		.progress = show,
		.arg = &progress,
	};

	machine_read(&machine);
	if (plan.threads == 0)
		plan.threads = machine.cores;
	if (plan.count == 0)
		plan.count =
		    ops->count_of ? ops->count_of(of_kind) : ops->default_count;
	progress_begin(&progress);
	rc = ops->run(&plan, err);
	progress_clear(&progress);
	if (rc)
		return rc;
	/* "1 graph", "2 graphs" */
	terminal_line(stdout, "%s: %llu %.*s, and a pipeline file: %s/%s.conf",
	    args->out, (unsigned long long)plan.count,
	    (int)strlen(ops->makes) - (plan.count == 1), ops->makes, args->out,
	    ops->name);
	return 0;
}

static int generate(
    const void *values, char **operands, int count, struct error *err)
{
	const struct args *args = values;
	const struct generator_ops *ops = find(operands[0], err);
	void *of_kind;
	bool was_there;
	int rc;

	UNUSED(count);
	if (!ops)
		return -1;
	if (!args->out)
		return error_set(err, ERROR_USAGE, "--out DIR is missing");
	of_kind = read_options(ops, &args->sets, err);
	if (!of_kind)
		return -1;
	was_there = path_exists(args->out);
	rc = make_folder(args->out, err);
	if (rc == 0 && run(ops, args, of_kind, err))
		rc = remove_half(args->out, was_there, err);
	free(of_kind);
	return rc;
}

const struct cmd cmd_generate = {
	.name = "generate",
	.summary = "make a small dataset to try presto with",
	.usage = "KIND",
	.options = options,
	.args_size = sizeof(struct args),
	.operands_min = 1,
	.operands_max = 1,
	.print_operands = print_kinds,
	.run = generate,
};
