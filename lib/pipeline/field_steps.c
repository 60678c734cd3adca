/*
 * field_steps.c - see field_steps.h.
 *
 * Each field passes through its own steps. Between two steps it lies in one of
 * two scratch tensors, used in turn. The last step that changes it writes into
 * the output's field.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/array.h"
#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/transform.h"
#include "lib/pipeline/field_steps.h"
#include "lib/pipeline/fuse.h"
#include "lib/steps/step.h"

enum {
	CODEC = PIPELINE_STEPS, /* used as the index of a codec's step */
	STEPS_MOST = PIPELINE_STEPS + 2, /* most steps of a field */
};

struct field_step { /* one step on one field */
	const struct step_ops *ops;
	void *priv;
	const struct type *promised; /* must fit; NULL: always does */
	unsigned index;              /* index in the pipeline, or CODEC */
	unsigned field;
	bool last; /* the last on this field: writes the output */
	struct type in, out;
	struct fuse *fuse; /* owned by the first step of the group */
	bool is_fused;     /* belongs to a group that begins earlier */
	bool crops;
	unsigned fuse_last; /* the last step of the group */
};

struct field_steps {
	struct chain_plan plan;
	struct schema in; /* schema of the input */
	unsigned count;   /* steps that do something */
	struct field_step list[STEPS_MOST * FIELDS_MAX];
	struct tensor scratch[FIELDS_MAX][2];
	struct tensor aligned;      /* an aligned copy of an input */
	unsigned touched;           /* bit f: some step changes field f */
	bool random;                /* a step draws */
	bool fuses;                 /* some steps are fused */
	struct field_steps_how how; /* for the current sample */
};

/* Adds a step like `of`, bound to `in`. */
static int add_one(struct field_steps *steps, const struct field_step *of,
    const void *options, const struct type *in, struct error *err)
{
	struct field_step *step = &steps->list[steps->count];

	if (!of->ops->run)
		return 0;
	*step = *of;
	step->in = *in;
	step->priv = calloc(1, of->ops->priv_size + 1);
	if (!step->priv)
		return error_memory(err, of->ops->priv_size);
	steps->count++; /* from now on field_steps_free releases it */
	return of->ops->bind(step->priv, options, in, &step->out, err);
}

static int add_step(
    struct field_steps *steps, unsigned index, struct error *err)
{
	const struct pipeline *pipeline = steps->plan.pipeline;
	const struct pipeline_step *s = &pipeline->steps[index];
	const struct schema *schema = &pipeline->schemas[index];

	if (s->random && s->ops->run)
		steps->random = true;
	for (unsigned f = 0; f < schema->count; f++) {
		const struct field_step step = {
			.ops = s->ops,
			.index = index,
			.field = f,
		};

		if ((s->fields & (1u << f)) &&
		    add_one(
		        steps, &step, s->options, &schema->fields[f].type, err))
			return error_prefix(err, "step %s", s->ops->name);
	}
	return 0;
}

/* Adds the steps that decode fields, first of all. */
static int add_decoding(struct field_steps *steps, struct error *err)
{
	const struct codec *codec = steps->plan.decode;
	const struct schema *schema =
	    &steps->plan.pipeline->schemas[steps->plan.from];

	if (codec_stored_schema(codec, schema, &steps->in, err))
		return -1;
	for (unsigned f = 0; f < schema->count; f++) {
		const struct type *type = &schema->fields[f].type;
		const struct transform_ops *transform = codec->transform;
		struct field_step step = { .index = CODEC, .field = f };

		if (!codec_transforms(codec, schema, f))
			continue;
		step.ops = transform->decode;
		step.promised = type;
		if (add_one(steps, &step,
		        transform->decode_options
		            ? transform->decode_options(type)
		            : codec,
		        &steps->in.fields[f].type, err))
			return error_prefix(err, "codec %s", transform->name);
	}
	return 0;
}

/* Adds the steps that encode fields, last of all. */
static int add_encoding(struct field_steps *steps, struct error *err)
{
	const struct codec *codec = steps->plan.encode;
	const struct schema *schema =
	    &steps->plan.pipeline->schemas[steps->plan.to];

	for (unsigned f = 0; f < schema->count; f++) {
		struct field_step step = { .index = CODEC, .field = f };

		if (!codec_transforms(codec, schema, f))
			continue;
		step.ops = codec->transform->encode;
		if (add_one(steps, &step, codec, &schema->fields[f].type, err))
			return error_prefix(
			    err, "codec %s", codec->transform->name);
	}
	return 0;
}

/* Marks the last step of each field: it writes the output. */
static void mark_last(struct field_steps *steps)
{
	unsigned seen = 0;

	for (unsigned i = steps->count; i-- > 0;) {
		struct field_step *step = &steps->list[i];

		step->last = !(seen & (1u << step->field));
		seen |= 1u << step->field;
	}
}

static int add_all(struct field_steps *steps, struct error *err)
{
	const struct chain_plan *plan = &steps->plan;

	if (plan->decode && add_decoding(steps, err))
		return -1;
	for (unsigned s = plan->from; s < plan->to; s++)
		if (add_step(steps, s, err))
			return -1;
	return plan->encode ? add_encoding(steps, err) : 0;
}

/* Fuses the steps `at`, which are neighbours on one field. */
static int fuse_some(struct field_steps *steps, const unsigned *at,
    const struct fuse_step *fusable, unsigned count, struct error *err)
{
	struct field_step *first = &steps->list[at[0]];

	first->fuse = fuse_new(fusable, count, err);
	if (!first->fuse)
		return -1;
	first->fuse_last = at[count - 1];
	steps->fuses = true;
	for (unsigned i = 1; i < count; i++)
		steps->list[at[i]].is_fused = true;
	return 0;
}

static int fuse_field(
    struct field_steps *steps, unsigned field, struct error *err)
{
	struct fuse_step fusable[STEPS_MOST];
	unsigned at[STEPS_MOST], count = 0;

	for (unsigned i = 0; i < steps->count; i++) {
		const struct field_step *step = &steps->list[i];

		if (step->field != field)
			continue;
		fusable[count] = (struct fuse_step){
			.ops = step->ops,
			.priv = step->priv,
			.step = step->index,
			.in = &step->in,
			.out = &step->out,
			.promised = step->promised,
		};
		at[count++] = i;
	}
	for (unsigned i = 0; i < count;) {
		bool *crops = &steps->list[at[i]].crops;
		const unsigned n = fuse_length(fusable + i, count - i, crops);

		if (n > 0 && fuse_some(steps, at + i, fusable + i, n, err))
			return -1;
		i += n ? n : 1;
	}
	return 0;
}

struct field_steps *field_steps_new(
    const struct chain_plan *plan, struct error *err)
{
	struct field_steps *steps = memory_zeroed(sizeof(*steps), err);

	if (!steps)
		return NULL;
	steps->plan = *plan;
	steps->in = plan->pipeline->schemas[plan->from];
	if (add_all(steps, err)) {
		field_steps_free(steps);
		return NULL;
	}
	mark_last(steps);
	for (unsigned i = 0; i < steps->count; i++)
		steps->touched |= 1u << steps->list[i].field;
	for (unsigned f = 0; f < steps->in.count && !plan->unfused; f++)
		if (fuse_field(steps, f, err)) {
			field_steps_free(steps);
			return NULL;
		}
	return steps;
}

void field_steps_free(struct field_steps *steps)
{
	if (!steps)
		return;
	for (unsigned i = 0; i < steps->count; i++) {
		const struct step_ops *ops = steps->list[i].ops;

		if (ops->release)
			ops->release(steps->list[i].priv);
		free(steps->list[i].priv);
		fuse_free(steps->list[i].fuse);
	}
	for (unsigned f = 0; f < FIELDS_MAX; f++) {
		tensor_release(&steps->scratch[f][0]);
		tensor_release(&steps->scratch[f][1]);
	}
	tensor_release(&steps->aligned);
	free(steps);
}

/* Returns the input, or an aligned copy if the step needs one. */
static const struct tensor *align_input(struct field_steps *steps,
    const struct step_ops *ops, const struct tensor *in, struct error *err)
{
	const size_t mask = dtype_bytes(in->dtype) - 1;

	if (ops->any_alignment || ((uintptr_t)in->data & mask) == 0)
		return in;
	return tensor_copy(&steps->aligned, in, err) ? NULL : &steps->aligned;
}

static struct activity_cost *cost_of(
    const struct field_steps *steps, const struct field_step *step)
{
	struct chain_trace *trace = steps->how.trace;

	return step->index == CODEC ? &trace->codec
	                            : &trace->steps[step->index];
}

static void trace_lap(const struct chain_trace *trace,
    struct activity_cost *cost, uint64_t bytes_in, uint64_t bytes_out)
{
	cost->bytes_in += bytes_in;
	cost->bytes_out += bytes_out;
	if (trace->watch)
		stopwatch_lap(trace->watch, cost);
	else
		cost->calls++;
}

static int run_one(struct field_steps *steps, const struct field_step *step,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct step_ops *ops = step->ops;
	struct random random = { .left = 0 };

	in = align_input(steps, ops, in, err);
	if (!in)
		return -1;
	if (steps->random)
		random = random_stream(steps->how.seed, steps->how.epoch,
		    steps->how.sample, step->index);
	if (ops->run(step->priv, &random, in, out, err) ||
	    (step->promised && tensor_check(out, step->promised, err)))
		return error_prefix(err, "%s %s",
		    step->index == CODEC ? "codec" : "step", ops->name);
	if (TRACES && steps->how.trace)
		trace_lap(steps->how.trace, cost_of(steps, step), in->bytes,
		    out->bytes);
	return 0;
}

/*
 * Swaps the memory of `reusable` and the output. The field may be a part of
 * that memory. If two fields lie in it, only the first can have it.
 */
static bool exchange(
    struct tensor *reusable, const struct tensor *in, struct tensor *out)
{
	const struct tensor kept = *out;

	if (!reusable || reusable->data != in->data ||
	    (out->data && !out->owned) || !reusable->block != !out->block)
		return false;
	*out = *in;
	out->capacity = reusable->capacity;
	out->owned = true;
	out->non_temporal = false;
	out->block = reusable->block;
	*reusable = kept;
	return true;
}

/* Copies a field into its slot, or makes a view. */
static int pass_field(const struct field_steps *steps, unsigned f,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	if (steps->how.borrows)
		tensor_borrow(out, in);
	else if (!exchange(steps->how.reusable[f], in, out))
		return tensor_copy(out, in, err);
	return 0;
}

/* Passes on the fields that no step changes. */
static int pass_untouched(const struct field_steps *steps,
    const struct sample *in, struct sample *out, struct error *err)
{
	struct chain_trace *trace = TRACES ? steps->how.trace : NULL;

	for (unsigned f = 0; f < in->count; f++) {
		if (steps->touched & (1u << f))
			continue;
		if (pass_field(steps, f, &in->fields[f], &out->fields[f], err))
			return -1;
		if (trace && !steps->how.borrows)
			trace_lap(trace, &trace->copy, in->fields[f].bytes,
			    in->fields[f].bytes);
	}
	return 0;
}

static int check_input(
    const struct field_steps *steps, const struct sample *in, struct error *err)
{
	const struct schema *schema = &steps->in;

	if (in->count != schema->count)
		return error_set(err, ERROR_DATA, "has %u fields, expected %u",
		    in->count, schema->count);
	for (unsigned f = 0; f < in->count; f++)
		if (tensor_check(&in->fields[f], &schema->fields[f].type, err))
			return error_prefix(
			    err, "field %s", schema->fields[f].name);
	return 0;
}

/* Records the work of a group of fused steps; `step` is its first. */
static void trace_fused(struct field_steps *steps,
    const struct field_step *step, const struct fuse_part *parts,
    uint64_t bytes_in)
{
	const struct stopwatch *watch = steps->how.trace->watch;

	for (const struct field_step *l = step;
	     l <= &steps->list[step->fuse_last]; l++) {
		struct activity_cost *cost = cost_of(steps, l);

		if (l->field != step->field)
			continue;
		cost->calls++;
		cost->bytes_in += bytes_in;
		cost->bytes_out += parts->bytes;
		if (watch && watch->runs)
			stopwatch_give(watch, cost, parts->ns);
		bytes_in = parts++->bytes;
	}
}

static int run_fused(struct field_steps *steps, const struct field_step *step,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct fuse_part parts[STEPS_MOST];
	const struct chain_trace *trace = TRACES ? steps->how.trace : NULL;
	const struct fuse_draw draw = {
		.seed = steps->how.seed,
		.epoch = steps->how.epoch,
		.sample = steps->how.sample,
		.parts = trace ? parts : NULL,
		.watch = trace && trace->watch && trace->watch->runs
		             ? trace->watch
		             : NULL,
	};

	if (fuse_run(step->fuse, &draw, in, out, err))
		return -1;
	if (trace)
		trace_fused(steps, step, parts, in->bytes);
	return 0;
}

/* Runs all steps; `fused`: with fused steps as one. */
static int run_all(struct field_steps *steps, bool fused,
    const struct sample *in, struct sample *out, struct error *err)
{
	const struct tensor *at[FIELDS_MAX];
	unsigned turn[FIELDS_MAX] = { 0 };

	for (unsigned f = 0; f < in->count; f++)
		at[f] = &in->fields[f];
	for (unsigned i = 0; i < steps->count; i++) {
		const struct field_step *step = &steps->list[i];
		const bool leads = fused && step->fuse;
		const bool last =
		    leads ? steps->list[step->fuse_last].last : step->last;
		const unsigned f = step->field;
		struct tensor *to;

		if (fused && step->is_fused)
			continue;
		to = last ? &out->fields[f] : &steps->scratch[f][turn[f]++ & 1];
		if (leads ? run_fused(steps, step, at[f], to, err)
		          : run_one(steps, step, at[f], to, err))
			return -1;
		at[f] = to;
	}
	return 0;
}

/* If fused steps fail, they run one by one, for the usual error. */
int field_steps_run(struct field_steps *steps,
    const struct field_steps_how *how, const struct sample *in,
    struct sample *out, struct error *err)
{
	steps->how = *how;
	if (check_input(steps, in, err))
		return -1;
	if (run_all(steps, true, in, out, err)) {
		if (!steps->fuses || run_all(steps, false, in, out, err))
			return -1;
		if (TRACES && how->trace)
			how->trace->again++;
	}
	out->label = in->label;
	out->count = in->count;
	return pass_untouched(steps, in, out, err);
}

bool field_steps_are_random(const struct field_steps *steps)
{
	return steps->random;
}

bool field_steps_only_copy(const struct field_steps *steps)
{
	return steps->count == 0;
}

bool field_steps_get_fused(
    const struct field_steps *steps, unsigned i, struct fused_steps *group)
{
	unsigned first = 0;

	while (first < steps->count && (!steps->list[first].fuse || i-- > 0))
		first++;
	if (first == steps->count)
		return false;
	*group = (struct fused_steps){
		.field = steps->list[first].field,
		.crops = steps->list[first].crops,
	};
	for (unsigned l = first; l <= steps->list[first].fuse_last; l++)
		if (steps->list[l].field == group->field &&
		    steps->list[l].index != CODEC)
			group->steps[group->count++] = steps->list[l].index;
	return true;
}
