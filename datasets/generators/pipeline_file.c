/* pipeline_file.c - see pipeline_file.h. */
#include "datasets/generators/pipeline_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "datasets/generator.h"
#include "datasets/generators/crew.h"
#include "lib/base/error.h"
#include "lib/syntax/option.h"

enum { BATCH = 64, FILE_NAME = 64 };

/* Prints word number `n` of "flac|mp3". */
static int print_word(
    const char *words, unsigned n, struct buf *text, struct error *err)
{
	for (; n > 0; n--)
		words = strchr(words, '|') + 1;
	return buf_printf(text, err, "%.*s", (int)strcspn(words, "|"), words);
}

/* Prints " --set NAME=VALUE" for the option types that generators use. */
static int print_option(const struct option *option, const void *value,
    struct buf *text, struct error *err)
{
	if (buf_printf(text, err, " --set %s=", option->name))
		return -1;
	if (option->type == OPTION_CHOICE)
		return print_word(
		    option->choices, *(const unsigned *)value, text, err);
	if (option->type == OPTION_TEXT)
		return buf_printf(text, err, "%s", *(const char *const *)value);
	return buf_printf(text, err, "%" PRIu64, *(const uint64_t *)value);
}

static size_t option_bytes(const struct option *option)
{
	return option->type == OPTION_CHOICE ? sizeof(unsigned)
	       : option->type == OPTION_TEXT ? sizeof(const char *)
	                                     : sizeof(uint64_t);
}

/* Prints the options that differ from their defaults. */
static int print_options(const struct generator_ops *ops, const char *values,
    struct buf *text, struct error *err)
{
	static const char zeros[sizeof(uint64_t)];
	const char *usual = ops->defaults;
	const struct option *option = ops->options;

	if (!values)
		return 0;
	for (; option && option->name; option++) {
		const char *value = values + option->offset;

		if (memcmp(value, usual ? usual + option->offset : zeros,
		        option_bytes(option)) != 0 &&
		    print_option(option, value, text, err))
			return -1;
	}
	return 0;
}

static int print(const struct generator_ops *ops,
    const struct generate_plan *plan, const struct pipeline_file *file,
    struct buf *text, struct error *err)
{
	if (buf_printf(text, err,
	        "# %s.conf - %s,\n# made by:\n#     presto generate %s --count "
	        "%" PRIu64 " --seed %" PRIu64,
	        ops->name, file->about, ops->name, plan->count, plan->seed) ||
	    print_options(ops, plan->options, text, err))
		return -1;
	return buf_printf(text, err,
	    "\n\n[dataset]\n%s"
	    "\n[pipeline]              ; name of the representation = step\n%s"
	    "\n[strategies]\nsplit = all\nstore = %s\ncodec = %s\n"
	    "\n[load]\nthreads = 2\ncache   = none, system\nbatch   = %u\n"
	    "\n[measure]\nsamples = %" PRIu64 "\nepochs  = 2\nruns    = 5\n",
	    file->dataset, file->steps,
	    file->store ? file->store : "tar, tfrecord",
	    file->codec ? file->codec : "none, gzip, zstd:1",
	    file->batch ? file->batch : BATCH, crew_samples(plan));
}

int pipeline_file_write(const struct generator_ops *ops,
    const struct generate_plan *plan, const struct pipeline_file *file,
    struct error *err)
{
	struct buf text = BUF_INIT;
	char name[FILE_NAME];
	int rc = print(ops, plan, file, &text, err);

	snprintf(name, sizeof(name), "%s.conf", ops->name);
	if (rc == 0)
		rc = crew_write(plan->dir, name, buf_span(&text), err);
	buf_release(&text);
	return rc;
}
