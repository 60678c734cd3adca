/* pilot_steps.c - see pilot_steps.h. */
#include "strategies/forecast/pilot_steps.h"

#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/pipeline/chain.h"
#include "strategies/forecast/held.h"
#include "strategies/forecast/packer.h"
#include "strategies/forecast/predict.h"

enum {
	/* the most samples looked at, if a step makes many of one */
	MANY_MOST = 4,
	/* samples whose online steps are timed from each representation */
	TAILS_MOST = 8,
	TAILS_LEAST = 2, /* even where they take long */
};

static const double tails_s = 0.4;

static double seconds_since(uint64_t start_ns)
{
	return (double)(clock_now(&clock_thread_cpu) - start_ns) / 1e9;
}

/* Two clocks of a call. */
struct timing {
	uint64_t cpu_ns, wall_ns;
};

static struct timing begin_timing(void)
{
	return (struct timing){ clock_now(&clock_thread_cpu),
		clock_now(&clock_monotonic) };
}

/*
 * Seconds of a call of step number `rep`: CPU time, which other programs do not
 * stretch.  A step of the user's own may wait instead, for a server or a
 * device; then the time counts that it waited.
 */
static double end_timing(
    const struct pilot *pilot, unsigned rep, const struct timing *since)
{
	static const double waits = 3; /* times its CPU time */
	const double cpu_s = seconds_since(since->cpu_ns);
	const double wall_s =
	    (double)(clock_now(&clock_monotonic) - since->wall_ns) / 1e9;

	if (!pilot->model->pipeline->steps[rep].ops->own ||
	    wall_s < waits * cpu_s)
		return cpu_s;
	return wall_s;
}

/* Does the next sample have its online steps timed? */
static bool wants_tails(const struct pilot *pilot)
{
	return pilot->tails_timed < TAILS_LEAST ||
	       (pilot->tails_timed < TAILS_MOST &&
	           (double)(clock_now(&clock_monotonic) - pilot->began_ns) <
	               tails_s * 1e9);
}

/*
 * If a step makes many samples of one, only a few of them, evenly spread, are
 * looked at: chooses the i-th of `tried`.
 */
static void choose(struct chain_split *split, unsigned i, unsigned tried)
{
	atomic_store(&split->next, split->count * i / tried);
}

static unsigned places(const struct chain_split *split)
{
	return split->count < MANY_MOST ? (unsigned)split->count : MANY_MOST;
}

/* Times steps that run as one, on the current sample of a representation. */
static int time_chain(struct pilot *pilot, struct chain *chain, unsigned rep,
    double *seconds, struct error *err)
{
	uint64_t start = clock_now(&clock_thread_cpu);
	struct chain_split split;
	unsigned tried;
	double made_s = 0;

	if (chain_begin(chain, &pilot->reps[rep], err))
		return -1;
	chain_offer(chain, &split);
	*seconds = seconds_since(start);
	tried = places(&split);
	for (unsigned i = 0; i < tried; i++) {
		choose(&split, i, tried);
		start = clock_now(&clock_thread_cpu);
		if (chain_next(chain, &pilot->out, err) < 0)
			return -1;
		made_s += seconds_since(start);
	}
	if (tried > 0)
		*seconds += made_s * (double)split.count / tried;
	return 0;
}

/*
 * Counts the current sample of the representation, which stands for `weight`
 * samples; -1 when a step refuses it.
 */
static int note(
    struct pilot *pilot, unsigned rep, double weight, struct error *err)
{
	const struct sample *sample = &pilot->reps[rep];
	struct tally *tally = &pilot->tally;
	double seconds = 0;

	tally->many[rep] += weight;
	tally->field_bytes[rep] += weight * (double)sample_bytes(sample);
	if (pilot->model->largest.sample[rep] < (double)sample_bytes(sample))
		pilot->model->largest.sample[rep] =
		    (double)sample_bytes(sample);
	shapes_note(&tally->shapes[rep], sample);
	if (!pilot->current.warming &&
	    rep <= pipeline_last_split(pilot->model->pipeline) &&
	    (packer_add(pilot->packer, rep, sample, err) ||
	        held_add(pilot->held, rep, sample, err)))
		return -1;
	if (rep < PIPELINE_STEPS && pilot->tails[rep] &&
	    pilot->current.times_tails &&
	    time_chain(pilot, pilot->tails[rep], rep, &seconds, err))
		return -1;
	tally->online_s[rep] += weight * seconds;
	return 0;
}

/* Runs the steps on the current sample and on all results, into the tally. */
static int run_steps(
    struct pilot *pilot, unsigned rep, double weight, struct error *err)
{
	struct timing start;
	struct chain *chain;
	struct chain_split split;
	double each;

	if (note(pilot, rep, weight, err))
		return -1;
	if (rep == pilot->model->pipeline->count)
		return 0;
	chain = pilot->chains[rep]; /* the last representation has none */
	start = begin_timing();
	if (chain_begin(chain, &pilot->reps[rep], err))
		return -1;
	chain_offer(chain, &split);
	pilot->tally.step_s[rep] += weight * end_timing(pilot, rep, &start);
	each =
	    places(&split) ? weight * (double)split.count / places(&split) : 0;
	for (unsigned i = 0; i < places(&split); i++) {
		choose(&split, i, places(&split));
		start = begin_timing();
		if (chain_next(chain, &pilot->reps[rep + 1], err) < 0)
			return -1;
		pilot->tally.step_s[rep] +=
		    each * end_timing(pilot, rep, &start);
		if (run_steps(pilot, rep + 1, each, err))
			return -1;
	}
	return 0;
}

/* Times the steps in front of each split, as a preparation runs them. */
static int time_heads(struct pilot *pilot, struct error *err)
{
	for (unsigned i = 0; pilot->current.times_tails && i <= PIPELINE_STEPS;
	     i++)
		if (pilot->heads.chains[i] &&
		    time_chain(pilot, pilot->heads.chains[i], 0,
		        &pilot->tally.offline_s[i], err))
			return -1;
	return 0;
}

static void add_heads(struct pilot *pilot)
{
	const struct tally *tally = &pilot->tally;
	double apart_s = 0;

	for (unsigned i = 0; i <= pilot->model->pipeline->count; i++) {
		pilot->heads.apart_s[i] += apart_s;
		pilot->heads.fused_s[i] += tally->offline_s[i];
		if (i < PIPELINE_STEPS)
			apart_s += tally->step_s[i];
	}
}

static void add_tally(struct pilot *pilot)
{
	struct model *model = pilot->model;
	const struct tally *tally = &pilot->tally;

	for (unsigned i = 0; i <= model->pipeline->count; i++) {
		model->many[i] += tally->many[i];
		model->field_bytes[i] += tally->field_bytes[i];
		model->online_s[i] += tally->online_s[i];
		if (i < model->pipeline->count)
			model->step_s[i] += tally->step_s[i];
	}
	memcpy(model->shapes, tally->shapes, sizeof(model->shapes));
	sizes_add(
	    &pilot->sizes, pilot->current.source_bytes, tally->field_bytes);
	if (pilot->current.times_tails) {
		add_heads(pilot);
		pilot->tails_timed++;
	}
	model->samples++;
}

/* Decodes the sample if the source is compressed: steps take it decoded. */
static int begin_sample(
    struct pilot *pilot, const struct sample *in, struct error *err)
{
	const uint64_t start = clock_now(&clock_thread_cpu);

	if (sample_check_room(in, pilot->model->pipeline->limits.sample, err))
		return -1;
	pilot->tally = (struct tally){ .step_s = { 0 } };
	pilot->current.times_tails = wants_tails(pilot);
	memcpy(pilot->tally.shapes, pilot->model->shapes,
	    sizeof(pilot->tally.shapes));
	if (pilot->current.times_tails)
		pilot->tally.online_s[0] = pilot->unpack_s;
	pilot->reps[0] = *in;
	if (!pilot->decoding)
		return 0;
	if (chain_run(pilot->decoding, in, &pilot->decoded, err))
		return -1;
	pilot->reps[0] = pilot->decoded;
	if (pilot->current.times_tails)
		pilot->tally.online_s[0] += seconds_since(start);
	return 0;
}

int pilot_sample(
    struct pilot *pilot, const struct sample *in, struct error *err)
{
	const bool warms = pilot->model->samples == 0 && pilot->timed;

	for (pilot->current.warming = warms;; pilot->current.warming = false) {
		if (begin_sample(pilot, in, err) ||
		    run_steps(pilot, 0, 1, err) || time_heads(pilot, err)) {
			reader_blame(pilot->source, &pilot->chunk, in, err);
			return pilot->skip_errors && err->code == ERROR_DATA
			           ? 0
			           : -1;
		}
		if (!pilot->current.warming)
			break;
	}
	add_tally(pilot);
	pilot->model->key_bytes += (double)in->key.len;
	return 0;
}

/* Opens the chains of several steps that run as one. */
static int open_fused(struct pilot *pilot, struct error *err)
{
	const struct pipeline *pipeline = pilot->model->pipeline;
	const unsigned last = pipeline_last_split(pipeline);

	for (unsigned i = 0; i < pipeline->count && i <= last; i++) {
		const struct chain_plan tail = {
			.pipeline = pipeline,
			.from = i,
			.to = pipeline->count,
			.unfused = !pilot->model->plan->load.fuse,
		};

		pilot->tails[i] = chain_new(&tail, err);
		if (!pilot->tails[i])
			return -1;
	}
	for (unsigned i = 2; i <= last; i++) {
		const struct chain_plan head = {
			.pipeline = pipeline,
			.to = i,
		};

		pilot->heads.chains[i] = chain_new(&head, err);
		if (!pilot->heads.chains[i])
			return -1;
	}
	return 0;
}

int pilot_steps_open(struct pilot *pilot, struct error *err)
{
	const struct pipeline *pipeline = pilot->model->pipeline;
	const struct reader *source = pilot->source;

	if (source->decode) {
		const struct chain_plan decoding = {
			.pipeline = pipeline,
			.decode = source->decode,
		};

		pilot->decoding = chain_new(&decoding, err);
		if (!pilot->decoding)
			return -1;
	}
	for (unsigned i = 0; i < pipeline->count; i++) {
		const struct chain_plan step = {
			.pipeline = pipeline,
			.from = i,
			.to = i + 1,
		};

		pilot->chains[i] = chain_new(&step, err);
		if (!pilot->chains[i])
			return -1;
	}
	return pilot->timed ? open_fused(pilot, err) : 0;
}

void pilot_steps_close(struct pilot *pilot)
{
	/* it was a view of the reader's */
	pilot->reps[0] = (struct sample)SAMPLE_INIT;
	for (unsigned i = 0; i <= PIPELINE_STEPS; i++) {
		sample_release(&pilot->reps[i]);
		chain_free(pilot->heads.chains[i]);
		if (i < PIPELINE_STEPS) {
			chain_free(pilot->chains[i]);
			chain_free(pilot->tails[i]);
		}
	}
	sample_release(&pilot->decoded);
	chain_free(pilot->decoding);
	sample_release(&pilot->out);
}
