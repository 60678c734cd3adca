/* own_step.c - see own_step.h. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "lib/pipeline/own_step.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/own/library.h"
#include "lib/own/own.h"
#include "lib/pipeline/examples.h"
#include "lib/steps/step.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/shell.h"

struct own *own_step(const struct pipeline_step *step)
{
	return step->ops && step->ops->own ? step->options : NULL;
}

/* ---- reading ---- */

int own_step_bring(struct pipeline_step *step, const struct presto_step *given,
    const char *name, struct error *err)
{
	const struct presto_step *found;
	const int rc = library_find_given(given, name, &found, err);

	if (rc <= 0)
		return rc;
	step->brought_ops = malloc(sizeof(*step->brought_ops));
	if (!step->brought_ops)
		return error_memory(err, sizeof(*step->brought_ops));
	*step->brought_ops = step_library;
	step->brought_ops->name = name;
	step->brought_ops->own = &library_own_given;
	step->ops = step->brought_ops;
	step->brought = found;
	return 1;
}

static int find_folder(
    struct pipeline_step *step, const struct ini *ini, struct error *err)
{
	char *folder = ini_resolve(ini, step->entry, ".", err);

	if (!folder)
		return -1;
	/* A text without a file has no folder: relative paths stay so. */
	step->folder = realpath(folder, NULL);
	if (step->folder)
		free(folder);
	else
		step->folder = folder;
	return 0;
}

int own_step_begin(struct pipeline_step *step, const struct ini *ini,
    char **rest, struct error *err)
{
	struct own *own = own_step(step);
	char *target;
	int got;

	if (find_folder(step, ini, err))
		return -1;
	own->folder = step->folder;
	own->ini = ini;
	own->brought = step->brought;
	own->target = step->ops->name;
	if (!step->ops->own->target)
		return 0;
	got = shell_take(rest, &target, err);
	if (got < 0)
		return -1;
	if (got == 0 || !*target)
		return error_set(err, ERROR_USAGE,
		    "takes %s as the next word: see presto.conf(5)",
		    step->ops->own->target);
	own->target = target;
	return 0;
}

int own_step_add_word(struct pipeline_step *step, const char *name,
    const char *value, struct error *err)
{
	struct own *own = own_step(step);

	if (!own || !step->ops->own->passes ||
	    option_find(step->ops->options, name))
		return 0;
	if (own_word(own, name))
		return error_set(err, ERROR_USAGE, "'%s' is given twice", name);
	if (own->count == OWN_WORDS)
		return error_set(
		    err, ERROR_USAGE, "more than %d options", OWN_WORDS);
	own->words[own->count++] = (struct own_word){ name, value };
	return 1;
}

/* ---- binding ---- */

int own_step_open(struct pipeline_step *step, struct error *err)
{
	struct own *own = own_step(step);

	if (!own || step->is_open)
		return 0;
	step->is_open = true;
	own->says_random = step->random;
	own->says_lossy = step->lossy;
	if (step->ops->own->open(step->options, err)) {
		err->code = ERROR_USAGE;
		return -1;
	}
	if (own->random && step->is_certain)
		return error_set(err, ERROR_USAGE,
		    "its output is random, so random=no is wrong");
	step->random |= own->random;
	step->lossy |= own->lossy;
	return 0;
}

/* Asks the code for the type that it makes of a field. */
static int find_type(struct pipeline_step *step, unsigned field,
    const struct type *in, const struct examples *examples, struct error *err)
{
	struct own *own = own_step(step);
	struct own_type *found = &own->types[own->type_count];
	struct tensor tensors[OWN_EXAMPLES];

	if (own->type_count == FIELDS_MAX)
		return error_set(
		    err, ERROR_USAGE, "more than %d types", FIELDS_MAX);
	for (unsigned i = 0; i < examples->count; i++)
		tensors[i] = examples->samples[i].fields[field];
	*found = (struct own_type){ .in = *in };
	if (step->ops->own->find_type(
	        step->options, in, tensors, examples->count, &found->out, err))
		return error_prefix(err, "sample %s", examples->where);
	own->type_count++;
	return 0;
}

/* Bit f: the type of field f must be found. */
static int find_wanted(const struct pipeline_step *step,
    const struct schema *in, unsigned *wanted, struct error *err)
{
	struct type type;

	*wanted = 0;
	for (unsigned f = 0; f < in->count; f++) {
		int rc = 0;

		if (step->fields & (1u << f))
			rc = own_type(
			    own_step(step), &in->fields[f].type, &type, err);
		if (rc < 0)
			return -1;
		*wanted |= (unsigned)rc << f;
	}
	return 0;
}

/* Bit f of `wanted`: find the type of field f; of `checked`: only try it. */
static int try_fields(struct pipeline_step *step, const struct schema *in,
    const struct examples *examples, unsigned wanted, unsigned checked,
    struct error *err)
{
	int rc = 0;

	for (unsigned f = 0; rc == 0 && f < in->count; f++) {
		if (wanted & (1u << f))
			rc = find_type(
			    step, f, &in->fields[f].type, examples, err);
		else if ((checked & (1u << f)) && examples->count)
			rc = step->ops->own->check(step->options,
			    &examples->samples[0].fields[f], err);
	}
	return rc;
}

static int refuse_unknown(struct error *err)
{
	return error_set(err, ERROR_USAGE,
	    "the type of its output is found by running it, and there is no "
	    "sample: declare it by gives or suffix");
}

int own_step_check_known(const struct pipeline_step *step,
    const struct schema *in, struct error *err)
{
	unsigned wanted = 0;

	if (!step->ops->own || !step->ops->own->find_type)
		return 0;
	if (find_wanted(step, in, &wanted, err))
		return -1;
	return wanted ? refuse_unknown(err) : 0;
}

int own_step_find_types(struct pipeline *pipeline, unsigned number,
    const struct reader *reader, bool skips, struct error *err)
{
	struct pipeline_step *step = &pipeline->steps[number];
	const struct schema *in = &pipeline->schemas[number];
	struct examples examples = EXAMPLES_INIT;
	unsigned wanted = 0, checked = 0;
	int rc;

	if (!step->ops->own)
		return 0;
	if (step->ops->own->find_type && find_wanted(step, in, &wanted, err))
		return -1;
	if (step->ops->own->check && reader)
		checked = step->fields & ~wanted;
	if (!wanted && !checked)
		return 0;
	if (!reader)
		return refuse_unknown(err);
	rc = examples_take(&examples, pipeline, number, reader, skips, err);
	if (rc && !wanted && err->code == ERROR_DATA)
		rc = 0; /* the run itself will tell */
	if (rc == 0)
		rc = try_fields(step, in, &examples, wanted, checked, err);
	examples_release(&examples);
	return rc;
}

void own_step_release(struct pipeline_step *step)
{
	struct own *own = own_step(step);

	if (own && step->is_open && step->ops->own->close)
		step->ops->own->close(step->options);
	if (own)
		buf_release(&own->print);
	free(step->brought_ops);
	free(step->folder);
}
