/*
 * field_steps.c - see field_steps.h.
 *
 * Each field passes through its own steps. Between two steps it lies in one of
 * two scratch tensors, used in turn. The last step that changes it writes into
 * the output's field.
 */
#include <limits.h>

#include "lib/pipeline/field_steps_state.h"

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
		    steps->how.sample, step->given);
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
	out->is_large = false;
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

int field_steps_check(
    const struct field_steps *steps, const struct sample *in, struct error *err)
{
	return sample_check(in, &steps->in, err);
}

/* The time of the timed parts of a group of fused steps. */
static uint64_t fused_ns(const struct field_steps *steps,
    const struct field_step *step, const struct fuse_part *parts)
{
	uint64_t ns = 0;

	for (const struct field_step *l = step;
	     l <= &steps->list[step->fuse_last]; l++)
		if (l->field == step->field)
			ns += parts++->ns;
	return ns;
}

/* Records the work of a group of fused steps; `step` is its first. */
static void trace_fused(struct field_steps *steps,
    const struct field_step *step, const struct fuse_part *parts,
    uint64_t bytes_in)
{
	struct stopwatch *watch = steps->how.trace->watch;
	const bool is_timed = watch && watch->runs;
	uint64_t left_ns = is_timed ? fused_ns(steps, step, parts) : 0;

	for (const struct field_step *l = step;
	     l <= &steps->list[step->fuse_last]; l++) {
		struct activity_cost *cost = cost_of(steps, l);

		if (l->field != step->field)
			continue;
		cost->calls++;
		cost->bytes_in += bytes_in;
		cost->bytes_out += parts->bytes;
		if (is_timed) {
			stopwatch_give_part(watch, cost, parts->ns, left_ns);
			left_ns -= parts->ns;
		}
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

/* A sample between its steps. */
struct passage {
	bool fused; /* run fused steps as one */
	const struct tensor *at[FIELDS_MAX];
	unsigned turn[FIELDS_MAX]; /* which scratch tensor is next */
};

static void begin(struct passage *passage, bool fused, const struct sample *in)
{
	*passage = (struct passage){ .fused = fused };
	for (unsigned f = 0; f < in->count; f++)
		passage->at[f] = &in->fields[f];
}

/* Runs a step, or the group of fused steps that it leads. */
static int pass_step(struct field_steps *steps, struct passage *passage,
    const struct field_step *step, struct sample *out, struct error *err)
{
	const bool leads = passage->fused && step->fuse;
	const bool last =
	    leads ? steps->list[step->fuse_last].last : step->last;
	const unsigned f = step->field;
	struct tensor *to;

	if (passage->fused && step->is_fused)
		return 0;
	to =
	    last ? &out->fields[f] : &steps->scratch[f][passage->turn[f]++ & 1];
	if (leads ? run_fused(steps, step, passage->at[f], to, err)
	          : run_one(steps, step, passage->at[f], to, err))
		return -1;
	passage->at[f] = to;
	return 0;
}

/* Is the step, or one before it on its field, run for several samples? */
static bool is_ahead(const struct field_steps *steps, unsigned i)
{
	return i <= steps->several &&
	       steps->list[i].field == steps->list[steps->several].field;
}

/* Runs all steps; `taken`: the output of the step that was run before. */
static int run_all(struct field_steps *steps, bool fused,
    const struct tensor *taken, const struct sample *in, struct sample *out,
    struct error *err)
{
	struct passage passage;

	begin(&passage, fused, in);
	if (taken)
		passage.at[steps->list[steps->several].field] = taken;
	for (unsigned i = 0; i < steps->count; i++)
		if (!(taken && is_ahead(steps, i)) &&
		    pass_step(steps, &passage, &steps->list[i], out, err))
			return -1;
	return 0;
}

/* If fused steps fail, they run one by one, for the usual error. */
static int run_or_blame(struct field_steps *steps, const struct tensor *taken,
    const struct sample *in, struct sample *out, struct error *err)
{
	if (run_all(steps, true, taken, in, out, err) == 0)
		return 0;
	if (!steps->fuses || run_all(steps, false, taken, in, out, err))
		return -1;
	if (TRACES && steps->how.trace)
		steps->how.trace->again++;
	return 0;
}

/* ---- several samples at a time ---- */

static int put_input(struct field_steps *steps, const struct field_step *step,
    unsigned slot, const struct tensor *in, struct error *err)
{
	struct chain_trace *trace = TRACES ? steps->how.trace : NULL;
	struct random random = { .left = 0 };

	in = align_input(steps, step->ops, in, err);
	if (!in)
		return -1;
	if (steps->random)
		random = random_stream(steps->how.seed, steps->how.epoch,
		    steps->how.sample, step->given);
	if (step->ops->several->put(step->priv, slot, &random, in, err))
		return error_prefix(err, "step %s", step->ops->name);
	if (trace)
		cost_of(steps, step)->bytes_in += in->bytes;
	if (trace && trace->watch)
		stopwatch_add(trace->watch, cost_of(steps, step));
	return 0;
}

/* Runs what comes before the step, whose input goes into a slot. */
static int prepare_one(struct field_steps *steps, bool fused, unsigned slot,
    const struct sample *in, struct error *err)
{
	const struct field_step *step = &steps->list[steps->several];
	struct passage passage;

	begin(&passage, fused, in);
	for (unsigned i = 0; i < steps->several; i++)
		if (is_ahead(steps, i) &&
		    pass_step(steps, &passage, &steps->list[i], NULL, err))
			return -1;
	return put_input(steps, step, slot, passage.at[step->field], err);
}

/* Divides the time of a run among its samples. */
static void trace_several(struct field_steps *steps, unsigned count)
{
	struct chain_trace *trace = steps->how.trace;
	struct activity_cost *cost =
	    cost_of(steps, &steps->list[steps->several]);
	uint64_t ns;

	cost->calls += count;
	if (!trace->watch || !trace->watch->runs)
		return;
	ns = stopwatch_read(trace->watch) / count;
	for (unsigned i = 0; i < count; i++)
		stopwatch_give(trace->watch, cost, ns);
	stopwatch_show(trace->watch, cost);
}

unsigned field_steps_several(const struct field_steps *steps)
{
	const struct field_step *step = &steps->list[steps->several];

	return steps->several < steps->count
	           ? step->ops->several->count(step->priv)
	           : 1;
}

int field_steps_prepare(struct field_steps *steps,
    const struct field_steps_how *how, const struct sample *in, unsigned count,
    uint64_t most, struct error *err)
{
	const struct field_step *step = &steps->list[steps->several];
	unsigned slots = 0;

	steps->how = *how;
	steps->prepared = 0;
	steps->next = 0;
	for (unsigned i = 0; i < count; i++) {
		struct error *refusal = &steps->refusals[i];

		if (steps->random)
			steps->how.sample = sample_id(in[i].key);
		steps->slots[i] = UINT_MAX;
		if (sample_check_room(&in[i], most, refusal) == 0 &&
		    field_steps_check(steps, &in[i], refusal) == 0 &&
		    (prepare_one(steps, true, slots, &in[i], refusal) == 0 ||
		        prepare_one(steps, false, slots, &in[i], refusal) == 0))
			steps->slots[i] = slots++;
	}
	if (slots && step->ops->several->run_all(step->priv, slots, err))
		return error_prefix(err, "step %s", step->ops->name);
	if (TRACES && how->trace && slots)
		trace_several(steps, slots);
	steps->prepared = count;
	return 0;
}

void field_steps_forget(struct field_steps *steps)
{
	steps->prepared = 0;
	steps->next = 0;
}

int field_steps_hold(struct field_steps *steps, struct error *err)
{
	for (unsigned i = 0; i < steps->count; i++) {
		const struct field_step *step = &steps->list[i];

		if (step->ops->several &&
		    step->ops->several->hold(step->priv, err))
			return error_prefix(err, "step %s", step->ops->name);
	}
	return 0;
}

void field_steps_rest(struct field_steps *steps)
{
	field_steps_forget(steps);
	for (unsigned i = 0; i < steps->count; i++)
		if (steps->list[i].ops->several)
			steps->list[i].ops->several->rest(steps->list[i].priv);
}

bool field_steps_are_prepared(const struct field_steps *steps)
{
	return steps->next < steps->prepared;
}

/* Takes the output of the step for the next prepared sample. */
static int take_prepared(
    struct field_steps *steps, struct tensor *taken, struct error *err)
{
	const struct field_step *step = &steps->list[steps->several];
	const unsigned i = steps->next++;

	*taken = (struct tensor)TENSOR_INIT;
	if (steps->slots[i] == UINT_MAX) {
		*err = steps->refusals[i];
		return -1;
	}
	if (step->ops->several->take(step->priv, steps->slots[i], taken, err) ||
	    (step->promised && tensor_check(taken, step->promised, err)))
		return error_prefix(err, "step %s", step->ops->name);
	return 0;
}

/* Runs the other steps of a prepared sample. */
static int run_prepared(struct field_steps *steps, const struct sample *in,
    struct sample *out, struct error *err)
{
	const struct field_step *step = &steps->list[steps->several];
	struct chain_trace *trace = TRACES ? steps->how.trace : NULL;
	struct tensor taken;

	if (take_prepared(steps, &taken, err))
		return -1;
	if (step->last && tensor_copy(&out->fields[step->field], &taken, err))
		return error_prefix(err, "step %s", step->ops->name);
	if (trace)
		cost_of(steps, step)->bytes_out += taken.bytes;
	if (trace && trace->watch)
		stopwatch_add(trace->watch, cost_of(steps, step));
	return run_or_blame(steps, &taken, in, out, err);
}

/* ---- one sample ---- */

int field_steps_run(struct field_steps *steps,
    const struct field_steps_how *how, const struct sample *in,
    struct sample *out, struct error *err)
{
	steps->how = *how;
	if (field_steps_are_prepared(steps)) {
		if (run_prepared(steps, in, out, err))
			return -1;
	} else if (field_steps_check(steps, in, err) ||
	           run_or_blame(steps, NULL, in, out, err)) {
		return -1;
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
