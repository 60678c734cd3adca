/*
 * chain.c - see chain.h.
 *
 * A chain is a row of stages. A stage begins with steps on single fields
 * (links.h). All stages except the last end with a whole-sample step, which
 * makes the input of the next stage, once or several times.
 */
#include <stdlib.h>

#include "lib/base/error.h"
#include "lib/base/room.h"
#include "lib/pipeline/stage.h"
#include "lib/steps/step.h"

struct chain {
	struct stage *stages;
	unsigned count;
	unsigned base;  /* the stage where the sample was begun or joined */
	unsigned depth; /* the last stage that has a sample */
	bool is_begun;
	bool is_taken; /* number `taken` is made next, at `depth` */
	uint64_t taken;
	uint64_t most; /* limit on the bytes of a sample, see room.h */
	bool random;   /* a step draws: sample ids are needed */
	uint64_t seed;
	uint32_t epoch;
	struct chain_trace *trace;
};

static bool is_last(const struct chain *chain, unsigned stage)
{
	return stage + 1 == chain->count;
}

static bool makes_many(const struct chain *chain, unsigned number)
{
	const struct stage *stage = &chain->stages[number];

	return stage->step && stage->step->ops->sample->many;
}

static int open_stages(
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
		if (stage_open(
		        &chain->stages[chain->count++], plan, &part, err))
			return -1;
		chain->random |=
		    links_are_random(chain->stages[chain->count - 1].links);
		from = to + 1;
	}
	return 0;
}

/* Finds pairs of stages whose steps run as one; no step is in two pairs. */
static void find_pairs(struct chain *chain)
{
	for (unsigned i = 0; i + 2 < chain->count; i++)
		if (stage_pair(&chain->stages[i], &chain->stages[i + 1]))
			i++;
}

struct chain *chain_new(const struct chain_plan *plan, struct error *err)
{
	struct chain *chain = calloc(1, sizeof(*chain));
	const size_t most = plan->to - plan->from + 1;

	if (chain)
		chain->stages = calloc(most, sizeof(*chain->stages));
	if (!chain || !chain->stages) {
		error_memory(err, most * sizeof(*chain->stages));
		chain_free(chain);
		return NULL;
	}
	chain->most = plan->pipeline->limits.sample;
	if (open_stages(chain, plan, err)) {
		chain_free(chain);
		return NULL;
	}
	if (!plan->unfused)
		find_pairs(chain);
	return chain;
}

void chain_free(struct chain *chain)
{
	if (!chain)
		return;
	for (unsigned i = 0; i < chain->count; i++)
		stage_close(&chain->stages[i]);
	free(chain->stages);
	free(chain);
}

bool chain_only_copies(const struct chain *chain)
{
	return chain->count == 1 && links_only_copy(chain->stages[0].links);
}

bool chain_get_group(
    const struct chain *chain, unsigned i, struct chain_group *group)
{
	for (unsigned s = 0; s < chain->count; s++) {
		const struct stage *stage = &chain->stages[s];

		for (unsigned g = 0; links_get_group(stage->links, g, group);
		     g++)
			if (i-- == 0)
				return true;
		if (stage->pair && i-- == 0) {
			stage_get_group(stage, group);
			return true;
		}
	}
	return false;
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

/* ---- one whole-sample step ---- */

/*
 * Returns the tensor that owns the memory of a field in the last stage's input,
 * if no more samples are made from it; else NULL.
 */
static struct tensor *find_spent(
    const struct chain *chain, const struct tensor *field)
{
	for (unsigned s = chain->count - 1; s-- > 0;) {
		struct sample *made = &chain->stages[s].made;

		for (unsigned f = 0; f < made->count; f++)
			if (made->fields[f].owned &&
			    made->fields[f].data == field->data)
				return &made->fields[f];
		if (makes_many(chain, s))
			break;
	}
	return NULL;
}

static int run_links(struct chain *chain, const struct stage *stage,
    const struct sample *in, struct sample *out, struct error *err)
{
	struct links_how how = {
		.seed = chain->seed,
		.epoch = chain->epoch,
		.sample = chain->random ? sample_id(in->key) : 0,
		.borrows = stage->step != NULL,
		.trace = chain->trace,
	};

	for (unsigned f = 0; !stage->step && f < in->count; f++)
		how.spent[f] = find_spent(chain, &in->fields[f]);
	if (links_run(stage->links, &how, in, out, err))
		return -1;
	out->key = in->key;
	return 0;
}

static struct random draw(
    const struct chain *chain, const struct stage *stage, struct span key)
{
	if (!chain->random)
		return (struct random){ .left = 0 };
	return random_stream(
	    chain->seed, chain->epoch, sample_id(key), stage->index);
}

static void trace_begin(const struct chain *chain, const struct stage *stage)
{
	struct chain_trace *trace = chain->trace;
	struct effort *effort = &trace->steps[stage->index];

	effort->bytes_in += sample_bytes(&stage->in);
	if (trace->watch)
		stopwatch_add(trace->watch, effort);
}

static void trace_make(const struct chain *chain, const struct stage *stage)
{
	struct chain_trace *trace = chain->trace;
	struct effort *effort = &trace->steps[stage->index];

	effort->bytes_out += sample_bytes(&stage->made);
	if (trace->watch)
		stopwatch_lap(trace->watch, effort);
	else
		effort->calls++;
}

static int begin_step(
    struct chain *chain, struct stage *stage, struct error *err)
{
	const struct step_ops *ops = stage->step->ops;
	struct random random = draw(chain, stage, stage->in.key);

	stage->count = 1;
	if (stage_align(stage, err))
		return -1;
	if (ops->sample->begin(
	        stage->priv, &random, &stage->in, &stage->count, err))
		return error_prefix(err, "step %s", ops->name);
	if (TRACES && chain->trace)
		trace_begin(chain, stage);
	return 0;
}

/*
 * Gives this stage a sample. The last stage does its work only in chain_next.
 */
static int enter(struct chain *chain, unsigned number, const struct sample *in,
    struct error *err)
{
	struct stage *stage = &chain->stages[number];

	stage->next = 0;
	stage->share = NULL;
	if (is_last(chain, number)) {
		stage->in = *in;
		stage->count = 1;
	} else {
		if (run_links(chain, stage, in, &stage->linked, err))
			return -1;
		stage->in = stage->linked;
		if (begin_step(chain, stage, err))
			return -1;
	}
	chain->depth = number;
	return 0;
}

static int make(struct chain *chain, struct stage *stage, uint64_t number,
    struct error *err)
{
	const struct step_ops *ops = stage->step->ops;
	struct random random;

	if (stage_set_key(stage, number, err))
		return -1;
	random = draw(chain, stage, stage->made.key);
	stage->made.label = stage->in.label;
	if (ops->sample->make(
	        stage->priv, &random, &stage->in, number, &stage->made, err))
		return error_prefix(err, "step %s", ops->name);
	if (TRACES && chain->trace)
		trace_make(chain, stage);
	return 0;
}

/* Records a lap of two fused steps; `first`: the first one's fraction of it. */
static void trace_pair(const struct chain *chain, const struct stage *stage,
    const struct stage *next, double first)
{
	struct chain_trace *trace = chain->trace;
	struct effort *one = &trace->steps[stage->index];
	struct effort *other = &trace->steps[next->index];
	uint64_t ns, ours;

	one->calls++;
	other->calls++;
	other->bytes_out += sample_bytes(&next->made);
	if (!trace->watch || !trace->watch->runs)
		return;
	ns = stopwatch_read(trace->watch);
	ours = (uint64_t)(first * (double)ns);
	stopwatch_give(trace->watch, one, ours);
	stopwatch_give(trace->watch, other, ns - ours);
}

/* Makes the sample behind a pair; then the next stage needs no more work. */
static int make_pair(
    struct chain *chain, struct stage *stage, struct error *err)
{
	struct stage *next = stage + 1;
	double first = 0;

	next->made.key = stage->in.key;
	next->made.label = stage->in.label;
	if (stage->pair->make(
	        stage->priv, next->priv, &stage->in, &next->made, &first, err))
		return -1;
	next->count = 1;
	next->next = 1;
	next->share = NULL;
	if (TRACES && chain->trace)
		trace_pair(chain, stage, next, first);
	return 0;
}

/* ---- the samples that one sample yields ---- */

/*
 * Makes sample `number`, and gives it to the next stage, or to the one behind a
 * pair.
 */
static int go_on(struct chain *chain, uint64_t number, struct error *err)
{
	struct stage *stage = &chain->stages[chain->depth];

	if (stage->pair && !make_pair(chain, stage, err))
		return enter(chain, chain->depth + 2, &stage[1].made, err);
	if (make(chain, stage, number, err))
		return -1;
	if (TRACES && stage->pair && chain->trace)
		chain->trace->again++;
	return enter(chain, chain->depth + 1, &stage->made, err);
}

/*
 * Goes on through stages that yield one sample, to the first that yields
 * several, or to the last.
 */
static int descend(struct chain *chain, struct error *err)
{
	while (
	    !is_last(chain, chain->depth) && !makes_many(chain, chain->depth)) {
		struct stage *stage = &chain->stages[chain->depth];

		if (stage->count == 0)
			return 0;
		if (go_on(chain, stage->next++, err))
			return -1;
	}
	return 0;
}

int chain_begin(struct chain *chain, const struct sample *in, struct error *err)
{
	int rc;

	chain->is_begun = false;
	chain->is_taken = false;
	if (sample_check_room(in, chain->most, err))
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

/* Takes the number of the next sample; the count when none is left. */
static uint64_t take(struct stage *stage)
{
	uint64_t next;

	if (!stage->share)
		return stage->next < stage->count ? stage->next++
		                                  : stage->count;
	next = atomic_fetch_add_explicit(
	    &stage->share->next, 1, memory_order_relaxed);
	return next < stage->count ? next : stage->count;
}

bool chain_more(struct chain *chain)
{
	while (chain->is_begun && !chain->is_taken) {
		struct stage *stage = &chain->stages[chain->depth];

		chain->taken = take(stage);
		if (chain->taken < stage->count)
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
		struct stage *stage = &chain->stages[chain->depth];

		chain->is_taken = false;
		if (is_last(chain, chain->depth)) {
			if (run_links(chain, stage, &stage->in, out, err))
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

int chain_run(struct chain *chain, const struct sample *in, struct sample *out,
    struct error *err)
{
	int got;

	if (chain_begin(chain, in, err))
		return -1;
	got = chain_next(chain, out, err);
	if (got == 0)
		return error_set(
		    err, ERROR_DATA, "nothing comes of the sample");
	return got < 0 ? -1 : 0;
}

uint64_t chain_count(const struct chain *chain)
{
	return chain->stages[chain->base].count;
}

void chain_offer(struct chain *chain, struct chain_share *share)
{
	struct stage *stage = &chain->stages[chain->base];

	share->in = &stage->in;
	share->stage = chain->base;
	share->count = stage->count;
	atomic_store(&share->next, stage->next);
	stage->share = share;
}

int chain_join(
    struct chain *chain, struct chain_share *share, struct error *err)
{
	struct stage *stage = &chain->stages[share->stage];
	int rc;

	chain->is_begun = false;
	chain->is_taken = false;
	chain->base = share->stage;
	chain->depth = share->stage;
	stage->in = *share->in;
	stage->next = 0;
	room_enter(chain->most);
	rc = begin_step(chain, stage, err);
	room_leave();
	if (rc)
		return -1;
	if (stage->count != share->count)
		return error_set(err, ERROR_DATA,
		    "step %s does not make as many samples each time",
		    stage->step->ops->name);
	stage->share = share;
	chain->is_begun = true;
	return 0;
}
