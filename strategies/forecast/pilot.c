/* pilot.c - see pilot.h. */
#include "strategies/forecast/pilot.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/base/hash.h"
#include "lib/base/stop.h"
#include "lib/measure/system.h"
#include "lib/media/medium.h"
#include "lib/sample/picks.h"
#include "strategies/forecast/choice.h"
#include "strategies/forecast/held.h"
#include "strategies/forecast/memory_store.h"
#include "strategies/forecast/pilot_steps.h"
#include "strategies/forecast/predict.h"
#include "strategies/forecast/rehearsal.h"

enum {
	SAMPLES_MOST = SIZES_MOST, /* pilot samples */
	SAMPLES_SIZED = 24,        /* where only sizes are asked for */
	SAMPLES_LEAST = 8,         /* even where they take long */
	STREAMS_MOST = 16,         /* streams that they are taken from */
};

/* The pilot samples go through the steps for so long. */
static const double steps_s = 1.2;

static double seconds_since(uint64_t start_ns)
{
	return (double)(clock_now(&clock_thread_cpu) - start_ns) / 1e9;
}

/* Notes the memory of the largest chunk, fetched and unpacked. */
static void note_chunk(struct pilot *pilot)
{
	const struct chunk *chunk = &pilot->chunk;
	size_t bytes = chunk->stored.len;

	if (bytes < chunk->fetched.len)
		bytes = chunk->fetched.len;
	bytes += chunk->unpacked.len;
	if (pilot->model->largest.chunk < (double)bytes)
		pilot->model->largest.chunk = (double)bytes;
}

static int pilot_chunk(struct pilot *pilot, unsigned most, struct error *err)
{
	const struct reader *source = pilot->source;
	const uint64_t start = clock_now(&clock_thread_cpu);
	struct sample in = SAMPLE_INIT;
	unsigned seen = 0;
	int got;

	if (reader_unpack(source, pilot->unpacker, &pilot->chunk, err))
		return -1;
	note_chunk(pilot);
	pilot->unpack_s = 0;
	if (pilot->chunk.samples > 0)
		pilot->unpack_s =
		    seconds_since(start) / (double)pilot->chunk.samples;
	while (seen < most &&
	       (got = source->ops->next(source, &pilot->chunk, &in, err))) {
		if (got < 0 || stop_check(pilot->stop, err) ||
		    pilot_sample(pilot, &in, err))
			return -1;
		seen++;
	}
	return 0;
}

static int pilot_stream(
    struct pilot *pilot, size_t index, unsigned most, struct error *err)
{
	const struct reader *source = pilot->source;
	const uint64_t losses = mapping_losses();
	void *stream = source->ops->stream_open(source, index, err);
	int got;

	if (!stream)
		return -1;
	chunk_reset(&pilot->chunk);
	got = source->ops->stream_fetch(stream, &pilot->chunk, err);
	pilot->chunk.stream = index;
	if (got > 0 && pilot_chunk(pilot, most, err))
		got = -1;
	source->ops->stream_close(stream);
	return mapping_judge(losses, got < 0 ? -1 : 0, err);
}

/* Is there time for one more? */
static bool has_time(const struct pilot *pilot)
{
	return pilot->model->samples < SAMPLES_LEAST || !pilot->timed ||
	       (double)(clock_now(&clock_monotonic) - pilot->began_ns) <
	           steps_s * 1e9;
}

/* Takes samples by number. */
static int pilot_picks(
    struct pilot *pilot, const struct choice *choice, struct error *err)
{
	const struct reader *source = pilot->source;
	void *picker = source->ops->picker_open(source, err);
	int rc = picker ? 0 : -1;

	for (size_t i = 0; rc == 0 && i < choice->count && has_time(pilot);
	     i++) {
		const struct pick pick = { .number = choice->numbers[i] };
		const uint64_t losses = mapping_losses();

		pilot->current.source_bytes = choice->bytes[i];
		rc = picks_fetch(source, picker, &pick, 1, &pilot->chunk, err);
		if (rc == 0)
			rc = pilot_chunk(pilot, 1, err);
		rc = mapping_judge(losses, rc, err);
	}
	if (picker)
		source->ops->picker_close(picker);
	return rc;
}

/* Keeps the error of the last sample, which is the most useful one. */
static int none_was_used(struct error *err)
{
	static const char what[] = "none of the pilot samples could be used";

	if (err->code != ERROR_DATA)
		return error_set(err, ERROR_DATA, what);
	return error_prefix(err, "%s; the last", what);
}

/* Takes samples from streams that are spread over the source. */
static int pilot_streams(struct pilot *pilot, struct error *err)
{
	const struct reader *source = pilot->source;
	const size_t streams =
	    source->streams < STREAMS_MOST ? source->streams : STREAMS_MOST;
	const unsigned most =
	    streams ? (unsigned)((SAMPLES_MOST + streams - 1) / streams) : 0;

	for (size_t i = 0; i < streams && has_time(pilot); i++)
		if (pilot_stream(
		        pilot, i * source->streams / streams, most, err))
			return -1;
	return 0;
}

static int pilot_source(struct pilot *pilot, struct error *err)
{
	struct choice choice = CHOICE_INIT;
	int rc = choice_make(&choice, pilot->source,
	    pilot->timed ? SAMPLES_MOST : SAMPLES_SIZED,
	    pilot->model->plan->measure.seed, err);

	pilot->began_ns = clock_now(&clock_monotonic);
	pilot->sizes.mean_source = choice.mean_bytes;
	/* For the memory of a whole chunk, none of its samples is taken. */
	if (rc == 0 && choice.count)
		rc = pilot_stream(pilot, 0, 0, err);
	if (rc == 0)
		rc = choice.count ? pilot_picks(pilot, &choice, err)
		                  : pilot_streams(pilot, err);
	choice_release(&choice);
	if (rc)
		return -1;
	if (pilot->model->samples == 0)
		return none_was_used(err);
	pilot->model->pilot_s =
	    (double)(clock_now(&clock_monotonic) - pilot->began_ns) / 1e9 /
	    pilot->model->samples;
	return 0;
}

/* Are all files samples as they are, so that the sizes of all are known? */
static bool knows_fields(const struct reader *source)
{
	bool known = source->bytes_are_fields;

	for (unsigned f = 0; f < source->schema.count; f++)
		known &= source->schema.fields[f].type.layout == LAYOUT_ENCODED;
	return known;
}

/* Sets the mean bytes of a representation, corrected by what is known. */
static void set_bytes(struct pilot *pilot, unsigned rep)
{
	struct model *model = pilot->model;
	const struct size_mean mean =
	    sizes_mean(&pilot->sizes, rep, model->source->samples);

	model->correction.more[rep] = mean.mean - model->field_bytes[rep];
	model->field_bytes[rep] = mean.mean;
	model->correction.error[rep] = mean.error;
	if (rep > 0 || !model->correction.raw_known)
		return;
	model->correction.more[0] += model->source_bytes - mean.mean;
	model->field_bytes[0] = model->source_bytes;
	model->correction.error[0] = 0;
}

/* Do some of the first steps wait, so that their CPU time says too little? */
static bool has_own(const struct pipeline *pipeline, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (pipeline->steps[i].ops->own)
			return true;
	return false;
}

static double fused_fraction(const struct pilot *pilot, unsigned rep)
{
	if (!pilot->heads.chains[rep] || pilot->heads.apart_s[rep] <= 0 ||
	    pilot->heads.fused_s[rep] <= 0 ||
	    has_own(pilot->model->pipeline, rep))
		return 1;
	return pilot->heads.fused_s[rep] / pilot->heads.apart_s[rep];
}

static void average(struct pilot *pilot)
{
	struct model *model = pilot->model;
	const struct reader *source = model->source;

	if (source->samples) {
		model->source_bytes =
		    (double)source->bytes / (double)source->samples;
		model->correction.raw_known = knows_fields(source);
	}
	for (unsigned i = 0; i <= model->pipeline->count; i++) {
		model->many[i] /= model->samples;
		model->field_bytes[i] /= model->samples;
		model->online_s[i] /= pilot->tails_timed;
		if (i < model->pipeline->count)
			model->step_s[i] /= model->samples;
		model->fused[i] = fused_fraction(pilot, i);
		set_bytes(pilot, i);
	}
	model->key_bytes /= model->samples;
}

/* Scales from one sample of the representation to one of the source. */
static void multiply(struct packing *packing, double many)
{
	packing->bytes *= many;
	packing->encode_s *= many;
	packing->decode_s *= many;
}

/* Is it a strategy of the model's order, with these data? */
static bool is_of(const struct strategy *strategy, const struct pilot_plan *how,
    const struct model *model, const struct rehearsed *what)
{
	struct packing_place place;

	if (strategy->unprocessed || strategy->split != what->rep ||
	    (strategy->pipeline ? strategy->pipeline != how->pipeline
	                        : how->reordered))
		return false;
	place = model_place(model, strategy);
	return place.store == what->store && place.codec == what->codec;
}

bool pilot_wants(const struct pilot_plan *how, const struct model *model,
    const struct rehearsed *what)
{
	const struct strategies *all = how->strategies;

	for (size_t i = 0; all && i < all->count; i++)
		if (is_of(&all->list[i], how, model, what))
			return true;
	return !all;
}

static struct overhead find_overhead(
    const struct pilot *pilot, unsigned rep, unsigned store, unsigned codec)
{
	const struct model *model = pilot->model;
	const struct memory_store_plan plan = {
		.pipeline = model->pipeline,
		.rep = rep,
		.store = model->plan->strategies.stores[store],
		.codec = &model->plan->strategies.codecs[codec],
		.held = &pilot->held->reps[rep],
	};

	return overhead_measure(&plan);
}

/* Finds a codec before this one with the same frames; NULL: there is none. */
static const struct packing *find_twin(
    const struct model *model, unsigned rep, unsigned store, unsigned codec)
{
	const struct codec *codecs = model->plan->strategies.codecs;

	if (!plan_wants_codec(
	        model->plan, codec, &model->pipeline->schemas[rep]))
		return NULL;
	for (unsigned c = 0; c < codec; c++)
		if (codec_shares_frames(&codecs[c], &codecs[codec]) &&
		    model->packing[rep][store][c].bytes > 0)
			return &model->packing[rep][store][c];
	return NULL;
}

static int try_codec(struct pilot *pilot, unsigned rep, unsigned store,
    unsigned codec, struct error *err)
{
	struct model *model = pilot->model;
	struct packing *packing = &model->packing[rep][store][codec];
	const struct packing *twin = find_twin(model, rep, store, codec);
	const double many = model->many[rep];
	const double more = many > 0 ? model->correction.more[rep] / many : 0;

	if (stop_check(pilot->stop, err))
		return -1;
	if (twin) {
		*packing = *twin;
	} else {
		if (packer_try(
		        pilot->packer, rep, store, codec, more, packing, err))
			return -1;
		multiply(packing, many);
	}
	if (packing->bytes > 0)
		packing->overhead = find_overhead(pilot, rep, store, codec);
	return 0;
}

static int try_codecs(struct pilot *pilot, struct error *err)
{
	const struct model *model = pilot->model;
	const struct plan_strategies *plan = &model->plan->strategies;
	const unsigned last = pipeline_last_split(model->pipeline);

	for (unsigned r = 0; r <= last; r++)
		for (unsigned s = 0; s < plan->store_count; s++)
			for (unsigned c = 0; c < plan->codec_count; c++)
				if (try_codec(pilot, r, s, c, err))
					return -1;
	return 0;
}

static int pilot_open(struct pilot *pilot, struct error *err)
{
	const struct model *model = pilot->model;

	if (pilot_steps_open(pilot, err))
		return -1;
	pilot->packer =
	    packer_new(model->plan, model->pipeline, pilot->timed, err);
	if (!pilot->packer)
		return -1;
	return reader_unpacker_new(pilot->source, &pilot->unpacker, err);
}

static void pilot_close(struct pilot *pilot)
{
	pilot_steps_close(pilot);
	packer_free(pilot->packer);
	if (pilot->held)
		held_release(pilot->held);
	free(pilot->held);
	chunk_release(&pilot->chunk);
	reader_unpacker_free(pilot->source, pilot->unpacker);
	free(pilot);
}

/* How fast a thread copies, and hashes: what has no other measurement. */
static void measure_rates(struct model *model)
{
	enum { BYTES = 8 << 20, TIMES = 3 };
	unsigned char *from = malloc(BYTES), *to = malloc(BYTES);
	double copy_s = 0, hash_s = 0;
	uint64_t hash = 0;

	for (int i = 0; from && to && i < TIMES; i++) {
		uint64_t start;

		/* The first time, the memory is new. */
		memset(from, i + (int)(hash & 1), BYTES);
		start = clock_now(&clock_thread_cpu);
		memcpy(to, from, BYTES);
		copy_s = seconds_since(start);
		start = clock_now(&clock_thread_cpu);
		hash ^= hash_bytes(to, BYTES, 0);
		hash_s = seconds_since(start);
	}
	free(from);
	free(to);
	if (copy_s > 0)
		model->machine.copy_bytes_per_s = BYTES / copy_s;
	if (hash_s > 0 && hash != 1)
		model->machine.hash_bytes_per_s = BYTES / hash_s;
}

/*
 * Skipped for an emulated storage, which would slow it down: the limits of the
 * storage say what reading costs.
 */
static void measure_order(struct pilot *pilot)
{
	struct model *model = pilot->model;
	/* reading all samples will report it */
	struct error ignored = ERROR_INIT;

	if (pilot->timed && !plan_emulates(model->plan) &&
	    order_cost_measure(&model->order, &model->plan->strategies.order,
	        pilot->source, &ignored))
		model->order = (struct order_cost){ .given_s = 0 };
}

int pilot_run(
    struct model *model, const struct pilot_plan *how, struct error *err)
{
	struct pilot *pilot = calloc(1, sizeof(*pilot));
	struct machine machine;
	int rc = -1;

	if (!pilot || !(pilot->held = calloc(1, sizeof(*pilot->held)))) {
		free(pilot);
		return error_memory(err, sizeof(*pilot));
	}
	machine_read(&machine);
	*model = (struct model){
		.plan = how->plan,
		.pipeline = how->pipeline,
		.source = how->source,
		.machine = {
			.cores = machine.cores,
			.own_cores = machine.cores,
			.memory = machine_memory(&machine),
			.cache_budget = plan_cache_budget(how->plan),
		},
	};
	pilot->model = model;
	pilot->source = how->source;
	pilot->timed = how->timed;
	pilot->skip_errors = how->skip_errors;
	pilot->stop = how->stop;
	accuracy_init(&model->accuracy);
	if (how->timed)
		measure_rates(model);
	if (how->medium)
		medium_set_warm(how->medium, true);
	if (pilot_open(pilot, err) == 0 && pilot_source(pilot, err) == 0) {
		average(pilot);
		measure_order(pilot);
		rc = try_codecs(pilot, err);
		if (rc == 0 && how->timed)
			rc = rehearsal_run(model, how, pilot->held, err);
	}
	if (how->medium)
		medium_set_warm(how->medium, false);
	pilot_close(pilot);
	return rc;
}
