/* segment.c - see segment.h. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/pipeline/segment.h"
#include "lib/sample/pool.h"

enum { KEY_MORE = 24 }; /* "-000000" and longer */

int segment_open(struct segment *segment, const struct chain_plan *plan,
    const struct chain_plan *part, struct error *err)
{
	const struct pipeline *pipeline = plan->pipeline;
	struct schema out;

	segment->field_steps = field_steps_new(part, err);
	if (!segment->field_steps)
		return -1;
	if (part->to == plan->to)
		return 0;
	segment->index = part->to;
	segment->step = &pipeline->steps[part->to];
	segment->priv = calloc(1, segment->step->ops->priv_size + 1);
	if (!segment->priv)
		return error_memory(err, segment->step->ops->priv_size);
	out = pipeline->schemas[part->to];
	if (segment->step->ops->sample->bind(segment->priv,
	        segment->step->options, &pipeline->schemas[part->to],
	        segment->step->fields, &out, err))
		return error_prefix(err, "step %s", segment->step->ops->name);
	segment->made.count = out.count;
	for (unsigned f = 0; f < out.count; f++)
		if (type_bytes(&out.fields[f].type) < 0)
			segment->made.fields[f].block = pool_empty(plan->pool);
	return 0;
}

void segment_close(struct segment *segment)
{
	field_steps_free(segment->field_steps);
	sample_release(&segment->field_output);
	sample_release(&segment->made);
	for (unsigned f = 0; f < FIELDS_MAX; f++)
		tensor_release(&segment->aligned[f]);
	if (segment->priv && segment->step->ops->release)
		segment->step->ops->release(segment->priv);
	free(segment->priv);
	buf_release(&segment->key);
}

bool segment_fuse(struct segment *segment, const struct segment *next)
{
	const struct fused_pair_ops *pair =
	    segment->step->ops->sample->fused_pair;

	if (!pair || pair->next != next->step->ops ||
	    !field_steps_only_copy(next->field_steps) ||
	    !pair->fits(segment->priv, next->priv))
		return false;
	segment->fused_pair = pair;
	segment->fused_index = next->index;
	return true;
}

void segment_get_fused(const struct segment *segment, struct fused_steps *fused)
{
	*fused = (struct fused_steps){
		.steps = { segment->index, segment->fused_index },
		.count = 2,
		.is_fused_pair = true,
	};
	while (!(segment->step->fields & (1u << fused->field)))
		fused->field++;
}

int segment_hold(struct segment *segment, struct error *err)
{
	const struct step_ops *ops = segment->step ? segment->step->ops : NULL;

	if (field_steps_hold(segment->field_steps, err))
		return -1;
	if (!ops || !ops->sample->hold ||
	    ops->sample->hold(segment->priv, err) == 0)
		return 0;
	return error_prefix(err, "step %s", ops->name);
}

void segment_rest(struct segment *segment)
{
	field_steps_rest(segment->field_steps);
	if (segment->step && segment->step->ops->sample->rest)
		segment->step->ops->sample->rest(segment->priv);
}

int segment_align(struct segment *segment, struct error *err)
{
	if (segment->step->ops->any_alignment)
		return 0;
	for (unsigned f = 0; f < segment->in.count; f++) {
		struct tensor *field = &segment->in.fields[f];
		const size_t mask = dtype_bytes(field->dtype) - 1;

		if (((uintptr_t)field->data & mask) == 0)
			continue;
		if (tensor_copy(&segment->aligned[f], field, err))
			return -1;
		tensor_borrow(field, &segment->aligned[f]);
	}
	return 0;
}

int segment_set_key(struct segment *segment, uint64_t number, struct error *err)
{
	const struct span key = segment->in.key;
	char more[KEY_MORE];
	int len;

	if (!segment->step->ops->sample->many) {
		segment->made.key = key;
		return 0;
	}
	len =
	    snprintf(more, sizeof(more), "-%06llu", (unsigned long long)number);
	segment->key.len = 0;
	if (buf_append(&segment->key, key.data, key.len, err) ||
	    buf_append(&segment->key, more, (size_t)len, err))
		return -1;
	segment->made.key = buf_span(&segment->key);
	return 0;
}

void segment_trace_begin(
    const struct segment *segment, struct chain_trace *trace)
{
	struct activity_cost *cost = &trace->steps[segment->index];

	cost->bytes_in += sample_bytes(&segment->in);
	if (trace->watch)
		stopwatch_add(trace->watch, cost);
}

void segment_trace_make(
    const struct segment *segment, struct chain_trace *trace)
{
	struct activity_cost *cost = &trace->steps[segment->index];

	cost->bytes_out += sample_bytes(&segment->made);
	if (trace->watch)
		stopwatch_lap(trace->watch, cost);
	else
		cost->calls++;
}

void segment_trace_pair(const struct segment *segment,
    const struct segment *next, double first, struct chain_trace *trace)
{
	struct activity_cost *one = &trace->steps[segment->index];
	struct activity_cost *other = &trace->steps[next->index];
	uint64_t ns, ours;

	one->calls++;
	other->calls++;
	other->bytes_out += sample_bytes(&next->made);
	if (!trace->watch || !trace->watch->runs)
		return;
	ns = stopwatch_read(trace->watch);
	ours = (uint64_t)(first * (double)ns);
	stopwatch_give_part(trace->watch, one, ours, ns);
	stopwatch_give_part(trace->watch, other, ns - ours, ns - ours);
}
