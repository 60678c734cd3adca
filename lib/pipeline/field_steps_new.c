/* field_steps_new.c - binds steps on single fields: see field_steps.h. */
#include <stdlib.h>

#include "lib/base/array.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/transform.h"
#include "lib/pipeline/field_steps_state.h"

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
			.given = s->given,
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
			.given = step->given,
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
	while (steps->several < steps->count &&
	       !steps->list[steps->several].ops->several)
		steps->several++;
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
