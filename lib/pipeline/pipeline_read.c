/* pipeline_read.c - see pipeline.h: reads steps and their options. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/own/library.h"
#include "lib/own/own.h"
#include "lib/pipeline/own_step.h"
#include "lib/pipeline/pipeline.h"
#include "lib/python/settings.h"
#include "lib/steps/step.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/nearest.h"
#include "lib/syntax/option.h"
#include "lib/syntax/shell.h"

enum { NAME_MAX_BYTES = 32 }; /* labels have room for this length */

/* The options that every step has. */
struct reserved {
	const char *after;
	const char *field;
	bool fixed, lossy;
	unsigned random; /* 0: no, 1: yes, RANDOM_UNSAID */
};

enum { RANDOM_UNSAID = 2 };

static const struct option reserved_options[] = {
	OPTION(TEXT, "after", 0, struct reserved, after, "NAMES",
	    "representations that must come before"),
	OPTION(TEXT, "field", 0, struct reserved, field, "NAMES",
	    "fields that it works on (default: the first)"),
	OPTION(FLAG, "fixed", 0, struct reserved, fixed, NULL,
	    "keep its place when orders are tried"),
	OPTION(FLAG, "lossy", 0, struct reserved, lossy, NULL,
	    "its output may differ from the original"),
	OPTION_WORDS("random", struct reserved, random, "no|yes",
	    "not deterministic: stays online"),
	OPTION_TABLE_END,
};

static const char *name_problem(const char *name)
{
	const char *const letters = "abcdefghijklmnopqrstuvwxyz0123456789_";

	if (!name[0] || name[strspn(name, letters)])
		return "has letters other than a-z, 0-9 and _";
	if (strlen(name) > NAME_MAX_BYTES)
		return "is longer than 32 bytes";
	if (strcmp(name, "unprocessed") == 0 || strcmp(name, "all") == 0 ||
	    strcmp(name, "raw") == 0)
		return "is reserved";
	return NULL;
}

static int refuse_step(
    const char *word, const struct presto_step *brought, struct error *err)
{
	struct nearest nearest = nearest_to(word);
	char hint[NEAREST_HINT];
	const struct step_ops *ops;
	const char *name;

	nearest.see = "presto list steps";
	for (size_t i = 0; (ops = step_at(i)); i++)
		nearest_try(&nearest, ops->name);
	for (size_t i = 0; (name = library_given_name(brought, i)); i++)
		nearest_try(&nearest, name);
	return error_set(err, ERROR_USAGE, "no step '%s'%s", word,
	    nearest_hint(&nearest, hint));
}

/* Sets the step's ops. */
static int find_step(struct pipeline_step *step, const char *word,
    const struct presto_step *brought, struct error *err)
{
	int rc;

	step->ops = step_find(word);
	if (step->ops && step->ops->needs)
		return error_set(err, ERROR_USAGE,
		    "step %s: this presto was built without %s: install it and "
		    "rebuild",
		    word, step->ops->needs);
	if (step->ops)
		return 0;
	rc = own_step_bring(step, brought, word, err);
	if (rc == 0)
		return refuse_step(word, brought, err);
	return rc < 0 ? -1 : 0;
}

/* Replaces *value with the resolved path. */
static int resolve_path(struct pipeline_step *step, const struct ini *ini,
    const char **value, struct error *err)
{
	char *path;
	unsigned i = 0;

	while (i < PIPELINE_PATHS && step->paths[i])
		i++;
	if (i == PIPELINE_PATHS)
		return error_set(
		    err, ERROR_USAGE, "more than %d paths", PIPELINE_PATHS);
	path = ini_resolve(ini, step->entry, *value, err);
	step->paths[i] = path;
	*value = path;
	return path ? 0 : -1;
}

/* Sets one of the step's own options. */
static int set_own_option(struct pipeline_step *step, const struct ini *ini,
    const char *word, const char *value, struct error *err)
{
	const struct option *option;

	if (!step->ops->options)
		return error_set(
		    err, ERROR_USAGE, "takes no option '%s'", word);
	option = option_find(step->ops->options, word);
	if (option && option->type == OPTION_PATH && *value &&
	    resolve_path(step, ini, &value, err))
		return -1;
	return option_set(step->ops->options, step->options, word, value, err);
}

/* Sets the option of one word "key=value" behind the step's name. */
static int set_option(struct pipeline_step *step, const struct ini *ini,
    struct reserved *reserved, char *word, struct error *err)
{
	char *value = strchr(word, '=');
	int kept;

	if (!value)
		return error_set(err, ERROR_USAGE,
		    "'%s' is not an option of the form NAME=VALUE", word);
	*value++ = '\0';
	if (option_find(reserved_options, word))
		return option_set(reserved_options, reserved, word, value, err);
	kept = own_step_add_word(step, word, value, err);
	if (kept == 0)
		return set_own_option(step, ini, word, value, err);
	return kept < 0 ? -1 : 0;
}

/* Keeps the options of every step. */
static int keep_reserved(struct pipeline_step *step,
    const struct reserved *reserved, struct error *err)
{
	const bool draws = step_draws(step->ops, step->options);

	step->after = reserved->after;
	step->field = reserved->field;
	step->fixed = reserved->fixed;
	step->lossy = reserved->lossy;
	step->random = draws || reserved->random == 1;
	step->is_certain = reserved->random == 0;
	if (draws && step->is_certain)
		return error_set(err, ERROR_USAGE,
		    "its output is random, so random=no is wrong");
	return 0;
}

static int read_options(struct pipeline_step *step, const struct ini *ini,
    char *rest, struct error *err)
{
	const struct step_ops *ops = step->ops;
	struct reserved reserved = { .random = RANDOM_UNSAID };
	char *word;
	int got;

	step->options = calloc(1, ops->options_size + 1);
	if (!step->options)
		return error_memory(err, ops->options_size);
	if (ops->defaults)
		memcpy(step->options, ops->defaults, ops->options_size);
	if (ops->own && own_step_begin(step, ini, &rest, err))
		return -1;
	while ((got = shell_take(&rest, &word, err)) > 0)
		if (set_option(step, ini, &reserved, word, err))
			return -1;
	if (got < 0 || (ops->check && ops->check(step->options, err)))
		return -1;
	return keep_reserved(step, &reserved, err);
}

static int check_before(
    const struct pipeline *pipeline, const char *name, struct error *err)
{
	struct nearest nearest = nearest_to(name);
	char hint[NEAREST_HINT];

	if (pipeline_find(pipeline, name) >= 0)
		return 0;
	for (unsigned i = 0; i <= pipeline->count; i++)
		nearest_try(&nearest, pipeline_name(pipeline, i));
	return error_set(err, ERROR_USAGE,
	    "after: no representation '%s' before this step%s", name,
	    nearest_hint(&nearest, hint));
}

/* Checks that every name in a list is an earlier representation. */
static int check_after(const struct pipeline *pipeline,
    const struct pipeline_step *step, struct error *err)
{
	char name[NAME_MAX_BYTES + 1];

	for (const char *at = step->after; at && *at;) {
		const size_t len = strcspn(at, ",");

		if (len >= sizeof(name))
			return error_set(err, ERROR_USAGE,
			    "after: '%.*s' is longer than %d bytes", (int)len,
			    at, NAME_MAX_BYTES);
		memcpy(name, at, len);
		name[len] = '\0';
		if (check_before(pipeline, name, err))
			return -1;
		at += len + (at[len] == ',');
	}
	return 0;
}

/* A step up to the stored representation, which this build may not have. */
static const struct step_ops step_that_ran = { .name = "stored" };

static int read_step(struct pipeline *pipeline, const struct ini_entry *entry,
    bool ran, const struct presto_step *brought, struct error *err)
{
	struct pipeline_step *step = &pipeline->steps[pipeline->count];
	const char *problem = name_problem(entry->key);
	char *rest, *word;

	if (problem)
		return error_set(err, ERROR_USAGE,
		    "the representation's name '%s' %s", entry->key, problem);
	if (pipeline->count == PIPELINE_STEPS)
		return error_set(err, ERROR_USAGE,
		    "a pipeline has at most %d steps", PIPELINE_STEPS);
	*step = (struct pipeline_step){
		.name = entry->key,
		.entry = entry,
		.given = pipeline->count,
	};
	step->text = strdup(entry->value);
	if (!step->text)
		return error_memory(err, strlen(entry->value));
	pipeline->count++; /* from now on pipeline_release frees it */
	if (ran) {
		step->ops = &step_that_ran;
		return 0;
	}
	rest = step->text;
	if (shell_take(&rest, &word, err) < 0 ||
	    find_step(step, word, brought, err))
		return -1;
	if (read_options(step, pipeline->ini, rest, err) ||
	    check_after(pipeline, step, err))
		return error_prefix(err, "step %s", step->ops->name);
	return 0;
}

/* ---- data that was stored ---- */

/* Returns the place of a name in the list "decoded,resized"; -1: none. */
static int find_place(const char *order, const char *name)
{
	const size_t len = strlen(name);
	int place = 0;

	for (const char *at = order; *at; place++) {
		const size_t word = strcspn(at, ",");

		if (word == len && memcmp(at, name, len) == 0)
			return place;
		at += word + (at[word] == ',');
	}
	return -1;
}

/*
 * Returns a number that is larger for steps that run later.  Steps that were
 * added to the file since run behind those of the order.
 */
static int place_of(const struct ini_section *section,
    const struct ini_entry *entry, const char *order)
{
	const int number = (int)(entry - section->entries);
	const int place = order ? find_place(order, entry->key) : number;

	return place < 0 ? PIPELINE_STEPS + number : place;
}

bool pipeline_entry_ran(const struct ini *ini, const struct ini_entry *entry,
    const char *split, const char *order)
{
	const struct ini_section *section = ini_section(ini, "pipeline");
	const struct ini_entry *last = ini_entry(section, split);

	return last && place_of(section, entry, order) <=
	                   place_of(section, last, order);
}

/* Finds the number of the stored representation. */
static int find_split(struct pipeline *pipeline,
    const struct ini_section *section, const char *split, const char *order,
    struct error *err)
{
	const struct ini_entry *entry = ini_entry(section, split);

	if (entry ? order && find_place(order, split) < 0
	          : strcmp(split, pipeline_name(pipeline, 0)) != 0)
		return error_set(err, ERROR_DATA,
		    "%s: no representation '%s', which is stored",
		    pipeline->ini->path, split);
	pipeline->from =
	    entry ? (unsigned)(place_of(section, entry, order) + 1) : 0;
	return 0;
}

static unsigned count_names(const char *order)
{
	unsigned count = *order != '\0';

	for (; *order; order++)
		count += *order == ',';
	return count;
}

/* Brings the steps into the order in which they run. */
static int arrange(
    struct pipeline *pipeline, const char *order, struct error *err)
{
	struct pipeline_step steps[PIPELINE_STEPS];
	unsigned places[PIPELINE_STEPS], behind = count_names(order);
	uint64_t seen = 0;

	memcpy(steps, pipeline->steps, sizeof(steps));
	for (unsigned i = 0; i < pipeline->count; i++) {
		const int place = find_place(order, steps[i].name);

		places[i] = place < 0 ? behind++ : (unsigned)place;
		if (places[i] >= pipeline->count ||
		    (seen & UINT64_C(1) << places[i]))
			return error_set(err, ERROR_DATA,
			    "%s: the order of the stored data, '%s', is not "
			    "that of the steps",
			    pipeline->ini->path, order);
		seen |= UINT64_C(1) << places[i];
	}
	for (unsigned i = 0; i < pipeline->count; i++)
		pipeline->steps[places[i]] = steps[i];
	return 0;
}

int pipeline_read_behind(struct pipeline *pipeline, const struct ini *ini,
    const char *split, const char *order, const struct presto_step *brought,
    struct error *err)
{
	const struct ini_section *section = ini_section(ini, "pipeline");

	*pipeline = (struct pipeline){ .ini = ini };
	if (!section || section->count == 0)
		return error_set(err, ERROR_USAGE,
		    "%s: no steps: section [pipeline] is missing or empty",
		    ini->path);
	if (find_split(pipeline, section, split, order, err))
		return -1;
	for (size_t i = 0; i < section->count; i++) {
		const struct ini_entry *entry = &section->entries[i];
		const bool ran = pipeline_entry_ran(ini, entry, split, order);

		if (read_step(pipeline, entry, ran, brought, err))
			return ini_error_at(ini, entry, err);
	}
	if ((order && arrange(pipeline, order, err)) ||
	    python_settings_check(ini, err))
		return -1;
	return limits_read(&pipeline->limits, ini, err);
}

int pipeline_read(
    struct pipeline *pipeline, const struct ini *ini, struct error *err)
{
	return pipeline_read_behind(
	    pipeline, ini, pipeline_name(pipeline, 0), NULL, NULL, err);
}
