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
#include "lib/steps/step.h"

struct link { /* one step on one field */
	const struct step_ops *ops;
	void *priv;
	unsigned step; /* index in the pipeline */
	unsigned field;
	bool last; /* of this field: writes the output */
};

struct chain {
	struct chain_plan plan;
	unsigned count;      /* fields */
	unsigned link_count; /* links that do something */
	struct link links[PIPELINE_STEPS * FIELDS_MAX];
	struct tensor scratch[FIELDS_MAX][2];
	struct tensor aligned; /* an input that a step could not take as is */
	uint64_t seed;
	uint64_t sample; /* id of the one that is running */
	uint32_t epoch;
	bool random; /* a step draws: ids are needed */
	struct chain_trace *trace;
};

static int add_link(
    struct chain *chain, unsigned step, unsigned field, struct error *err)
{
	const struct pipeline *pipeline = chain->plan.pipeline;
	const struct pipeline_step *s = &pipeline->steps[step];
	struct link *link = &chain->links[chain->link_count];
	struct type out;

	if (!s->ops->run)
		return 0;
	*link = (struct link){ .ops = s->ops, .step = step, .field = field };
	link->priv = calloc(1, s->ops->priv_size + 1);
	if (!link->priv)
		return error_memory(err, s->ops->priv_size);
	chain->link_count++; /* from here on released with the chain */
	if (s->random)
		chain->random = true;
	if (s->ops->bind(link->priv, s->options,
	        &pipeline->schemas[step].fields[field].type, &out, err))
		return error_prefix(err, "step %s", s->ops->name);
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

struct chain *chain_new(const struct chain_plan *plan, struct error *err)
{
	const struct pipeline *pipeline = plan->pipeline;
	struct chain *chain = calloc(1, sizeof(*chain));

	if (!chain) {
		error_memory(err, sizeof(*chain));
		return NULL;
	}
	chain->plan = *plan;
	chain->count = pipeline->schemas[plan->from].count;
	for (unsigned s = plan->from; s < plan->to; s++)
		for (unsigned f = 0; f < chain->count; f++)
			if ((pipeline->steps[s].fields & (1u << f)) &&
			    add_link(chain, s, f, err)) {
				chain_free(chain);
				return NULL;
			}
	mark_last(chain);
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
	if (ops->run(link->priv, &random, in, out, err))
		return error_prefix(err, "step %s", ops->name);
	if (chain->trace)
		chain->trace->step_ns[link->step] +=
		    clock_now(&clock_thread_cpu) - start;
	return 0;
}

/* Fields that no step changes are copied into their slot. */
static int copy_untouched(const struct chain *chain, unsigned touched,
    const struct sample *in, struct sample *out, struct error *err)
{
	const uint64_t start = chain->trace ? clock_now(&clock_thread_cpu) : 0;

	for (unsigned f = 0; f < chain->count; f++)
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
	const struct schema *schema =
	    &chain->plan.pipeline->schemas[chain->plan.from];

	if (in->count != schema->count)
		return error_set(err, ERROR_DATA, "has %u fields, expected %u",
		    in->count, schema->count);
	for (unsigned f = 0; f < in->count; f++)
		if (tensor_check(&in->fields[f], &schema->fields[f].type, err))
			return error_prefix(
			    err, "field %s", schema->fields[f].name);
	return 0;
}

int chain_run(struct chain *chain, const struct sample *in, struct sample *out,
    struct error *err)
{
	const struct tensor *at[FIELDS_MAX];
	unsigned turn[FIELDS_MAX] = { 0 }, touched = 0;

	if (check_input(chain, in, err))
		return -1;
	for (unsigned f = 0; f < in->count; f++)
		at[f] = &in->fields[f];
	if (chain->random)
		chain->sample = sample_id(in->key);
	for (unsigned i = 0; i < chain->link_count; i++) {
		const struct link *link = &chain->links[i];
		const unsigned f = link->field;
		struct tensor *to = link->last
		                        ? &out->fields[f]
		                        : &chain->scratch[f][turn[f]++ & 1];

		if (run_link(chain, link, at[f], to, err))
			return -1;
		at[f] = to;
		touched |= 1u << f;
	}
	out->label = in->label;
	out->count = in->count;
	return copy_untouched(chain, touched, in, out, err);
}
