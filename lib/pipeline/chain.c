/*
 * chain.c - see chain.h.
 *
 * A chain is a row of segments. A segment begins with steps on single fields
 * (field_steps.h). All segments except the last end with a whole-sample step,
 * which makes the input of the next segment, once or several times.
 */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/base/room.h"
#include "lib/pipeline/segment.h"
#include "lib/steps/step.h"

struct chain {
	struct segment *segments;
	unsigned count;
	unsigned base;  /* the segment where the sample was begun or joined */
	unsigned depth; /* the last segment that has a sample */
	bool is_begun;
	bool is_taken; /* number `taken` is made next, at `depth` */
	uint64_t taken;
	uint64_t end;  /* at `base`, numbers from here on are left out */
	uint64_t most; /* limit on the bytes of a sample, see room.h */
	bool random;   /* a step draws: sample ids are needed */
	uint64_t filtered;
	uint64_t seed;
	uint32_t epoch;
	struct chain_trace *trace;
};

static bool is_last(const struct chain *chain, unsigned segment)
{
	return segment + 1 == chain->count;
}

static bool makes_many(const struct chain *chain, unsigned number)
{
	const struct segment *segment = &chain->segments[number];

	return segment->step && segment->step->ops->sample->many;
}

static int open_segments(
    struct chain *chain, const struct chain_plan *plan, struct error *err)
{
	unsigned from = plan->from;

	for (unsigned to = plan->from; to <= plan->to; to++) {
		const struct pipeline_step *step = &plan->pipeline->steps[to];
		struct chain_plan part = *plan;

		if (to < plan->to && !step->ops->sample)
			continue;
		part.from = from;
		part.to = to;
		part.decode = chain->count == 0 ? plan->decode : NULL;
		part.encode = to == plan->to ? plan->encode : NULL;
		chain->random |= to < plan->to && step->random;
		if (segment_open(
		        &chain->segments[chain->count++], plan, &part, err))
			return -1;
		chain->random |= field_steps_are_random(
		    chain->segments[chain->count - 1].field_steps);
		from = to + 1;
	}
	return 0;
}

/* Finds pairs of segments whose steps run as one; no step is in two pairs. */
static void find_fused_pairs(struct chain *chain)
{
	for (unsigned i = 0; i + 2 < chain->count; i++)
		if (segment_fuse(&chain->segments[i], &chain->segments[i + 1]))
			i++;
}

struct chain *chain_new(const struct chain_plan *plan, struct error *err)
{
	struct chain *chain = calloc(1, sizeof(*chain));
	const size_t most = plan->to - plan->from + 1;

	if (chain)
		chain->segments = calloc(most, sizeof(*chain->segments));
	if (!chain || !chain->segments) {
		error_memory(err, most * sizeof(*chain->segments));
		chain_free(chain);
		return NULL;
	}
	chain->most = plan->pipeline->limits.sample;
	if (open_segments(chain, plan, err)) {
		chain_free(chain);
		return NULL;
	}
	if (!plan->unfused)
		find_fused_pairs(chain);
	return chain;
}

void chain_free(struct chain *chain)
{
	if (!chain)
		return;
	for (unsigned i = 0; i < chain->count; i++)
		segment_close(&chain->segments[i]);
	free(chain->segments);
	free(chain);
}

bool chain_only_copies(const struct chain *chain)
{
	return chain->count == 1 &&
	       field_steps_only_copy(chain->segments[0].field_steps);
}

bool chain_get_fused(
    const struct chain *chain, unsigned i, struct fused_steps *group)
{
	for (unsigned s = 0; s < chain->count; s++) {
		const struct segment *segment = &chain->segments[s];

		for (unsigned g = 0;
		     field_steps_get_fused(segment->field_steps, g, group); g++)
			if (i-- == 0)
				return true;
		if (segment->fused_pair && i-- == 0) {
			segment_get_fused(segment, group);
			return true;
		}
	}
	return false;
}

void chain_set_draw(struct chain *chain, uint64_t seed, uint32_t epoch)
{
	chain->seed = seed;
	chain->epoch = epoch;
	field_steps_forget(chain->segments[0].field_steps);
}

void chain_set_trace(struct chain *chain, struct chain_trace *trace)
{
	chain->trace = trace;
}

/* ---- one whole-sample step ---- */

/*
 * Returns the tensor that owns the memory of a field in the last segment's
 * input, if no more samples are made from it; else NULL.
 */
static struct tensor *find_reusable(
    const struct chain *chain, const struct tensor *field)
{
	for (unsigned s = chain->count - 1; s-- > 0;) {
		struct sample *made = &chain->segments[s].made;

		for (unsigned f = 0; f < made->count; f++)
			if (made->fields[f].owned &&
			    made->fields[f].data == field->data)
				return &made->fields[f];
		if (makes_many(chain, s))
			break;
	}
	return NULL;
}

static int run_field_steps(struct chain *chain, const struct segment *segment,
    const struct sample *in, struct sample *out, struct error *err)
{
	struct field_steps_how how = {
		.seed = chain->seed,
		.epoch = chain->epoch,
		.sample = chain->random ? sample_id(in->key) : 0,
		.borrows = segment->step != NULL,
		.trace = chain->trace,
	};

	for (unsigned f = 0; !segment->step && f < in->count; f++)
		how.reusable[f] = find_reusable(chain, &in->fields[f]);
	if (field_steps_run(segment->field_steps, &how, in, out, err))
		return -1;
	out->key = in->key;
	return 0;
}

static struct random draw(
    const struct chain *chain, const struct segment *segment, struct span key)
{
	if (!chain->random)
		return (struct random){ .left = 0 };
	return random_stream(
	    chain->seed, chain->epoch, sample_id(key), segment->step->given);
}

static int begin_step(
    struct chain *chain, struct segment *segment, struct error *err)
{
	const struct step_ops *ops = segment->step->ops;
	struct random random = draw(chain, segment, segment->in.key);

	segment->count = 1;
	if (segment_align(segment, err))
		return -1;
	if (ops->sample->begin(
	        segment->priv, &random, &segment->in, &segment->count, err))
		return error_prefix(err, "step %s", ops->name);
	if (TRACES && chain->trace)
		segment_trace_begin(segment, chain->trace);
	return 0;
}

/* Gives this segment a sample; the last one works only in chain_next. */
static int enter(struct chain *chain, unsigned number, const struct sample *in,
    struct error *err)
{
	struct segment *segment = &chain->segments[number];

	segment->next = 0;
	segment->split = NULL;
	if (is_last(chain, number)) {
		sample_view(&segment->in, in);
		segment->count = 1;
	} else {
		if (run_field_steps(
		        chain, segment, in, &segment->field_output, err))
			return -1;
		sample_view(&segment->in, &segment->field_output);
		if (begin_step(chain, segment, err))
			return -1;
		chain->filtered +=
		    segment->step->ops->sample->drops && !segment->count;
	}
	chain->depth = number;
	return 0;
}

static int make(struct chain *chain, struct segment *segment, uint64_t number,
    struct error *err)
{
	const struct step_ops *ops = segment->step->ops;
	struct random random;

	if (segment_set_key(segment, number, err))
		return -1;
	random = draw(chain, segment, segment->made.key);
	segment->made.label = segment->in.label;
	if (ops->sample->make(segment->priv, &random, &segment->in, number,
	        &segment->made, err))
		return error_prefix(err, "step %s", ops->name);
	if (TRACES && chain->trace)
		segment_trace_make(segment, chain->trace);
	return 0;
}

/* Makes the sample behind a pair; then the next segment needs no more work. */
static int make_fused_pair(
    struct chain *chain, struct segment *segment, struct error *err)
{
	struct segment *next = segment + 1;
	double first = 0;

	next->made.key = segment->in.key;
	next->made.label = segment->in.label;
	if (segment->fused_pair->make(segment->priv, next->priv, &segment->in,
	        &next->made, &first, err))
		return -1;
	next->count = 1;
	next->next = 1;
	next->split = NULL;
	if (TRACES && chain->trace)
		segment_trace_pair(segment, next, first, chain->trace);
	return 0;
}

/* ---- the samples that one sample yields ---- */

/* Makes sample `number` for the next segment, or the one behind a pair. */
static int go_on(struct chain *chain, uint64_t number, struct error *err)
{
	struct segment *segment = &chain->segments[chain->depth];

	if (segment->fused_pair && !make_fused_pair(chain, segment, err))
		return enter(chain, chain->depth + 2, &segment[1].made, err);
	if (make(chain, segment, number, err))
		return -1;
	if (TRACES && segment->fused_pair && chain->trace)
		chain->trace->again++;
	return enter(chain, chain->depth + 1, &segment->made, err);
}

/* Goes on to the first segment that yields several samples, or the last. */
static int descend(struct chain *chain, struct error *err)
{
	while (
	    !is_last(chain, chain->depth) && !makes_many(chain, chain->depth)) {
		struct segment *segment = &chain->segments[chain->depth];

		if (segment->count == 0)
			return 0;
		if (go_on(chain, segment->next++, err))
			return -1;
	}
	return 0;
}

int chain_begin(struct chain *chain, const struct sample *in, struct error *err)
{
	int rc;

	chain->is_begun = false;
	chain->is_taken = false;
	chain->end = UINT64_MAX;
	if (!field_steps_are_prepared(chain->segments[0].field_steps) &&
	    sample_check_room(in, chain->most, err))
		return -1;
	room_enter(chain->most);
	rc = enter(chain, 0, in, err) || descend(chain, err) ? -1 : 0;
	room_leave();
	if (rc)
		return -1;
	chain->base = chain->depth;
	chain->is_begun = true;
	return 0;
}

int chain_hold(struct chain *chain, struct error *err)
{
	for (unsigned i = 0; i < chain->count; i++)
		if (segment_hold(&chain->segments[i], err))
			return -1;
	return 0;
}

void chain_rest(struct chain *chain)
{
	for (unsigned i = 0; i < chain->count; i++)
		segment_rest(&chain->segments[i]);
}

unsigned chain_several(const struct chain *chain)
{
	return field_steps_several(chain->segments[0].field_steps);
}

int chain_prepare(struct chain *chain, const struct sample *in, unsigned count,
    struct error *err)
{
	const struct field_steps_how how = {
		.seed = chain->seed,
		.epoch = chain->epoch,
		.trace = chain->trace,
	};
	int rc;

	room_enter(chain->most);
	rc = field_steps_prepare(
	    chain->segments[0].field_steps, &how, in, count, chain->most, err);
	room_leave();
	return rc;
}

/* Takes the number of the next sample; the count when none is left. */
static uint64_t take(const struct chain *chain, struct segment *segment)
{
	uint64_t next;

	if (chain->depth == chain->base && segment->next >= chain->end)
		return segment->count;
	if (!segment->split)
		return segment->next < segment->count ? segment->next++
		                                      : segment->count;
	next = atomic_fetch_add_explicit(
	    &segment->split->next, 1, memory_order_relaxed);
	return next < segment->count ? next : segment->count;
}

bool chain_more(struct chain *chain)
{
	while (chain->is_begun && !chain->is_taken) {
		struct segment *segment = &chain->segments[chain->depth];

		chain->taken = take(chain, segment);
		if (chain->taken < segment->count)
			chain->is_taken = true;
		else if (chain->depth == chain->base)
			chain->is_begun = false;
		else
			chain->depth--;
	}
	return chain->is_begun;
}

static int next(struct chain *chain, struct sample *out, struct error *err)
{
	while (chain_more(chain)) {
		struct segment *segment = &chain->segments[chain->depth];

		chain->is_taken = false;
		if (is_last(chain, chain->depth)) {
			if (run_field_steps(
			        chain, segment, &segment->in, out, err))
				return -1;
			if (TRACES && chain->trace)
				chain->trace->samples++;
			return 1;
		}
		if (go_on(chain, chain->taken, err))
			return -1;
	}
	return 0;
}

int chain_next(struct chain *chain, struct sample *out, struct error *err)
{
	int got;

	room_enter(chain->most);
	got = next(chain, out, err);
	room_leave();
	return got;
}

int chain_admit(
    const struct chain *chain, const struct sample *in, struct error *err)
{
	if (sample_check_room(in, chain->most, err))
		return -1;
	return field_steps_check(chain->segments[0].field_steps, in, err);
}

uint64_t chain_take_filtered(struct chain *chain)
{
	const uint64_t filtered = chain->filtered;

	chain->filtered = 0;
	return filtered;
}

uint64_t chain_count(const struct chain *chain)
{
	return chain->segments[chain->base].count;
}

void chain_offer(struct chain *chain, struct chain_split *split)
{
	struct segment *segment = &chain->segments[chain->base];

	split->in = &segment->in;
	split->segment = chain->base;
	split->count = segment->count;
	atomic_store(&split->next, segment->next);
	segment->split = split;
}

int chain_join(
    struct chain *chain, struct chain_split *split, struct error *err)
{
	struct segment *segment = &chain->segments[split->segment];
	int rc;

	chain->is_begun = false;
	chain->is_taken = false;
	chain->end = UINT64_MAX;
	chain->base = split->segment;
	chain->depth = split->segment;
	sample_view(&segment->in, split->in);
	segment->next = 0;
	room_enter(chain->most);
	rc = begin_step(chain, segment, err);
	room_leave();
	if (rc)
		return -1;
	if (segment->count != split->count)
		return error_set(err, ERROR_DATA,
		    "step %s does not make as many samples each time",
		    segment->step->ops->name);
	segment->split = split;
	chain->is_begun = true;
	return 0;
}

void chain_set_range(struct chain *chain, uint64_t from, uint64_t end)
{
	struct segment *segment = &chain->segments[chain->base];

	segment->split = NULL;
	segment->next = from;
	chain->end = end;
	chain->depth = chain->base;
	chain->is_begun = true;
	chain->is_taken = false;
}
