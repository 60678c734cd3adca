/* pipeline.c - see pipeline.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/nearest.h"
#include "lib/base/room.h"
#include "lib/pipeline/pipeline.h"
#include "lib/sample/reader.h"
#include "lib/steps/step.h"
#include "lib/syntax/ini.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/option.h"

enum { NAME_MAX_BYTES = 32 }; /* labels have room for this length */

const char *const pipeline_sections[PIPELINE_SECTIONS] = { "dataset",
	"decision", "limits", "load", "measure", "pipeline", "storage",
	"strategies" };

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

/* Terminates a word at its blank; returns the rest. */
static char *split_word(char *text)
{
	char *end = text + strcspn(text, " \t\n");

	if (*end)
		*end++ = '\0';
	return end + strspn(end, " \t\n");
}

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

static const struct step_ops *find_step(const char *word, struct error *err)
{
	const struct step_ops *ops = step_find(word);
	struct nearest nearest = nearest_to(word);
	char hint[NEAREST_HINT];

	if (ops && ops->needs) {
		error_set(err, ERROR_USAGE,
		    "step %s: this presto was built without %s: install it and "
		    "rebuild",
		    word, ops->needs);
		return NULL;
	}
	if (ops)
		return ops;
	nearest.see = "presto list steps";
	for (size_t i = 0; (ops = step_at(i)); i++)
		nearest_try(&nearest, ops->name);
	error_set(err, ERROR_USAGE, "no step '%s'%s", word,
	    nearest_hint(&nearest, hint));
	return NULL;
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

	if (!value)
		return error_set(err, ERROR_USAGE,
		    "'%s' is not an option of the form NAME=VALUE", word);
	*value++ = '\0';
	if (option_find(reserved_options, word))
		return option_set(reserved_options, reserved, word, value, err);
	return set_own_option(step, ini, word, value, err);
}

static int read_options(struct pipeline_step *step, const struct ini *ini,
    char *rest, struct error *err)
{
	const struct step_ops *ops = step->ops;
	struct reserved reserved = { .random = RANDOM_UNSAID };
	bool draws;

	step->options = calloc(1, ops->options_size + 1);
	if (!step->options)
		return error_memory(err, ops->options_size);
	if (ops->defaults)
		memcpy(step->options, ops->defaults, ops->options_size);
	while (*rest) {
		char *word = rest;

		rest = split_word(word);
		if (set_option(step, ini, &reserved, word, err))
			return -1;
	}
	step->after = reserved.after;
	step->field = reserved.field;
	step->fixed = reserved.fixed;
	step->lossy = reserved.lossy;
	if (ops->check && ops->check(step->options, err))
		return -1;
	draws = step_draws(ops, step->options);
	step->random = draws || reserved.random == 1;
	if (draws && reserved.random == 0)
		return error_set(err, ERROR_USAGE,
		    "its output is random, so random=no is wrong");
	return 0;
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

static int read_step(
    struct pipeline *pipeline, const struct ini_entry *entry, struct error *err)
{
	struct pipeline_step *step = &pipeline->steps[pipeline->count];
	const char *problem = name_problem(entry->key);
	char *rest;

	if (problem)
		return error_set(err, ERROR_USAGE,
		    "the representation's name '%s' %s", entry->key, problem);
	if (pipeline->count == PIPELINE_STEPS)
		return error_set(err, ERROR_USAGE,
		    "a pipeline has at most %d steps", PIPELINE_STEPS);
	*step = (struct pipeline_step){ .name = entry->key, .entry = entry };
	step->text = strdup(entry->value);
	if (!step->text)
		return error_memory(err, strlen(entry->value));
	pipeline->count++; /* from now on pipeline_release frees it */
	if (pipeline->count <= pipeline->from) {
		step->ops = &step_that_ran;
		return 0;
	}
	rest = split_word(step->text);
	step->ops = find_step(step->text, err);
	if (!step->ops)
		return -1;
	if (read_options(step, pipeline->ini, rest, err) ||
	    check_after(pipeline, step, err))
		return error_prefix(err, "step %s", step->ops->name);
	return 0;
}

/* Finds the number of the stored representation. */
static int find_split(struct pipeline *pipeline,
    const struct ini_section *section, const char *split, struct error *err)
{
	const struct ini_entry *entry = ini_entry(section, split);

	if (!entry && strcmp(split, pipeline_name(pipeline, 0)) != 0)
		return error_set(err, ERROR_DATA,
		    "%s: no representation '%s', which is stored",
		    pipeline->ini->path, split);
	pipeline->from = entry ? (unsigned)(entry - section->entries) + 1 : 0;
	return 0;
}

int pipeline_read_behind(struct pipeline *pipeline, const struct ini *ini,
    const char *split, const struct presto_step *brought, struct error *err)
{
	const struct ini_section *section = ini_section(ini, "pipeline");

	UNUSED(brought);
	*pipeline = (struct pipeline){ .ini = ini };
	if (!section || section->count == 0)
		return error_set(err, ERROR_USAGE,
		    "%s: no steps: section [pipeline] is missing or empty",
		    ini->path);
	if (find_split(pipeline, section, split, err))
		return -1;
	for (size_t i = 0; i < section->count; i++)
		if (read_step(pipeline, &section->entries[i], err))
			return ini_error_at(ini, &section->entries[i], err);
	return limits_read(&pipeline->limits, ini, err);
}

int pipeline_read(
    struct pipeline *pipeline, const struct ini *ini, struct error *err)
{
	return pipeline_read_behind(
	    pipeline, ini, pipeline_name(pipeline, 0), NULL, err);
}

void pipeline_release(struct pipeline *pipeline)
{
	for (unsigned i = 0; i < pipeline->count; i++) {
		free(pipeline->steps[i].options);
		free(pipeline->steps[i].text);
		for (unsigned k = 0; k < PIPELINE_PATHS; k++)
			free(pipeline->steps[i].paths[k]);
	}
	pipeline->count = 0;
}

/* Sets the bits of the fields that a step works on. */
static int choose_fields(
    struct pipeline_step *step, const struct schema *schema, struct error *err)
{
	char name[2 * FIELD_NAME];

	step->fields = 0;
	if (!step->field)
		step->fields = 1;
	for (const char *at = step->field; at && *at;) {
		const size_t len = strcspn(at, ",");
		int field;

		/* A truncated name is longer than that of any field. */
		snprintf(name, sizeof(name), "%.*s", (int)len, at);
		field = schema_require(schema, name, err);
		if (field < 0)
			return -1;
		step->fields |= 1u << field;
		at += len + (at[len] == ',');
	}
	if (!step->fields)
		return error_set(err, ERROR_USAGE, "field names none");
	return 0;
}

/* Binds a temporary instance of the step to get its output type. */
static int bind_field(const struct pipeline_step *step, const struct type *in,
    struct type *out, struct error *err)
{
	void *priv = calloc(1, step->ops->priv_size + 1);
	int rc;

	if (!priv)
		return error_memory(err, step->ops->priv_size);
	rc = step->ops->bind(priv, step->options, in, out, err);
	if (step->ops->release)
		step->ops->release(priv);
	free(priv);
	return rc;
}

static int bind_sample(const struct pipeline_step *step,
    const struct schema *in, struct schema *out, struct error *err)
{
	void *priv = calloc(1, step->ops->priv_size + 1);
	int rc;

	if (!priv)
		return error_memory(err, step->ops->priv_size);
	rc = step->ops->sample->bind(
	    priv, step->options, in, step->fields, out, err);
	if (step->ops->release)
		step->ops->release(priv);
	free(priv);
	return rc;
}

static int bind_step(struct pipeline_step *step, const struct schema *in,
    struct schema *out, struct error *err)
{
	*out = *in;
	if (choose_fields(step, in, err))
		return -1;
	if (step->ops->sample)
		return bind_sample(step, in, out, err);
	for (unsigned f = 0; f < in->count; f++) {
		if (!(step->fields & (1u << f)))
			continue;
		if (bind_field(
		        step, &in->fields[f].type, &out->fields[f].type, err))
			return in->count == 1 ? -1
			                      : error_prefix(err, "field %s",
			                            in->fields[f].name);
	}
	return 0;
}

/* Refuses a known size at once, rather than at each sample. */
static int check_room(const struct pipeline *pipeline,
    const struct schema *schema, struct error *err)
{
	for (unsigned f = 0; f < schema->count; f++) {
		const struct type *type = &schema->fields[f].type;
		const int64_t bytes = type_bytes(type);
		char text[SHAPE_TEXT];

		if (bytes > 0 && pipeline->limits.sample &&
		    (uint64_t)bytes > pipeline->limits.sample)
			return room_error_over(type_text(type, text),
			    (uint64_t)bytes, pipeline->limits.sample, err);
	}
	return 0;
}

int pipeline_bind(
    struct pipeline *pipeline, const struct schema *data, struct error *err)
{
	pipeline->schemas[pipeline->from] = *data;
	for (unsigned i = pipeline->from; i < pipeline->count; i++) {
		struct pipeline_step *step = &pipeline->steps[i];

		if (bind_step(step, &pipeline->schemas[i],
		        &pipeline->schemas[i + 1], err) ||
		    check_room(pipeline, &pipeline->schemas[i + 1], err)) {
			error_prefix(err, "step %s", step->ops->name);
			err->code = ERROR_USAGE;
			return ini_error_at(pipeline->ini, step->entry, err);
		}
	}
	return 0;
}

int pipeline_bind_reader(struct pipeline *pipeline, const struct reader *reader,
    bool skips, struct error *err)
{
	UNUSED(skips);
	return pipeline_bind(pipeline, reader_decoded(reader), err);
}

const char *pipeline_name(const struct pipeline *pipeline, unsigned i)
{
	return i == 0 ? "raw" : pipeline->steps[i - 1].name;
}

int pipeline_find(const struct pipeline *pipeline, const char *name)
{
	for (unsigned i = 0; i <= pipeline->count; i++)
		if (strcmp(pipeline_name(pipeline, i), name) == 0)
			return (int)i;
	return -1;
}

bool pipeline_makes_many(
    const struct pipeline *pipeline, unsigned from, unsigned to)
{
	bool many = false;

	for (unsigned i = from; i < to; i++) {
		const struct sample_ops *sample =
		    pipeline->steps[i].ops->sample;

		many |= sample && sample->many;
	}
	return many;
}

unsigned pipeline_last_split(const struct pipeline *pipeline)
{
	unsigned i = 0;

	while (i < pipeline->count && !pipeline->steps[i].random)
		i++;
	return i;
}
