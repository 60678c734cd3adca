/*
 * links.c - see links.h.
 *
 * Each field passes through its own steps. Between two steps it lies in one of
 * two scratch tensors, used in turn. The last step that changes it writes into
 * the output's field.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/error.h"
#include "lib/codecs/codec.h"
#include "lib/codecs/transform.h"
#include "lib/pipeline/fuse.h"
#include "lib/pipeline/links.h"
#include "lib/steps/step.h"

enum {
	CODEC = PIPELINE_STEPS,     /* used as the index of a codec's step */
	LINKS = PIPELINE_STEPS + 2, /* most links of a field */
};

struct link { /* one step on one field */
	const struct step_ops *ops;
	void *priv;
	/* type that the output must have; NULL: certain */
	const struct type *promised;
	unsigned step; /* index in the pipeline, or CODEC */
	unsigned field;
	bool last; /* the last on this field: writes the output */
	struct type in, out;
	struct fuse *fuse; /* owned by the first link of the group */
	bool is_fused;     /* belongs to a group that begins earlier */
	bool crops;
	unsigned fuse_last; /* the last link of the group */
};

struct links {
	struct chain_plan plan;
	struct schema in; /* schema of the input */
	unsigned count;   /* links that do something */
	struct link links[LINKS * FIELDS_MAX];
	struct tensor scratch[FIELDS_MAX][2];
	struct tensor aligned; /* an aligned copy of an input */
	unsigned touched;      /* bit f: some link changes field f */
	bool random;           /* a step draws */
	bool fuses;            /* some steps are fused */
	struct links_how how;  /* for the current sample */
};

/* Adds a link like `of`, bound to `in`. */
static int add_link(struct links *links, const struct link *of,
    const void *options, const struct type *in, struct error *err)
{
	struct link *link = &links->links[links->count];

	if (!of->ops->run)
		return 0;
	*link = *of;
	link->in = *in;
	link->priv = calloc(1, of->ops->priv_size + 1);
	if (!link->priv)
		return error_memory(err, of->ops->priv_size);
	links->count++; /* from now on links_free releases it */
	return of->ops->bind(link->priv, options, in, &link->out, err);
}

static int add_step(struct links *links, unsigned step, struct error *err)
{
	const struct pipeline *pipeline = links->plan.pipeline;
	const struct pipeline_step *s = &pipeline->steps[step];
	const struct schema *schema = &pipeline->schemas[step];

	if (s->random && s->ops->run)
		links->random = true;
	for (unsigned f = 0; f < schema->count; f++) {
		const struct link link = {
			.ops = s->ops,
			.step = step,
			.field = f,
		};

		if ((s->fields & (1u << f)) &&
		    add_link(
		        links, &link, s->options, &schema->fields[f].type, err))
			return error_prefix(err, "step %s", s->ops->name);
	}
	return 0;
}

/* Adds the links that decode fields, first of all. */
static int add_decoding(struct links *links, struct error *err)
{
	const struct codec *codec = links->plan.decode;
	const struct schema *schema =
	    &links->plan.pipeline->schemas[links->plan.from];

	if (codec_stored_schema(codec, schema, &links->in, err))
		return -1;
	for (unsigned f = 0; f < schema->count; f++) {
		const struct type *type = &schema->fields[f].type;
		const struct transform_ops *transform = codec->transform;
		struct link link = { .step = CODEC, .field = f };

		if (!codec_transforms(codec, schema, f))
			continue;
		link.ops = transform->decode;
		link.promised = type;
		if (add_link(links, &link,
		        transform->decode_options
		            ? transform->decode_options(type)
		            : codec,
		        &links->in.fields[f].type, err))
			return error_prefix(err, "codec %s", transform->name);
	}
	return 0;
}

/* Adds the links that encode fields, last of all. */
static int add_encoding(struct links *links, struct error *err)
{
	const struct codec *codec = links->plan.encode;
	const struct schema *schema =
	    &links->plan.pipeline->schemas[links->plan.to];

	for (unsigned f = 0; f < schema->count; f++) {
		struct link link = { .step = CODEC, .field = f };

		if (!codec_transforms(codec, schema, f))
			continue;
		link.ops = codec->transform->encode;
		if (add_link(links, &link, codec, &schema->fields[f].type, err))
			return error_prefix(
			    err, "codec %s", codec->transform->name);
	}
	return 0;
}

/* Marks the last link of each field: it writes the output. */
static void mark_last(struct links *links)
{
	unsigned seen = 0;

	for (unsigned i = links->count; i-- > 0;) {
		struct link *link = &links->links[i];

		link->last = !(seen & (1u << link->field));
		seen |= 1u << link->field;
	}
}

static int add_links(struct links *links, struct error *err)
{
	const struct chain_plan *plan = &links->plan;

	if (plan->decode && add_decoding(links, err))
		return -1;
	for (unsigned s = plan->from; s < plan->to; s++)
		if (add_step(links, s, err))
			return -1;
	return plan->encode ? add_encoding(links, err) : 0;
}

/* Fuses the links `at`, which are neighbours on one field. */
static int fuse_links(struct links *links, const unsigned *at,
    const struct fuse_step *steps, unsigned count, struct error *err)
{
	struct link *first = &links->links[at[0]];

	first->fuse = fuse_new(steps, count, err);
	if (!first->fuse)
		return -1;
	first->fuse_last = at[count - 1];
	links->fuses = true;
	for (unsigned i = 1; i < count; i++)
		links->links[at[i]].is_fused = true;
	return 0;
}

static int fuse_field(struct links *links, unsigned field, struct error *err)
{
	struct fuse_step steps[LINKS];
	unsigned at[LINKS], count = 0;

	for (unsigned i = 0; i < links->count; i++) {
		const struct link *link = &links->links[i];

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
		bool *crops = &links->links[at[i]].crops;
		const unsigned n = fuse_length(steps + i, count - i, crops);

		if (n > 0 && fuse_links(links, at + i, steps + i, n, err))
			return -1;
		i += n ? n : 1;
	}
	return 0;
}

struct links *links_new(const struct chain_plan *plan, struct error *err)
{
	struct links *links = calloc(1, sizeof(*links));

	if (!links) {
		error_memory(err, sizeof(*links));
		return NULL;
	}
	links->plan = *plan;
	links->in = plan->pipeline->schemas[plan->from];
	if (add_links(links, err)) {
		links_free(links);
		return NULL;
	}
	mark_last(links);
	for (unsigned i = 0; i < links->count; i++)
		links->touched |= 1u << links->links[i].field;
	for (unsigned f = 0; f < links->in.count && !plan->unfused; f++)
		if (fuse_field(links, f, err)) {
			links_free(links);
			return NULL;
		}
	return links;
}

void links_free(struct links *links)
{
	if (!links)
		return;
	for (unsigned i = 0; i < links->count; i++) {
		const struct step_ops *ops = links->links[i].ops;

		if (ops->release)
			ops->release(links->links[i].priv);
		free(links->links[i].priv);
		fuse_free(links->links[i].fuse);
	}
	for (unsigned f = 0; f < FIELDS_MAX; f++) {
		tensor_release(&links->scratch[f][0]);
		tensor_release(&links->scratch[f][1]);
	}
	tensor_release(&links->aligned);
	free(links);
}

/* Returns the input, or an aligned copy if the step needs one. */
static const struct tensor *align_input(struct links *links,
    const struct step_ops *ops, const struct tensor *in, struct error *err)
{
	const size_t mask = dtype_bytes(in->dtype) - 1;

	if (ops->any_alignment || ((uintptr_t)in->data & mask) == 0)
		return in;
	return tensor_copy(&links->aligned, in, err) ? NULL : &links->aligned;
}

static struct effort *link_effort(
    const struct links *links, const struct link *link)
{
	struct chain_trace *trace = links->how.trace;

	return link->step == CODEC ? &trace->codec : &trace->steps[link->step];
}

static void trace_lap(const struct chain_trace *trace, struct effort *effort,
    uint64_t bytes_in, uint64_t bytes_out)
{
	effort->bytes_in += bytes_in;
	effort->bytes_out += bytes_out;
	if (trace->watch)
		stopwatch_lap(trace->watch, effort);
	else
		effort->calls++;
}

static int run_link(struct links *links, const struct link *link,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	const struct step_ops *ops = link->ops;
	struct random random = { .left = 0 };

	in = align_input(links, ops, in, err);
	if (!in)
		return -1;
	if (links->random)
		random = random_stream(links->how.seed, links->how.epoch,
		    links->how.sample, link->step);
	if (ops->run(link->priv, &random, in, out, err) ||
	    (link->promised && tensor_check(out, link->promised, err)))
		return error_prefix(err, "%s %s",
		    link->step == CODEC ? "codec" : "step", ops->name);
	if (TRACES && links->how.trace)
		trace_lap(links->how.trace, link_effort(links, link), in->bytes,
		    out->bytes);
	return 0;
}

/*
 * Swaps the memory of `spent` and the output. The field may be a part of that
 * memory. If two fields lie in it, only the first can have it.
 */
static bool exchange(
    struct tensor *spent, const struct tensor *in, struct tensor *out)
{
	const struct tensor kept = *out;

	if (!spent || spent->data != in->data || (out->data && !out->owned))
		return false;
	if (!spent->piece != !out->piece)
		return false;
	*out = *in;
	out->capacity = spent->capacity;
	out->owned = true;
	out->away = false;
	out->piece = spent->piece;
	*spent = kept;
	return true;
}

/* Copies a field into its slot, or makes a view. */
static int pass_field(const struct links *links, unsigned f,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	if (links->how.borrows)
		tensor_borrow(out, in);
	else if (!exchange(links->how.spent[f], in, out))
		return tensor_copy(out, in, err);
	return 0;
}

/* Passes on the fields that no step changes. */
static int pass_untouched(const struct links *links, const struct sample *in,
    struct sample *out, struct error *err)
{
	struct chain_trace *trace = TRACES ? links->how.trace : NULL;

	for (unsigned f = 0; f < in->count; f++) {
		if (links->touched & (1u << f))
			continue;
		if (pass_field(links, f, &in->fields[f], &out->fields[f], err))
			return -1;
		if (trace && !links->how.borrows)
			trace_lap(trace, &trace->copy, in->fields[f].bytes,
			    in->fields[f].bytes);
	}
	return 0;
}

static int check_input(
    const struct links *links, const struct sample *in, struct error *err)
{
	const struct schema *schema = &links->in;

	if (in->count != schema->count)
		return error_set(err, ERROR_DATA, "has %u fields, expected %u",
		    in->count, schema->count);
	for (unsigned f = 0; f < in->count; f++)
		if (tensor_check(&in->fields[f], &schema->fields[f].type, err))
			return error_prefix(
			    err, "field %s", schema->fields[f].name);
	return 0;
}

/* Records the work of a group of fused links; `link` is its first. */
static void trace_fused(struct links *links, const struct link *link,
    const struct fuse_part *parts, uint64_t bytes_in)
{
	const struct stopwatch *watch = links->how.trace->watch;

	for (const struct link *l = link; l <= &links->links[link->fuse_last];
	     l++) {
		struct effort *effort = link_effort(links, l);

		if (l->field != link->field)
			continue;
		effort->calls++;
		effort->bytes_in += bytes_in;
		effort->bytes_out += parts->bytes;
		if (watch && watch->runs)
			stopwatch_give(watch, effort, parts->ns);
		bytes_in = parts++->bytes;
	}
}

static int run_fused(struct links *links, const struct link *link,
    const struct tensor *in, struct tensor *out, struct error *err)
{
	struct fuse_part parts[LINKS];
	const struct chain_trace *trace = TRACES ? links->how.trace : NULL;
	const struct fuse_draw draw = {
		.seed = links->how.seed,
		.epoch = links->how.epoch,
		.sample = links->how.sample,
		.parts = trace ? parts : NULL,
		.watch = trace && trace->watch && trace->watch->runs
		             ? trace->watch
		             : NULL,
	};

	if (fuse_run(link->fuse, &draw, in, out, err))
		return -1;
	if (trace)
		trace_fused(links, link, parts, in->bytes);
	return 0;
}

/* Runs all links; `fused`: with fused steps as one. */
static int run_links(struct links *links, bool fused, const struct sample *in,
    struct sample *out, struct error *err)
{
	const struct tensor *at[FIELDS_MAX];
	unsigned turn[FIELDS_MAX] = { 0 };

	for (unsigned f = 0; f < in->count; f++)
		at[f] = &in->fields[f];
	for (unsigned i = 0; i < links->count; i++) {
		const struct link *link = &links->links[i];
		const bool leads = fused && link->fuse;
		const bool last =
		    leads ? links->links[link->fuse_last].last : link->last;
		const unsigned f = link->field;
		struct tensor *to;

		if (fused && link->is_fused)
			continue;
		to = last ? &out->fields[f] : &links->scratch[f][turn[f]++ & 1];
		if (leads ? run_fused(links, link, at[f], to, err)
		          : run_link(links, link, at[f], to, err))
			return -1;
		at[f] = to;
	}
	return 0;
}

/*
 * If fused links fail, all links run one by one, so that the error is the usual
 * one.
 */
int links_run(struct links *links, const struct links_how *how,
    const struct sample *in, struct sample *out, struct error *err)
{
	links->how = *how;
	if (check_input(links, in, err))
		return -1;
	if (run_links(links, true, in, out, err)) {
		if (!links->fuses || run_links(links, false, in, out, err))
			return -1;
		if (TRACES && how->trace)
			how->trace->again++;
	}
	out->label = in->label;
	out->count = in->count;
	return pass_untouched(links, in, out, err);
}

bool links_are_random(const struct links *links)
{
	return links->random;
}

bool links_only_copy(const struct links *links)
{
	return links->count == 0;
}

bool links_get_group(
    const struct links *links, unsigned i, struct chain_group *group)
{
	unsigned first = 0;

	while (first < links->count && (!links->links[first].fuse || i-- > 0))
		first++;
	if (first == links->count)
		return false;
	*group = (struct chain_group){
		.field = links->links[first].field,
		.crops = links->links[first].crops,
	};
	for (unsigned l = first; l <= links->links[first].fuse_last; l++)
		if (links->links[l].field == group->field &&
		    links->links[l].step != CODEC)
			group->steps[group->count++] = links->links[l].step;
	return true;
}
