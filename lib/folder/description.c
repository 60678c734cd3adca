/* description.c - see description.h. */
#include "lib/folder/description.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/base/printable.h"
#include "lib/files/path.h"
#include "lib/measure/libraries.h"
#include "lib/own/own.h"
#include "lib/pipeline/code_print.h"
#include "lib/pipeline/pipeline.h"
#include "lib/steps/step.h"
#include "lib/syntax/ini_options.h"
#include "lib/syntax/shell.h"

enum { ALIGN = 16 };

void description_release(struct description *description)
{
	manifest_release(&description->manifest);
	classes_release(&description->classes);
	arena_release(&description->arena);
	*description = (struct description)DESCRIPTION_INIT;
}

const char *description_keep(
    struct description *description, struct span text, struct error *err)
{
	char *copy = arena_take(&description->arena, text.len + 1, 1, err);

	if (!copy)
		return NULL;
	if (text.len)
		memcpy(copy, text.data, text.len);
	copy[text.len] = '\0';
	return copy;
}

static void *take_array(struct description *description, size_t count,
    size_t size, struct error *err)
{
	size_t bytes;
	void *array;

	if (size_mul(count, size, &bytes)) {
		error_memory(err, count);
		return NULL;
	}
	array = arena_take(&description->arena, bytes, ALIGN, err);
	if (array)
		memset(array, 0, bytes);
	return array;
}

int description_take_steps(
    struct description *description, size_t count, struct error *err)
{
	description->steps =
	    take_array(description, count, sizeof(*description->steps), err);
	description->step_count = description->steps ? count : 0;
	return description->steps ? 0 : -1;
}

int description_take_options(struct description *description,
    struct described_step *step, size_t count, struct error *err)
{
	step->options =
	    take_array(description, count, sizeof(*step->options), err);
	return step->options ? 0 : -1;
}

/* ---- from a pipeline ---- */

/* Is it an option that places a step, and does not change its work? */
static bool is_reserved(struct span name)
{
	static const char *const reserved[] = { "after", "field", "fixed",
		"lossy", "random" };

	for (size_t i = 0; i < ARRAY_LEN(reserved); i++)
		if (span_equal(name, span_text(reserved[i])))
			return true;
	return false;
}

/* Adds an option "size=28". */
static int add_option(struct description *description,
    struct described_step *step, const char *word, struct error *err)
{
	const size_t len = strcspn(word, "=");
	const struct span name = { (const unsigned char *)word, len };
	struct described_option *option = &step->options[step->option_count];

	if (is_reserved(name))
		return 0;
	option->name = description_keep(description, name, err);
	option->value = description_keep(
	    description, span_text(word + len + (word[len] == '=')), err);
	if (!option->name || !option->value)
		return -1;
	step->option_count++;
	return 0;
}

/* Takes the words behind the name of the step. */
static int add_words(struct description *description,
    struct described_step *step, bool has_target, char *text, struct error *err)
{
	char *rest = text, *word;
	int got = shell_take(&rest, &word, err);

	if (got > 0 && has_target) {
		got = shell_take(&rest, &word, err);
		step->target =
		    description_keep(description, span_text(word), err);
		if (!step->target)
			return -1;
	}
	while (got > 0 && (got = shell_take(&rest, &word, err)) > 0)
		if (add_option(description, step, word, err))
			return -1;
	return got;
}

/* No option is without its sign. */
static size_t count_signs(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == '=';
	return count;
}

/* Notes in which folder the step's paths begin, if it may have any. */
static int keep_folder(struct description *description,
    const struct pipeline *pipeline, const struct pipeline_step *from,
    struct described_step *step, struct error *err)
{
	char *dir, *absolute;

	if (!from->ops->own && !from->paths[0])
		return 0;
	dir = ini_entry_folder(pipeline->ini, from->entry, err);
	absolute = dir ? path_absolute(dir, err) : NULL;
	if (absolute)
		step->folder =
		    description_keep(description, span_text(absolute), err);
	free(absolute);
	free(dir);
	return step->folder ? 0 : -1;
}

static int describe_step(struct description *description,
    const struct pipeline *pipeline, unsigned number,
    struct described_step *step, struct error *err)
{
	const struct pipeline_step *from = &pipeline->steps[number];
	const bool has_target = from->ops->own && from->ops->own->target;
	char *text;
	int rc;

	step->gives = pipeline->schemas[number + 1];
	step->fields = from->fields;
	step->random = from->random;
	step->name = description_keep(description, span_text(from->name), err);
	step->step =
	    description_keep(description, span_text(from->ops->name), err);
	if (!step->name || !step->step ||
	    keep_folder(description, pipeline, from, step, err) ||
	    description_take_options(
	        description, step, count_signs(from->entry->value), err))
		return -1;
	text = strdup(from->entry->value);
	if (!text)
		return error_memory(err, strlen(from->entry->value));
	rc = add_words(description, step, has_target, text, err);
	free(text);
	return rc;
}

static int copy_manifest(
    struct manifest *to, const struct manifest *from, struct error *err)
{
	size_t bytes;

	to->form = from->form;
	to->samples = from->samples;
	to->shuffle = from->shuffle ? strdup(from->shuffle) : NULL;
	to->strategy = strdup(from->strategy);
	to->fingerprint = strdup(from->fingerprint);
	if (size_mul(from->count + 1, sizeof(*to->shards), &bytes))
		return error_memory(err, from->count);
	to->shards = malloc(bytes);
	if (!to->strategy || !to->fingerprint || !to->shards ||
	    (from->shuffle && !to->shuffle))
		return error_memory(err, bytes);
	if (from->count)
		memcpy(to->shards, from->shards,
		    from->count * sizeof(*to->shards));
	to->count = from->count;
	return left_samples_copy(&to->left_out, &from->left_out, err) ||
	               history_copy(&to->history, &from->history, err)
	           ? -1
	           : 0;
}

static int keep_code(struct description *description,
    const struct pipeline *pipeline, struct error *err)
{
	struct buf code = BUF_INIT;
	int rc = code_print(pipeline, pipeline->count, &code, err);

	if (rc == 0 && code.len) {
		description->code =
		    description_keep(description, buf_span(&code), err);
		rc = description->code ? 0 : -1;
	}
	buf_release(&code);
	return rc;
}

/* Notes the order of the steps if it is not the one that the text gives. */
static int keep_order(struct description *description,
    const struct pipeline *pipeline, struct error *err)
{
	struct buf names = BUF_INIT;
	int rc = 0;

	if (!pipeline_is_reordered(pipeline))
		return 0;
	for (unsigned i = 0; rc == 0 && i < pipeline->count; i++)
		rc = buf_printf(
		    &names, err, "%s%s", i ? "," : "", pipeline->steps[i].name);
	if (rc == 0)
		description->order =
		    description_keep(description, buf_span(&names), err);
	buf_release(&names);
	return description->order ? 0 : -1;
}

static int keep_texts(struct description *description,
    const struct description_parts *parts, struct error *err)
{
	char libraries[LIBRARIES_TEXT];
	struct buf text = BUF_INIT;

	libraries_text(libraries);
	description->presto =
	    description_keep(description, span_text(PRESTO_VERSION), err);
	description->libraries =
	    description_keep(description, span_text(libraries), err);
	description->split = description_keep(description,
	    span_text(pipeline_name(parts->pipeline, parts->split)), err);
	if (ini_print(parts->pipeline->ini, &text, err) == 0)
		description->pipeline =
		    description_keep(description, buf_span(&text), err);
	buf_release(&text);
	if (keep_code(description, parts->pipeline, err) ||
	    keep_order(description, parts->pipeline, err))
		return -1;
	return description->presto && description->libraries &&
	               description->split && description->pipeline
	           ? 0
	           : -1;
}

int description_make(struct description *description,
    const struct description_parts *parts, const struct manifest *manifest,
    struct error *err)
{
	const struct pipeline *pipeline = parts->pipeline;
	const unsigned count = pipeline->count - parts->split;

	description->is_whole = true;
	description->seed = parts->seed;
	if (copy_manifest(&description->manifest, manifest, err) ||
	    keep_texts(description, parts, err) ||
	    (parts->classes &&
	        classes_copy(&description->classes, parts->classes, err)) ||
	    description_take_steps(description, count, err))
		return -1;
	for (unsigned i = 0; i < count; i++)
		if (describe_step(description, pipeline, parts->split + i,
		        &description->steps[i], err))
			return -1;
	return 0;
}

/* ---- access ---- */

const char *described_option(
    const struct described_step *step, const char *name)
{
	for (size_t i = 0; i < step->option_count; i++)
		if (strcmp(step->options[i].name, name) == 0)
			return step->options[i].value;
	return NULL;
}

/* Quotes what would not be one word. */
static int add_value(struct buf *text, const char *value, struct error *err)
{
	if (value[strcspn(value, " \t\n'\"\\")])
		return shell_word(text, value, err);
	return printable_append(text, span_text(value), err);
}

int described_step_text(
    const struct described_step *step, struct buf *text, struct error *err)
{
	if (printable_append(text, span_text(step->step), err) ||
	    (step->target && (buf_append(text, " ", 1, err) ||
	                         shell_word(text, step->target, err))))
		return -1;
	for (size_t i = 0; i < step->option_count; i++) {
		const struct described_option *option = &step->options[i];

		if (buf_append(text, " ", 1, err) ||
		    printable_append(text, span_text(option->name), err) ||
		    buf_append(text, "=", 1, err) ||
		    add_value(text, option->value, err))
			return -1;
	}
	/* an empty text is terminated, too */
	return buf_printf(text, err, "%s", "");
}

const struct schema *description_takes(
    const struct description *description, size_t step)
{
	return step ? &description->steps[step - 1].gives
	            : &description->manifest.form.decoded;
}
