/* predict.c - see predict.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/chain.h"
#include "lib/loader/cache.h"
#include "lib/measure/system.h"
#include "lib/stores/store.h"
#include "strategies/predict.h"
#include "strategies/prepare.h"

enum {
	SAMPLES_MOST = 16, /* looked at */
	STREAMS_MOST = 16, /* they are taken from */
	SYNCS_SHARD = 4,   /* of a shard: it, its index, and their folder */
	SYNCS_ALL = 4,     /* of the manifest, and of the list of shards */
};

/* Copying into a batch, checks, parsing: bytes per second and seconds. */
static const double copy_bytes_per_s = 6e9;
static const double fixed_s = 1e-6;
static const double cached_s = 0.1e-6; /* of what is cached as tensors */
static const double cached_bytes_per_s = 9e9;

/* Of unequal samples: so much less than predicted is possible. */
static const double size_error = 0.2;

struct look { /* at one source */
	struct model *model;
	const struct reader *source;
	struct chain *chains[PIPELINE_STEPS]; /* one a step */
	struct chain *tails[PIPELINE_STEPS];  /* from a split to the end */
	struct sample out;                    /* of the tails */
	struct sample reps[PIPELINE_STEPS + 1];
	struct packer *packer;
	struct chunk chunk;
	void *unpacker;
	bool timed, skip_errors;
};

static double seconds_since(uint64_t start_ns)
{
	return (double)(clock_now(&clock_thread_cpu) - start_ns) / 1e9;
}

static double sample_bytes(const struct sample *sample)
{
	double bytes = 0;

	for (unsigned f = 0; f < sample->count; f++)
		bytes += (double)sample->fields[f].bytes;
	return bytes;
}

/* The first sample goes through once more before: for caches and buffers. */
static void warm_up(struct look *look)
{
	struct error ignored = ERROR_INIT;

	for (unsigned i = 0; i < look->model->pipeline->count; i++)
		if (chain_run(look->chains[i], &look->reps[i],
		        &look->reps[i + 1], &ignored))
			return;
}

/* Once for caches and buffers, then measured. */
static int time_tails(
    struct look *look, double online_s[PIPELINE_STEPS], struct error *err)
{
	for (unsigned i = 0; i < PIPELINE_STEPS && look->tails[i]; i++) {
		uint64_t start = clock_now(&clock_thread_cpu);

		for (int warm = look->model->samples > 0; warm < 2; warm++) {
			start = clock_now(&clock_thread_cpu);
			if (chain_run(look->tails[i], &look->reps[i],
			        &look->out, err))
				return -1;
		}
		online_s[i] = seconds_since(start);
	}
	return 0;
}

/* One sample through all steps; 1 when it was counted, 0 passed over. */
static int look_at_sample(
    struct look *look, const struct sample *in, struct error *err)
{
	struct model *model = look->model;
	const unsigned steps = model->pipeline->count;
	double step_s[PIPELINE_STEPS], online_s[PIPELINE_STEPS] = { 0 };

	look->reps[0] = *in;
	if (model->samples == 0 && look->timed)
		warm_up(look);
	for (unsigned i = 0; i < steps; i++) {
		const uint64_t start = clock_now(&clock_thread_cpu);

		if (chain_run(look->chains[i], &look->reps[i],
		        &look->reps[i + 1], err)) {
			reader_blame(look->source, &look->chunk, in, err);
			return look->skip_errors && err->code == ERROR_DATA
			           ? 0
			           : -1;
		}
		look->reps[i + 1].key = in->key;
		step_s[i] = seconds_since(start);
	}
	for (unsigned i = 0; i <= steps; i++) {
		model->field_bytes[i] += sample_bytes(&look->reps[i]);
		shapes_note(&model->shapes[i], &look->reps[i]);
	}
	if (time_tails(look, online_s, err))
		return -1;
	for (unsigned i = 0; i < steps; i++) {
		model->step_s[i] += step_s[i];
		model->online_s[i] += online_s[i];
	}
	model->key_bytes += (double)in->key.len;
	for (unsigned i = 0; i <= pipeline_last_split(model->pipeline); i++)
		if (packer_add(look->packer, i, &look->reps[i], err))
			return -1;
	model->samples++;
	return 1;
}

static int look_at_chunk(struct look *look, unsigned most, struct error *err)
{
	const struct reader *source = look->source;
	struct sample in = SAMPLE_INIT;
	unsigned seen = 0;
	int got;

	if (reader_unpack(source, look->unpacker, &look->chunk, err))
		return -1;
	while (seen < most &&
	       (got = source->ops->next(source, &look->chunk, &in, err))) {
		if (got < 0 || look_at_sample(look, &in, err) < 0)
			return -1;
		seen++;
	}
	return 0;
}

static int look_at_stream(
    struct look *look, size_t index, unsigned most, struct error *err)
{
	const struct reader *source = look->source;
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
	return got < 0 ? -1 : 0;
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
	if (look->model->samples == 0)
		return error_set(err, ERROR_DATA,
		    "none of the samples looked at could be used");
	return 0;
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
	for (unsigned i = 0; i <= model->pipeline->count; i++)
		model->field_bytes[i] /= model->samples;
	for (unsigned i = 0; i < model->pipeline->count; i++) {
		model->step_s[i] /= model->samples;
		model->online_s[i] /= model->samples;
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

static int try_codecs(struct look *look, struct error *err)
{
	struct model *model = look->model;
	const struct plan *plan = model->plan;
	const unsigned last = pipeline_last_split(model->pipeline);

	for (unsigned r = 0; r <= last; r++)
		for (unsigned s = 0; s < plan->store_count; s++)
			for (unsigned c = 0; c < plan->codec_count; c++)
				if (packer_try(look->packer, r, s, c,
				        r == 0 ? model->raw_more : 0,
				        &model->packing[r][s][c], err))
					return -1;
	return 0;
}

static int look_open(struct look *look, struct error *err)
{
	const struct pipeline *pipeline = look->model->pipeline;
	const struct reader *source = look->source;

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
			.unfused = !look->model->plan->fuse,
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
	sample_release(&look->out);
	packer_free(look->packer);
	chunk_release(&look->chunk);
	reader_unpacker_free(look->source, look->unpacker);
	free(look);
}

int model_measure(struct model *model, const struct reader *source,
    const struct pipeline *pipeline, const struct plan *plan, bool timed,
    bool skip_errors, struct error *err)
{
	struct look *look = calloc(1, sizeof(*look));
	struct machine machine;
	int rc = -1;

	if (!look)
		return error_memory(err, sizeof(*look));
	machine_read(&machine);
	*model = (struct model){
		.plan = plan, .pipeline = pipeline, .cores = machine.cores
	};
	model->source = source;
	look->model = model;
	look->source = source;
	look->timed = timed;
	look->skip_errors = skip_errors;
	if (look_open(look, err) == 0 && look_at_source(look, err) == 0) {
		average(model, source);
		rc = try_codecs(look, err);
	}
	look_close(look);
	return rc;
}

/* The packing of a strategy: of the plan's first equal store and codec. */
static const struct packing *find_packing(
    const struct model *model, const struct strategy *strategy)
{
	const struct plan *plan = model->plan;

	for (unsigned s = 0; s < plan->store_count; s++)
		for (unsigned c = 0; c < plan->codec_count; c++)
			if (plan->stores[s] == strategy->store &&
			    codec_equal(&plan->codecs[c], &strategy->codec))
				return &model->packing[strategy->split][s][c];
	return &model->packing[strategy->split][0][0];
}

double model_storage_bytes(const struct model *model,
    const struct strategy *strategy, uint64_t samples)
{
	const double bytes = strategy->unprocessed
	                         ? model->source_bytes
	                         : find_packing(model, strategy)->bytes;

	return bytes * (double)samples;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

/* Samples per second: as the cores, or an emulated storage, allow. */
static double rate(const struct model *model, const struct load *load,
    double cpu_s, double bytes, double requests)
{
	const struct storage_limits *limits = &model->plan->limits;
	const unsigned width =
	    load->threads < model->cores ? load->threads : model->cores;
	const double fetchers = model->plan->fetchers
	                            ? (double)model->plan->fetchers
	                            : load->threads;
	double per_s = width / cpu_s;

	if (load->cache != CACHE_NONE || bytes <= 0)
		return per_s;
	if (limits->bandwidth > 0)
		per_s = least(per_s, limits->bandwidth / bytes);
	if (limits->iops > 0)
		per_s = least(per_s, limits->iops / requests);
	if (limits->latency > 0)
		per_s = least(per_s, fetchers / limits->latency / requests);
	return per_s;
}

/* From the application cache: of all strategies the same. */
static double cached_rate(const struct model *model, const struct load *load)
{
	const unsigned at = pipeline_last_split(model->pipeline);
	/* What is delivered was read from memory, or is all that was. */
	double cpu_s =
	    cached_s + least(model->field_bytes[at],
	                   model->field_bytes[model->pipeline->count]) /
	                   cached_bytes_per_s;

	cpu_s += model->online_s[at];
	return rate(model, load, cpu_s, 0, 0);
}

double model_cache_bytes(const struct model *model, uint64_t samples)
{
	const unsigned at = pipeline_last_split(model->pipeline);

	return (double)samples *
	       cache_sample_bytes(&model->pipeline->schemas[at],
	           model->field_bytes[at], model->key_bytes);
}

int model_check_cache(
    const struct model *model, uint64_t samples, struct error *err)
{
	const unsigned at = pipeline_last_split(model->pipeline);
	const uint64_t budget = plan_cache_budget(model->plan);
	const double need = model_cache_bytes(model, samples);
	const bool exact = schema_bytes(&model->pipeline->schemas[at]) >= 0;

	if (need * (exact ? 1 : 1 - size_error) <= (double)budget)
		return 0;
	return cache_too_large(need, budget, err);
}

/* Those that wait for each other, of the files of all shards. */
static double syncs(const struct model *model, const struct strategy *strategy,
    const struct load *load)
{
	const double bytes =
	    model_storage_bytes(model, strategy, load->samples);
	const double shards =
	    prepare_shards(model->source, model->plan->shards, bytes);
	const struct store_ops *store = strategy->store;
	double count = SYNCS_SHARD * shards;

	if (!store->append && !store->one_shape) /* a file for each field */
		count += (double)load->samples *
		         model->pipeline->schemas[strategy->split].count;
	return SYNCS_ALL + count / least(load->threads, shards);
}

struct prediction model_predict(const struct model *model,
    const struct strategy *strategy, const struct load *load)
{
	const unsigned split = strategy->unprocessed ? 0 : strategy->split;
	const double n = (double)load->samples;
	const struct load cold = { .samples = load->samples,
		.threads = load->threads,
		.cache = CACHE_NONE };
	struct prediction p = { .storage_bytes = model_storage_bytes(
		                    model, strategy, load->samples) };
	/* A source is read file by file, stores in blocks. */
	double requests = 1;
	double online_s = fixed_s, offline_s = fixed_s,
	       bytes = model->source_bytes;

	for (unsigned i = 0; i < split; i++)
		offline_s += model->step_s[i];
	online_s += model->online_s[split];
	online_s += model->field_bytes[split] / copy_bytes_per_s;
	if (!strategy->unprocessed) {
		const struct packing *packing = find_packing(model, strategy);

		bytes = packing->bytes;
		requests =
		    least(1, bytes / (double)store_block(&strategy->codec));
		online_s += packing->decode_s;
		offline_s += packing->encode_s + bytes / copy_bytes_per_s;
		p.prep_s = n / rate(model, &cold, offline_s,
		                   bytes + model->source_bytes, 1) +
		           syncs(model, strategy, load) * model->sync_s;
	}
	p.samples_per_s = rate(model, load, online_s, bytes, requests);
	p.first_epoch_s = n / rate(model, &cold, online_s, bytes, requests);
	if (load->cache == CACHE_APPLICATION) {
		p.samples_per_s = cached_rate(model, load);
		p.first_epoch_s += n / p.samples_per_s;
	}
	return p;
}
