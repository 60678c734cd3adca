/* rehearsal.c - see rehearsal.h. */
#include "strategies/forecast/rehearsal.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/error.h"
#include "lib/loader/batch_freelist.h"
#include "lib/loader/cache.h"
#include "lib/loader/loader.h"
#include "lib/measure/cores.h"
#include "lib/measure/memory.h"
#include "lib/media/medium.h"
#include "strategies/forecast/held.h"
#include "strategies/forecast/memory_store.h"
#include "strategies/forecast/pilot.h"
#include "strategies/forecast/predict.h"
#include "strategies/forecast/rehearsal_epochs.h"
#include "strategies/plan/shard_count.h"

enum {
	/*
	 * Bytes of stored data: behind a codec, which takes time, and plain.
	 * Plain data that fits into the caches of the processor is faster than
	 * a dataset that does not: these caches hold a few dozen megabytes.
	 */
	PACKED_BYTES = 2 << 20,
	PLAIN_BYTES = 72 << 20,
	CACHED_BYTES = 24 << 20,
	DATASET_SAMPLES = 48,
	DATASET_STREAMS = 48,
	DATASET_CHUNKS = 4, /* of each of a few long streams */
	LONG_STREAM = 64,   /* samples */
	SLOW_LEAST = 8,     /* samples of an epoch, even where they take long */
	MEMORY_PART = 16,   /* batches may take one in so many free bytes */
};

/* Samples may take so long one after the other; fewer are run if they do. */
static const double slow_s = 1;

/* Other programs that use more of the cores bend wall times. */
static const double busy_fraction = 0.05;

static uint64_t now(void)
{
	return clock_now(&clock_monotonic);
}

/* ---- the dataset ---- */

/* Returns how many samples of a representation an epoch may have. */
static double most_samples(const struct rehearsal *rehearsal, unsigned rep)
{
	const struct model *model = rehearsal->model;
	const double many = fmax(model->many[rep], 1e-9);
	double bytes = 1;

	for (unsigned i = rep; i <= model->pipeline->count; i++)
		bytes = fmax(bytes, model->field_bytes[i] / many);
	return fmin(fmax(slow_s / fmax(model->pilot_s, 1e-9), SLOW_LEAST),
	    fmax(rehearsal->room / bytes, 1));
}

/* Streams at equal distances, with about so many samples. */
static size_t choose_streams(const struct rehearsal *rehearsal, size_t *streams)
{
	const struct reader *source = rehearsal->model->source;
	const double each = (double)source->samples / (double)source->streams;
	const double samples =
	    fmin(DATASET_SAMPLES, most_samples(rehearsal, 0));
	double count = fmin(ceil(samples / fmax(each, 1e-9)),
	    fmin(DATASET_STREAMS, (double)source->streams));

	if (count < 1)
		count = 1;
	for (size_t i = 0; i < (size_t)count; i++)
		streams[i] = (size_t)(((double)i + 0.5) *
		                      (double)source->streams / count);
	return (size_t)count;
}

static struct loading loading_of(
    const struct rehearsal *rehearsal, unsigned from, enum cache_mode cache)
{
	return (struct loading){
		.plan = rehearsal->model->plan,
		.pipeline = rehearsal->model->pipeline,
		.from = from,
		.mode = { .cache = cache },
		.cached = pipeline_last_split(rehearsal->model->pipeline),
		.share = 1,
	};
}

static int rehearse_dataset(struct rehearsal *rehearsal, struct error *err)
{
	const struct reader *source = rehearsal->model->source;
	size_t streams[DATASET_STREAMS];
	struct stage stage = {
		.list = { .reader = source, .streams = streams, .repeats = 1 },
		.medium = rehearsal->how->medium,
		.what = { .unprocessed = true },
		.loading = loading_of(rehearsal, 0, CACHE_SYSTEM),
	};

	if (source->streams == 0 || source->samples == 0)
		return 0;
	stage.list.count = choose_streams(rehearsal, streams);
	if (source->samples / source->streams > LONG_STREAM)
		stage.list.chunk_most = DATASET_CHUNKS;
	for (size_t i = 0; !stage.list.chunk_most && i < stage.list.count; i++)
		stage.samples +=
		    (double)source->ops->stream_samples(source, streams[i]);
	return rehearsal_time(rehearsal, &stage, err);
}

/* ---- stored data ---- */

/* Plans as many samples in a shard as the session will store. */
static void plan_shards(const struct rehearsal *rehearsal, unsigned rep,
    double bytes, struct memory_store_plan *plan)
{
	const struct model *model = rehearsal->model;
	const struct held_rep *held = &rehearsal->held->reps[rep];
	const double all = (double)rehearsal->samples * model->many[rep];
	const double shards =
	    shard_count(model->source, &model->plan->strategies.order,
	        model->plan->strategies.shards.values[0],
	        bytes * (double)rehearsal->samples);
	const double each = (double)held->bytes / (double)held->count;
	const double most =
	    plan->codec->ops->encode || plan->codec->transform
	        ? PACKED_BYTES
	        : fmin(fmax(rehearsal->room, CACHED_BYTES), PLAIN_BYTES);
	double samples = fmin(all, most / fmax(each, 1));

	samples = fmax(samples, fmin((double)held->count, HELD_LEAST));
	samples = fmin(samples, most_samples(rehearsal, rep));
	plan->samples = (uint64_t)fmax(samples, 1);
	plan->shards = (unsigned)fmax(
	    round(shards * (double)plan->samples / fmax(all, 1)), 1);
}

/*
 * How many samples of the source the stored ones stand for: by their bytes,
 * since the few that are stored may be smaller or larger than others.
 */
static double count_samples(
    const struct rehearsal *rehearsal, const struct memory_store_plan *how)
{
	const struct model *model = rehearsal->model;
	const struct held_rep *held = how->held;
	double bytes = 0;

	for (uint64_t i = 0; i < how->samples; i++)
		bytes += (double)sample_bytes(&held->list[i % held->count]);
	if (bytes > 0 && model->field_bytes[how->rep] > 0)
		return bytes / model->field_bytes[how->rep];
	return (double)how->samples / fmax(model->many[how->rep], 1e-9);
}

/* Runs the loader over pilot samples that are stored so. */
static int rehearse_store(struct rehearsal *rehearsal,
    const struct rehearsed *what, struct error *err)
{
	const struct model *model = rehearsal->model;
	const struct plan_strategies *plan = &model->plan->strategies;
	struct memory_store_plan how = {
		.pipeline = model->pipeline,
		.rep = what->rep,
		.store = plan->stores[what->store],
		.codec = &plan->codecs[what->codec],
		.held = &rehearsal->held->reps[what->rep],
		.dir = rehearsal->how->work_dir,
	};
	struct stage stage = {
		.what = *what,
		.loading = loading_of(rehearsal, what->rep, CACHE_SYSTEM),
	};
	struct memory_store made;
	size_t *streams;
	int rc;

	plan_shards(rehearsal, what->rep,
	    model->packing[what->rep][what->store][what->codec].bytes, &how);
	if (memory_store_make(&made, &how, err))
		return rehearsal_forgive(err);
	stage.medium = made.medium;
	stage.list.reader = made.reader;
	stage.list.count = made.reader->streams;
	streams = calloc(made.reader->streams + 1, sizeof(size_t));
	for (size_t i = 0; streams && i < made.reader->streams; i++)
		streams[i] = i;
	stage.list.streams = streams;
	stage.samples = count_samples(rehearsal, &how);
	rc = streams ? rehearsal_time(rehearsal, &stage, err)
	             : error_memory(err, made.reader->streams);
	free(streams);
	memory_store_release(&made);
	return rc;
}

static bool is_plain(const struct codec *codec)
{
	return !codec->ops->encode && !codec->transform;
}

/* Stores of all representations, with or without a codec. */
static int rehearse_stores(
    struct rehearsal *rehearsal, bool plain, struct error *err)
{
	const struct model *model = rehearsal->model;
	const struct plan_strategies *plan = &model->plan->strategies;
	const unsigned last = pipeline_last_split(model->pipeline);
	const unsigned kinds = plan->store_count * plan->codec_count;

	for (unsigned i = 0; i < (last + 1) * kinds; i++) {
		const struct rehearsed what = {
			.rep = i / kinds,
			.store = i % kinds / plan->codec_count,
			.codec = i % plan->codec_count,
		};

		if (is_plain(&plan->codecs[what.codec]) != plain ||
		    !pilot_wants(rehearsal->how, model, &what) ||
		    rehearsal->held->reps[what.rep].count == 0)
			continue;
		if (!rehearsal_has_time(rehearsal))
			return 0;
		if (rehearse_store(rehearsal, &what, err))
			return -1;
	}
	return 0;
}

/* ---- the application cache ---- */

/* Fills the cache from stored data in memory. */
static int fill_cache(const struct rehearsal *rehearsal, struct cache *cache,
    const struct memory_store *made, unsigned at, struct error *err)
{
	const struct loading loading =
	    loading_of(rehearsal, at, CACHE_APPLICATION);
	struct loader_plan filler, plan;
	const struct batch *batch;
	struct loader *loader;
	int rc = 0;

	loading_plan(&loading, &filler, &plan);
	filler.threads = 1;
	filler.reader = made->reader;
	filler.medium = made->medium;
	loader = loader_new(&filler, err);
	if (!loader)
		return -1;
	loader_begin(loader, 0, false);
	while (rc == 0 && (batch = loader_next(loader)))
		rc = cache_add(cache, batch, err);
	if (loader_end(loader, err))
		rc = -1;
	loader_free(loader);
	return rc;
}

static int time_cache(struct rehearsal *rehearsal, struct cache *cache,
    unsigned at, struct error *err)
{
	struct stage stage = {
		.what = { .cached = true, .rep = at },
		.loading = loading_of(rehearsal, at, CACHE_APPLICATION),
	};
	const struct reader *reader = cache_reader(cache);
	size_t *streams = calloc(reader->streams + 1, sizeof(size_t));
	int rc;

	if (!streams)
		return error_memory(err, reader->streams * sizeof(size_t));
	for (size_t i = 0; i < reader->streams; i++)
		streams[i] = i;
	stage.list = (struct stream_list){
		.reader = reader,
		.streams = streams,
		.count = reader->streams,
		.repeats = 1,
	};
	stage.samples = (double)cache_samples(cache) /
	                fmax(rehearsal->model->many[at], 1e-9);
	rc = rehearsal_time(rehearsal, &stage, err);
	free(streams);
	return rc;
}

/* The last place that the cache may have; it is filled without a codec. */
static int rehearse_cache(struct rehearsal *rehearsal, struct error *err)
{
	const struct model *model = rehearsal->model;
	const unsigned at = pipeline_last_split(model->pipeline);
	const struct codec none = { .ops = &codec_none };
	struct memory_store_plan how = {
		.pipeline = model->pipeline,
		.rep = at,
		.store = &store_files,
		.codec = &none,
		.held = &rehearsal->held->reps[at],
		.dir = rehearsal->how->work_dir,
	};
	const struct cache_plan plan = {
		.schema = &model->pipeline->schemas[at],
		.budget = (uint64_t)2 * PLAIN_BYTES,
	};
	struct memory_store made;
	struct cache *cache;
	int rc = -1;

	if (how.held->count == 0 || !rehearsal_has_time(rehearsal))
		return 0;
	plan_shards(rehearsal, at, model->field_bytes[at], &how);
	if (memory_store_make(&made, &how, err))
		return rehearsal_forgive(err);
	cache = cache_new(&plan, err);
	if (cache && fill_cache(rehearsal, cache, &made, at, err) == 0)
		rc = time_cache(rehearsal, cache, at, err);
	cache_free(cache);
	memory_store_release(&made);
	return rc ? rehearsal_forgive(err) : 0;
}

static bool plans_cache(const struct plan *plan)
{
	for (unsigned i = 0; i < plan->load.cache_count; i++)
		if (plan->load.caches[i] == CACHE_APPLICATION)
			return true;
	return false;
}

/* Does a step run code of the user's, perhaps in processes of its own? */
static bool runs_own(const struct pipeline *pipeline)
{
	for (unsigned i = pipeline->from; i < pipeline->count; i++)
		if (pipeline->steps[i].ops->own)
			return true;
	return false;
}

/*
 * Other programs used the cores meanwhile, so the wall time is too long.  All
 * threads of a loader are busy when its data is in memory: the CPU time then
 * says how long it would take alone, but for waiting of a few percent.
 */
static void correct_busy(struct model *model)
{
	static const double waiting = 1.04;

	for (size_t i = 0; i < model->rehearsed.count; i++) {
		struct rehearsed *r = &model->rehearsed.list[i];
		const unsigned width = r->threads < model->machine.cores
		                           ? r->threads
		                           : model->machine.cores;
		const double alone_s = waiting * r->cpu_s / width;

		if (alone_s > 0 && alone_s < r->sample_s)
			r->sample_s = alone_s;
	}
}

int rehearsal_run(struct model *model, const struct pilot_plan *how,
    struct held *held, struct error *err)
{
	struct rehearsal rehearsal = {
		.model = model,
		.how = how,
		.held = held,
		.freelist = batch_freelist_new(),
		.deadline_ns = now() + (uint64_t)(how->rehearse_s * 1e9),
		.samples = how->source->samples,
		.room = (double)memory_available("") / MEMORY_PART,
	};
	const uint64_t start = now();
	struct cores_mark mark;
	struct cores cores;
	int rc;

	if (how->rehearse_s <= 0 || !rehearsal.freelist) {
		batch_freelist_free(rehearsal.freelist);
		return 0;
	}
	cores_mark(&mark);
	rc = how->reordered ? 0 : rehearse_dataset(&rehearsal, err);
	if (rc == 0)
		rc = rehearse_stores(&rehearsal, true, err);
	if (rc == 0 && plans_cache(model->plan))
		rc = rehearse_cache(&rehearsal, err);
	if (rc == 0)
		rc = rehearse_stores(&rehearsal, false, err);
	cores_since(&mark, &cores);
	/* Processes of the steps themselves would count as other programs. */
	if (!runs_own(model->pipeline) &&
	    cores.others_ns + (int64_t)cores.stolen_ns > 0)
		model->machine.others =
		    (double)(cores.others_ns + (int64_t)cores.stolen_ns) /
		    (double)(now() - start);
	if (model->machine.others > busy_fraction * model->machine.cores)
		correct_busy(model);
	batch_freelist_free(rehearsal.freelist);
	return rc;
}
