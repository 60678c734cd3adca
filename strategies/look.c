/*
 * look.c - see predict.h: a few samples go through every step, store and codec
 * of a plan, and what they took is the model.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/stop.h"
#include "lib/chain.h"
#include "lib/measure/system.h"
#include "strategies/predict.h"

enum {
	SAMPLES_MOST = 16, /* looked at */
	STREAMS_MOST = 16, /* they are taken from */
	MANY_MOST = 4,     /* of all that a step makes of one sample */
};

/* What one sample of the source took and gave. */
struct tally {
	double step_s[PIPELINE_STEPS];
	double online_s[PIPELINE_STEPS + 1];
	double field_bytes[PIPELINE_STEPS + 1];
	double many[PIPELINE_STEPS + 1];
	struct shapes shapes[PIPELINE_STEPS + 1];
};

struct look { /* at one source */
	struct model *model;
	const struct reader *source;
	struct chain *decoding; /* of the source's codec; NULL: it has none */
	struct sample decoded;
	double unpack_s; /* of a sample of the chunk at hand */
	struct chain *chains[PIPELINE_STEPS]; /* one a step */
	struct chain *tails[PIPELINE_STEPS];  /* from a split to the end */
	struct sample out;                    /* of the tails */
	struct sample reps[PIPELINE_STEPS + 1];
	struct tally tally;
	struct packer *packer;
	struct chunk chunk;
	void *unpacker;
	bool timed, skip_errors;
	const atomic_bool *stop;
	bool warming; /* what is measured now does not count */
};

static double seconds_since(uint64_t start_ns)
{
	return (double)(clock_now(&clock_thread_cpu) - start_ns) / 1e9;
}

/*
 * All that comes of what a chain has begun is looked at in a few places:
 * chooses place `i` of those `looked` at.
 */
static void choose(struct chain_share *share, unsigned i, unsigned looked)
{
	atomic_store(&share->next, share->count * i / looked);
}

static unsigned places(const struct chain_share *share)
{
	return share->count < MANY_MOST ? (unsigned)share->count : MANY_MOST;
}

/* From a representation to the end, as the loader runs it. */
static int time_tail(
    struct look *look, unsigned rep, double *seconds, struct error *err)
{
	struct chain *tail = look->tails[rep];
	uint64_t start = clock_now(&clock_thread_cpu);
	struct chain_share share;
	unsigned looked;
	double made_s = 0;

	if (chain_begin(tail, &look->reps[rep], err))
		return -1;
	chain_offer(tail, &share);
	*seconds = seconds_since(start);
	looked = places(&share);
	for (unsigned i = 0; i < looked; i++) {
		choose(&share, i, looked);
		start = clock_now(&clock_thread_cpu);
		if (chain_next(tail, &look->out, err) < 0)
			return -1;
		made_s += seconds_since(start);
	}
	if (looked > 0)
		*seconds += made_s * (double)share.count / looked;
	return 0;
}

/*
 * The sample that the representation is at, which stands for `weight` of them;
 * -1 when a step refuses it.
 */
static int note(
    struct look *look, unsigned rep, double weight, struct error *err)
{
	const struct sample *sample = &look->reps[rep];
	struct tally *tally = &look->tally;
	double seconds = 0;

	tally->many[rep] += weight;
	tally->field_bytes[rep] += weight * (double)sample_bytes(sample);
	if (look->model->most_bytes[rep] < (double)sample_bytes(sample))
		look->model->most_bytes[rep] = (double)sample_bytes(sample);
	shapes_note(&tally->shapes[rep], sample);
	if (!look->warming &&
	    rep <= pipeline_last_split(look->model->pipeline) &&
	    packer_add(look->packer, rep, sample, err))
		return -1;
	if (rep < PIPELINE_STEPS && look->tails[rep] &&
	    time_tail(look, rep, &seconds, err))
		return -1;
	tally->online_s[rep] += weight * seconds;
	return 0;
}

/* It and all that comes of it; what does is in the tally. */
static int look_at(
    struct look *look, unsigned rep, double weight, struct error *err)
{
	uint64_t start;
	struct chain *chain;
	struct chain_share share;
	double each;

	if (note(look, rep, weight, err))
		return -1;
	if (rep == look->model->pipeline->count)
		return 0;
	chain = look->chains[rep]; /* the last representation has none */
	start = clock_now(&clock_thread_cpu);
	if (chain_begin(chain, &look->reps[rep], err))
		return -1;
	chain_offer(chain, &share);
	look->tally.step_s[rep] += weight * seconds_since(start);
	each =
	    places(&share) ? weight * (double)share.count / places(&share) : 0;
	for (unsigned i = 0; i < places(&share); i++) {
		choose(&share, i, places(&share));
		start = clock_now(&clock_thread_cpu);
		if (chain_next(chain, &look->reps[rep + 1], err) < 0)
			return -1;
		look->tally.step_s[rep] += each * seconds_since(start);
		if (look_at(look, rep + 1, each, err))
			return -1;
	}
	return 0;
}

static void add_tally(struct look *look)
{
	struct model *model = look->model;
	const struct tally *tally = &look->tally;

	for (unsigned i = 0; i <= model->pipeline->count; i++) {
		model->many[i] += tally->many[i];
		model->field_bytes[i] += tally->field_bytes[i];
		model->online_s[i] += tally->online_s[i];
		if (i < model->pipeline->count)
			model->step_s[i] += tally->step_s[i];
	}
	memcpy(model->shapes, tally->shapes, sizeof(model->shapes));
	model->samples++;
}

/* What the source has behind a codec, as it was: the steps take that. */
static int begin_sample(
    struct look *look, const struct sample *in, struct error *err)
{
	const uint64_t start = clock_now(&clock_thread_cpu);

	if (sample_check_room(in, look->model->pipeline->limits.sample, err))
		return -1;
	look->tally = (struct tally){ .step_s = { 0 } };
	memcpy(look->tally.shapes, look->model->shapes,
	    sizeof(look->tally.shapes));
	look->tally.online_s[0] = look->unpack_s;
	look->reps[0] = *in;
	if (!look->decoding)
		return 0;
	if (chain_run(look->decoding, in, &look->decoded, err))
		return -1;
	look->reps[0] = look->decoded;
	look->tally.online_s[0] += seconds_since(start);
	return 0;
}

/* The first sample goes through once more before: for caches and buffers. */
static int look_at_sample(
    struct look *look, const struct sample *in, struct error *err)
{
	const bool warms = look->model->samples == 0 && look->timed;

	for (look->warming = warms;; look->warming = false) {
		if (begin_sample(look, in, err) || look_at(look, 0, 1, err)) {
			reader_blame(look->source, &look->chunk, in, err);
			return look->skip_errors && err->code == ERROR_DATA
			           ? 0
			           : -1;
		}
		if (!look->warming)
			break;
	}
	add_tally(look);
	look->model->key_bytes += (double)in->key.len;
	return 0;
}

/* As fetched, and unpacked. */
static void note_chunk(struct look *look)
{
	const struct chunk *chunk = &look->chunk;
	size_t bytes = chunk->stored.len;

	if (bytes < chunk->fetched.len)
		bytes = chunk->fetched.len;
	bytes += chunk->unpacked.len;
	if (look->model->chunk_bytes < (double)bytes)
		look->model->chunk_bytes = (double)bytes;
}

static int look_at_chunk(struct look *look, unsigned most, struct error *err)
{
	const struct reader *source = look->source;
	const uint64_t start = clock_now(&clock_thread_cpu);
	struct sample in = SAMPLE_INIT;
	unsigned seen = 0;
	int got;

	if (reader_unpack(source, look->unpacker, &look->chunk, err))
		return -1;
	note_chunk(look);
	look->unpack_s = 0;
	if (look->chunk.samples > 0)
		look->unpack_s =
		    seconds_since(start) / (double)look->chunk.samples;
	while (seen < most &&
	       (got = source->ops->next(source, &look->chunk, &in, err))) {
		if (got < 0 || stop_check(look->stop, err) ||
		    look_at_sample(look, &in, err))
			return -1;
		seen++;
	}
	return 0;
}

static int look_at_stream(
    struct look *look, size_t index, unsigned most, struct error *err)
{
	const struct reader *source = look->source;
	const uint64_t losses = mapping_losses();
	void *stream = source->ops->stream_open(source, index, err);
	int got;

	if (!stream)
		return -1;
	chunk_reset(&look->chunk);
	got = source->ops->stream_fetch(stream, &look->chunk, err);
	look->chunk.stream = index;
	if (got > 0 && look_at_chunk(look, most, err))
		got = -1;
	source->ops->stream_close(stream);
	return mapping_judge(losses, got < 0 ? -1 : 0, err);
}

/* What the last one suffered from is still there, and tells the most. */
static int none_was_used(struct error *err)
{
	static const char what[] =
	    "none of the samples looked at could be used";

	if (err->code != ERROR_DATA)
		return error_set(err, ERROR_DATA, what);
	return error_prefix(err, "%s; the last", what);
}

/* Streams spread over the source, until there are enough samples. */
static int look_at_source(struct look *look, struct error *err)
{
	const struct reader *source = look->source;
	const size_t streams =
	    source->streams < STREAMS_MOST ? source->streams : STREAMS_MOST;
	const unsigned most =
	    streams ? (unsigned)((SAMPLES_MOST + streams - 1) / streams) : 0;

	for (size_t i = 0; i < streams; i++)
		if (look_at_stream(
		        look, i * source->streams / streams, most, err))
			return -1;
	return look->model->samples ? 0 : none_was_used(err);
}

/* Of files that are the samples as they are, all sizes are known. */
static bool knows_fields(const struct reader *source)
{
	bool known = source->bytes_are_fields;

	for (unsigned f = 0; f < source->schema.count; f++)
		known &= source->schema.fields[f].type.layout == LAYOUT_ENCODED;
	return known;
}

static void average(struct model *model, const struct reader *source)
{
	for (unsigned i = 0; i <= model->pipeline->count; i++) {
		model->many[i] /= model->samples;
		model->field_bytes[i] /= model->samples;
		model->online_s[i] /= model->samples;
		if (i < model->pipeline->count)
			model->step_s[i] /= model->samples;
	}
	model->key_bytes /= model->samples;
	if (!source->samples)
		return;
	model->source_bytes = (double)source->bytes / (double)source->samples;
	model->raw_known = knows_fields(source);
	if (model->raw_known) {
		model->raw_more = model->source_bytes - model->field_bytes[0];
		model->field_bytes[0] = model->source_bytes;
	}
}

/* Of all samples of a representation that come of one of the source. */
static void multiply(struct packing *packing, double many)
{
	packing->bytes *= many;
	packing->encode_s *= many;
	packing->decode_s *= many;
}

static int try_codecs(struct look *look, struct error *err)
{
	struct model *model = look->model;
	const struct plan *plan = model->plan;
	const unsigned last = pipeline_last_split(model->pipeline);

	for (unsigned r = 0; r <= last; r++)
		for (unsigned s = 0; s < plan->strategies.store_count; s++)
			for (unsigned c = 0; c < plan->strategies.codec_count;
			     c++) {
				struct packing *packing =
				    &model->packing[r][s][c];

				if (stop_check(look->stop, err) ||
				    packer_try(look->packer, r, s, c,
				        r == 0 ? model->raw_more : 0, packing,
				        err))
					return -1;
				multiply(packing, model->many[r]);
			}
	return 0;
}

static int look_open(struct look *look, struct error *err)
{
	const struct pipeline *pipeline = look->model->pipeline;
	const struct reader *source = look->source;

	if (source->decode) {
		const struct chain_plan decoding = {
			.pipeline = pipeline,
			.decode = source->decode,
		};

		look->decoding = chain_new(&decoding, err);
		if (!look->decoding)
			return -1;
	}
	for (unsigned i = 0; i < pipeline->count; i++) {
		const struct chain_plan step = {
			.pipeline = pipeline,
			.from = i,
			.to = i + 1,
		};

		look->chains[i] = chain_new(&step, err);
		if (!look->chains[i])
			return -1;
	}
	for (unsigned i = 0; look->timed && i < pipeline->count &&
	                     i <= pipeline_last_split(pipeline);
	     i++) {
		const struct chain_plan tail = {
			.pipeline = pipeline,
			.from = i,
			.to = pipeline->count,
			.unfused = !look->model->plan->load.fuse,
		};

		look->tails[i] = chain_new(&tail, err);
		if (!look->tails[i])
			return -1;
	}
	look->packer =
	    packer_new(look->model->plan, pipeline, look->timed, err);
	if (!look->packer)
		return -1;
	return reader_unpacker_new(source, &look->unpacker, err);
}

static void look_close(struct look *look)
{
	look->reps[0] = (struct sample)SAMPLE_INIT; /* it was a view */
	for (unsigned i = 0; i <= PIPELINE_STEPS; i++) {
		sample_release(&look->reps[i]);
		if (i < PIPELINE_STEPS) {
			chain_free(look->chains[i]);
			chain_free(look->tails[i]);
		}
	}
	sample_release(&look->decoded);
	chain_free(look->decoding);
	sample_release(&look->out);
	packer_free(look->packer);
	chunk_release(&look->chunk);
	reader_unpacker_free(look->source, look->unpacker);
	free(look);
}

/* An emulated storage would be waited for: its limits say what it costs. */
static void measure_order(struct look *look)
{
	struct model *model = look->model;
	struct error ignored = ERROR_INIT; /* whoever reads all will tell */

	if (look->timed && !plan_emulates(model->plan) &&
	    order_cost_measure(&model->order, &model->plan->strategies.order,
	        look->source, &ignored))
		model->order = (struct order_cost){ .given_s = 0 };
}

int model_measure(
    struct model *model, const struct model_plan *how, struct error *err)
{
	struct look *look = calloc(1, sizeof(*look));
	struct machine machine;
	int rc = -1;

	if (!look)
		return error_memory(err, sizeof(*look));
	machine_read(&machine);
	*model = (struct model){
		.plan = how->plan,
		.pipeline = how->pipeline,
		.source = how->source,
		.cores = machine.cores,
		.memory = machine_memory(&machine),
	};
	look->model = model;
	look->source = how->source;
	look->timed = how->timed;
	look->skip_errors = how->skip_errors;
	look->stop = how->stop;
	if (look_open(look, err) == 0 && look_at_source(look, err) == 0) {
		average(model, how->source);
		measure_order(look);
		rc = try_codecs(look, err);
	}
	look_close(look);
	return rc;
}
