/*
 * chain.c - see chain.h.
 *
 * Each field goes its own way through the steps that work on it: between two
 * steps it lies in one of two scratch tensors, turn about; the last step that
 * changes it writes into the output's field.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/chain.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/transform.h"
#include "lib/fuse.h"
#include "lib/steps/step.h"

enum {
	CODEC = PIPELINE_STEPS,     /* stands for the index of a step */
	LINKS = PIPELINE_STEPS + 2, /* of a field */
};

struct link { /* one step on one field */
	const struct step_ops *ops;
	void *priv;
	const struct type *promised; /* what it must give; NULL: it does */
	unsigned step;               /* index in the pipeline, or CODEC */
	unsigned field;
	bool last; /* of this field: writes the output */
	struct type in, out;
	struct fuse *fuse; /* owned by the first of those that run as one */
	bool is_fused;     /* runs with one before */
	bool crops;
	unsigned fuse_last; /* the last link of it */
};

struct chain {
	struct chain_plan plan;
	struct schema in;    /* of the input */
	unsigned link_count; /* links that do something */
	struct link links[LINKS * FIELDS_MAX];
	struct tensor scratch[FIELDS_MAX][2];
	struct tensor aligned; /* an input that a step could not take as is */
	uint64_t seed;
	uint64_t sample; /* id of the one that is running */
	uint32_t epoch;
	bool random; /* a step draws: ids are needed */
	bool fuses;  /* some run as one */
	struct chain_trace *trace;
};

/* Of the link: its step, what it is for, and what a step is bound to. */
static int add_link(struct chain *chain, const struct link *of,
    const void *options, const struct type *in, struct error *err)
{
	struct link *link = &chain->links[chain->link_count];

	if (!of->ops->run)
		return 0;
	*link = *of;
	link->in = *in;
	link->priv = calloc(1, of->ops->priv_size + 1);
	if (!link->priv)
		return error_memory(err, of->ops->priv_size);
	chain->link_count++; /* from here on released with the chain */
	return of->ops->bind(link->priv, options, in, &link->out, err);
}

static int add_step(struct chain *chain, unsigned step, struct error *err)
{
	const struct pipeline *pipeline = chain->plan.pipeline;
	const struct pipeline_step *s = &pipeline->steps[step];
	const struct schema *schema = &pipeline->schemas[step];

	if (s->random && s->ops->run)
		chain->random = true;
	for (unsigned f = 0; f < schema->count; f++) {
		const struct link link = {
			.ops = s->ops,
			.step = step,
			.field = f,
		};

		if ((s->fields & (1u << f)) &&
		    add_link(
		        chain, &link, s->options, &schema->fields[f].type, err))
			return error_prefix(err, "step %s", s->ops->name);
	}
	return 0;
}

/* The fields that are decoded first. */
static int add_decoding(struct chain *chain, struct error *err)
{
	const struct codec *codec = chain->plan.decode;
	const struct schema *schema =
	    &chain->plan.pipeline->schemas[chain->plan.from];

	if (codec_stored_schema(codec, schema, &chain->in, err))
		return -1;
	for (unsigned f = 0; f < schema->count; f++) {
		const struct type *type = &schema->fields[f].type;
		const struct transform_ops *transform = codec->transform;
		struct link link = { .step = CODEC, .field = f };

		if (!codec_transforms(codec, schema, f))
			continue;
		link.ops = transform->decode;
		link.promised = type;
		if (add_link(chain, &link,
		        transform->decode_options
		            ? transform->decode_options(type)
		            : codec,
		        &chain->in.fields[f].type, err))
			return error_prefix(err, "codec %s", transform->name);
	}
	return 0;
}

/* The fields that are encoded last. */
static int add_encoding(struct chain *chain, struct error *err)
{
	const struct codec *codec = chain->plan.encode;
	const struct schema *schema =
	    &chain->plan.pipeline->schemas[chain->plan.to];

	for (unsigned f = 0; f < schema->count; f++) {
		struct link link = { .step = CODEC, .field = f };

		if (!codec_transforms(codec, schema, f))
			continue;
		link.ops = codec->transform->encode;
		if (add_link(chain, &link, codec, &schema->fields[f].type, err))
			return error_prefix(
			    err, "codec %s", codec->transform->name);
	}
	return 0;
}

/* The last link of each field writes the output. */
static void mark_last(struct chain *chain)
{
	unsigned seen = 0;

	for (unsigned i = chain->link_count; i-- > 0;) {
		struct link *link = &chain->links[i];

		link->last = !(seen & (1u << link->field));
		seen |= 1u << link->field;
	}
}

static int add_links(struct chain *chain, struct error *err)
{
	const struct chain_plan *plan = &chain->plan;

	if (plan->decode && add_decoding(chain, err))
		return -1;
	for (unsigned s = plan->from; s < plan->to; s++)
		if (add_step(chain, s, err))
			return -1;
	return plan->encode ? add_encoding(chain, err) : 0;
}

/* The links `at`, which are neighbours on a field, become one. */
static int fuse_links(struct chain *chain, const unsigned *at,
    const struct fuse_step *steps, unsigned count, struct error *err)
{
	struct link *first = &chain->links[at[0]];

	first->fuse = fuse_new(steps, count, err);
	if (!first->fuse)
		return -1;
	first->fuse_last = at[count - 1];
	chain->fuses = true;
	for (unsigned i = 1; i < count; i++)
		chain->links[at[i]].is_fused = true;
	return 0;
}

static int fuse_field(struct chain *chain, unsigned field, struct error *err)
{
	struct fuse_step steps[LINKS];
	unsigned at[LINKS], count = 0;

	for (unsigned i = 0; i < chain->link_count; i++) {
		const struct link *link = &chain->links[i];

		if (link->field != field)
			continue;
		steps[count] = (struct fuse_step){
			.ops = link->ops,
			.priv = link->priv,
			.step = link->step,
			.in = &link->in,
			.out = &link->out,
			.promised = link->promised,
		};
		at[count++] = i;
	}
	for (unsigned i = 0; i < count;) {
		bool *crops = &chain->links[at[i]].crops;
		const unsigned n = fuse_length(steps + i, count - i, crops);

		if (n > 0 && fuse_links(chain, at + i, steps + i, n, err))
			return -1;
		i += n ? n : 1;
	}
	return 0;
}

struct chain *chain_new(const struct chain_plan *plan, struct error *err)
{
	struct chain *chain = calloc(1, sizeof(*chain));

	if (!chain) {
		error_memory(err, sizeof(*chain));
		return NULL;
	}
	chain->plan = *plan;
	chain->in = plan->pipeline->schemas[plan->from];
	if (add_links(chain, err)) {
		chain_free(chain);
		return NULL;
	}
	mark_last(chain);
	for (unsigned f = 0; f < chain->in.count && !plan->unfused; f++)
		if (fuse_field(chain, f, err)) {
			chain_free(chain);
			return NULL;
		}
	return chain;
}

void chain_free(struct chain *chain)
{
	if (!chain)
		return;
	for (unsigned i = 0; i < chain->link_count; i++) {
		const struct step_ops *ops = chain->links[i].ops;

		if (ops->release)
			ops->release(chain->links[i].priv);
		free(chain->links[i].priv);
		fuse_free(chain->links[i].fuse);
	}
	for (unsigned f = 0; f < FIELDS_MAX; f++) {
		tensor_release(&chain->scratch[f][0]);
		tensor_release(&chain->scratch[f][1]);
	}
	tensor_release(&chain->aligned);
	free(chain);
}

void chain_set_draw(struct chain *chain, uint64_t seed, uint32_t epoch)
{
	chain->seed = seed;
	chain->epoch = epoch;
}

void chain_set_trace(struct chain *chain, struct chain_trace *trace)
{
	chain->trace = trace;
}

/* The input itself, or an aligned copy where the step needs one. */
static const struct tensor *align_input(struct chain *chain,
    const struct step_ops *ops, const struct tensor *in, struct error *err)
{
	const size_t mask = dtype_bytes(in->dtype) - 1;

	if (ops->any_alignment || ((uintptr_t)in->data & mask) == 0)
		return in;
	return tensor_copy(&chain->aligned, in, err) ? NULL : &chain->aligned;
}

static uint64_t *link_trace(const struct chain *chain, const struct link *link)
{
	return link->step == CODEC ? &chain->trace->codec_ns
	                           : &chain->trace->step_ns[link->step];
}

static int run_link(struct chain *chain, const struct link *link,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct step_ops *ops = link->ops;
	const uint64_t start = chain->trace ? clock_now(&clock_thread_cpu) : 0;
	struct random random = { .left = 0 };

	in = align_input(chain, ops, in, err);
	if (!in)
		return -1;
	if (chain->random)
		random = random_stream(
		    chain->seed, chain->epoch, chain->sample, link->step);
	if (ops->run(link->priv, &random, in, out, err) ||
	    (link->promised && tensor_check(out, link->promised, err)))
		return error_prefix(err, "%s %s",
		    link->step == CODEC ? "codec" : "step", ops->name);
	if (chain->trace)
		*link_trace(chain, link) +=
		    clock_now(&clock_thread_cpu) - start;
	return 0;
}

/* Fields that no step changes are copied into their slot. */
static int copy_untouched(const struct chain *chain, unsigned touched,
    const struct sample *in, struct sample *out, struct error *err)
{
	const uint64_t start = chain->trace ? clock_now(&clock_thread_cpu) : 0;

	for (unsigned f = 0; f < in->count; f++)
		if (!(touched & (1u << f)) &&
		    tensor_copy(&out->fields[f], &in->fields[f], err))
			return -1;
	if (chain->trace) {
		chain->trace->copy_ns += clock_now(&clock_thread_cpu) - start;
		chain->trace->samples++;
	}
	return 0;
}

static int check_input(
    const struct chain *chain, const struct sample *in, struct error *err)
{
	const struct schema *schema = &chain->in;

	if (in->count != schema->count)
		return error_set(err, ERROR_DATA, "has %u fields, expected %u",
		    in->count, schema->count);
	for (unsigned f = 0; f < in->count; f++)
		if (tensor_check(&in->fields[f], &schema->fields[f].type, err))
			return error_prefix(
			    err, "field %s", schema->fields[f].name);
	return 0;
}

static int run_fused(struct chain *chain, const struct link *link,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	uint64_t ns[LINKS] = { 0 };
	const struct fuse_draw draw = {
		.seed = chain->seed,
		.epoch = chain->epoch,
		.sample = chain->sample,
		.ns = chain->trace ? ns : NULL,
	};
	unsigned part = 0;

	if (fuse_run(link->fuse, &draw, in, out, err))
		return -1;
	if (!chain->trace)
		return 0;
	for (const struct link *l = link; l <= &chain->links[link->fuse_last];
	     l++)
		if (l->field == link->field)
			*link_trace(chain, l) += ns[part++];
	return 0;
}

/* All links; `fused`: those that can, as one. */
static int run_links(struct chain *chain, bool fused, const struct sample *in,
    struct sample *out, struct error *err)
{
	const struct tensor *at[FIELDS_MAX];
	unsigned turn[FIELDS_MAX] = { 0 };

	for (unsigned f = 0; f < in->count; f++)
		at[f] = &in->fields[f];
	for (unsigned i = 0; i < chain->link_count; i++) {
		const struct link *link = &chain->links[i];
		const bool leads = fused && link->fuse;
		const bool last =
		    leads ? chain->links[link->fuse_last].last : link->last;
		const unsigned f = link->field;
		struct tensor *to;

		if (fused && link->is_fused)
			continue;
		to = last ? &out->fields[f] : &chain->scratch[f][turn[f]++ & 1];
		if (leads ? run_fused(chain, link, at[f], to, err)
		          : run_link(chain, link, at[f], to, err))
			return -1;
		at[f] = to;
	}
	return 0;
}

/*
 * Where fused links fail, all run one by one: what they say is what is said,
 * and in their order.
 */
int chain_run(struct chain *chain, const struct sample *in, struct sample *out,
    struct error *err)
{
	unsigned touched = 0;

	if (check_input(chain, in, err))
		return -1;
	if (chain->random)
		chain->sample = sample_id(in->key);
	if (run_links(chain, true, in, out, err)) {
		if (!chain->fuses || run_links(chain, false, in, out, err))
			return -1;
		if (chain->trace)
			chain->trace->again++;
	}
	for (unsigned i = 0; i < chain->link_count; i++)
		touched |= 1u << chain->links[i].field;
	out->label = in->label;
	out->count = in->count;
	return copy_untouched(chain, touched, in, out, err);
}

bool chain_only_copies(const struct chain *chain)
{
	return chain->link_count == 0;
}

bool chain_get_group(
    const struct chain *chain, unsigned i, struct chain_group *group)
{
	unsigned first = 0;

	while (
	    first < chain->link_count && (!chain->links[first].fuse || i-- > 0))
		first++;
	if (first == chain->link_count)
		return false;
	*group = (struct chain_group){
		.field = chain->links[first].field,
		.crops = chain->links[first].crops,
	};
	for (unsigned l = first; l <= chain->links[first].fuse_last; l++)
		if (chain->links[l].field == group->field &&
		    chain->links[l].step != CODEC)
			group->steps[group->count++] = chain->links[l].step;
	return true;
}
