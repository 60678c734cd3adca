/* pipeline.c - see pipeline.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/base/room.h"
#include "lib/image/window.h"
#include "lib/pipeline/own_step.h"
#include "lib/pipeline/pipeline.h"
#include "lib/sample/reader.h"
#include "lib/steps/step.h"
#include "lib/syntax/ini_options.h"

const char *const pipeline_sections[PIPELINE_SECTIONS] = { "dataset",
	"decision", "limits", "load", "measure", "pipeline", "python",
	"storage", "strategies" };

void pipeline_release(struct pipeline *pipeline)
{
	for (unsigned i = 0; i < pipeline->count; i++) {
		own_step_release(&pipeline->steps[i]);
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

/* Where samples come from that code of the user's is tried on. */
struct trial_samples {
	const struct reader *reader; /* NULL: none */
	bool skips;
};

static int bind_fields(const struct pipeline_step *step,
    const struct schema *in, struct schema *out, struct error *err)
{
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

static int bind_step(struct pipeline *pipeline, unsigned number,
    const struct trial_samples *samples, struct error *err)
{
	struct pipeline_step *step = &pipeline->steps[number];
	const struct schema *in = &pipeline->schemas[number];
	struct schema *out = &pipeline->schemas[number + 1];

	*out = *in;
	if (choose_fields(step, in, err))
		return -1;
	if (own_step_open(step, err) ||
	    own_step_find_types(
	        pipeline, number, samples->reader, samples->skips, err))
		return -1;
	return step->ops->sample ? bind_sample(step, in, out, err)
	                         : bind_fields(step, in, out, err);
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

static int bind(struct pipeline *pipeline, const struct schema *data,
    const struct trial_samples *samples, struct error *err)
{
	pipeline->schemas[pipeline->from] = *data;
	for (unsigned i = pipeline->from; i < pipeline->count; i++) {
		struct pipeline_step *step = &pipeline->steps[i];

		if (bind_step(pipeline, i, samples, err) ||
		    check_room(pipeline, &pipeline->schemas[i + 1], err)) {
			error_prefix(err, "step %s", step->ops->name);
			/* A sample's fault, when the user's code ran on it. */
			if (!step->ops->own || err->code != ERROR_DATA)
				err->code = ERROR_USAGE;
			return ini_error_at(pipeline->ini, step->entry, err);
		}
	}
	return 0;
}

int pipeline_bind_step(const struct pipeline *pipeline, unsigned number,
    const struct schema *in, struct schema *out, struct error *err)
{
	struct pipeline_step step = pipeline->steps[number];

	*out = *in;
	if (choose_fields(&step, in, err) ||
	    own_step_check_known(&step, in, err) ||
	    (step.ops->sample ? bind_sample(&step, in, out, err)
	                      : bind_fields(&step, in, out, err)))
		return -1;
	return check_room(pipeline, out, err);
}

void pipeline_permute(struct pipeline *to, const struct pipeline *from,
    const unsigned char order[PIPELINE_STEPS])
{
	*to = (struct pipeline){
		.ini = from->ini,
		.from = from->from,
		.count = from->count,
		.limits = from->limits,
	};
	for (unsigned i = 0; i < from->count; i++)
		to->steps[i] = from->steps[order[i]];
	to->schemas[to->from] = from->schemas[from->from];
}

int pipeline_bind(
    struct pipeline *pipeline, const struct schema *data, struct error *err)
{
	const struct trial_samples none = { .reader = NULL };

	return bind(pipeline, data, &none, err);
}

int pipeline_bind_reader(struct pipeline *pipeline, const struct reader *reader,
    bool skips, struct error *err)
{
	const struct trial_samples samples = { reader, skips };

	return bind(pipeline, reader_decoded(reader), &samples, err);
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

bool pipeline_is_reordered(const struct pipeline *pipeline)
{
	for (unsigned i = 0; i < pipeline->count; i++)
		if (pipeline->steps[i].given != i)
			return true;
	return false;
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

bool pipeline_drops(const struct pipeline *pipeline, unsigned from, unsigned to)
{
	bool drops = false;

	for (unsigned i = from; i < to; i++) {
		const struct sample_ops *sample =
		    pipeline->steps[i].ops->sample;

		drops |= sample && sample->drops;
	}
	return drops;
}

bool pipeline_changes_count(
    const struct pipeline *pipeline, unsigned from, unsigned to)
{
	return pipeline_makes_many(pipeline, from, to) ||
	       pipeline_drops(pipeline, from, to);
}

bool pipeline_has_areas(
    const struct pipeline *pipeline, unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++) {
		const struct window_ops *window =
		    pipeline->steps[i].ops->window;

		if (window && window->reach == REACH_AREA)
			return true;
	}
	return false;
}

unsigned pipeline_last_split(const struct pipeline *pipeline)
{
	unsigned i = 0;

	while (i < pipeline->count && !pipeline->steps[i].random)
		i++;
	return i;
}
